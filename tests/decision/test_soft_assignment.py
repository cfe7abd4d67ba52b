from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import linear_sum_assignment

from factlink.candidates.pairs import CandidatePairs, gather_pairs
from factlink.decision.soft_assignment import SoftAssignment, balance_part, deal_rivals, first_scaling
from factlink.decision.sparse_assignment import best_assignment
from factlink.errors import SettingError
from factlink.types import Floats

FEW = 0.03**0.25
"""What no match weighs in networks of 300 users or fewer."""


def all_pairs(scores: Any) -> tuple[CandidatePairs, Floats]:
    lefts, rights = np.indices(scores.shape)
    return gather_pairs(*scores.shape, [(lefts.ravel(), rights.ravel())]), scores.ravel().astype(np.float32)


def soft(scores: Any, **settings: Any) -> Floats:
    pairs, flat = all_pairs(np.array(scores))
    return SoftAssignment(**settings).assign(pairs, flat).probabilities.reshape(np.shape(scores))


def test_the_optimum_is_not_greedy() -> None:
    pairs, scores = all_pairs(np.array([[0.9, 0.8], [0.8, 0.1]]))
    assert_array_equal(best_assignment(pairs, scores), [1, 2])


def test_a_pair_that_is_not_worth_it_leaves_both_alone() -> None:
    pairs, scores = all_pairs(np.array([[0.9, 0.2], [0.8, 0.1]]))
    assert_array_equal(best_assignment(pairs, scores, no_match=0.3), [0])


def test_nobody_is_linked_where_nothing_is_worth_it() -> None:
    pairs, scores = all_pairs(np.array([[0.1, 0.2]]))
    assert len(best_assignment(pairs, scores, no_match=0.5)) == 0


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 7), st.integers(1, 7), st.integers(0, 10_000), st.floats(0, 0.9))
def test_the_sparse_optimum_is_that_of_the_dense_matrix(n_left: int, n_right: int, seed: int, no_match: float) -> None:
    scores = np.random.default_rng(seed).random((n_left, n_right)).astype(np.float32)
    pairs, flat = all_pairs(scores)
    chosen = best_assignment(pairs, flat, no_match=no_match)
    padded = np.concatenate([np.maximum(scores - no_match, 0), np.zeros((n_left, n_left))], axis=1)
    rows, columns = linear_sum_assignment(padded, maximize=True)
    assert_allclose((flat[chosen] - no_match).sum(), padded[rows, columns].sum(), atol=1e-4)
    assert len(np.unique(pairs.lefts[chosen])) == len(chosen)
    assert len(np.unique(pairs.rights[chosen])) == len(chosen)


def test_many_unlikely_pairs_do_not_make_a_partner() -> None:
    """A third is on both; all others have thirty non-matches at even odds, together as much as one partner."""
    scores = np.full((90, 90), 0.2, np.float32)
    scores[np.arange(30), np.arange(30)] = 0.9
    pairs, flat = all_pairs(scores)
    found = SoftAssignment().assign(pairs, flat)
    assert_allclose([found.left_no_match, found.right_no_match], FEW * 2**1.25, rtol=0.1)


def test_the_emptier_side_counts_half_as_much_again() -> None:
    """One of two left users is linked, one of six right ones; as if one more were and one more not, odds 1 and 3."""
    scores = np.zeros((2, 6), np.float32)
    scores[0, 0] = 1
    pairs, flat = all_pairs(scores)
    found = SoftAssignment().assign(pairs, flat)
    assert_allclose([found.left_no_match, found.right_no_match], [FEW * 3**0.25, FEW * 3 * 3**0.25], rtol=0.1)


def test_no_match_weighs_between_a_49th_and_49() -> None:
    sure, _ = all_pairs(np.eye(300))
    everybody = SoftAssignment().assign(sure, np.eye(300).ravel().astype(np.float32))  # of 302 at most .98 are linked
    assert_allclose([everybody.left_no_match, everybody.right_no_match], [FEW / 49] * 2, rtol=1e-4)
    nobody = SoftAssignment().assign(sure, np.zeros(300 * 300, np.float32))
    assert_allclose([nobody.left_no_match, nobody.right_no_match], [49 * FEW] * 2, rtol=1e-4)


