"""A few strings in a space that was learned from many: one pass over their letters, and only their own n-grams cost."""

from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
from scipy.sparse import csr_matrix

from factlink.encoders.ngrams.hashing import Sizes, gram_buckets, merge_equal
from factlink.encoders.ngrams.kernels import longest_in, scratch
from factlink.encoders.ngrams.projection import add_direction
from factlink.encoders.ngrams.rows import GramCounts, Grams
from factlink.encoders.transliteration import PackedStrings
from factlink.types import Floats
from factlink.vectors import sparse_rows

_SEEN = 4096  # counts whose weights are computed once


@dataclass(frozen=True, slots=True, eq=False)
class KnownGrams:
    """Which n-grams count, and how many strings were found to hold each."""

    grams: Grams
    counts: GramCounts

    @property
    def _settings(self) -> tuple[int, Sizes, Any]:
        """For compiled code: forms and sizes, the counts, and what makes a weight of a count."""
        grams, counts = self.grams, self.counts
        sizes = grams.smallest, grams.largest, len(counts.counts)
        later = counts.later[0].astype(np.int64, copy=False), counts.later[1].astype(np.int64, copy=False)
        facts = float(counts.n_strings), grams.rarity_power, grams.skeleton_weight, float(counts.least)
        return grams.forms, sizes, (counts.counts, later, facts)

    def rows(self, strings: PackedStrings) -> csr_matrix:
        """(n, n_buckets): unit rows of n-gram weights."""
        forms, sizes, known = self._settings
        ends, buckets, values = _rows(strings.letters, strings.starts, forms, sizes, known)
        return sparse_rows(values, buckets, ends, len(self.counts.counts))

    def vectors(self, strings: PackedStrings, dim: int, seed: int) -> Floats:
        """(n, dim): the same rows projected, not centred."""
        vectors = np.zeros((len(strings), dim), np.float32)
        forms, sizes, known = self._settings
        _project(strings.letters, strings.starts, forms, sizes, known, (vectors, np.uint64(seed)))
        return vectors


@numba.njit(cache=True)
def _count(bucket: int, counts: Any, later: Any) -> Any:
    """How many strings hold an n-gram, those counted later too."""
    buckets, held = later
    found = np.int64(counts[bucket])
    low, high = 0, len(buckets)
    while low < high:
        middle = (low + high) // 2
        if buckets[middle] < bucket:
            low = middle + 1
        else:
            high = middle
    if low < len(buckets) and buckets[low] == bucket:
        found += held[low]
    return found


@numba.njit(cache=True)
def _rarity(held: int, facts: Any, seen: Any) -> Any:
    """The weight of an n-gram that so many strings hold; `seen` keeps those of small counts."""
    if held < len(seen) and seen[held] >= 0:
        return seen[held]
    rarity = np.float32(max(0.0, 1 + np.log((1 + facts[0]) / (1 + held))) ** facts[1])
    if held < len(seen):
        seen[held] = rarity
    return rarity


@numba.njit(cache=True)
def _weigh(buckets: Any, values: Any, end: int, known: Any, seen: Any) -> int:
    """Sorted buckets become distinct ones with unit-norm weights, as `weighted_row` makes them; how many."""
    counts, later, facts = known
    end = merge_equal(buckets, end, values)
    kept, norm = 0, 0.0
    for j in range(end):
        held = _count(buckets[j], counts, later)
        if held >= facts[3]:
            rarity = _rarity(held, facts, seen)
            if buckets[j] % 2 == 1:
                rarity *= np.float32(facts[2])
            weight = rarity * (1 + np.log(values[j])) if values[j] > 1 else np.float64(rarity)
            if weight > 0:
                buckets[kept], values[kept] = buckets[j], weight
                kept += 1
                norm += weight * weight
    if kept == 0:
        kept, norm = end, float(end)
        values[:end] = 1
    for j in range(kept):
        values[j] /= np.sqrt(norm)
    return kept


@numba.njit(cache=True)
def _rows(letters: Any, starts: Any, forms: int, sizes: Any, known: Any) -> Any:
    n = len(starts) - 1
    tokens, buckets, values = scratch(longest_in(starts, 0, n), sizes)
    ends, seen = np.zeros(n + 1, np.int64), np.full(_SEEN, np.float32(-1))
    all_buckets, all_values = np.empty(64 * n, np.int32), np.empty(64 * n, np.float32)
    for i in range(n):
        end = gram_buckets(letters[starts[i] : starts[i + 1]], forms, sizes, tokens, buckets)
        end = _weigh(buckets, values, end, known, seen)
        first = ends[i]
        while first + end > len(all_buckets):
            all_buckets = np.concatenate((all_buckets, np.empty(len(all_buckets) + end, np.int32)))
            all_values = np.concatenate((all_values, np.empty(len(all_values) + end, np.float32)))
        for j in range(end):
            all_buckets[first + j], all_values[first + j] = buckets[j], values[j]
        ends[i + 1] = first + end
    return ends, all_buckets[: ends[n]], all_values[: ends[n]]


@numba.njit(cache=True)
def _project(letters: Any, starts: Any, forms: int, sizes: Any, known: Any, out: Any) -> None:
    vectors, seed = out
    n, seen = len(starts) - 1, np.full(_SEEN, np.float32(-1))
    tokens, buckets, values = scratch(longest_in(starts, 0, n), sizes)
    for i in range(n):
        end = gram_buckets(letters[starts[i] : starts[i + 1]], forms, sizes, tokens, buckets)
        for j in range(_weigh(buckets, values, end, known, seen)):
            add_direction(vectors[i], buckets[j], values[j], seed)
