"""Names and handles of all networks as vectors in one space."""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from factlink.encoders.ngrams.projection import check_dim
from factlink.encoders.ngrams.rows import NAME_GRAMS
from factlink.encoders.ngrams.spaces import GramSpace, learn_space
from factlink.execution.workers import HERE, Workers
from factlink.types import Floats


@dataclass(frozen=True, slots=True)
class NameEncoder:
    """Character n-grams of a name in several spellings, rare ones heavier, projected at random.

    Encode the names of all predicates and networks in one call: they then share one vocabulary, one space and one
    centre, and a handle can meet a display name.
    """

    dim: int = 1024
    seed: int = 0

    def __post_init__(self) -> None:
        check_dim(self.dim)

    def encode(self, objects: Sequence[str] | pl.Series) -> Floats:
        """(n, dim) unit rows; zero for a name without letters and digits."""
        return self.learn(objects)[1]

    def learn(self, objects: Sequence[str] | pl.Series, workers: Workers = HERE) -> tuple[GramSpace, Floats]:
        """The same rows, and the space in which further objects can be encoded."""
        return learn_space(objects, NAME_GRAMS, self.dim, self.seed, workers)
