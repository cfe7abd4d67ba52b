"""The published program's way with names: a root of the tf-idf cosine of blocked pairs, and vectors fitted to it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from factlink.encoders.blocking import pairs_sharing_trigrams
from factlink.encoders.cosine_fit import Kept, fit_cosines, sparse_similarities
from factlink.errors import SettingError
from factlink.types import Floats, Ints

_CHUNK = 1 << 16  # pairs compared at a time


@dataclass(frozen=True, slots=True)
class TfidfEncoder:
    """Vectors whose cosines are (tf-idf cosine of character 1- to 5-grams)^¼ for names that share a 3-gram.

    As the authors' program reads names: ASCII only, lower case, without dots, underscores and spaces. Nothing holds
    names without a common 3-gram apart.
    """

    dim: int = 1024
    cap: int = 500  # 3-grams held by more names do not make pairs
    neighbours: int = 50  # most similar blocked names that each name keeps
    drawn: int = 50  # blocked names at random that each keeps, too
    passes: int = 10
    seed: int = 0

    def __post_init__(self) -> None:
        if self.dim < 2 or self.cap < 2 or self.neighbours < 1 or self.passes < 1 or self.drawn < 0:
            raise SettingError("dim and cap must be at least 2, neighbours and passes 1, drawn 0")

    def encode(self, objects: Sequence[str] | pl.Series) -> Floats:
        """(n, dim) unit rows; zero for a name without ASCII characters, near random for one or two of them."""
        names = ascii_spelling(objects)
        distinct = names.filter(names != "").unique().sort()
        encoded = np.zeros((len(names), self.dim), np.float32)
        filled = (names != "").to_numpy()
        if len(distinct):
            encoded[filled] = self._fit(distinct)[distinct.search_sorted(names).to_numpy()[filled]]
        return encoded

    def _fit(self, names: pl.Series) -> Floats:
        from sklearn.feature_extraction.text import TfidfVectorizer

        rows = TfidfVectorizer(analyzer="char", ngram_range=(1, 5), dtype=np.float32).fit_transform(names.to_list())

        def compare(lefts: Ints, rights: Ints) -> Floats:
            parts = [slice(first, first + _CHUNK) for first in range(0, len(lefts), _CHUNK)]
            products = [np.asarray(rows[lefts[part]].multiply(rows[rights[part]]).sum(axis=1)) for part in parts]
            cosines = np.concatenate([np.zeros(0, np.float32), *(product.ravel() for product in products)])
            return np.asarray(np.maximum(cosines, 0) ** 0.25, np.float32)

        blocked = pairs_sharing_trigrams(names, self.cap)
        kept = Kept(self.neighbours, self.drawn, 0)
        similarities = sparse_similarities(len(names), blocked, compare, kept, self.seed)
        return fit_cosines(similarities, self.dim, self.passes, seed=self.seed)


def ascii_spelling(objects: Sequence[str] | pl.Series) -> pl.Series:
    """Lower-case ASCII characters without dots, underscores and white space."""
    return pl.Series("name", objects, dtype=pl.String).str.to_lowercase().str.replace_all(r"[^\x00-\x7f]|[._\s]", "")
