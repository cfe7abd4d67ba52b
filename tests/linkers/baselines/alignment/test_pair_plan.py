"""Plans that list some pairs: against full matrices, and by hand."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_matrix

from factlink.candidates.pairs import CandidatePairs, gather_pairs
from factlink.linkers.baselines.alignment.pair_plan import (
    Doubles,
    PairPlan,
    balance,
    over_neighbours,
    over_users,
    uniform_plan,
)

N_LEFT, N_RIGHT = 9, 7


def some_pairs(seed: int = 0) -> CandidatePairs:
    random = np.random.default_rng(seed)
    listed = random.random((N_LEFT, N_RIGHT)) < 0.4
    return gather_pairs(N_LEFT, N_RIGHT, [np.nonzero(listed)])  # type: ignore[list-item]


def some_graph(n: int, seed: int) -> csr_matrix:
    random = np.random.default_rng(seed)
    return csr_matrix(random.random((n, n)) * (random.random((n, n)) < 0.4))


def full(pairs: CandidatePairs, values: Doubles, elsewhere: Doubles) -> Doubles:
    matrix = elsewhere.copy()
    matrix[pairs.lefts, pairs.rights] = values
    return matrix


def test_two_friends_that_are_listed_count_by_both_links() -> None:
    # Users 0 and 1 are friends on both sides by .5 and .25; the pair (1, 1) has 8, so (0, 0) gets .5 · 8 · .25.
    pairs = gather_pairs(2, 2, [(np.array([0, 1]), np.array([0, 1]))])
    left, right = csr_matrix([[0, 0.5], [0, 0]]), csr_matrix([[0, 0.25], [0, 0]])
    assert over_neighbours(pairs, np.array([3.0, 8.0]), left, right).tolist() == [1.0, 0.0]


def test_sums_over_neighbours_are_those_of_full_matrices() -> None:
    pairs, left, right = some_pairs(), some_graph(N_LEFT, 1), some_graph(N_RIGHT, 2)
    values = np.random.default_rng(3).random(len(pairs))
    whole = left @ full(pairs, values, np.zeros((N_LEFT, N_RIGHT))) @ right.T
    assert_allclose(over_neighbours(pairs, values, left, right), whole[pairs.lefts, pairs.rights])


def test_a_plan_counts_what_it_does_not_list() -> None:
    pairs, left, right = some_pairs(), some_graph(N_LEFT, 1), some_graph(N_RIGHT, 2)
    random = np.random.default_rng(4)
    plan = PairPlan(pairs, random.random(len(pairs)), random.random(N_LEFT), random.random(N_RIGHT), np.zeros(N_LEFT))
    whole = left @ full(pairs, plan.values, np.outer(plan.lefts, plan.rights)) @ right.T
    linked = (np.diff(left.indptr) > 0)[pairs.lefts] & (np.diff(right.indptr) > 0)[pairs.rights]
    assert linked.sum() > 10
    assert_allclose(plan.over(left, right)[linked], whole[pairs.lefts, pairs.rights][linked])


def test_who_has_no_neighbour_is_taken_to_have_all() -> None:
    assert over_users(csr_matrix([[0, 2.0], [0, 0]]), np.array([1.0, 3.0])).tolist() == [6.0, 2.0]


def test_a_uniform_plan_adds_up_to_one() -> None:
    plan = uniform_plan(some_pairs())
    assert plan.lefts.sum() * plan.rights.sum() == pytest.approx(1)
    assert set(plan.values) == {1 / 63}


def test_balanced_rows_and_columns_are_uniform_and_the_same_as_those_of_full_matrices() -> None:
    pairs, random = some_pairs(), np.random.default_rng(5)
    listed, lefts, rights = random.normal(size=len(pairs)), random.normal(size=N_LEFT), random.normal(size=N_RIGHT)
    plan = balance(pairs, listed, (lefts, rights), rounds=200)
    whole = full(pairs, plan.values, np.outer(plan.lefts, plan.rights))
    assert_allclose(whole.sum(axis=1), np.full(N_LEFT, 1 / 9))
    assert_allclose(whole.sum(axis=0), np.full(N_RIGHT, 1 / 7))
    kernel = np.exp(full(pairs, listed, lefts[:, None] + rights))
    for _ in range(200):
        kernel /= 7 * kernel.sum(axis=0)
        kernel /= 9 * kernel.sum(axis=1)[:, None]
    assert_allclose(whole, kernel, rtol=1e-6)


def test_two_users_that_want_each_other_share_by_hand() -> None:
    # Kernel [[4, 1], [1, 1]]: by symmetry the plan is [[x, ½ − x], [½ − x, x]] with x² / (½ − x)² = 4, so x = ⅓.
    pairs = gather_pairs(2, 2, [(np.array([0]), np.array([0]))])
    plan = balance(pairs, np.log([4.0]), (np.zeros(2), np.zeros(2)), rounds=100)
    assert plan.values[0] == pytest.approx(1 / 3)
    assert plan.lefts[0] * plan.rights[1] == pytest.approx(1 / 6)


def test_users_far_from_everybody_stay_finite() -> None:
    pairs = gather_pairs(2, 2, [(np.array([0, 1]), np.array([0, 1]))])
    plan = balance(pairs, np.array([0.0, -5000.0]), (np.full(2, -9000.0), np.zeros(2)), rounds=10)
    assert np.isfinite(plan.values).all()
    assert plan.values[0] == pytest.approx(0.5)
