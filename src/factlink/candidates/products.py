"""Inner products of listed pairs of rows, compiled: what a similarity is on candidate pairs alone."""

from typing import Any

import numba
import numpy as np
from scipy.sparse import csr_matrix

from factlink.types import Floats, Ints

_CHUNK = 8192  # pairs that share one scratch array, at least; more where filling a long one would take noticeable time
_LONG = 32


def sparse_products(left: csr_matrix, right: csr_matrix, lefts: Ints, rights: Ints) -> Floats:
    """(n,): the product of sparse rows `left[lefts[i]]` and `right[rights[i]]`."""
    for matrix in (left, right):
        matrix.sort_indices()
    one, other = ((matrix.indptr, matrix.indices, matrix.data) for matrix in (left, right))
    return np.asarray(_sparse_products(one, other, left.shape[1], lefts, rights))


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
def _sparse_products(left: Any, right: Any, n_columns: int, lefts: Any, rights: Any) -> Any:
    n, at_once = len(lefts), max(_CHUNK, n_columns // _LONG)
    products = np.zeros(n, np.float32)
    for chunk in numba.prange((n + at_once - 1) // at_once):
        row, values = -1, np.zeros(n_columns, np.float32)  # the left row, as a dense one
        for p in range(chunk * at_once, min(n, (chunk + 1) * at_once)):
            if lefts[p] != row:
                if row >= 0:
                    for entry in range(left[0][row], left[0][row + 1]):
                        values[left[1][entry]] = 0
                row = lefts[p]
                for entry in range(left[0][row], left[0][row + 1]):
                    values[left[1][entry]] = left[2][entry]
            total = 0.0
            for entry in range(right[0][rights[p]], right[0][rights[p] + 1]):
                total += values[right[1][entry]] * right[2][entry]
            products[p] = total
    return products
