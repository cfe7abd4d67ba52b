from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose

from factlink.candidates.pairs import CandidatePairs, gather_pairs
from factlink.decision import matching
from factlink.decision.matching import Doubles, match
from factlink.types import Floats


def pairs_of(*both: tuple[int, int], sizes: tuple[int, int]) -> CandidatePairs:
    lefts, rights = np.array(both).T
    return gather_pairs(*sizes, [(lefts, rights)])


def all_matchings(pairs: CandidatePairs, odds: Floats, dustbins: tuple[Doubles, Doubles]) -> Floats:
    """Probabilities of pairs by adding up every possible matching."""
    totals, whole = np.zeros(len(pairs)), 0.0
    for chosen in product((False, True), repeat=len(pairs)):
        taken = np.flatnonzero(chosen)
        lefts, rights = pairs.lefts[taken], pairs.rights[taken]
        if len(set(lefts)) < len(taken) or len(set(rights)) < len(taken):
            continue
        weight = np.prod(odds[taken]) * np.prod(np.delete(dustbins[0], lefts)) * np.prod(np.delete(dustbins[1], rights))
        whole += weight
        totals[taken] += weight
    return totals / whole


def test_two_users_without_rivals_have_the_odds_over_both_dustbins() -> None:
    pairs = pairs_of((0, 0), sizes=(1, 1))
    found = match(pairs, np.log(np.array([6.0], np.float32)), (np.array([0.5]), np.array([0.25])))
    assert np.exp(found.log_odds[0]) == pytest.approx(6 / (0.5 * 0.25))


def test_it_is_exact_where_pairs_form_no_cycle() -> None:
    pairs = pairs_of((0, 0), (0, 1), (1, 1), (2, 1), (2, 2), sizes=(3, 3))
    odds = np.array([3, 0.5, 8, 1, 0.2], np.float32)
    dustbins = np.array([0.5, 1.0, 2.0]), np.array([0.3, 0.7, 1.0])
    found = match(pairs, np.log(odds), dustbins)
    likely = 1 / (1 + np.exp(-found.log_odds))
    assert_allclose(likely, all_matchings(pairs, odds, dustbins), rtol=2e-3)


def test_it_is_near_where_they_do() -> None:
    pairs = pairs_of((0, 0), (0, 1), (1, 0), (1, 1), sizes=(2, 2))
    odds = np.array([9, 1, 1, 9], np.float32)
    dustbins = np.ones(2), np.ones(2)
    found = match(pairs, np.log(odds), dustbins)
    assert_allclose(1 / (1 + np.exp(-found.log_odds)), all_matchings(pairs, odds, dustbins), atol=0.03)


def test_who_rests_has_the_messages_of_who_sends_in_every_round() -> None:
    """Random pairs with cycles: all messages by whole sums, forty times, every other time half of the way."""
    rng = np.random.default_rng(3)
    pairs = gather_pairs(40, 30, [(rng.integers(0, 40, 150), rng.integers(0, 30, 150))])
    log_odds = rng.normal(0, 3, len(pairs)).astype(np.float32)
    odds, free = np.exp(log_odds.astype(np.float64)), (0.5, 0.2)
    from_right = 1 / (free[1] + odds)
    for turn in range(40):
        weights = odds * from_right
        from_left = 1 / (free[0] + np.bincount(pairs.lefts, weights, 40)[pairs.lefts] - weights)
        weights = odds * from_left
        wanted = 1 / (free[1] + np.bincount(pairs.rights, weights, 30)[pairs.rights] - weights)
        from_right = np.sqrt(wanted * from_right) if turn % 2 else wanted
    found = match(pairs, log_odds, (np.full(40, free[0]), np.full(30, free[1])))
    assert_allclose(found.log_odds, log_odds + np.log(from_left) + np.log(from_right), atol=5e-3)


def test_a_rival_takes_from_a_pair_and_not_without_one_to_one() -> None:
    alone = match(pairs_of((0, 0), sizes=(2, 1)), np.log(np.array([4.0], np.float32)), (np.ones(2), np.ones(1)))
    both = pairs_of((0, 0), (1, 0), sizes=(2, 1))
    log_odds = np.log(np.array([4, 4], np.float32))
    rivals = match(both, log_odds, (np.ones(2), np.ones(1)))
    shared = match(both, log_odds, (np.ones(2), np.ones(1)), one_to_one=False)
    assert_allclose(np.exp(rivals.log_odds), [4 / 5, 4 / 5], rtol=1e-3)  # two matchings of weight 4, one of weight 1
    assert_allclose(np.exp(alone.log_odds), [4], rtol=1e-5)
    assert_allclose(shared.log_odds, np.repeat(alone.log_odds, 2), rtol=1e-5)


def test_totals_are_what_a_user_who_joins_competes_with() -> None:
    pairs = pairs_of((0, 0), sizes=(1, 1))
    found = match(pairs, np.log(np.array([6.0], np.float32)), (np.array([0.5]), np.array([0.25])))
    assert found.right_totals[0] == pytest.approx(6 / 0.5)
    assert found.left_totals[0] == pytest.approx(6 / 0.25)


def test_odds_beyond_all_measure_stay_finite() -> None:
    pairs = pairs_of((0, 0), (0, 1), sizes=(1, 2))
    found = match(pairs, np.array([500, -500], np.float32), (np.ones(1), np.ones(2)))
    assert np.isfinite(found.log_odds).all()
    assert found.log_odds[0] == pytest.approx(30)


def test_it_ends_when_messages_stay_and_after_one_round_without_one_to_one(monkeypatch: pytest.MonkeyPatch) -> None:
    sent, send = [], matching._send

    def counted(*words: object) -> float:
        sent.append(words)
        return float(send(*words))

    monkeypatch.setattr(matching, "_send", counted)
    pairs = pairs_of((0, 0), (0, 1), (1, 1), sizes=(2, 2))
    match(pairs, np.log(np.array([4, 1, 3], np.float32)), (np.ones(2), np.ones(2)))
    assert len(sent) == 8
    sent.clear()
    match(pairs, np.log(np.array([4, 1, 3], np.float32)), (np.ones(2), np.ones(2)), one_to_one=False)
    assert len(sent) == 1
