"""The space that strings were put into, kept so that further strings find their place in it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import polars as pl
from scipy.sparse import csr_matrix

from factlink.objects.latin import PackedStrings
from factlink.objects.ngrams import (
    GramCounts,
    Grams,
    WeighedStrings,
    bucket_number,
    bucket_rows,
    compact_rows,
    count_grams,
    pack_cut,
)
from factlink.objects.projection import mean_direction, project_plainly, subtract
from factlink.types import Floats, Ints
from factlink.workers import HERE, Workers, cut, join

Packed = tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]


@dataclass(frozen=True, slots=True, eq=False)
class GramSpace:
    """What all strings together taught: how rare each n-gram is, and the direction that was taken out of everyone."""

    grams: Grams
    counts: GramCounts
    mean: Floats  # (dim,)
    seed: int

    def grown(self, objects: Sequence[str] | pl.Series) -> "GramSpace":
        """The same space, with the n-grams of further strings counted too."""
        more = count_grams(pack_cut(objects, self.grams), self.grams, len(self.counts.counts))
        counts = GramCounts(self.counts.n_strings + more.n_strings, self.counts.counts + more.counts)
        return replace(self, counts=counts)

    def encode(self, objects: Sequence[str] | pl.Series) -> Floats:
        """(n, dim) unit rows; zero for strings without letters and digits."""
        vectors = project_plainly(self._weighed(objects), len(self.mean), self.seed)
        subtract(vectors, self.mean)
        return vectors

    def rows(self, objects: Sequence[str] | pl.Series, workers: Workers = HERE) -> csr_matrix:
        """(n, vocabulary) unit rows of n-gram weights, to be compared with each other only."""
        values = pl.Series("object", objects, dtype=pl.String)
        packed = workers.map(pack_part, cut(values, len(values), workers.parts), self.grams)
        rows = workers.map(rows_part, packed, self.grams, self.counts.weights(self.grams))
        lengths, buckets, values_ = (join(column) for column in zip(*rows, strict=True))
        return compact_rows(lengths, buckets, values_)

    def _weighed(self, objects: Sequence[str] | pl.Series) -> WeighedStrings:
        return WeighedStrings(pack_cut(objects, self.grams), self.grams, self.counts.weights(self.grams))


def learn_space(
    objects: Sequence[str] | pl.Series, grams: Grams, dim: int, seed: int, workers: Workers = HERE
) -> tuple[GramSpace, Floats]:
    """A space made from all its strings, and their vectors in it."""
    values = pl.Series("object", objects, dtype=pl.String)
    packed = workers.map(pack_part, cut(values, len(values), workers.parts), grams)
    n_buckets = bucket_number(sum(len(letters) for letters, _ in packed))
    counted = workers.map(count_part, packed, grams, n_buckets)
    counts = GramCounts(len(values), counted[0] if len(counted) == 1 else np.sum(counted, axis=0))
    vectors = join(workers.map(project_part, packed, grams, counts.weights(grams), dim, seed))
    mean = mean_direction(vectors)
    subtract(vectors, mean)
    return GramSpace(grams, counts, mean, seed), vectors


def pack_part(objects: pl.Series, grams: Grams) -> Packed:
    """Some of the strings in Latin letters: the letters, and where each begins."""
    strings = pack_cut(objects, grams)
    return strings.letters, strings.starts


def count_part(packed: Packed, grams: Grams, n_buckets: int) -> Ints:
    """(n_buckets,): how many of some strings hold each n-gram."""
    return count_grams(PackedStrings(*packed), grams, n_buckets).counts


def project_part(packed: Packed, grams: Grams, weights: Floats, dim: int, seed: int) -> Floats:
    """(n, dim): some strings projected, not yet centred."""
    return project_plainly(WeighedStrings(PackedStrings(*packed), grams, weights), dim, seed)


def rows_part(packed: Packed, grams: Grams, weights: Floats) -> tuple[Ints, Ints, Floats]:
    """Some strings as rows of n-gram weights: lengths, buckets, values."""
    return bucket_rows(WeighedStrings(PackedStrings(*packed), grams, weights))
