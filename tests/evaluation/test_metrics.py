"""Metrics by hand, on tables small enough to read."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from factlink.candidates.top_k import best_of_block
from factlink.errors import InputError
from factlink.evaluation.metrics import evaluate, evaluate_candidates, recall_at_precision
from factlink.types import NO_PAIRS, Floats, Ints, Pairs
from tests.candidates.test_top_k import TableScorer


def floats(*values: float) -> Floats:
    return np.array(values, np.float32)


def pairs(*of: tuple[int, int]) -> Pairs:
    ends: Ints = np.array(of).reshape(-1, 2)
    return Pairs(ends[:, 0], ends[:, 1])


THREE = TableScorer(np.array([[0.9, 0.1, 0.2], [0.8, 0.7, 0.1], [0.3, 0.2, 0.1]], np.float32))


def test_hits_and_reciprocal_ranks_by_hand() -> None:
    metrics = evaluate(THREE, pairs((0, 0), (1, 1), (2, 2)))  # ranks 1, 2, 3
    assert metrics.n == 3
    assert metrics.hits == pytest.approx({1: 1 / 3, 2: 2 / 3, 3: 1, 4: 1, 5: 1, 10: 1, 30: 1})
    assert metrics.mrr == pytest.approx((1 + 1 / 2 + 1 / 3) / 3)


def test_constant_scores_are_no_hit() -> None:
    metrics = evaluate(TableScorer(np.zeros((2, 101), np.float32)), pairs((0, 0), (1, 1)))
    assert metrics.hits[30] == 0
    assert metrics.mrr == pytest.approx(1 / 51)


def test_a_left_user_with_two_true_rights_counts_once_by_its_best() -> None:
    metrics = evaluate(THREE, pairs((0, 1), (0, 0)))
    assert (metrics.n, metrics.hits[1], metrics.mrr) == (1, 1.0, 1.0)


def test_stored_candidates_give_the_same_figures_up_to_their_depth() -> None:
    candidates = best_of_block(THREE.table, 2)
    metrics = evaluate_candidates(candidates, 3, pairs((0, 0), (1, 1), (2, 2)))
    assert metrics.mrr == pytest.approx((1 + 1 / 2 + 1 / 3) / 3)
    far = evaluate_candidates(best_of_block(THREE.table, 1), 3, pairs((2, 2)))
    assert far.mrr == pytest.approx(1 / 2.5)  # ranks 2 and 3 are left; their middle is 2.5


@given(hnp.arrays(np.float32, (4, 7), elements=st.sampled_from([0.0, 0.25, 0.5, 1.0])))
def test_all_candidates_stored_is_exact(table: Floats) -> None:
    truth = pairs((0, 3), (1, 0), (3, 6))
    assert evaluate_candidates(best_of_block(table, 7), 7, truth) == evaluate(TableScorer(table), truth)


def test_recall_at_precision_by_hand() -> None:
    correct = np.array([True] * 9 + [False] + [True] * 4 + [False] * 6)
    scores = floats(*range(20, 0, -1))
    assert recall_at_precision(correct, scores) == pytest.approx(13 / 20)  # 13 right of 14 is 92.9 %
    assert recall_at_precision(np.array([False, True]), floats(2, 1)) == 0


def test_a_threshold_cannot_cut_through_a_tie() -> None:
    assert recall_at_precision(np.array([True, False]), floats(1, 1)) == 0


def test_a_tie_further_down_is_not_cut_either() -> None:
    assert recall_at_precision(np.array([True, True, False]), floats(3, 1, 1)) == pytest.approx(1 / 3)


def test_users_without_a_score_come_last() -> None:
    assert recall_at_precision(np.array([True, False]), floats(1, np.nan)) == 0.5
    assert recall_at_precision(np.array([False, True]), floats(np.nan, 1)) == 0.5


def test_left_users_that_truth_does_not_name_are_neither_right_nor_wrong() -> None:
    assert evaluate(THREE, pairs((0, 0))).recall_at_precision_90 == 1.0


def test_an_empty_truth_is_refused() -> None:
    with pytest.raises(InputError, match="the truth has no pairs"):
        evaluate(THREE, NO_PAIRS)
