"""Names as written, in their own script: users as rows of the letters and runs of letters of their names."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
import polars as pl
from scipy.sparse import csr_matrix

from factlink.linkers.factoid.written.owned_names import own_names
from factlink.types import Floats, Ints, Network

LONGEST = 3
"""Letters of the longest run that counts; the shortest is one letter."""

_BITS = 20  # there are 2 to this power of buckets of runs
_DROPPED = np.uint64(64 - _BITS)  # bits of a hash
_SHARED = 2  # users who must have a run for it to count


@dataclass(frozen=True, slots=True, eq=False)
class RawGrams:
    """The runs of letters that count, and how rare each is."""

    buckets: Ints  # (n_runs,) rising
    rarity: Floats  # (n_runs,)

    def rows(self, counts: csr_matrix) -> csr_matrix:
        """(n_users, n_runs) unit rows: (1 + ln count) · rarity of the runs that count."""
        places = np.searchsorted(self.buckets, counts.indices)
        kept = places < len(self.buckets)
        kept[kept] = self.buckets[places[kept]] == counts.indices[kept]
        columns = places[kept].astype(np.int32)
        values = (1 + np.log(np.maximum(counts.data[kept], 1))) * self.rarity[columns]
        ends = np.concatenate([[0], kept.cumsum()])[counts.indptr]
        rows = csr_matrix((values, columns, ends), shape=(counts.shape[0], len(self.buckets)))
        lengths = np.sqrt(np.asarray(rows.power(2).sum(axis=1)).ravel())
        rows.data /= np.repeat(np.maximum(lengths, 1e-9), np.diff(rows.indptr)).astype(np.float32)
        return rows


def learn_raw_grams(counts: csr_matrix) -> RawGrams:
    """The runs that several users have; what fewer have is rarer."""
    holders = np.bincount(counts.indices, minlength=counts.shape[1])
    buckets = np.flatnonzero(holders >= _SHARED).astype(np.int32)
    return RawGrams(buckets, np.log((1 + counts.shape[0]) / (1 + holders[buckets])).astype(np.float32))


def count_raw_grams(network: Network, weights: Mapping[str, float]) -> csr_matrix:
    """(n_users, n_buckets): how often each user has each run of 1 to 3 letters in all of their names."""
    names = own_names(network, weights)
    letters, starts = _code_points(names.objects)
    ends = np.concatenate([[0], np.cumsum(_n_runs(np.diff(starts)))]).astype(np.int64)
    buckets = np.empty(ends[-1], np.int32)
    _fill_runs(letters, starts, ends, buckets)
    owners = np.repeat(names.owners, np.diff(ends))
    values = np.repeat(names.weights, np.diff(ends))
    counts = csr_matrix((values, (owners, buckets)), shape=(len(network), 1 << _BITS), dtype=np.float32)
    counts.sum_duplicates()
    return counts


def _code_points(objects: pl.Series) -> tuple[Ints, Ints]:
    """All letters of all strings in lower case, a mark before and after each; and where each begins."""
    framed = pl.lit("\x02") + objects.str.to_lowercase() + pl.lit("\x03")
    marked = pl.select(framed).to_series()
    lengths = marked.str.len_chars().to_numpy().astype(np.int64)
    joined = "".join(marked.to_list())
    letters = np.frombuffer(joined.encode("utf-32-le"), np.uint32)
    return letters, np.concatenate([[0], lengths.cumsum()])


def _n_runs(lengths: Ints) -> Ints:
    return np.asarray(sum(np.maximum(lengths - size, 0) for size in range(LONGEST)))


@numba.njit(cache=True, parallel=True)
def _fill_runs(letters: Any, starts: Any, ends: Any, buckets: Any) -> None:
    for row in numba.prange(len(starts) - 1):
        at = ends[row]
        for first in range(starts[row], starts[row + 1]):
            key = np.uint64(14695981039346656037)
            for last in range(first, min(first + LONGEST, starts[row + 1])):
                key = (key ^ np.uint64(letters[last])) * np.uint64(1099511628211)
                key ^= key >> np.uint64(29)
                buckets[at] = key >> _DROPPED
                at += 1
