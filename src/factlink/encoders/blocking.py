"""Blocking: which pairs of objects to compare, those that share an n-gram, a hash bucket or a neighbourhood."""

from collections.abc import Sequence
from dataclasses import dataclass

import numba
import numpy as np
import numpy.typing as npt
import polars as pl
from scipy.sparse import csr_matrix

from factlink.encoders.ngrams.hashing import SQUEEZED
from factlink.encoders.ngrams.rows import Grams, ngram_matrix
from factlink.errors import SettingError
from factlink.types import Floats

_TRIGRAMS = Grams(forms=SQUEEZED, smallest=3, largest=3)
_CHUNK = 1024  # objects that share one array of marks

Rows = npt.NDArray[np.int32]
Ends = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class BlockedPairs:
    """Pairs i < j of objects to compare, sorted; `lost` is the share of meetings that the cap let go."""

    lefts: Rows  # (n_pairs,)
    rights: Rows  # (n_pairs,)
    lost: float = 0.0

    def __len__(self) -> int:
        return len(self.lefts)


def pairs_sharing_trigrams(objects: Sequence[str] | pl.Series, cap: int) -> BlockedPairs:
    """Pairs that share a character 3-gram held by at most `cap` objects."""
    return pairs_meeting(ngram_matrix(objects, _TRIGRAMS), cap)


def pairs_sharing_buckets(vectors: Floats, bits: int = 8, tables: int = 5, seed: int = 0) -> BlockedPairs:
    """Pairs on the same side of `bits` random hyperplanes through the mean, in one of `tables` draws at least."""
    if not 1 <= bits <= 20:
        raise SettingError(f"bits is {bits}; use 1 to 20")
    filled = np.flatnonzero(vectors.any(1))
    planes = np.random.default_rng(seed).standard_normal((vectors.shape[1], tables * bits)).astype(np.float32)
    sides = (vectors @ planes - vectors[filled].mean(0) @ planes > 0).reshape(len(vectors), tables, bits)
    buckets = sides @ (1 << np.arange(bits)) + (np.arange(tables) << bits)  # (n, tables)
    rows = np.repeat(filled, tables)
    members = csr_matrix(
        (np.ones(len(rows), np.float32), (rows, buckets[filled].ravel())), (len(vectors), tables << bits)
    )
    return pairs_meeting(members, len(vectors))


def nearest_pairs(rows: csr_matrix, k: int) -> BlockedPairs:
    """Pairs of which one is among the k nearest of the other by the dot product of sparse rows."""
    from sparse_dot_topn import sp_matmul_topn

    nearest = sp_matmul_topn(rows, rows.T.tocsr(), top_n=k + 1, n_threads=numba.get_num_threads()).tocoo()
    lower, upper = np.minimum(nearest.row, nearest.col), np.maximum(nearest.row, nearest.col)
    keys = np.unique((lower.astype(np.int64) * rows.shape[0] + upper)[lower < upper])
    return BlockedPairs((keys // rows.shape[0]).astype(np.int32), (keys % rows.shape[0]).astype(np.int32))


def pairs_meeting(members: csr_matrix, cap: int) -> BlockedPairs:
    """Pairs of rows with an entry in a common column; columns with more than `cap` entries do not count."""
    sizes = np.bincount(members.indices, minlength=members.shape[1]).astype(np.float64)
    meetings = sizes * (sizes - 1) / 2
    lost = float(meetings[sizes > cap].sum() / max(1.0, meetings.sum()))
    by_column = members.T.tocsr()
    rows = members.indptr.astype(np.int64), members.indices.astype(np.int32)
    columns = by_column.indptr.astype(np.int64), by_column.indices.astype(np.int32)
    ends = np.concatenate([[0], _count_partners(rows, columns, cap).cumsum()])
    lefts = np.repeat(np.arange(members.shape[0], dtype=np.int32), np.diff(ends))
    return BlockedPairs(lefts, _partners(rows, columns, cap, ends), lost)


@numba.njit(cache=True)
def _meet(i: int, rows: tuple[Ends, Rows], columns: tuple[Ends, Rows], cap: int, marks: Rows, out: Rows) -> int:
    """Writes the partners j > i of row i to `out`, in the order found; returns their number."""
    end = 0
    for at in range(rows[0][i], rows[0][i + 1]):
        column = rows[1][at]
        first, last = columns[0][column], columns[0][column + 1]
        if last - first > cap:
            continue
        for member in range(first, last):
            j = columns[1][member]
            if j > i and marks[j] != i + 1:
                marks[j] = i + 1
                out[end] = j
                end += 1
    return end


@numba.njit(cache=True, parallel=True)
def _count_partners(rows: tuple[Ends, Rows], columns: tuple[Ends, Rows], cap: int) -> Ends:
    n = len(rows[0]) - 1
    counts = np.zeros(n, np.int64)
    for chunk in numba.prange((n + _CHUNK - 1) // _CHUNK):
        marks, found = np.zeros(n, np.int32), np.empty(n, np.int32)
        for i in range(chunk * _CHUNK, min(n, (chunk + 1) * _CHUNK)):
            counts[i] = _meet(i, rows, columns, cap, marks, found)
    return counts


@numba.njit(cache=True, parallel=True)
def _partners(rows: tuple[Ends, Rows], columns: tuple[Ends, Rows], cap: int, ends: Ends) -> Rows:
    n = len(rows[0]) - 1
    partners = np.empty(ends[n], np.int32)
    for chunk in numba.prange((n + _CHUNK - 1) // _CHUNK):
        marks, found = np.zeros(n, np.int32), np.empty(n, np.int32)
        for i in range(chunk * _CHUNK, min(n, (chunk + 1) * _CHUNK)):
            end = _meet(i, rows, columns, cap, marks, found)
            partners[ends[i] : ends[i + 1]] = np.sort(found[:end])
    return partners
