"""Strings as rows of weighted character n-grams: the exact form that vectors approximate."""

from collections.abc import Sequence
from dataclasses import dataclass

import numba
import numpy as np
import numpy.typing as npt
import polars as pl
from scipy.sparse import csr_matrix

from factlink.encoders.ngrams.hashing import (
    PARTS,
    SKELETON,
    SQUEEZED,
    WORDS,
    Buckets,
    Bytes,
    Sizes,
    gram_buckets,
    merge_equal,
)
from factlink.encoders.transliteration import FEW, PackedStrings, latin_of_few, pack, pack_few, transliterate
from factlink.types import Floats, Ints

Starts = npt.NDArray[np.int64]
Rows = tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], Floats]

CHUNK = 512  # rows that share one set of scratch arrays

SHARED = 2
"""Strings that must hold an n-gram for it to count."""
_BUCKETS_PER_LETTER = 64
_FEWEST_BITS, _MOST_BITS = 12, 24  # of the number of buckets
_FEW = 8  # times as many buckets as entries: then looking at all buckets would cost most
_NONE: Ints = np.empty(0, np.int64)


@dataclass(frozen=True, slots=True)
class Grams:
    """Which n-grams of a string count, and how much a rare one counts more than a common one."""

    forms: int = WORDS | PARTS | SQUEEZED | SKELETON
    smallest: int = 1
    largest: int = 4
    rarity_power: float = 1.25  # weight = (1 + log tf) · idf^power
    skeleton_weight: float = 0.5
    longest_string: int = 200  # letters after which a string is cut


NAME_GRAMS = Grams()


