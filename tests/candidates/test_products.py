import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_matrix

from factlink.candidates.products import sparse_products, vector_products

LEFT = np.array([[1, 2, 0], [0, 0, 3]], np.float32)
RIGHT = np.array([[4, 0, 5], [0, 6, 0], [0, 0, 0]], np.float32)
LEFTS, RIGHTS = np.array([0, 0, 1, 1, 0]), np.array([0, 1, 0, 1, 2])
PRODUCTS = [4, 12, 15, 0, 0]


def test_products_of_vectors_by_hand() -> None:
    assert_array_equal(vector_products(LEFT, RIGHT, LEFTS, RIGHTS), PRODUCTS)


def test_products_of_sparse_rows_by_hand_where_a_left_row_comes_back() -> None:
    assert_array_equal(sparse_products(csr_matrix(LEFT), csr_matrix(RIGHT), LEFTS, RIGHTS), PRODUCTS)


def test_entries_may_be_listed_in_any_order() -> None:
    unsorted = csr_matrix((np.array([2, 1, 3], np.float32), np.array([1, 0, 2]), np.array([0, 2, 3])), (2, 3))
    assert_array_equal(sparse_products(unsorted, csr_matrix(RIGHT), LEFTS, RIGHTS), PRODUCTS)


def test_columns_that_meet_in_one_place_of_a_table_are_told_apart() -> None:
    """Columns that are multiples of 4,096 begin to look in the same place."""
    columns = 4096 * np.arange(3)
    left = csr_matrix((np.array([1, 2, 3], np.float32), columns, np.array([0, 3])), (1, 5 * 4096))
    wanted = csr_matrix(
        (np.array([10, 100], np.float32), np.array([4096, 3 * 4096]), np.array([0, 1, 2])), (2, 5 * 4096)
    )
    assert_array_equal(sparse_products(left, wanted, np.array([0, 0]), np.array([0, 1])), [20, 0])


def test_no_pairs_have_no_products() -> None:
    nobody = np.empty(0, np.int64)
    assert len(sparse_products(csr_matrix(LEFT), csr_matrix(RIGHT), nobody, nobody)) == 0
    assert len(vector_products(LEFT, RIGHT, nobody, nobody)) == 0


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([1, 100, 8_192, 8_193, 20_000]))
def test_both_are_those_of_whole_matrices_in_chunks_of_any_size(seed: int, n_pairs: int) -> None:
    rng = np.random.default_rng(seed)
    left, right = (rng.integers(-2, 3, (n, 12)).astype(np.float32) for n in (30, 40))
    lefts, rights = np.sort(rng.integers(0, 30, n_pairs)), rng.integers(0, 40, n_pairs)
    whole = (left @ right.T)[lefts, rights]
    assert_allclose(vector_products(left, right, lefts, rights), whole)
    assert_allclose(sparse_products(csr_matrix(left), csr_matrix(right), lefts, rights), whole)
