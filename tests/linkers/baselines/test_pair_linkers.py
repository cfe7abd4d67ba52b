"""Pieces of single linkers: negatives, log-odds, greedy links, settings."""

import numpy as np
import pytest

from factlink.errors import SettingError
from factlink.linkers.baselines.cnl import CnlLinker, greedy_one_to_one, probability
from factlink.linkers.baselines.cosnet import CosnetLinker
from factlink.linkers.baselines.features.candidate_pairs import find_pairs, united
from factlink.linkers.baselines.lr import LogOdds, LrLinker, fit_log_odds
from factlink.linkers.baselines.ulink import UlinkLinker
from factlink.linkers.settings import make_linker
from factlink.types import Pairs


def pairs(*of: tuple[int, int]) -> Pairs:
    ends = np.array(of, np.int64).reshape(-1, 2)
    return Pairs(ends[:, 0], ends[:, 1])


def test_negatives_are_look_alikes_and_non_matches_of_known_left_users() -> None:
    known = pairs((0, 0), (1, 1))
    wrong = LrLinker(random_negatives=3).negatives(united([pairs((0, 0), (0, 5), (1, 6), (2, 7))]), known, 9)
    assert set(wrong.lefts.tolist()) == {0, 1}
    assert (find_pairs(pairs((0, 5), (1, 6)), wrong) >= 0).all()
    assert (find_pairs(known, wrong) < 0).all()


def test_log_odds_of_what_is_missing_by_hand() -> None:
    odds = LogOdds(*(np.array(part, np.float32) for part in ([2, 1], [0.5, 0], [-3, 0])), constant=1.0)
    values = np.array([[1, 4], [np.nan, 4]], np.float32)
    assert odds.of(values).tolist() == [7, 3]


def test_log_odds_follow_the_column_that_tells() -> None:
    rng = np.random.default_rng(0)
    matches = np.arange(300) < 30
    values = rng.normal(size=(300, 2)).astype(np.float32)
    values[matches, 1] += 3
    values[::7, 1] = np.nan
    odds = fit_log_odds(values, matches, 1.0)
    assert odds.slopes[1] > 5 * abs(odds.slopes[0])
    assert odds.of(values)[matches].mean() > 1 > -1 > odds.of(values)[~matches].mean()


def test_links_are_taken_best_first_and_nobody_twice() -> None:
    some = pairs((0, 0), (0, 1), (1, 0), (1, 1), (2, 2))
    chosen = greedy_one_to_one(some, np.array([5, 4, 4.5, 1, 2], np.float32))
    assert chosen.tolist() == [0, 3, 4]


def test_equally_good_partners_rule_each_other_out() -> None:
    some = pairs((0, 0), (0, 1), (1, 2), (2, 3), (2, 0))
    chosen = greedy_one_to_one(some, np.array([5, 5, 5, 4, 3], np.float32))
    assert chosen.tolist() == [2, 3]
    assert greedy_one_to_one(pairs(), np.empty(0, np.float32)).tolist() == []


def test_probability_of_log_odds() -> None:
    assert probability(np.array([0, -1000, 1000], np.float32)).tolist() == pytest.approx([0.5, 0, 1])


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: LrLinker(look_alikes=0), "look_alikes is 0 and random_negatives 10; they must be ≥ 1 and ≥ 0"),
        (lambda: LrLinker(inverse_penalty=0), "inverse_penalty is 0; it must be above 0"),
        (lambda: CnlLinker(n_bins=1), "n_bins is 1; it must be at least 2"),
        (lambda: CnlLinker(link_probability=1), "link_probability is 1; it must lie between 0 and 1"),
        (lambda: CosnetLinker(most_edges=0), "most_edges is 0; it must be at least 1"),
        (lambda: CosnetLinker(importance=-1), "importance is -1; it must be above 0"),
        (lambda: UlinkLinker(dim=0), "dim is 0; it must be at least 1"),
        (lambda: UlinkLinker(push=0), "push is 0 and penalty 0.001; they must be > 0 and ≥ 0"),
        (lambda: UlinkLinker(solver="sgd"), "no solver is called 'sgd'; there are: apg, cccp"),  # type: ignore[arg-type]
        (lambda: make_linker("ulink", {"solver": "sgd"}), "setting 'solver' is 'sgd'; there are: apg, cccp"),
    ],
)
def test_settings_are_checked_at_birth(make: object, says: str) -> None:
    with pytest.raises(SettingError, match=says):
        make()  # type: ignore[operator]
