"""Texts in any language as vectors: bios, posts, descriptions; several texts of a user are several objects."""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from factlink.encoders.ngrams.hashing import PARTS, WORDS
from factlink.encoders.ngrams.projection import check_dim
from factlink.encoders.ngrams.rows import Grams
from factlink.encoders.ngrams.spaces import GramSpace, learn_space
from factlink.execution.workers import HERE, Workers
from factlink.types import Floats

TEXT_GRAMS = Grams(forms=WORDS | PARTS, smallest=3, largest=8, longest_string=20_000)


@dataclass(frozen=True, slots=True)
class TextEncoder:
    """Words and pieces of words of 3 to 8 characters, ends included, rare ones heavier, projected at random.

    Hashtags and camel case are read whole and in parts; other scripts are read in Latin letters. Texts are cut
    after 20,000 characters.
    """

    dim: int = 1024
    seed: int = 0

    def __post_init__(self) -> None:
        check_dim(self.dim)

    def encode(self, objects: Sequence[str] | pl.Series) -> Floats:
        """(n, dim) unit rows; zero for a text without letters and digits."""
        return self.learn(objects)[1]

    def learn(self, objects: Sequence[str] | pl.Series, workers: Workers = HERE) -> tuple[GramSpace, Floats]:
        """The same rows, and the space in which further objects can be encoded."""
        return learn_space(objects, TEXT_GRAMS, self.dim, self.seed, workers)
