"""Inner products of listed pairs of rows, compiled: what a similarity is on candidate pairs alone."""

from typing import Any

import numba
import numpy as np
from scipy.sparse import csr_matrix

from factlink.types import Floats, Ints

_CHUNK = 1024  # pairs that one thread takes at once
_ROOM = 16  # places in a table for each entry


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
    n = len(lefts)
    products = np.zeros(n, np.float32)
    for chunk in numba.prange((n + _CHUNK - 1) // _CHUNK):
        row, table = -1, row_table(left[1][:0], left[2][:0])
        for p in range(chunk * _CHUNK, min(n, (chunk + 1) * _CHUNK)):
            if lefts[p] != row:
                row = lefts[p]
                first, last = left[0][row], left[0][row + 1]
                table = row_table(left[1][first:last], left[2][first:last])
            first, last = right[0][rights[p]], right[0][rights[p] + 1]
            products[p] = table_product(table, right[1][first:last], right[2][first:last])
    return products


@numba.njit(cache=True)
def row_table(columns: Any, values: Any) -> Any:
    """A sparse row to be looked up by column: small enough to stay in the cache, unlike a dense one."""
    size = 4
    while size < _ROOM * len(columns):
        size *= 2
    keys, held = np.full(size, -1, np.int32), np.empty(size, np.float32)
    for entry in range(len(columns)):
        at = columns[entry] & (size - 1)
        while keys[at] >= 0:
            at = (at + 1) & (size - 1)
        keys[at], held[at] = columns[entry], values[entry]
    return keys, held


@numba.njit(cache=True)
def table_product(table: Any, columns: Any, values: Any) -> float:
    """The product of a row in a table and another one, added up in the other's order."""
    keys, held = table
    total, last = 0.0, len(keys) - 1
    for entry in range(len(columns)):
        at = columns[entry] & last
        while keys[at] >= 0 and keys[at] != columns[entry]:
            at = (at + 1) & last
        if keys[at] >= 0:
            total += held[at] * values[entry]
    return total
