"""Strings as rows of weighted character n-grams: the exact form that vectors approximate."""

from collections.abc import Sequence
from dataclasses import dataclass

import numba
import numpy as np
import polars as pl
from scipy.sparse import csr_matrix

from factlink.encoders.ngrams.hashing import PARTS, SKELETON, SQUEEZED, WORDS, Sizes
from factlink.encoders.ngrams.kernels import count_row_entries, count_strings, fill_rows, list_string_buckets
from factlink.encoders.transliteration import FEW, PackedStrings, latin_of_few, pack, pack_few, transliterate
from factlink.types import Floats, Ints
from factlink.vectors import sparse_rows

_SHARED = 2  # strings that must hold an n-gram for it to count
_FEW_STRINGS = 200  # up to so many, n-grams of one string count too: most names share hardly any with another
_BUCKETS_PER_LETTER = 64
_FEWEST_BITS, _MOST_BITS = 12, 24  # of the number of buckets
_FEW = 8  # times as many buckets as entries: then looking at all buckets would cost most
_AT_ONCE = 2_000  # strings that are worth a thread with counts of its own
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
        """(n_buckets,): (1 + ln((1 + n) / (1 + df)))^power, zero for n-grams of too few strings."""
        counts = self.whole()
        shared = np.flatnonzero(counts >= self.least)
        weights = np.zeros(len(counts), np.float32)
        factors = np.where(shared % 2 == 1, np.float32(grams.skeleton_weight), np.float32(1))
        weights[shared] = self._rarity(counts[shared], grams) * factors
        return weights

    @property
    def least(self) -> int:
        """Strings that must hold an n-gram for it to count."""
        return _SHARED if self.n_strings > _FEW_STRINGS else 1

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
    n_threads = min(numba.get_num_threads(), 1 + len(strings) // _AT_ONCE)
    first, *others = count_strings(strings.letters, strings.starts, grams.forms, sizes, n_threads)
    counts = first.astype(np.int64)
    for more in others:
        counts += more
    return GramCounts(len(strings), counts)


def list_buckets(strings: PackedStrings, grams: Grams, n_buckets: int) -> Ints:
    """The buckets of all n-grams of all strings, each once for each string that holds it."""
    sizes = grams.smallest, grams.largest, n_buckets
    return np.asarray(list_string_buckets(strings.letters, strings.starts, grams.forms, sizes))


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
        return sparse_rows(rows.data, places, rows.indptr, len(found)), found.astype(np.int32)
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
