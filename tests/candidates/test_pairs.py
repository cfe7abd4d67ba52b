import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from factlink.candidates.pairs import (
    CandidatePairs,
    _insert,
    best_of_pairs,
    best_of_runs,
    candidate_pairs,
    gather_pairs,
    keep_pairs,
    left_best,
    left_margins,
    left_sums,
    mutual_best,
    right_best,
)
from factlink.types import Candidates

LEFTS = np.array([1, 0, 0, 2])
RIGHTS = np.array([0, 1, 0, 1])


def three_by_two() -> CandidatePairs:
    return gather_pairs(3, 2, [(LEFTS, RIGHTS), (LEFTS[:1], RIGHTS[:1])])


def test_pairs_are_distinct_and_sorted_from_both_sides() -> None:
    pairs = three_by_two()
    assert_array_equal(pairs.lefts, [0, 0, 1, 2])
    assert_array_equal(pairs.rights, [0, 1, 0, 1])
    assert_array_equal(pairs.left_starts, [0, 2, 3, 4])
    assert_array_equal(pairs.by_right, [0, 2, 1, 3])
    assert_array_equal(pairs.right_starts, [0, 2, 4])


def test_places_of_pairs_and_of_non_matches() -> None:
    pairs = three_by_two()
    assert_array_equal(pairs.places(np.array([2, 0, 2, 0]), np.array([1, 1, 0, -1])), [3, 1, -1, -1])


def test_no_pairs_at_all() -> None:
    pairs = gather_pairs(2, 3, [])
    assert len(pairs) == 0
    assert_array_equal(best_of_pairs(pairs, np.empty(0, np.float32), 2).rights, [[-1, -1], [-1, -1]])
    assert len(mutual_best(pairs, np.empty(0, np.float32))) == 0


def test_the_best_of_either_side_and_of_both() -> None:
    pairs = three_by_two()
    scores = np.array([0.5, 0.4, 0.9, 0.1], np.float32)
    means, best = left_best(pairs, scores, 1)
    assert_allclose(means, [0.5, 0.9, 0.1])
    assert_array_equal(best, [True, False, True, True])
    means, best = right_best(pairs, scores, 2)
    assert_allclose(means, [0.7, 0.25])
    assert best.all()
    assert_array_equal(mutual_best(pairs, scores), [2])
    assert_allclose(left_margins(pairs, scores), [0.1, np.inf, np.inf], atol=1e-6)


def test_best_candidates_take_equal_scores_by_right_row() -> None:
    candidates = best_of_pairs(three_by_two(), np.array([0.5, 0.5, 0.9, 0.1], np.float32), 2)
    assert_array_equal(candidates.rights, [[0, 1], [0, -1], [1, -1]])
    assert_allclose(candidates.scores, [[0.5, 0.5], [0.9, -np.inf], [0.1, -np.inf]])


def test_the_best_of_runs_take_the_first_of_equal_ones() -> None:
    kept = best_of_runs(np.array([0, 3, 3, 7]), np.array([1, 3, 2, 5, 4, 5, 5], np.float32), 2)
    assert_array_equal(kept, [False, True, True, True, False, True, False])


def test_sums_are_by_left_row() -> None:
    assert_array_equal(left_sums(three_by_two(), np.array([1, 2, 4, 8], np.float32)), [3, 4, 8])


def test_kept_pairs_stay_in_order() -> None:
    kept = keep_pairs(three_by_two(), np.array([False, True, True, False]))
    assert_array_equal(kept.lefts, [0, 1])
    assert_array_equal(kept.rights, [1, 0])


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 6), st.integers(1, 6), st.integers(1, 4), st.integers(0, 1000))
def test_candidates_become_pairs_and_back(n_left: int, n_right: int, k: int, seed: int) -> None:
    k = min(k, n_right)
    rng = np.random.default_rng(seed)
    scores = rng.permutation(n_left * n_right).reshape(n_left, n_right).astype(np.float32)
    rights = np.argsort(-scores, axis=1)[:, :k].astype(np.int32)
    candidates = Candidates(rights, np.take_along_axis(scores, rights, axis=1))
    pairs, pair_scores = candidate_pairs(candidates, n_right)
    again = best_of_pairs(pairs, pair_scores, k)
    assert_array_equal(again.rights, candidates.rights)
    assert_array_equal(again.scores, candidates.scores)


def test_a_full_list_loses_its_smallest_and_grows_no_longer() -> None:
    values, places = np.array([3, 2], np.float32), np.array([0, 1])
    assert _insert.py_func(values, places, 2, 2.5, 7) == 2
    assert (values.tolist(), places.tolist()) == ([3, 2.5], [0, 7])
    assert _insert.py_func(values, places, 2, 2.5, 9) == 2
    assert places.tolist() == [0, 7]


def test_means_are_of_as_many_as_there_are_where_they_are_fewer_than_asked_for() -> None:
    pairs = gather_pairs(3, 3, [(np.array([0, 0, 1, 2, 2, 2]), np.array([0, 1, 0, 0, 1, 2]))])
    scores = np.array([1, 3, 4, 5, 7, 6], np.float32)
    means, best = left_best(pairs, scores, 2)
    assert_allclose(means, [2, 4, 6.5])
    assert_array_equal(best, [True, True, True, False, True, True])
    means, best = right_best(pairs, scores, 2)
    assert_allclose(means, [4.5, 5, 6])
    assert_array_equal(best, [False, True, True, True, True, True])
