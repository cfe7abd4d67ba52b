"""The paper's way with pictures: cosines of the features of blocked pairs, and vectors fitted to them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from factlink.encoders.blocking import pairs_sharing_buckets
from factlink.encoders.cosine_fit import Kept, fit_cosines, sparse_similarities
from factlink.encoders.pictures.codes import distinct_rows
from factlink.errors import SettingError
from factlink.protocols import Encoder
from factlink.types import Floats, Ints

_CHUNK = 1 << 14  # pairs compared at a time


@dataclass(frozen=True, slots=True)
class FittedPictureEncoder:
    """Vectors whose cosines are those of the features of pictures that share a bucket of locality-sensitive hashing.

    Each picture also meets `apart` random others at their own cosine, as names do in `JaroWinklerEncoder`.
    """

    features: Encoder
    dim: int = 256
    bits: int = 8  # of a bucket
    tables: int = 5
    neighbours: int = 50  # most similar pictures in its buckets that each picture keeps
    apart: int = 50
    drawn: int = 0  # blocked pairs at random that each keeps, too
    passes: int = 10
    seed: int = 0

    def __post_init__(self) -> None:
        if self.dim < 2 or self.neighbours < 1 or self.passes < 1 or min(self.apart, self.drawn) < 0:
            raise SettingError("dim must be at least 2, neighbours and passes 1, apart and drawn 0")

    def encode(self, objects: Sequence[str] | pl.Series) -> Floats:
        """(n, dim) unit rows; zero where there is no usable picture. Equal pictures have equal vectors."""
        features = self.features.encode(list(objects))
        firsts, row_of = distinct_rows(features)
        filled = features[firsts].any(axis=1)
        encoded = np.zeros((len(firsts), self.dim), np.float32)
        encoded[filled] = self._fit(features[firsts[filled]])
        return encoded[row_of]

    def _fit(self, features: Floats) -> Floats:
        if not len(features):
            return np.zeros((0, self.dim), np.float32)
        blocked = pairs_sharing_buckets(features, self.bits, self.tables, self.seed)

        def compare(lefts: Ints, rights: Ints) -> Floats:
            parts = [slice(first, first + _CHUNK) for first in range(0, len(lefts), _CHUNK)]
            products = [np.einsum("ij,ij->i", features[lefts[part]], features[rights[part]]) for part in parts]
            return np.concatenate([np.zeros(0, np.float32), *products])

        kept = Kept(self.neighbours, self.drawn, self.apart)
        similarities = sparse_similarities(len(features), blocked, compare, kept, self.seed)
        return fit_cosines(similarities, self.dim, self.passes, seed=self.seed)
