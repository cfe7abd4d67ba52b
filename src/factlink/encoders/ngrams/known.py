"""A few strings in a space that was learned from many: one pass over their letters, and only their own n-grams cost."""

from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
from scipy.sparse import csr_matrix

from factlink.encoders.ngrams.hashing import list_grams, merge_equal
from factlink.encoders.ngrams.kernels import longest_in, scratch
from factlink.encoders.ngrams.projection import add_direction
from factlink.encoders.ngrams.rows import GramCounts, Grams
from factlink.encoders.transliteration import PackedStrings
from factlink.types import Floats
from factlink.vectors import sparse_rows

_SEEN = 4096  # counts whose weights are computed once
_TIMES = 16  # that an n-gram occurs in a string, up to which what it counts is looked up


@dataclass(frozen=True, slots=True)
class KnownGrams:
    """Which n-grams count, and how many strings were found to hold each."""

    grams: Grams
    counts: GramCounts

    @property
    def settings(self) -> tuple[Any, ...]:
        """For compiled code: forms and sizes, the counts, and what makes a weight of a count."""
        grams, counts = self.grams, self.counts
        sizes = grams.smallest, grams.largest, len(counts.counts)
        later = counts.later[0].astype(np.int64, copy=False), counts.later[1].astype(np.int64, copy=False)
        facts = float(counts.n_strings), grams.rarity_power, grams.skeleton_weight, float(counts.least)
        return grams.forms, sizes, counts.counts, later, facts

    def rows(self, strings: PackedStrings) -> csr_matrix:
        """(n, n_buckets): unit rows of n-gram weights."""
        ends, buckets, values = _rows(strings.letters, strings.starts, self.settings)
        return sparse_rows(values, buckets, ends, len(self.counts.counts))

    def vectors(self, strings: PackedStrings, dim: int, seed: int) -> Floats:
        """(n, dim): the same rows projected, not centred."""
        vectors = np.zeros((len(strings), dim), np.float32)
        _project(strings.letters, strings.starts, self.settings, (vectors, np.uint64(seed)))
        return vectors


@numba.njit(cache=True)
def prepare(settings: Any, longest: int) -> Any:
    """What weighing strings up to a length takes: scratch arrays, a table of what was counted later, known weights."""
    _, sizes, _, later, facts = settings
    tokens, buckets, values = scratch(longest, sizes)
    places = np.full(_power_above(2 * len(buckets)), -1, np.int64)
    table = np.full(_power_above(4 * len(later[0])), -1, np.int64)
    for i in range(len(later[0])):
        slot = later[0][i] & (len(table) - 1)
        while table[slot] >= 0:
            slot = (slot + 1) & (len(table) - 1)
        table[slot] = i
    factors = np.ones((2, _TIMES))
    for times in range(1, _TIMES):
        factors[0, times] = 1 + np.log(np.float32(times))
    factors[1] = factors[0] * np.float32(facts[2])
    seen, first = np.full(_SEEN, np.float32(-1)), np.zeros(1, np.int64)
    return tokens, buckets, values, places, table, (seen, factors), first, np.empty(len(buckets), np.int64)


@numba.njit(cache=True)
def weigh_string(text: Any, settings: Any, work: Any, rising: bool) -> int:
    """Writes the distinct buckets of a string and their unit-norm weights to `work[1]` and `work[2]`; how many.

    They are those of `weighted_row`: to the bit if they are to rise, else in the order in which they come.
    """
    forms, sizes, counts, later, facts = settings
    tokens, buckets, values, _, table, (seen, factors), _, counted = work
    end = list_grams(text, forms, sizes, tokens, buckets)
    if rising:
        buckets[:end].sort()
        end = merge_equal(buckets, end, values)
    else:
        end = _count_equal(end, work)
    for j in range(end):  # by themselves, so that the memory is asked for many at once
        counted[j] = counts[buckets[j]]
    kept, norm = 0, 0.0
    for j in range(end):
        held = counted[j] + _held_later(buckets[j], later, table)
        if held >= facts[3]:
            weight = _rarity(held, facts, seen) * _factor(buckets[j], values[j], factors)
            if weight > 0:
                buckets[kept], values[kept] = buckets[j], weight
                kept += 1
                norm += weight * weight
    if kept == 0:
        kept, norm = end, float(end)
        values[:end] = 1
    length = np.sqrt(norm)
    for j in range(kept):
        values[j] /= length
    return kept


