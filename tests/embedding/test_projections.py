import numpy as np
import pytest

from factlink.embedding.objectives import Objective
from factlink.embedding.projections import Phi, isometry, limit_norm, spectral_norm, start_phi
from factlink.embedding.settings import Projection

ROWS = np.arange(3)
ONES = np.ones(3, np.float32)


def attribute(dim_o: int) -> Objective:
    return Objective("name", ROWS, ROWS, ONES, np.ones((3, dim_o), np.float32), None)


LINK = Objective("follows", ROWS, ROWS, ONES, None, ONES)


def test_norm_of_a_diagonal_is_its_largest_entry() -> None:
    assert spectral_norm(np.diag([3.0, -7.0, 1.0]).astype(np.float32)) == pytest.approx(7)


def test_a_matrix_within_the_bound_is_left_alone() -> None:
    matrix = np.diag([0.5, -0.25]).astype(np.float32)
    limit_norm(matrix, 0.5)
    assert matrix.tolist() == [[0.5, 0], [0, -0.25]]


@pytest.mark.parametrize("shape", [(5, 5), (3, 8), (8, 3)])
def test_no_update_takes_the_norm_over_its_bound(shape: tuple[int, int]) -> None:
    random = np.random.default_rng(0)
    phi = Phi(random.standard_normal(shape).astype(np.float32), np.zeros(shape[0], np.float32), np.zeros((0, shape[0])))
    for _ in range(20):
        brackets = random.standard_normal((30, shape[0])).astype(np.float32)
        phi.update(brackets, random.standard_normal((30, shape[1])).astype(np.float32), Projection(bound=0.8, rate=0.5))
        assert np.linalg.norm(phi.matrix, 2) <= 0.8 * (1 + 1e-6)


def test_update_by_hand() -> None:
    phi = Phi(np.zeros((1, 2), np.float32), np.zeros(1, np.float32), np.zeros((0, 1), np.float32))
    brackets, inputs = np.array([[1.0], [2.0]], np.float32), np.array([[1.0, 0.0], [0.0, 3.0]], np.float32)
    phi.update(brackets, inputs, Projection(bound=100, rate=0.5))
    assert phi.matrix.tolist() == [[0.5, 3.0]]
    assert phi.bias.tolist() == [1.5]
    assert phi.project(inputs, ROWS[:2]).tolist() == [[2.0], [10.5]]
    assert phi.back(np.array([[2.0]], np.float32)).tolist() == [[1.0, 6.0]]


def test_without_bias_it_stays_zero() -> None:
    phi = start_phi(LINK, 3, 4, Projection(), 0, 0)
    phi.update(np.ones((2, 4), np.float32), np.ones((2, 4), np.float32), Projection(bias=False))
    assert not phi.bias.any()


def test_attributes_of_the_right_size_start_as_they_are() -> None:
    assert np.array_equal(start_phi(attribute(4), 3, 4, Projection(), 0, 0).matrix, np.eye(4))


def test_links_start_as_rotations_of_their_own() -> None:
    first, second = (start_phi(LINK, 3, 6, Projection(), 0, place).matrix for place in (0, 1))
    assert first @ first.T == pytest.approx(np.eye(6), abs=1e-6)
    assert abs(first - second).max() > 0.1


def test_the_papers_start_is_small_and_random() -> None:
    matrix = start_phi(LINK, 3, 50, Projection(start="gaussian"), 0, 0).matrix
    assert matrix.std() == pytest.approx(1 / 50, rel=0.1)


def test_identity_and_free_contexts() -> None:
    identity = start_phi(LINK, 3, 2, Projection(kind="identity"), 0, 0)
    inputs = np.array([[1.0, 2.0]], np.float32)
    assert identity.project(inputs, ROWS[:1]).tolist() == [[1.0, 2.0]]
    free = start_phi(LINK, 3, 2, Projection(kind="free"), 0, 0)
    free.contexts[1] = (5, 6)
    assert free.project(inputs, np.array([1])).tolist() == [[5.0, 6.0]]


@pytest.mark.parametrize(("n_out", "n_in"), [(3, 5), (5, 3), (4, 4)])
def test_isometries_have_norm_one(n_out: int, n_in: int) -> None:
    matrix = isometry(n_out, n_in, np.random.default_rng(0))
    assert matrix.shape == (n_out, n_in)
    assert np.linalg.svd(matrix, compute_uv=False) == pytest.approx(np.ones(min(n_out, n_in)))
