"""Strings of all networks as vectors in one space, by their n-grams."""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from factlink.encoders.ngrams.projection import check_dim
from factlink.encoders.ngrams.rows import NAME_GRAMS, Grams
from factlink.encoders.ngrams.spaces import GramSpace, learn_space
from factlink.execution.workers import HERE, Workers
from factlink.types import Floats


@dataclass(frozen=True, slots=True)
class GramEncoder:
    """Weighted n-grams, projected at random; names, texts and places differ in their settings alone.

    Encode the strings of all predicates and networks in one call: they then share one vocabulary, one space and one
    centre, and a handle can meet a display name.
    """

    dim: int = 1024
    seed: int = 0
    grams: Grams = NAME_GRAMS

    def __post_init__(self) -> None:
        check_dim(self.dim)

    def encode(self, objects: Sequence[str] | pl.Series) -> Floats:
        """(n, dim) unit rows; zero for a string without letters and digits."""
        return self.learn(objects)[1]

    def learn(self, objects: Sequence[str] | pl.Series, workers: Workers = HERE) -> tuple[GramSpace, Floats]:
        """The same rows, and the space in which further objects can be encoded."""
        return learn_space(objects, self.grams, self.dim, self.seed, workers)
