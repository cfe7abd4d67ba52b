"""Walks from landmarks against dense arithmetic and by hand."""

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from factlink.embedding.walks.adjacency import undirected
from factlink.embedding.walks.visits import Visits, visit_lifts
from factlink.errors import SettingError
from factlink.types import Floats, Ints
from tests.embedding.walks.graphs import follows, two_cliques


def dense_lifts(graph: csr_matrix, landmarks: Ints, restart: float, steps: int) -> Floats:
    """The formula of the module, with nothing left out."""
    table = graph.toarray().astype(np.float64)
    chances = table / np.maximum(table.sum(axis=0), 1)
    starts = np.zeros((len(table), len(landmarks)))
    starts[landmarks, np.arange(len(landmarks))] = 1
    visits = starts
    for _ in range(steps):
        visits = (1 - restart) * chances @ visits + restart * starts
    lifts = np.log1p(len(table) * visits)
    norms = np.linalg.norm(lifts, axis=1, keepdims=True)
    return np.asarray(lifts / np.where(norms > 0, norms, 1))


def random_graph(seed: int, n: int = 20) -> csr_matrix:
    ends = np.random.default_rng(seed).integers(0, n, (40, 2))
    return undirected({"follows": follows(*(pair for pair in ends.tolist()))}, n)


def test_one_step_by_hand() -> None:
    graph = undirected({"follows": follows((0, 1), (0, 2))}, 4)  # 0 between 1 and 2, 3 alone
    lifts = visit_lifts(graph, np.array([0, 1]), Visits(restart=0.5, steps=1)).toarray()
    # From 0: half stays, a quarter goes to 1 and to 2. From 1: half stays, half goes to 0. Four users, so lifts ×4.
    zero, one = np.log1p([2, 2]), np.log1p([1, 2])
    np.testing.assert_allclose(lifts[0], zero / np.linalg.norm(zero), rtol=1e-6)
    np.testing.assert_allclose(lifts[1], one / np.linalg.norm(one), rtol=1e-6)
    np.testing.assert_allclose(lifts[2:], [[1, 0], [0, 0]], rtol=1e-6)


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 1000), st.just(0.0) | st.floats(0.001, 0.9), st.integers(1, 4))
def test_where_nothing_is_dropped_it_is_the_formula(seed: int, restart: float, steps: int) -> None:
    graph, landmarks = random_graph(seed), np.array([3, 7, 7, 11])
    lifts = visit_lifts(graph, landmarks, Visits(restart, steps, keep=4)).toarray()
    np.testing.assert_allclose(lifts, dense_lifts(graph, landmarks, restart, steps), atol=1e-5)


def test_users_keep_the_landmarks_that_visit_them_most() -> None:
    graph = undirected({"follows": two_cliques()}, 10)
    landmarks = np.array([0, 1, 6, 7, 8])
    all_of_them, two = (visit_lifts(graph, landmarks, Visits(0.5, 1, keep)).toarray() for keep in (5, 2))
    assert np.count_nonzero(two, axis=1).max() == 2
    assert np.flatnonzero(two[0]).tolist() == [0, 1]
    assert set(np.flatnonzero(two[6])) == {2, 3}  # itself, and the first of the two that visit it equally
    assert all_of_them[6, 3] == all_of_them[6, 4] > 0


def test_the_number_of_threads_changes_nothing() -> None:
    graph, landmarks = random_graph(0), np.arange(0, 20, 2)
    before = numba.get_num_threads()
    try:
        results = []
        for n_threads in (1, min(2, before)):
            numba.set_num_threads(n_threads)
            results.append(visit_lifts(graph, landmarks, Visits(keep=3)).toarray().tobytes())
    finally:
        numba.set_num_threads(before)
    assert results[0] == results[1]


@pytest.mark.parametrize(
    ("restart", "steps", "keep", "message"),
    [(1.0, 3, 8, "restart is 1.0"), (0.5, 0, 8, "steps is 0"), (0.5, 3, 0, "keep is 0")],
)
def test_impossible_settings_are_refused(restart: float, steps: int, keep: int, message: str) -> None:
    with pytest.raises(SettingError, match=message):
        Visits(restart, steps, keep)