@numba.njit(cache=True)
def _power_above(n: int) -> int:
    size = 16
    while size < n:
        size *= 2
    return size


@numba.njit(cache=True)
def _count_equal(end: int, work: Any) -> int:
    """Makes `buckets[:end]` distinct in place and counts them; how many are left.

    Places below the first of this string are those of earlier strings, so the table is never emptied.
    """
    _, buckets, values, places, _, _, first, _ = work
    kept = 0
    for i in range(end):
        bucket = buckets[i]
        slot = (bucket >> 1) & (len(places) - 1)
        while places[slot] >= first[0] and buckets[places[slot] - first[0]] != bucket:
            slot = (slot + 1) & (len(places) - 1)
        if places[slot] >= first[0]:
            values[places[slot] - first[0]] += 1
        else:
            places[slot] = first[0] + kept
            buckets[kept], values[kept] = bucket, 1
            kept += 1
    first[0] += kept
    return kept


@numba.njit(cache=True)
def _held_later(bucket: Any, later: Any, table: Any) -> Any:
    """How many of the strings that were counted later hold an n-gram."""
    slot = bucket & (len(table) - 1)
    while table[slot] >= 0:
        if later[0][table[slot]] == bucket:
            return np.int64(later[1][table[slot]])
        slot = (slot + 1) & (len(table) - 1)
    return np.int64(0)


@numba.njit(cache=True)
def _factor(bucket: Any, times: Any, factors: Any) -> Any:
    """What an n-gram that occurs so many times counts more than once; less in a skeleton."""
    if times < _TIMES:
        return factors[bucket & 1, int(times)]
    return factors[bucket & 1, 1] * (1 + np.log(times))


@numba.njit(cache=True)
def _rarity(held: Any, facts: Any, seen: Any) -> Any:
    """The weight of an n-gram that so many strings hold; `seen` keeps those of small counts."""
    if held < len(seen) and seen[held] >= 0:
        return seen[held]
    rarity = np.float32(max(0.0, 1 + np.log((1 + facts[0]) / (1 + held))) ** facts[1])
    if held < len(seen):
        seen[held] = rarity
    return rarity


@numba.njit(cache=True)
def _rows(letters: Any, starts: Any, settings: Any) -> Any:
    n = len(starts) - 1
    work = prepare(settings, longest_in(starts, 0, n))
    ends = np.zeros(n + 1, np.int64)
    all_buckets, all_values = np.empty(64 * n, np.int32), np.empty(64 * n, np.float32)
    for i in range(n):
        end = weigh_string(letters[starts[i] : starts[i + 1]], settings, work, True)
        first = ends[i]
        while first + end > len(all_buckets):
            all_buckets = np.concatenate((all_buckets, np.empty(len(all_buckets) + end, np.int32)))
            all_values = np.concatenate((all_values, np.empty(len(all_values) + end, np.float32)))
        for j in range(end):
            all_buckets[first + j], all_values[first + j] = work[1][j], work[2][j]
        ends[i + 1] = first + end
    return ends, all_buckets[: ends[n]], all_values[: ends[n]]


@numba.njit(cache=True)
def _project(letters: Any, starts: Any, settings: Any, out: Any) -> None:
    vectors, seed = out
    n = len(starts) - 1
    work = prepare(settings, longest_in(starts, 0, n))
    for i in range(n):
        for j in range(weigh_string(letters[starts[i] : starts[i + 1]], settings, work, True)):
            add_direction(vectors[i], work[1][j], work[2][j], seed)
