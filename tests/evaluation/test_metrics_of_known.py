"""Ranks among accounts in no known pair, by hand; and the edge of a precision."""

import numpy as np

from factlink.evaluation.metrics import evaluate, evaluate_candidates, free_rights, recall_at_precision
from factlink.types import Candidates, Pairs
from tests.candidates.test_top_k import TableScorer

CANDIDATES = Candidates(
    np.array([[0, 1, 2], [1, 0, 3], [0, 1, -1], [0, -1, -1]], np.int32),
    np.array([[0.9, 0.8, 0.7], [0.9, 0.8, 0.7], [1, 0.1, -np.inf], [0.5, -np.inf, -np.inf]], np.float32),
)
TRUTH = Pairs(np.array([0, 1, 2, 3]), np.array([1, 3, 0, 2]))
KNOWN = Pairs(np.array([2]), np.array([0]))


def test_known_accounts_leave_the_ranking_and_are_not_tested() -> None:
    metrics = evaluate_candidates(CANDIDATES, 4, TRUTH, KNOWN)
    # right user 0 is nobody's: 1 is first of [1, 2], 3 second of [1, 3], and 2, not found, in the middle of three
    assert metrics.n == 3
    assert metrics.hits[1] == 1 / 3
    assert metrics.hits[2] == 1
    assert metrics.mrr == (1 + 1 / 2 + 1 / 2) / 3


def test_without_known_pairs_everybody_is_ranked() -> None:
    metrics = evaluate_candidates(CANDIDATES, 4, TRUTH)
    # ranks 2, 3, 1, and (1 + 1 + 4) / 2 for who is not found
    assert metrics.n == 4
    assert metrics.mrr == (1 / 2 + 1 / 3 + 1 + 1 / 3) / 4


FOUR = TableScorer(
    np.array([[0.9, 0.2, 0.1, 0], [0.5, 0.8, 0.9, 0.1], [0.7, 0, 0.3, 0.2], [0.6, 0.3, 0.2, 0.1]], np.float32)
)


def test_the_best_account_that_is_free_is_the_one_that_is_right_or_wrong() -> None:
    """0 is taken by user 2, who is everybody's best: the others are linked to 1 (.2), 2 (.9) and 1 (.3)."""
    truth = Pairs(np.array([0, 1, 3]), np.array([1, 2, 2]))
    metrics = evaluate(FOUR, truth, KNOWN)
    assert metrics.n == 3
    assert metrics.hits[1] == 2 / 3
    assert metrics.mrr == (1 + 1 + 1 / 2) / 3
    assert metrics.recall_at_precision_90 == 1 / 3  # .9 is right, .3 is not, and .2 comes after it
    stored = Candidates(np.array([[0, 1, 2], [2, 1, 0], [0, 2, 3], [0, 1, 2]]), -np.sort(-FOUR.table, axis=1)[:, :3])
    assert evaluate_candidates(stored, 4, truth, KNOWN) == metrics


def test_only_the_right_accounts_of_known_pairs_are_taken() -> None:
    assert free_rights(4, KNOWN).tolist() == [False, True, True, True]


def test_a_precision_that_is_just_reached_counts() -> None:
    correct = np.array([True] * 9 + [False])
    assert recall_at_precision(correct, np.full(10, 0.5, np.float32)) == 0.9