def test_a_clear_pair_is_likely_and_a_poor_one_is_not() -> None:
    probabilities = soft([[0.9, 0.0], [0.0, 0.05]])
    assert probabilities[0, 0] > 0.95
    assert probabilities[1, 1] < 0.05


def test_two_without_rivals_are_as_likely_as_their_odds_and_those_of_no_match_say() -> None:
    """p² = odds · (1 − p)² for one pair with alone = 1, and that from the first round on."""
    odds = np.exp((0.9 - 0.3) / 0.05)
    for rounds in (1, 4):
        root = 1 / (1 + FEW / odds**0.5)
        assert_allclose(soft([[0.9]], temperature=0.05, no_match=0.3, rounds=rounds), root, rtol=1e-3)


def test_large_networks_have_more_non_matches() -> None:
    lone = np.full(1, 0.32, np.float32)
    likely = [
        SoftAssignment().assign(gather_pairs(n, n, [(np.zeros(1, int), np.zeros(1, int))]), lone).probabilities[0]
        for n in (100, 300, 10_000, 30_000, 100_000)
    ]
    assert likely[0] == likely[1] > likely[2] > likely[3] == likely[4]


def test_rivals_share_what_one_user_can_give() -> None:
    probabilities = soft([[0.8], [0.8]])
    assert_allclose(probabilities[0], probabilities[1], atol=1e-4)
    assert 0.4 < probabilities[0, 0] <= 0.5


def test_several_accounts_do_not_compete_without_one_to_one() -> None:
    assert soft([[0.8], [0.8]], one_to_one=False).min() > 0.9


def test_the_loser_of_a_contest_goes_to_its_second_choice() -> None:
    probabilities = soft([[0.9, 0.1], [0.7, 0.6]])
    assert probabilities[1].argmax() == 1


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 1000))
def test_nobody_gives_more_than_one_whole(n_left: int, n_right: int, seed: int) -> None:
    probabilities = soft(np.random.default_rng(seed).random((n_left, n_right)))
    assert probabilities.sum(0).max() <= 1 + 1e-5
    assert np.isfinite(probabilities).all()


def test_the_logarithm_is_a_sum_of_named_parts() -> None:
    pairs, scores = all_pairs(np.array([[0.9, 0.3], [0.4, 0.6]]))
    found = SoftAssignment(temperature=0.05, no_match=0.3).assign(pairs, scores)
    parts = (scores - 0.3) / 0.05 + found.left_scaling[pairs.lefts] + found.right_scaling[pairs.rights]
    assert_allclose(np.log(found.probabilities), parts, atol=1e-4)


@pytest.mark.parametrize(("setting", "value"), [("temperature", 0.0), ("rounds", 0)])
def test_settings_that_make_no_sense(setting: str, value: float) -> None:
    with pytest.raises(SettingError, match=f"{setting} is {value}"):
        SoftAssignment(**{setting: value})


def test_pairs_and_the_dustbin_of_a_user_sum_to_one() -> None:
    """User 0 has pairs of weights .5·2 and 3·1 beside a dustbin of .5·4, user 1 has none beside one of .5·8."""
    starts, others, odds = np.array([0, 2, 2]), np.array([1, 0]), np.array([0.5, 3])
    [rivals] = deal_rivals(starts, others, odds, np.array([4.0, 8]), 1)
    balanced, best = balance_part(rivals, np.array([1.0, 2]), 0.5)
    assert_allclose(balanced, [1 / 6, 1 / 4])
    assert_allclose(best, [3 / 6, 0])
    assert_allclose(first_scaling(balanced, best), [1 / np.sqrt(3), 1])


def test_users_are_dealt_out_with_their_own_pairs() -> None:
    starts, others, odds = np.array([0, 2, 3, 3]), np.array([1, 0, 4]), np.array([0.5, 3, 2])
    first, second, third = deal_rivals(starts, others, odds, np.array([4.0, 8, 9]), 3)
    assert [part.tolist() for part in first] == [[0, 2], [1, 0], [0.5, 3], [4]]
    assert [part.tolist() for part in second] == [[0, 1], [4], [2], [8]]
    assert [part.tolist() for part in third] == [[0, 0], [], [], [9]]
