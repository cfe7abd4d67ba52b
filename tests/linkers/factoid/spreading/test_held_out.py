from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from factlink.candidates.pairs import gather_pairs
from factlink.linkers.factoid.spreading.held_out import (
    Best,
    Grown,
    learn_from_known,
    share_with_partner,
    unknown_probabilities,
)
from factlink.linkers.factoid.spreading.logistic import Choices, fit_choices, fit_logistic
from factlink.types import NO_PAIRS, Floats, Pairs


def best(log_odds: list[float]) -> Best:
    none = np.zeros(len(log_odds), np.bool_)
    return Best(np.array(log_odds), np.ones(len(log_odds)), none, none)


def test_slopes_and_intercept_of_labels_are_found_again() -> None:
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(20_000, 2))
    odds = np.exp(-1 + 2 * rows[:, 0] + 0.5 * rows[:, 1])
    intercept, slopes = fit_logistic(rows, rng.random(20_000) < odds / (1 + odds), np.ones(20_000))
    assert_allclose([intercept, *slopes], [-1, 2, 0.5], atol=0.1)


def test_slopes_of_choices_are_found_again_and_do_not_fall() -> None:
    """Of five candidates each the right one is drawn by the odds of its row; the second column speaks against."""
    rng = np.random.default_rng(1)
    rows, users = rng.normal(size=(20_000, 2)), np.repeat(np.arange(4_000), 5)
    drawn = (3 * rows[:, 0] - rows[:, 1] + rng.gumbel(size=20_000)).reshape(4_000, 5)
    right = (drawn == drawn.max(axis=1, keepdims=True)).ravel()
    slopes = fit_choices(Choices(rows, users, right))
    assert slopes[0] == pytest.approx(2.6, abs=0.3)
    assert slopes[1] == 0


def test_the_weight_of_wrong_candidates_leaves_the_right_one_out() -> None:
    among = Choices(
        np.array([[0.0], [0.0], [5.0], [1.0]]), np.array([0, 0, 0, 1]), np.array([False, False, True, False])
    )
    assert_allclose(among.totals([1.0]), [np.log(2), 1.0])


@pytest.mark.parametrize("share", [0.25, 0.75])
def test_the_share_of_users_with_a_partner_is_read_off_their_best_pairs(share: float) -> None:
    rng = np.random.default_rng(2)
    have = rng.random(4_000) < share
    users = rng.normal(size=4_000) + 3 * have
    held = best((rng.normal(size=400) + 3).tolist()), best(rng.normal(size=400).tolist())
    assert share_with_partner(users, *held) == pytest.approx(share, abs=0.05)


def grown(seed: int, n: int, partner: Floats, held: Pairs, known: Pairs) -> Grown:
    """Everybody's candidates are all right users; a partner, if there is one, agrees more on average."""
    rng = np.random.default_rng(seed)
    lefts, rights = np.divmod(np.arange(n * n), n)
    evidence = rng.normal(0.3, 0.1, n * n) + partner[lefts] * 0.3 * (lefts == rights)
    pairs = gather_pairs(n, n, [(lefts, rights)])
    return Grown(pairs, evidence.astype(np.float32), known, held)


def test_probabilities_say_how_many_links_are_wrong_where_few_have_a_partner() -> None:
    """60 of 200 users are known, and a half of the others has no partner."""
    n, known = 200, Pairs(np.arange(60), np.arange(60))
    partner = (np.arange(n) < 130).astype(np.float32)
    folds = []
    for fold in range(3):
        held = np.arange(60) % 3 == fold
        parts = [Pairs(np.flatnonzero(some), np.flatnonzero(some)) for some in (held, ~held)]
        folds.append(grown(fold, n, partner, parts[0], parts[1]))
    whole = grown(3, n, partner, NO_PAIRS, known)
    found = learn_from_known(whole, folds, np.ones(n, np.int64), "walks")
    likely = (found.values > 0.5) & (found.pairs.lefts >= 60)
    right = (found.pairs.lefts == found.pairs.rights) & (partner[found.pairs.lefts] > 0)
    assert likely.sum() > 30
    assert float(1 - found.values[likely].mean()) == pytest.approx(1 - right[likely].mean(), abs=0.08)


def by_hand(held: Pairs = NO_PAIRS) -> Grown:
    pairs = gather_pairs(2, 3, [(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]))])
    return Grown(pairs, np.array([0.9, 0.1, 0.2, 0.8], np.float32), NO_PAIRS, held)


def test_a_pair_stands_out_from_the_other_pairs_of_its_right_user() -> None:
    seen = by_hand().seen()
    assert_allclose(seen.agreements[0], [0.9, 0.1, 0.2, 0.8])
    assert_allclose(seen.gaps, [0.9 - 0.2 / 9, 0.1 - 0.8 / 9, 0.2 - 0.9 / 9, 0.8 - 0.1 / 9], rtol=1e-5)


def test_partners_of_users_held_out_are_taken_away_where_they_are_candidates() -> None:
    left = by_hand(Pairs(np.array([0, 1]), np.array([0, 2]))).without_held()
    assert left.pairs.lefts.tolist() == [0, 1, 1]
    assert left.pairs.rights.tolist() == [1, 0, 1]
    assert_allclose(left.evidence, [0.1, 0.2, 0.8])


@pytest.mark.parametrize("one_to_one", [True, False])
def test_where_too_few_are_known_pairs_are_ranked_and_none_is_likely(one_to_one: bool) -> None:
    found = unknown_probabilities(by_hand(), "walks", one_to_one=one_to_one)
    assert (found.keys, found.learned, found.one_to_one) == (("walks",), False, one_to_one)
    assert (found.values < 1e-9).all()
    scores = found.matching.log_odds
    assert scores[0] > scores[1]
    assert scores[3] > scores[2]
    assert found.fewest_right() == 0


def test_a_known_pair_is_certain_before_competition_and_one_that_is_no_candidate_makes_no_other_so() -> None:
    given = replace(by_hand(), known=Pairs(np.array([0, 1]), np.array([0, 2])))
    log_odds = unknown_probabilities(given, "walks").log_odds
    assert_allclose(log_odds, [30, 0.2 - 0.8 / 9, 0.4 - 0.9 / 9, 1.6 - 0.1 / 9], rtol=1e-5)
