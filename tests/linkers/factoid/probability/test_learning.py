"""What is learned from users and decoys, by hand: three left users, three right ones, and a decoy of each network."""

import numpy as np
import numpy.typing as npt
import pytest
from numpy.testing import assert_allclose

from factlink.candidates.pairs import gather_pairs
from factlink.decision.pair_model import PairEvidence
from factlink.linkers.factoid.probability import learning
from factlink.linkers.factoid.probability.decoys import Decoys
from factlink.linkers.factoid.probability.learning import (
    Probabilities,
    Seen,
    _Fit,
    _fixed_model,
    _match,
    learn_probabilities,
)
from factlink.types import NO_PAIRS, Floats, Pairs

ENDS = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [2, 1]])
"""Pairs of three left users with three right ones, of whom the last has none."""

EVIDENCE = np.array([0.9, 0.1, 0.2, 0.8, 0.3], np.float32)


def column(*values: float) -> Floats:
    return np.array(values, np.float32)


def decoys(side: int, donors: list[int], mates: list[int], met: list[list[int]], evidence: Floats) -> Decoys:
    lefts = np.repeat(np.arange(len(met)), list(map(len, met)))
    pairs = gather_pairs(len(donors), 3, [(lefts, np.concatenate(met))])
    return Decoys(side, np.array(donors), np.array(mates), pairs, evidence, (evidence,))


def fit(known: Pairs = NO_PAIRS, *, one_to_one: bool = True) -> _Fit:
    pairs = gather_pairs(3, 3, [(ENDS[:, 0], ENDS[:, 1])])
    left = decoys(0, [0], [2], [[0, 1, 2]], column(0.5, 0.4, 0.3))
    right = decoys(1, [1], [0], [[0, 1]], column(0.5, 0.4))
    seen = Seen(pairs, EVIDENCE, {"names": EVIDENCE}, known, one_to_one)
    return _Fit(seen, (left, right), np.random.default_rng(0))


def test_a_pair_stands_out_from_the_other_pairs_of_its_right_user() -> None:
    levels = column(0.2, 0.8 + 0.3, 0.9, 0.1 + 0.3, 0.1 + 0.8) / 9
    assert_allclose(fit().users.gaps, EVIDENCE - levels, rtol=1e-5)


def test_a_decoy_stands_out_from_the_pairs_of_others_than_its_donors() -> None:
    left, right = fit().seen
    assert_allclose(left.gaps, column(0.5 - 0.2 / 9, 0.4 - 0.8 / 9, 0.3), rtol=1e-5)  # user 1 alone is no donor
    assert_allclose(right.gaps, column(0.5, 0.4), rtol=1e-5)  # right users 0 and 1 are the donors


def test_users_without_candidates_or_in_known_pairs_are_not_learned_from() -> None:
    assert [users.tolist() for users in fit().sampled] == [[0, 1, 2], [0, 1]]
    known = fit(Pairs(np.array([0]), np.array([0])))
    assert [users.tolist() for users in known.drawn] == [[1, 2], [1]]
    assert [users.tolist() for users in known.sampled] == [[0, 1, 2], [0, 1]]


def test_mutual_best_pairs_are_the_first_partners() -> None:
    assert fit()._mutual().tolist() == [1, 0, 0, 1, 0]


@pytest.mark.parametrize(
    ("values", "free"),
    [
        ((0.7, 0.2, 0.1, 0.3, 0.6), (0.675, 0.675)),  # 1.3 of three right users, and one more, have a partner
        ((0.1, 0.0, 0.0, 0.1, 0.0), (0.95, 0.95)),
        ((1.0, 0.0, 0.0, 1.0, 1.0), (0.5, 0.5)),
    ],
)
def test_as_many_left_users_have_a_partner_as_right_ones(values: tuple[float, ...], free: tuple[float, float]) -> None:
    assert_allclose(fit()._free(column(*values)), free, rtol=1e-5)


