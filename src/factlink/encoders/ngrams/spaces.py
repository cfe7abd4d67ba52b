"""The space that strings were put into, kept so that further strings find their place in it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import polars as pl
from scipy.sparse import csr_matrix

from factlink.encoders.cache import STRINGS, is_cached, make_once
from factlink.encoders.ngrams.known import KnownGrams
from factlink.encoders.ngrams.projection import mean_direction, project_plainly, subtract
from factlink.encoders.ngrams.rows import (
    GramCounts,
    Grams,
    WeighedStrings,
    bucket_matrix,
    bucket_number,
    count_grams,
    list_buckets,
    pack_cut,
)
from factlink.encoders.transliteration import PackedStrings
from factlink.execution.workers import HERE, Workers, cut, join
from factlink.storage.arrays import Arrays
from factlink.types import Floats, Ints

_FEW = 8  # times as many buckets as n-grams of strings, which are few then

Packed = tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]


@dataclass(frozen=True, slots=True, eq=False)
class GramSpace:
    """The fitted space of all strings: the rarity of each n-gram, and the mean direction that was removed."""

    grams: Grams
    counts: GramCounts
    mean: Floats  # (dim,)
    seed: int

    def grown(self, objects: Sequence[str] | pl.Series) -> "GramSpace":
        """The same space, with the n-grams of further strings counted too."""
        return self.grown_packed(pack_cut(objects, self.grams))

    def grown_packed(self, strings: PackedStrings) -> "GramSpace":
        """The same of strings in Latin letters."""
        buckets = list_buckets(strings, self.grams, len(self.counts.counts))
        return replace(self, counts=self.counts.grown(len(strings), buckets))

    def encode(self, objects: Sequence[str] | pl.Series) -> Floats:
        """(n, dim) unit rows; zero for strings without letters and digits."""
        return self.encode_packed(pack_cut(objects, self.grams))

    def encode_packed(self, strings: PackedStrings) -> Floats:
        """The same of strings in Latin letters."""
        if self._are_few(strings):
            vectors = KnownGrams(self.grams, self.counts).vectors(strings, len(self.mean), self.seed)
        else:
            vectors = project_plainly(self._weighed(strings), len(self.mean), self.seed)
        subtract(vectors, self.mean)
        return vectors

    def rows(self, objects: Sequence[str] | pl.Series) -> csr_matrix:
        """(n, n_buckets) unit rows of n-gram weights."""
        return self.rows_packed(pack_cut(objects, self.grams))

    def rows_packed(self, strings: PackedStrings) -> csr_matrix:
        """The same of strings in Latin letters."""
        if self._are_few(strings):
            return KnownGrams(self.grams, self.counts).rows(strings)
        return bucket_matrix(self._weighed(strings))

    def _are_few(self, strings: PackedStrings) -> bool:
        """Whether looking at all buckets would cost most."""
        return len(strings.letters) * self.grams.largest * _FEW < len(self.counts.counts)

    def _weighed(self, strings: PackedStrings) -> WeighedStrings:
        return WeighedStrings(strings, self.grams, self.counts.weights(self.grams))


def learn_space(
    objects: Sequence[str] | pl.Series, grams: Grams, dim: int, seed: int, workers: Workers = HERE
) -> tuple[GramSpace, Floats]:
    """A space made from all its strings, and their vectors in it."""
    if workers is not HERE or not is_cached(STRINGS):  # other workers keep their own results, step by step
        return _learn_space(objects, grams, dim, seed, workers)

    def make() -> Arrays:
        return _packed(*_learn_space(objects, grams, dim, seed, workers))

    made = make_once(STRINGS, f"{grams}, {dim}, {seed}", objects, make)
    return _unpacked(made, grams, seed), made["vectors"]


def _learn_space(
    objects: Sequence[str] | pl.Series, grams: Grams, dim: int, seed: int, workers: Workers
) -> tuple[GramSpace, Floats]:
    packed, counts = _count(objects, grams, workers)
    vectors = workers.stack(project_part, packed, grams, counts.weights(grams), dim, seed)
    mean = mean_direction(vectors, workers)
    for block in workers.walk(vectors):
        subtract(block, mean)
    return GramSpace(grams, counts, mean, seed), vectors


def _packed(space: GramSpace, vectors: Floats) -> Arrays:
    """Few of the buckets are filled where strings are few."""
    buckets = np.flatnonzero(space.counts.counts)
    sizes = np.array([space.counts.n_strings, len(space.counts.counts)])
    held = space.counts.counts[buckets]
    return {"vectors": vectors, "mean": space.mean, "sizes": sizes, "buckets": buckets, "counts": held}


def _unpacked(made: Arrays, grams: Grams, seed: int) -> GramSpace:
    n_strings, n_buckets = made["sizes"].tolist()
    counts = np.zeros(n_buckets, np.int64)
    counts[made["buckets"]] = made["counts"]
    return GramSpace(grams, GramCounts(n_strings, counts), made["mean"], seed)


def learn_rows(
    objects: Sequence[str] | pl.Series, grams: Grams, workers: Workers = HERE
) -> tuple[GramCounts, csr_matrix]:
    """How many strings hold each n-gram; and (n, n_buckets): their unit rows of n-gram weights."""
    packed, counts = _count(objects, grams, workers)
    parts = workers.map(rows_part, packed, grams, counts.weights(grams))
    lengths, buckets, values = (join(column) for column in zip(*parts, strict=True))
    ends = np.concatenate([[0], lengths.cumsum(dtype=np.int64)])
    return counts, csr_matrix((values, buckets, ends), shape=(len(lengths), len(counts.counts)))


def _count(objects: Sequence[str] | pl.Series, grams: Grams, workers: Workers) -> tuple[list[Packed], GramCounts]:
    """The strings in parts, and how many of all hold each n-gram."""
    values = pl.Series("object", objects, dtype=pl.String)
    packed = workers.map(pack_part, cut(values, len(values), workers.parts), grams)
    n_buckets = bucket_number(sum(len(letters) for letters, _ in packed))
    if len(packed) == 1:
        return packed, count_grams(PackedStrings(*packed[0]), grams, n_buckets)
    counts = np.zeros(n_buckets, np.int64)
    for buckets, found in workers.map(count_part, packed, grams, len(counts)):
        counts[buckets] += found
    return packed, GramCounts(len(values), counts)


def pack_part(objects: pl.Series, grams: Grams) -> Packed:
    """Some of the strings in Latin letters: the letters, and where each begins."""
    strings = pack_cut(objects, grams)
    return strings.letters, strings.starts


def count_part(packed: Packed, grams: Grams, n_buckets: int) -> tuple[Ints, Ints]:
    """The n-grams that occur in some strings, and in how many."""
    counts = count_grams(PackedStrings(*packed), grams, n_buckets).counts
    buckets = np.flatnonzero(counts)
    return buckets, counts[buckets]


def project_part(packed: Packed, grams: Grams, weights: Floats, dim: int, seed: int) -> Floats:
    """(n, dim): some strings projected, not yet centred."""
    return project_plainly(WeighedStrings(PackedStrings(*packed), grams, weights), dim, seed)


def rows_part(packed: Packed, grams: Grams, weights: Floats) -> tuple[Ints, Ints, Floats]:
    """Some strings as rows of n-gram weights: lengths, buckets, values."""
    rows = bucket_matrix(WeighedStrings(PackedStrings(*packed), grams, weights))
    return np.diff(rows.indptr), rows.indices, rows.data
