import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from factlink.embedding.propagate import (
    mean_row,
    neighbour_matrix,
    propagate,
    propagate_rows,
    without_mean,
)
from factlink.types import Follows
from factlink.vectors import unit_rows


def follows(*links: tuple[int, int]) -> Follows:
    followers, followees = np.array(links).T
    return Follows(followers, followees, np.ones(len(links), np.float32))


def test_neighbours_are_symmetric_and_nobody_is_their_own() -> None:
    links = [follows((0, 1), (1, 0), (2, 2)), follows((1, 2))]
    matrix = neighbour_matrix(4, links, [np.ones(3, np.float32), np.full(1, 0.5, np.float32)]).toarray()
    assert_array_equal(matrix, [[0, 1, 0, 0], [1, 0, 0.5, 0], [0, 0.5, 0, 0], [0, 0, 0, 0]])


def test_the_strongest_of_several_links_counts() -> None:
    links = [follows((0, 1)), follows((1, 0))]
    matrix = neighbour_matrix(2, links, [np.full(1, 0.2, np.float32), np.full(1, 0.7, np.float32)]).toarray()
    assert_allclose(matrix, [[0, 0.7], [0.7, 0]])


def test_a_link_worth_nothing_is_no_link() -> None:
    assert neighbour_matrix(2, [follows((0, 1))], [np.zeros(1, np.float32)]).nnz == 0


def test_one_hop_is_the_mean_of_the_neighbours() -> None:
    neighbours = neighbour_matrix(3, [follows((0, 1), (0, 2))], [np.ones(2, np.float32)])
    vectors = np.array([[1, 0], [0, 1], [0.6, 0.8]], np.float32)
    hop = propagate(neighbours, vectors)
    assert_allclose(hop[0], np.array([0.6, 1.8]) / np.hypot(0.6, 1.8), rtol=1e-6)
    assert_allclose(hop[1:], [[1, 0], [1, 0]])


def test_a_rare_neighbour_is_heard_above_a_hub() -> None:
    links = follows((0, 1), (0, 2), *((1, other) for other in range(3, 40)))
    hop = propagate(neighbour_matrix(40, [links], [np.ones(39, np.float32)]), np.eye(40, dtype=np.float32))
    assert hop[0, 2] > 2 * hop[0, 1] > 0


def test_who_has_no_neighbours_has_no_vector() -> None:
    neighbours = neighbour_matrix(3, [follows((0, 1))], [np.ones(1, np.float32)])
    hop = propagate(neighbours, np.eye(3, dtype=np.float32))
    assert not without_mean(hop, mean_row(hop))[2].any()


def test_centring_takes_the_common_direction_and_keeps_lengths() -> None:
    vectors = unit_rows(np.array([[1, 5], [-1, 5], [0, 0]], np.float32))
    centred = without_mean(vectors, mean_row(vectors))
    assert_allclose(centred, [[1, 0], [-1, 0], [0, 0]], atol=1e-6)


def test_one_row_alone_keeps_its_direction() -> None:
    one = np.array([[3, 4], [0, 0]], np.float32)
    assert not mean_row(one).any()
    assert_array_equal(without_mean(unit_rows(one), mean_row(unit_rows(one))), unit_rows(one))


def test_some_rows_alone_propagate_as_all_do_wherever_the_vectors_lie() -> None:
    rng = np.random.default_rng(0)
    ends = rng.integers(0, 30, (2, 90))
    matrix = neighbour_matrix(30, [Follows(ends[0], ends[1], np.ones(90, np.float32))], [np.ones(90, np.float32)])
    vectors = unit_rows(rng.standard_normal((30, 8)).astype(np.float32))
    half = vectors.astype(np.float16)
    rows = np.array([3, 29, 7])
    found = propagate_rows(matrix[rows], np.diff(matrix.indptr).take, [half[:20], half[20:]])
    assert_allclose(found, propagate(matrix, half.astype(np.float32))[rows], atol=1e-6)
