import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_matrix

from factlink.encoders.names import NameEncoder
from factlink.encoders.ngrams.owned_rows import OwnedRows, owners_of_any, sum_by_owner
from factlink.encoders.ngrams.rows import NAME_GRAMS, bucket_matrix, columns_in_use, weigh

NAMES = ["amy tan", "amytan", "bob", "bobby lee", "cleo", "cleopatra lee"]
OWNERS = np.array([0, 2, 1, 1, 3, 2])


def owned() -> OwnedRows:
    return OwnedRows.of(bucket_matrix(weigh(NAMES, NAME_GRAMS)), OWNERS, 5)


def test_a_user_is_the_direction_of_the_weighted_sum_of_its_rows() -> None:
    rows = csr_matrix(np.array([[0.6, 0.8, 0], [0, 1, 0], [0, 0, 1]], np.float32))
    sums = OwnedRows.of(rows, np.array([1, 1, 0]), 3).sums(np.array([1, 0.5, 1], np.float32), 0, 3)
    long = np.hypot(0.6, 1.3)
    assert_allclose(sums.toarray(), [[0, 0, 1], [0.6 / long, 1.3 / long, 0], [0, 0, 0]], rtol=1e-6)


def test_rows_without_weight_do_not_count() -> None:
    weights = np.array([1, 0, 1, 1, 0, 0], np.float32)
    assert_array_equal(np.diff(owned().sums(weights, 0, 5).indptr) > 0, [True, True, False, False, False])
    assert_array_equal(owners_of_any(owned(), weights), [True, True, False, False, False])


def test_some_users_are_a_slice_of_all() -> None:
    weights = np.ones(6, np.float32)
    assert (owned().sums(weights, 1, 3) != owned().sums(weights, 0, 5)[1:3]).nnz == 0


def test_vectors_are_those_of_the_encoder_summed() -> None:
    names = NameEncoder(dim=64, seed=3).encode(NAMES)
    wanted = np.zeros((5, 64), np.float32)
    np.add.at(wanted, OWNERS, names)
    lengths = np.linalg.norm(wanted, axis=1, keepdims=True)
    mean = owned().mean(64, 3)
    found = owned().vectors(np.arange(5), np.ones(6, np.float32), mean, 3)
    assert_allclose(found, wanted / np.where(lengths > 0, lengths, 1), atol=1e-5)
    assert_array_equal(owned().vectors(np.array([3, 0]), np.ones(6, np.float32), mean, 3), found[[3, 0]])


def test_vectors_add_up_by_owner() -> None:
    vectors = np.array([[3, 0], [0, 4], [1, 1]], np.float32)
    assert_allclose(
        sum_by_owner(np.array([0, 0, 2]), vectors, 3), [[0.6, 0.8], [0, 0], [0.5**0.5, 0.5**0.5]], rtol=1e-6
    )


def test_columns_that_nobody_has_are_left_out() -> None:
    rows = csr_matrix(np.array([[0, 2, 0, 0, 1], [0, 0, 0, 0, 3]], np.float32))
    kept, columns = columns_in_use(rows)
    assert kept.toarray().tolist() == [[2, 1], [0, 3]]
    assert columns.tolist() == [1, 4]
