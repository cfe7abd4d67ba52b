import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

from factlink.candidates.pairs import gather_pairs
from factlink.decision.sparse_assignment import best_assignment


@pytest.mark.parametrize("seed", range(4))
def test_the_total_is_that_of_scipy_on_sparse_pairs_with_ties(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, m = 120, 90
    pairs = gather_pairs(n, m, [(rng.integers(0, n, 700), rng.integers(0, m, 700))])
    scores = rng.integers(0, 8, len(pairs)).astype(np.float32) / 8
    chosen = best_assignment(pairs, scores, no_match=0.2)
    users = np.arange(n)
    costs = np.concatenate([2 - np.maximum(scores - np.float32(0.2), 0), np.full(n, 2.0)])
    ends = np.concatenate([pairs.lefts, users]), np.concatenate([pairs.rights, m + users])
    matrix = csr_matrix((costs, ends), shape=(n, m + n))
    rows, columns = min_weight_full_bipartite_matching(matrix)
    assert_allclose((scores[chosen] - 0.2).sum(), (2 - matrix[rows, columns]).sum(), atol=1e-4)
    assert len(set(pairs.lefts[chosen])) == len(set(pairs.rights[chosen])) == len(chosen)


def test_who_came_first_makes_way_and_may_end_up_alone() -> None:
    pairs = gather_pairs(2, 1, [(np.array([0, 1]), np.array([0, 0]))])
    assert best_assignment(pairs, np.array([0.5, 0.9], np.float32)).tolist() == [1]


def test_a_long_chain_moves_up_by_one() -> None:
    n = 50
    lefts = np.concatenate([np.arange(n), np.arange(n - 1)])
    pairs = gather_pairs(n, n, [(lefts, np.concatenate([np.arange(n), np.arange(1, n)]))])
    first = np.where(pairs.lefts == pairs.rights, 0.8, 0.9).astype(np.float32)
    chosen = best_assignment(pairs, first)
    assert_allclose(first[chosen].sum(), max(0.8 * n, 0.9 * (n - 1)), rtol=1e-5)


def best_total(gains: list[list[int]], free: frozenset[int]) -> int:
    """By trying everything: the first left user stays without a partner, or takes any that is free."""
    if not gains:
        return 0
    taken = [gains[0][right] + best_total(gains[1:], free - {right}) for right in free if gains[0][right] > 0]
    return max([best_total(gains[1:], free), *taken])


@given(st.lists(st.lists(st.integers(-2, 6), min_size=4, max_size=4), min_size=1, max_size=5))
@settings(max_examples=200)
def test_no_other_choice_among_few_users_has_a_larger_total(gains: list[list[int]]) -> None:
    table = np.array(gains, np.float32)
    pairs = gather_pairs(*table.shape, [np.indices(table.shape).reshape(2, table.size)])
    chosen = best_assignment(pairs, table.ravel() + 3, no_match=3.0)
    assert len(set(pairs.lefts[chosen])) == len(set(pairs.rights[chosen])) == len(chosen)
    assert (table.ravel()[chosen] > 0).all()
    assert chosen.tolist() == sorted(chosen)
    assert table.ravel()[chosen].sum() == best_total(gains, frozenset(range(4)))
