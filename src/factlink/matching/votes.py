"""Votes: who is already linked speaks for the pairs of their neighbours, rare neighbours louder."""

from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
from scipy.sparse import csr_matrix, diags

from factlink.matching.pairs import CandidatePairs
from factlink.types import Floats, Ints, Pairs

BUSY = 200
"""Linked users with more neighbours than this propose no new pairs; they still vote."""

_DOUBT = 5.0  # how much weight of neighbours it takes until a cosine of votes counts half


@dataclass(frozen=True, slots=True, eq=False)
class Votes:
    """Each linked pair of users is one column; a user has an entry where one of the two is its neighbour.

    The score of a pair is the product of its rows: the weight of the linked neighbours in common, over the root of
    the weights of all linked neighbours of either. A pair never votes for itself, for nobody is their own neighbour.
    """

    left: csr_matrix  # (n_left, n_linked)
    right: csr_matrix  # (n_right, n_linked)


def cast_votes(left: csr_matrix, right: csr_matrix, linked: Pairs, strengths: Floats) -> Votes:
    """Votes of linked pairs, each √(idf·idf)·strength strong, over the neighbours in the two networks."""
    lefts, rights = left[:, linked.lefts].tocsr(), right[:, linked.rights].tocsr()
    weights = np.sqrt(_rarity(lefts) * _rarity(rights)) * strengths
    return Votes(_scaled(lefts, weights), _scaled(rights, weights))


def propose_pairs(votes: Votes, k: int) -> tuple[Ints, Ints]:
    """The k right users of each left user with the most votes, leaving out busy voters."""
    from sparse_dot_topn import sp_matmul_topn

    quiet = np.flatnonzero((_counts(votes.left) <= BUSY) & (_counts(votes.right) <= BUSY))
    lefts, rights = votes.left[:, quiet].tocsr(), votes.right[:, quiet].T.tocsr()
    n_threads = numba.get_num_threads()
    products = sp_matmul_topn(lefts, rights, top_n=min(k, rights.shape[1]), sort=True, n_threads=n_threads)
    return np.repeat(np.arange(lefts.shape[0], dtype=np.int32), np.diff(products.indptr)), products.indices


def pair_products(left: csr_matrix, right: csr_matrix, pairs: CandidatePairs | Pairs) -> Floats:
    """(n_pairs,): the product of a left and a right sparse row."""
    return np.asarray(_products(_sorted_rows(left), _sorted_rows(right), pairs.lefts, pairs.rights))


def _sorted_rows(rows: csr_matrix) -> tuple[Ints, Ints, Floats]:
    if not rows.has_sorted_indices:
        rows = rows.sorted_indices()
    return rows.indptr.astype(np.int64), rows.indices, rows.data.astype(np.float32, copy=False)


def vector_products(left: Floats, right: Floats, pairs: CandidatePairs | Pairs) -> Floats:
    """(n_pairs,): the product of a left and a right vector."""
    return np.asarray(_dense_products(left, right, pairs.lefts, pairs.rights))


def _counts(rows: csr_matrix) -> Ints:
    return np.bincount(rows.indices, minlength=rows.shape[1])


def _rarity(neighbours: csr_matrix) -> Floats:
    """log(n / neighbours) of each linked user."""
    return np.asarray(np.log(max(2, neighbours.shape[0]) / np.maximum(1, _counts(neighbours))), np.float32)


def _scaled(rows: csr_matrix, weights: Floats) -> csr_matrix:
    rows = rows @ diags(np.sqrt(weights).astype(np.float32))
    totals = np.asarray(rows.multiply(rows).sum(axis=1)).ravel()
    return (diags((1 / np.sqrt(totals + _DOUBT)).astype(np.float32)) @ rows).tocsr().astype(np.float32)


@numba.njit(cache=True, parallel=True, fastmath={"reassoc", "contract"})
def _dense_products(left: Any, right: Any, lefts: Any, rights: Any) -> Any:
    products = np.empty(len(lefts), np.float32)
    for p in numba.prange(len(lefts)):
        total = np.float32(0)
        for j in range(left.shape[1]):
            total += left[lefts[p], j] * right[rights[p], j]
        products[p] = total
    return products


@numba.njit(cache=True, parallel=True)
def _products(left: Any, right: Any, lefts: Any, rights: Any) -> Any:
    ends, columns, values = left
    other_ends, other_columns, other_values = right
    products = np.zeros(len(lefts), np.float32)
    for p in numba.prange(len(lefts)):
        i, i_end = ends[lefts[p]], ends[lefts[p] + 1]
        j, j_end = other_ends[rights[p]], other_ends[rights[p] + 1]
        total = 0.0
        while i < i_end and j < j_end:
            column, other = columns[i], other_columns[j]
            if column == other:
                total += values[i] * other_values[j]
            i += column <= other  # without a branch, which could not be foreseen
            j += other <= column
        products[p] = total
    return products
