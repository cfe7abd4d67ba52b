"""Inner products of listed pairs of rows, compiled: what a similarity is on candidate pairs alone."""

from typing import Any

import numba
import numpy as np
from scipy.sparse import csr_matrix

from factlink.types import Floats, Ints

_CHUNK = 1024  # pairs that one thread takes at once
_ROOM = 16  # places in a table for each entry
_MARKS = 8192  # bytes that say which columns a row may hold; they stay in the cache
_LAST_MARK = np.uint32(_MARKS - 1)
_AT_ONCE = 256  # columns that one pass looks at
_NOBODY = np.uint32(2**32 - 1)


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
    """A sparse row to be looked up by column: keys and values, which columns it may hold, and room for a product."""
    size = 4
    while size < _ROOM * len(columns):
        size *= 2
    keys, held = np.full(size, _NOBODY, np.uint32), np.empty(size, np.float32)
    marks, last = np.zeros(_MARKS, np.uint8), np.uint32(size - 1)
    for entry in range(len(columns)):
        column = np.uint32(columns[entry])
        marks[np.uintp(column & _LAST_MARK)] = 1
        at = column & last
        while keys[np.uintp(at)] != _NOBODY:
            at = (at + np.uint32(1)) & last
        keys[np.uintp(at)], held[np.uintp(at)] = column, values[entry]
    return keys, held, marks, np.empty(_AT_ONCE, np.uint32)


@numba.njit(cache=True)
def table_product(table: Any, columns: Any, values: Any) -> float:
    """The product of a row in a table and another one, added up in the other's order.

    Two rows share few columns: a pass without branches finds those that may be shared, and these alone are looked up.
    """
    keys, held, marks, met = table
    total, last = 0.0, np.uint32(len(keys) - 1)
    for first in range(0, len(columns), _AT_ONCE):
        n = np.uintp(0)
        for entry in range(first, min(first + _AT_ONCE, len(columns))):
            met[n] = entry
            n += np.uintp(marks[np.uintp(np.uint32(columns[entry]) & _LAST_MARK)])
        for place in range(n):
            entry = met[np.uintp(place)]
            column = np.uint32(columns[entry])
            at = column & last
            while keys[np.uintp(at)] != column and keys[np.uintp(at)] != _NOBODY:
                at = (at + np.uint32(1)) & last
            if keys[np.uintp(at)] == column:
                total += held[np.uintp(at)] * values[entry]
    return total
