import numpy as np
import pytest
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