def fixed(known: Pairs = NO_PAIRS, *, one_to_one: bool = True) -> Probabilities:
    found = fit(known, one_to_one=one_to_one)
    return found._compete(_fixed_model([1.0], 1), (0.5, 0.25))


def test_the_model_is_fitted_to_users_and_what_is_best_of_each(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[object] = []
    monkeypatch.setattr(learning, "fit_pair_model", lambda *words: given.extend(words))
    fit(Pairs(np.array([2]), np.array([1])))._fit_model(np.array([1.0, 0.5, 0.0]))
    users, seen, best, weights = given
    assert isinstance(weights, np.ndarray)
    assert isinstance(users, PairEvidence)
    assert isinstance(seen, PairEvidence)
    assert isinstance(best, PairEvidence)
    assert_allclose(users.agreements[0], [0.9, 0.8])  # of users 0 and 1 above the decoy's least evidence, .3
    assert_allclose(seen.agreements[0], [0.5, 0.4, 0.3])
    assert_allclose(best.agreements[0], [0.9, 0.8])
    assert_allclose(best.gaps, [0.9 - 0.2 / 9, 0.8 - 0.4 / 9], rtol=1e-5)
    assert_allclose(weights, [2.0, 1.0, 0.0])  # two users to one decoy


def test_fixed_odds_rise_with_the_cosine_before_competition() -> None:
    assert_allclose(fixed().log_odds, -13 + 38 * EVIDENCE, rtol=1e-5)


def test_channels_count_by_their_shares_and_declared_links_in_full() -> None:
    model = _fixed_model([0.75, 0.25], 3)
    assert [curve.slopes for curve in model.channels] == [(28.5,), (9.5,), (38.0,)]
    assert (model.intercept, model.gap.slopes) == (-13.0, (0.0,))
    assert len(_fixed_model([0.75, 0.25], 2).channels) == 2


def test_a_known_pair_is_as_good_as_certain() -> None:
    found = fixed(Pairs(np.array([2, 2]), np.array([1, 2])))  # the second is nobody's candidate
    assert found.values[4] > 0.999
    assert found.values[3] < 0.01  # the right user is taken


def test_a_decoy_joins_a_competition_that_its_donors_left() -> None:
    made, found = fit(), fixed()
    odds, free, rivals = np.exp(found.log_odds), (0.5, 0.25), found.matching
    mine = np.exp(-13 + 38 * np.array([0.5, 0.4, 0.3]))
    weight_of_1 = odds[[2, 3]] * rivals.from_left[[2, 3]]  # the only rival for right users 0 and 1 who is no donor
    weights = mine / (free[1] + np.array([*weight_of_1, 0.0]))
    expected = np.log(weights) - np.log(free[0] + weights.sum() - weights)
    best, chances = made._join(0, found, np.ones(3))
    assert_allclose((best[0], chances[0]), (expected.max(), 1), rtol=1e-3)
    assert chances[1:].tolist() == [0]
    weights[0] = 0
    alone = np.log(weights[1:]) - np.log(free[0] + weights[:0:-1])  # the two that are left compete with each other
    best, chances = made._join(0, found, np.array([0.0, 1.0, 1.0]))
    assert_allclose((best[0], chances[0]), (alone.max(), 1), rtol=1e-3)
    nobody, certain = made._join(0, found, np.zeros(3))
    assert (nobody.tolist(), certain.tolist()) == ([-30.0], [1.0])


def test_nobody_who_is_no_rival_weighs_anything() -> None:
    found, matching = fit(), fixed().matching
    weights = found._weight_of(0, np.array([0, 0, 2]), np.array([0, 2, 0]), matching)
    assert_allclose(weights, [matching.odds[0] * matching.from_left[0], 0, 0])
    turned = found._weight_of(1, np.array([1, 2]), np.array([2, 2]), matching)
    assert_allclose(turned, [matching.odds[4] * matching.from_right[4], 0])


def test_right_links_are_counted_among_mutual_best_pairs_alone_less_the_most_that_may_be_false() -> None:
    found = fixed()
    assert (found.values > 0.5).tolist() == [True, False, False, True, False]
    assert (found.values[[0, 3]] > 1 - 1e-6).all()  # they count as 1 − 10⁻⁶, which is 1.645 · √2 · 10⁻³ links at most
    assert_allclose(found.fewest_right(), 2 - 0.002327, atol=1e-5)


def test_several_left_users_may_have_one_partner_where_the_rule_says_so() -> None:
    pairs, found = np.array([0, 3]), fixed(Pairs(np.array([2]), np.array([1])))
    assert found.rematched(one_to_one=True) is found
    several = found.rematched(one_to_one=False)
    assert not several.one_to_one
    assert (several.values[pairs] > 0.9).all()
    assert found.values[3] < 0.01
    assert_allclose(several.values, fixed(Pairs(np.array([2]), np.array([1])), one_to_one=False).values)


def world(n: int, n_decoys: int, rng: np.random.Generator) -> tuple[Seen, tuple[Decoys, Decoys], npt.NDArray[np.bool_]]:
    """n users on both sides: three of four have a partner, of evidence about .8; all other evidence is about .3."""
    lefts, rights = np.repeat(np.arange(n), 6), (np.repeat(np.arange(n), 6) + np.tile(np.arange(6), n)) % n
    pairs = gather_pairs(n, n, [(lefts, rights)])
    same = (pairs.lefts == pairs.rights) & (pairs.lefts % 4 != 1)
    evidence = rng.normal(np.where(same, 0.8, 0.3), 0.1).astype(np.float32)
    bred = []
    for side in (0, 1):
        rows = np.repeat(np.arange(n_decoys), 6)
        met = gather_pairs(n_decoys, n, [(rows, (rows + np.tile(np.arange(6), n_decoys)) % n)])
        values = rng.normal(0.3, 0.1, len(met)).astype(np.float32)
        users = np.arange(n_decoys)
        bred.append(Decoys(side, users, (users + 1) % n, met, values, (values,)))
    return Seen(pairs, evidence, {"names": evidence}, NO_PAIRS), (bred[0], bred[1]), same


def test_probabilities_are_those_of_a_world_that_was_made_up() -> None:
    seen, bred, same = world(400, 400, np.random.default_rng(3))
    found = learn_probabilities(seen, bred, [1.0], np.random.default_rng(0))
    assert found.learned
    assert abs(found.values[same].mean() - 1) < 0.03
    assert np.mean(found.values[~same] > 0.5) < 0.01
    assert abs(found.values.sum() - 300) < 12
    assert_allclose(found.free, (0.25, 0.25), atol=0.03)
    assert 285 < found.fewest_right() < 305


@pytest.mark.parametrize(("users", "n_decoys", "learned"), [(20, 20, True), (19, 20, False), (60, 19, False)])
def test_fewer_than_twenty_users_or_decoys_teach_nothing(users: int, n_decoys: int, learned: bool) -> None:
    seen, bred, _ = world(users, n_decoys, np.random.default_rng(3))
    found = learn_probabilities(seen, bred, [1.0], np.random.default_rng(0))
    assert found.learned == learned
    assert (found.model.intercept == -13.0) == (not learned)


def test_every_side_has_a_dustbin_of_its_own() -> None:
    """A pair without rivals has its odds over both dustbins."""
    one = gather_pairs(1, 1, [(np.array([0]), np.array([0]))])
    found = _match(one, column(3), (0.5, 0.25), one_to_one=True)
    assert_allclose(found.log_odds, 3 - np.log(0.5) - np.log(0.25), rtol=1e-4)
    assert_allclose(np.exp(found.log_odds) / found.odds / found.from_right, 1 / 0.5, rtol=1e-4)
    both = gather_pairs(2, 1, [(np.array([0, 1]), np.array([0, 0]))])
    several = _match(both, column(3, 3), (0.5, 0.25), one_to_one=False)
    assert_allclose(several.log_odds, 3 - np.log(0.5) - np.log(0.25), rtol=1e-4)
