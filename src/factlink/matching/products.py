"""Inner products of listed pairs of rows, compiled: what a similarity is on candidate pairs alone."""

from typing import Any

import numba
import numpy as np
from scipy.sparse import csr_matrix

from factlink.types import Floats, Ints


def sparse_products(left: csr_matrix, right: csr_matrix, lefts: Ints, rights: Ints) -> Floats:
    """(n,): the product of sparse rows `left[lefts[i]]` and `right[rights[i]]`."""
    for matrix in (left, right):
        matrix.sort_indices()
    one, other = ((matrix.indptr, matrix.indices, matrix.data) for matrix in (left, right))
    return np.asarray(_sparse_products(one, other, lefts, rights))


def vector_products(left: Floats, right: Floats, lefts: Ints, rights: Ints) -> Floats:
    """(n,): the product of rows `left[lefts[i]]` and `right[rights[i]]`."""
    return np.asarray(_vector_products(left, right, lefts, rights))


def sparse_products_of(pairs: tuple[Ints, Ints], left: csr_matrix, right: csr_matrix) -> Floats:
    """The same as a step over parts of the pairs."""
    return sparse_products(left, right, *pairs)


def vector_products_of(pairs: tuple[Ints, Ints], left: Floats, right: Floats) -> Floats:
    """The same as a step over parts of the pairs."""
    return vector_products(left, right, *pairs)


@numba.njit(cache=True, parallel=True, fastmath={"reassoc", "contract"})
def _vector_products(left: Any, right: Any, lefts: Any, rights: Any) -> Any:
    products = np.empty(len(lefts), np.float32)
    for p in numba.prange(len(lefts)):
        total = np.float32(0)
        for j in range(left.shape[1]):
            total += left[lefts[p], j] * right[rights[p], j]
        products[p] = total
    return products


@numba.njit(cache=True, parallel=True)
def _sparse_products(left: Any, right: Any, lefts: Any, rights: Any) -> Any:
    products = np.zeros(len(lefts), np.float32)
    for p in numba.prange(len(lefts)):
        i, i_end = left[0][lefts[p]], left[0][lefts[p] + 1]
        j, j_end = right[0][rights[p]], right[0][rights[p] + 1]
        total = 0.0
        while i < i_end and j < j_end:
            column, other = left[1][i], right[1][j]
            if column == other:
                total += left[2][i] * right[2][j]
            i += column <= other  # without a branch, which could not be foreseen
            j += other <= column
        products[p] = total
    return products
