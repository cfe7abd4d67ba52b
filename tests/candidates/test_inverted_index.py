import numba
import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import csr_matrix, random_array

from factlink.candidates.inverted_index import measure_recall, nearest_by_rare, nearest_rows, nearest_scored
from factlink.candidates.pairs import gather_pairs


def rows(n: int, seed: int) -> csr_matrix:
    matrix = random_array((n, 60), density=0.1, rng=np.random.default_rng(seed), dtype=np.float32)
    return csr_matrix(matrix)


def test_rows_meet_in_their_rarest_columns_first() -> None:
    left = csr_matrix(np.array([[1, 1, 0]], np.float32))
    right = csr_matrix(np.array([[1, 0, 0], [1, 0, 0], [1, 0, 0], [0, 0.1, 0], [0, 0, 1]], np.float32))
    assert_array_equal(nearest_rows(left, right, 2, budget=2), [[0], [3]])


@pytest.mark.parametrize(
    ("budget", "met"), [(1, [5]), (2, [5]), (3, [3, 4, 5]), (5, [3, 4, 5]), (6, [0, 1, 2, 3, 4, 5])]
)
def test_lists_are_read_as_long_as_the_budget_holds_them_whole(budget: int, met: list[int]) -> None:
    left = csr_matrix(np.ones((1, 3), np.float32))
    right = csr_matrix(np.eye(3, dtype=np.float32)[[2, 2, 2, 1, 1, 0]])  # lists of one, two and three
    lefts, rights = nearest_rows(left, right, 6, budget)
    assert sorted(rights.tolist()) == met
    assert not lefts.any()


def test_products_add_up_over_lists_and_start_anew_with_every_row() -> None:
    left = csr_matrix(np.array([[1, 2, 0], [0, 2, 1]], np.float32))
    right = csr_matrix(np.array([[4, 1, 0], [0, 2.5, 0], [0, 1, 4]], np.float32))  # 6, 5, 2 and 2, 5, 6
    assert_array_equal(nearest_rows(left, right, 1, budget=5), [[0, 1], [0, 2]])


def test_products_are_told_as_far_as_lists_were_read() -> None:
    left = csr_matrix(np.array([[1, 2, 0], [0, 2, 1]], np.float32))
    right = csr_matrix(np.array([[4, 1, 0], [0, 2.5, 0], [0, 1, 4]], np.float32))
    lefts, rights, products = nearest_scored(left, right, 1, budget=5)
    assert (lefts.tolist(), rights.tolist(), products.tolist()) == ([0, 1], [0, 2], [6, 6])
    assert nearest_scored(left, right, 1, budget=1)[2].tolist() == [4, 4]


def test_without_a_budget_the_nearest_are_exact() -> None:
    left, right = rows(40, 0), rows(50, 1)
    lefts, rights = nearest_rows(left, right, 5, budget=None)
    products = (left @ right.T).toarray()
    for row in range(40):
        found = products[row, rights[lefts == row]]
        assert_array_equal(np.sort(found), np.sort(products[row][products[row] > 0])[-5:])


def test_there_may_be_fewer_columns_than_are_asked_for() -> None:
    left, right = csr_matrix(np.ones((2, 1), np.float32)), csr_matrix(np.arange(1, 6, dtype=np.float32)[:, None])
    lefts, rights = nearest_rows(left, right, 3, budget=None)
    assert_array_equal(lefts, [0, 0, 0, 1, 1, 1])
    assert_array_equal(np.sort(rights.reshape(2, 3)), [[2, 3, 4], [2, 3, 4]])
    assert len(nearest_rows(left, right, 9, budget=None)[0]) == 10


def test_both_directions_are_found() -> None:
    left, right = csr_matrix(np.eye(2, 3, dtype=np.float32)), csr_matrix(np.array([[1, 0, 0], [0.5, 0, 0]], np.float32))
    lefts, rights = nearest_by_rare(left, right, 1)
    assert sorted(zip(lefts.tolist(), rights.tolist(), strict=True)) == [(0, 0), (0, 0), (0, 1)]


def test_left_rows_come_first_in_either_direction() -> None:
    left = csr_matrix(np.array([[1, 0, 0], [0, 1, 0]], np.float32))
    right = csr_matrix(np.array([[0, 0, 1], [0, 0, 1], [2, 0, 0], [1, 0, 0]], np.float32))
    lefts, rights = nearest_by_rare(left, right, 1)
    assert list(zip(lefts.tolist(), rights.tolist(), strict=True)) == [(0, 2), (0, 2), (0, 3)]


def test_rows_that_share_nothing_never_meet() -> None:
    left, right = csr_matrix(np.array([[1, 0]], np.float32)), csr_matrix(np.array([[0, 1]], np.float32))
    assert len(nearest_by_rare(left, right, 3)[0]) == 0


def test_the_number_of_threads_does_not_show() -> None:
    left, right, threads = rows(300, 2), rows(300, 3), numba.get_num_threads()
    try:
        numba.set_num_threads(1)
        alone = nearest_by_rare(left, right, 4, budget=50)
    finally:
        numba.set_num_threads(threads)
    assert_array_equal(nearest_by_rare(left, right, 4, budget=50), alone)


def test_recall_is_the_share_of_the_nearest_that_is_there() -> None:
    left, right = rows(30, 4), rows(30, 5)
    all_pairs = gather_pairs(30, 30, [np.indices((30, 30)).reshape(2, 900)])
    assert measure_recall(left, right, all_pairs, seed=0) == 1
    assert measure_recall(left, right, gather_pairs(30, 30, []), seed=0) == pytest.approx(0, abs=0.05)
    some = gather_pairs(30, 30, [nearest_rows(left, right, 5, None)])
    assert 0.45 < measure_recall(left, right, some, seed=0) < 0.75


def test_recall_asks_for_no_more_than_share_anything() -> None:
    left = csr_matrix(np.array([[1, 0, 0]], np.float32))
    right = csr_matrix(np.array([[1, 0, 0], *([0, 1, 0] for _ in range(11))], np.float32))
    one = gather_pairs(1, 12, [(np.array([0]), np.array([0]))])
    assert measure_recall(left, right, one, seed=0) == 1
    assert measure_recall(left, right, gather_pairs(1, 12, [(np.array([0]), np.array([1]))]), seed=0) == 0
    unlike = csr_matrix(np.array([[0, 0, 1]], np.float32))
    assert measure_recall(unlike, right, one, seed=0) == 1


def test_recall_is_the_mean_over_left_rows() -> None:
    both = csr_matrix(np.eye(4, dtype=np.float32))
    some = gather_pairs(4, 4, [(np.array([0, 1, 2, 3]), np.array([0, 1, 2, 0]))])
    assert measure_recall(both, both, some, seed=0) == pytest.approx(0.75)


def test_recall_counts_the_ten_nearest_however_few_columns_there_are() -> None:
    left, right = csr_matrix(np.ones((1, 1), np.float32)), csr_matrix(np.arange(1, 21, dtype=np.float32)[:, None])
    best, half = np.arange(10, 20), np.arange(15, 20)
    for met, share in ((best, 1.0), (half, 0.5)):
        pairs = gather_pairs(1, 20, [(np.zeros(len(met), int), met)])
        assert measure_recall(left, right, pairs, seed=0) == share
