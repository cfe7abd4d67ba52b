"""Shared words of two texts: the cosine of n-grams, split by the words that contain them."""

from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
import polars as pl
from scipy.sparse import csr_matrix

from factlink.encoders.ngrams.hashing import gram_buckets, merge_equal
from factlink.encoders.ngrams.kernels import scratch
from factlink.encoders.ngrams.rows import Grams
from factlink.encoders.transliteration import pack, transliterate
from factlink.types import Floats, Ints

MOST_WORDS = 200
"""Words of a text that are looked at, from its beginning."""


@dataclass(frozen=True, slots=True, eq=False)
class WordsMet:
    """`lefts[i]` of the left text and `rights[i]` of the right text share n-grams of a weight, in pair `pairs[i]`."""

    pairs: Ints
    lefts: pl.Series
    rights: pl.Series
    weights: Floats


@dataclass(frozen=True, slots=True, eq=False)
class WordCosine:
    """The cosine of two texts by n-grams, rare ones heavier, as a sum over pairs of words."""

    grams: Grams
    weights: Floats  # (n_buckets,)

    def split(self, lefts: pl.Series, rights: pl.Series) -> WordsMet:
        """All words of left text i with all words of right text i that have n-grams in common."""
        sides = [self._shares(texts) for texts in (lefts, rights)]
        common = np.intersect1d(sides[0].cells, sides[1].cells, assume_unique=True)
        left, right = (side.matrix(common) for side in sides)
        products = (left @ right.T).tocoo()
        words = [side.words["word"].gather(at) for side, at in zip(sides, (products.row, products.col), strict=True)]
        pairs = sides[0].words["text"].to_numpy()[products.row]
        return WordsMet(pairs, words[0], words[1], products.data.astype(np.float32))

    def _shares(self, texts: pl.Series) -> "_Shares":
        words = _words(texts, self.grams.longest_string)
        rows, buckets, counts = _count_grams(words["word"], self.grams, len(self.weights))
        counts = counts * words["times"].to_numpy()[rows]
        keys = words["text"].to_numpy()[rows] * len(self.weights) + buckets
        cells, places = np.unique(keys, return_inverse=True)
        totals = np.bincount(places, counts, minlength=len(cells))
        weights = (1 + np.log(np.maximum(totals, 1))) * self.weights[cells % len(self.weights)]
        lengths = np.sqrt(np.bincount(cells // len(self.weights), weights**2, minlength=len(texts)))
        units = weights / np.maximum(lengths[cells // len(self.weights)], 1e-9)
        return _Shares(words, cells, rows, keys, (units / np.maximum(totals, 1))[places] * counts)


@dataclass(frozen=True, slots=True, eq=False)
class _Shares:
    """What word `rows[i]` has of the unit row of its text, at a key of one text and one n-gram."""

    words: pl.DataFrame  # text, word, times
    cells: Ints  # the distinct keys, rising
    rows: Ints
    keys: Ints
    values: Floats

    def matrix(self, common: Ints) -> csr_matrix:
        """(n_words, n_common): words as rows; texts of different pairs have no key in common."""
        places = np.searchsorted(common, self.keys)
        kept = np.flatnonzero(np.append(common, -1)[places] == self.keys)
        shape = (self.words.height, len(common))
        return csr_matrix((self.values[kept], (self.rows[kept], places[kept])), shape=shape)


def _words(texts: pl.Series, longest: int) -> pl.DataFrame:
    """Columns text, word, times: the distinct words of each text in Latin letters, case kept."""
    latin = transliterate(texts).str.slice(0, longest).str.extract_all(r"[A-Za-z0-9]+").list.head(MOST_WORDS)
    frame = pl.DataFrame({"text": np.arange(len(texts)), "word": latin}).explode("word").drop_nulls()
    return frame.group_by("text", "word", maintain_order=True).agg(times=pl.len())


def _count_grams(words: pl.Series, grams: Grams, n_buckets: int) -> tuple[Ints, Ints, Floats]:
    """Places of words, the buckets of their n-grams, and how often each occurs; equal words are read once."""
    distinct = words.unique().sort()
    packed, sizes = pack(distinct), (grams.smallest, grams.largest, n_buckets)
    ends, buckets, counts = _fill_counts(packed.letters, packed.starts, grams.forms, sizes, packed.longest)
    which = np.asarray(distinct.search_sorted(words), np.int64).reshape(-1)
    lengths = np.diff(ends)[which]
    rows = np.repeat(np.arange(len(words)), lengths)
    entries = np.arange(len(rows)) + np.repeat(ends[which] - (np.cumsum(lengths) - lengths), lengths)
    return rows, buckets[entries], counts[entries]


@numba.njit(cache=True)
def _fill_counts(letters: Any, starts: Any, forms: int, sizes: Any, longest: int) -> Any:
    """(n + 1,) ends, and the buckets of every string's n-grams with how often each occurs."""
    n = len(starts) - 1
    tokens, buckets, values = scratch(longest, sizes)
    ends = np.zeros(n + 1, np.int64)
    for i in range(n):
        end = gram_buckets(letters[starts[i] : starts[i + 1]], forms, sizes, tokens, buckets)
        ends[i + 1] = ends[i] + merge_equal(buckets, end, values)
    all_buckets, all_counts = np.empty(ends[n], np.int64), np.empty(ends[n], np.float32)
    for i in range(n):
        end = gram_buckets(letters[starts[i] : starts[i + 1]], forms, sizes, tokens, buckets)
        kept = merge_equal(buckets, end, values)
        all_buckets[ends[i] : ends[i] + kept] = buckets[:kept]
        all_counts[ends[i] : ends[i] + kept] = values[:kept]
    return ends, all_buckets, all_counts