@dataclass(frozen=True, slots=True, eq=False)
class GramCounts:
    """The document frequency of each bucket of n-grams, and the number of strings."""

    n_strings: int
    counts: Ints  # (n_buckets,)
    later: tuple[Ints, Ints] = (_NONE, _NONE)  # buckets of strings counted later, rising, and how many hold each

    def whole(self) -> Ints:
        """(n_buckets,): the counts with those of later strings."""
        if not len(self.later[0]):
            return self.counts
        counts = self.counts.copy()
        counts[self.later[0]] += self.later[1].astype(counts.dtype)
        return counts

    def grown(self, n_strings: int, buckets: Ints) -> "GramCounts":
        """The counts with further strings; `buckets` lists those of each string once."""
        every, held = np.unique(np.concatenate([buckets, np.repeat(*self.later)]), return_counts=True)
        return GramCounts(self.n_strings + n_strings, self.counts, (every, held))

    def weights(self, grams: Grams) -> Floats:
        """(n_buckets,): (1 + ln((1 + n) / (1 + df)))^power, zero for n-grams of one string alone."""
        counts = self.whole()
        shared = np.flatnonzero(counts >= SHARED)
        weights = np.zeros(len(counts), np.float32)
        weights[shared] = self._rarity(counts[shared], grams)
        weights[1::2] *= np.float32(grams.skeleton_weight)
        return weights

    def _rarity(self, counts: Ints, grams: Grams) -> Floats:
        rarity = np.maximum(0, 1 + np.log((1 + self.n_strings) / (1 + counts)))
        return np.asarray(rarity**grams.rarity_power, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class WeighedStrings:
    """Packed strings and the weight of every bucket of their n-grams: all that a row can be made from."""

    strings: PackedStrings
    grams: Grams
    weights: Floats  # (n_buckets,), zero for n-grams of one string alone

    @property
    def sizes(self) -> Sizes:
        """Smallest n, largest n, number of buckets."""
        return self.grams.smallest, self.grams.largest, len(self.weights)


def weigh(objects: Sequence[str] | pl.Series, grams: Grams) -> WeighedStrings:
    """Objects with idf weights learned from them."""
    strings = pack_cut(objects, grams)
    counts = count_grams(strings, grams, bucket_number(len(strings.letters)))
    return WeighedStrings(strings, grams, counts.weights(grams))


def pack_cut(objects: Sequence[str] | pl.Series, grams: Grams) -> PackedStrings:
    """Objects in Latin letters, cut where they are too long."""
    if len(objects) <= FEW and (few := latin_of_few(objects)) is not None:
        return pack_few([text[: grams.longest_string] for text in few])
    return pack(transliterate(objects).str.slice(0, grams.longest_string))


def count_grams(strings: PackedStrings, grams: Grams, n_buckets: int) -> GramCounts:
    """How many of the strings hold each n-gram."""
    sizes = grams.smallest, grams.largest, n_buckets
    counts = count_strings(strings.letters, strings.starts, grams.forms, sizes, numba.get_num_threads()).sum(0)
    return GramCounts(len(strings), counts)


def list_buckets(strings: PackedStrings, grams: Grams, n_buckets: int) -> Ints:
    """The buckets of all n-grams of all strings, each once for each string that holds it."""
    sizes = grams.smallest, grams.largest, n_buckets
    return np.asarray(_list_buckets(strings.letters, strings.starts, grams.forms, sizes))


def bucket_number(n_letters: int) -> int:
    """A power of two, at least 64 for each letter as long as memory allows."""
    return 1 << min(_MOST_BITS, max(_FEWEST_BITS, (_BUCKETS_PER_LETTER * n_letters).bit_length()))


def ngram_matrix(objects: Sequence[str] | pl.Series, grams: Grams = NAME_GRAMS) -> csr_matrix:
    """(n, vocabulary) unit rows of n-gram weights; the exact cosine is a product of rows."""
    return columns_in_use(bucket_matrix(weigh(objects, grams)))[0]


def columns_in_use(rows: csr_matrix) -> tuple[csr_matrix, Ints]:
    """(n, n_columns): the rows without columns that are empty; and (n_columns,): which those kept were, rising.

    Consumes the rows it is given, because those of many users fill much of the memory.
    """
    if rows.nnz * _FEW < rows.shape[1]:
        found, places = np.unique(rows.indices, return_inverse=True)
        data = rows.data, places.astype(rows.indices.dtype), rows.indptr
        return csr_matrix(data, shape=(rows.shape[0], len(found))), found.astype(np.int32)
    used = np.zeros(rows.shape[1], np.bool_)
    used[rows.indices] = True
    column_of = np.cumsum(used, dtype=rows.indices.dtype) - rows.indices.dtype.type(1)
    np.take(column_of, rows.indices, out=rows.indices, mode="clip")
    columns = np.flatnonzero(used).astype(np.int32)
    return csr_matrix((rows.data, rows.indices, rows.indptr), shape=(rows.shape[0], len(columns))), columns


def bucket_matrix(weighed: WeighedStrings) -> csr_matrix:
    """(n, n_buckets): the same rows, every n-gram in the column of its bucket."""
    letters, starts, forms = weighed.strings.letters, weighed.strings.starts, weighed.grams.forms
    lengths = count_row_entries(letters, starts, forms, weighed.sizes, weighed.weights)
    ends = np.concatenate([[0], lengths.cumsum(dtype=np.int64)])
    buckets, values = np.empty(ends[-1], np.int32), np.empty(ends[-1], np.float32)
    fill_rows(letters, starts, forms, weighed.sizes, weighed.weights, (ends, buckets, values))
    return csr_matrix((values, buckets, ends), shape=(len(lengths), len(weighed.weights)))


@numba.njit(cache=True)
def scratch(longest: int, sizes: Sizes) -> tuple[Bytes, Buckets, Floats]:
    """Arrays that hold the tokens, buckets and values of any string up to that length."""
    n_tokens = 2 * longest + 3
    n_buckets = 4 * n_tokens * sizes[1]
    return np.empty(n_tokens, np.uint8), np.empty(n_buckets, np.int64), np.empty(n_buckets, np.float32)


@numba.njit(cache=True)
def longest_in(starts: Starts, first: int, last: int) -> int:
    """Length of the longest string of rows first … last − 1."""
    longest = 0
    for i in range(first, last):
        longest = max(longest, starts[i + 1] - starts[i])
    return longest


@numba.njit(cache=True, parallel=True)
def count_strings(letters: Bytes, starts: Starts, forms: int, sizes: Sizes, n_threads: int) -> npt.NDArray[np.int32]:
    """(n_threads, n_buckets): in how many strings each bucket occurs; their sum is all strings."""
    n = len(starts) - 1
    counts = np.zeros((n_threads, sizes[2]), np.int32)
    for thread in numba.prange(n_threads):
        first, last = n * thread // n_threads, n * (thread + 1) // n_threads
        tokens, buckets, values = scratch(longest_in(starts, first, last), sizes)
        for i in range(first, last):
            end = gram_buckets(letters[starts[i] : starts[i + 1]], forms, sizes, tokens, buckets)
            for j in range(merge_equal(buckets, end, values)):
                counts[thread, buckets[j]] += 1
    return counts


@numba.njit(cache=True)
def _list_buckets(letters: Bytes, starts: Starts, forms: int, sizes: Sizes) -> npt.NDArray[np.int64]:
    n = len(starts) - 1
    tokens, buckets, values = scratch(longest_in(starts, 0, n), sizes)
    ends = np.zeros(n + 1, np.int64)
    for i in range(n):
        end = gram_buckets(letters[starts[i] : starts[i + 1]], forms, sizes, tokens, buckets)
        ends[i + 1] = ends[i] + merge_equal(buckets, end, values)
    found = np.empty(ends[n], np.int64)
    for i in range(n):
        end = gram_buckets(letters[starts[i] : starts[i + 1]], forms, sizes, tokens, buckets)
        found[ends[i] : ends[i + 1]] = buckets[: merge_equal(buckets, end, values)]
    return found


@numba.njit(cache=True)
def weighted_row(buckets: Buckets, values: Floats, end: int, weights: Floats) -> int:
    """Turns sorted buckets into distinct ones with unit-norm weights, in place; how many.

    N-grams that no other string has are left out, unless the string has no others.
    """
    end = merge_equal(buckets, end, values)
    kept, norm = 0, 0.0
    for j in range(end):
        weight = weights[buckets[j]] * (1 + np.log(values[j]))
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


@numba.njit(cache=True, parallel=True)
def count_row_entries(
    letters: Bytes, starts: Starts, forms: int, sizes: Sizes, weights: Floats
) -> npt.NDArray[np.int64]:
    """(n,): how many n-grams of each string count."""
    n = len(starts) - 1
    lengths = np.zeros(n, np.int64)
    for chunk in numba.prange((n + CHUNK - 1) // CHUNK):
        first, last = chunk * CHUNK, min(n, (chunk + 1) * CHUNK)
        tokens, buckets, values = scratch(longest_in(starts, first, last), sizes)
        for i in range(first, last):
            end = gram_buckets(letters[starts[i] : starts[i + 1]], forms, sizes, tokens, buckets)
            lengths[i] = weighted_row(buckets, values, end, weights)
    return lengths


@numba.njit(cache=True, parallel=True)
def fill_rows(letters: Bytes, starts: Starts, forms: int, sizes: Sizes, weights: Floats, rows: Rows) -> None:
    """Writes the buckets and weights of string i to `rows` = (ends, buckets, values) from ends[i] on."""
    ends, all_buckets, all_values = rows
    n = len(starts) - 1
    for chunk in numba.prange((n + CHUNK - 1) // CHUNK):
        first, last = chunk * CHUNK, min(n, (chunk + 1) * CHUNK)
        tokens, buckets, values = scratch(longest_in(starts, first, last), sizes)
        for i in range(first, last):
            end = gram_buckets(letters[starts[i] : starts[i + 1]], forms, sizes, tokens, buckets)
            end = weighted_row(buckets, values, end, weights)
            all_buckets[ends[i] : ends[i] + end] = buckets[:end]
            all_values[ends[i] : ends[i] + end] = values[:end]
