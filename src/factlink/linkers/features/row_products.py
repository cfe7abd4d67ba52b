"""Inner products of listed pairs of rows, compiled: what a similarity is on candidate pairs alone."""

from typing import Any

import numba
import numpy as np
from scipy.sparse import csr_matrix

from factlink.matching.neighbours import blocks
from factlink.types import Floats, Ints


def sparse_products(left: csr_matrix, right: csr_matrix, lefts: Ints, rights: Ints) -> Floats:
    """(n,): the product of sparse rows `left[lefts[i]]` and `right[rights[i]]`."""
    for matrix in (left, right):
        matrix.sort_indices()
    one, other = ((matrix.indptr, matrix.indices, matrix.data) for matrix in (left, right))
    return np.asarray(_sparse_products(one, other, lefts, rights), np.float32)


def vector_products(left: Floats, right: Floats, lefts: Ints, rights: Ints) -> Floats:
    """(n,): the product of rows `left[lefts[i]]` and `right[rights[i]]`."""
    products = np.empty(len(lefts), np.float32)
    for rows in blocks(len(lefts), left.shape[1]):
        np.einsum("ij,ij->i", left[lefts[rows]], right[rights[rows]], out=products[rows[0] : rows[-1] + 1])
    return products


@numba.njit(cache=True)
def _sparse_products(left: Any, right: Any, lefts: Any, rights: Any) -> Any:
    products = np.zeros(len(lefts), np.float32)
    for i in range(len(lefts)):
        a, last_a = left[0][lefts[i]], left[0][lefts[i] + 1]
        b, last_b = right[0][rights[i]], right[0][rights[i] + 1]
        total = 0.0
        while a < last_a and b < last_b:
            if left[1][a] < right[1][b]:
                a += 1
            elif left[1][a] > right[1][b]:
                b += 1
            else:
                total += left[2][a] * right[2][b]
                a += 1
                b += 1
        products[i] = total
    return products
