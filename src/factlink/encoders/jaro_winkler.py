"""The paper's way with names: Jaro-Winkler of blocked pairs, and vectors fitted to it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from rapidfuzz.distance import JaroWinkler
from rapidfuzz.process import cpdist

from factlink.encoders.blocking import pairs_sharing_trigrams
from factlink.encoders.cache import JARO_WINKLER, make_once
from factlink.encoders.cosine_fit import Kept, Similarities, fit_cosines, sparse_similarities
from factlink.encoders.transliteration import transliterate
from factlink.errors import SettingError
from factlink.progress import counted
from factlink.types import Floats, Ints

_CHUNK = 1 << 20  # pairs compared at a time


@dataclass(frozen=True, slots=True)
class JaroWinklerEncoder:
    """Vectors whose cosines are 2·Jaro-Winkler − 1 for names that share a 3-gram.

    The paper does not say how far apart pairs outside S are to be. Each name also meets `apart` random others at
    their own Jaro-Winkler, which keeps non-matches from drifting together; 0 gives the authors' code, which does not.
    """

    dim: int = 1024
    cap: int = 500  # 3-grams held by more names do not make pairs
    neighbours: int = 50  # most similar blocked names that each name keeps
    apart: int = 50
    drawn: int = 0  # blocked pairs at random that each keeps, too
    passes: int = 10
    seed: int = 0

    def __post_init__(self) -> None:
        if self.dim < 2 or self.cap < 2 or self.neighbours < 1 or self.passes < 1 or min(self.apart, self.drawn) < 0:
            raise SettingError("dim and cap must be at least 2, neighbours and passes 1, apart and drawn 0")

    def encode(self, objects: Sequence[str] | pl.Series) -> Floats:
        """(n, dim) unit rows; zero for a name without letters and digits."""
        return make_once(JARO_WINKLER, repr(self), objects, lambda: {"vectors": self._fit(objects)})["vectors"]

    def _fit(self, objects: Sequence[str] | pl.Series) -> Floats:
        names = spelling(objects)
        distinct = names.filter(names != "").unique().sort()
        vectors = fit_cosines(self.similarities(distinct), self.dim, self.passes, seed=self.seed)
        rows = distinct.search_sorted(names).to_numpy()
        encoded = np.zeros((len(names), self.dim), np.float32)
        filled = (names != "").to_numpy()
        encoded[filled] = vectors[rows[filled]]
        return encoded

    def similarities(self, names: pl.Series) -> Similarities:
        """S over distinct spellings: the best blocked pairs of each name, and random ones."""
        return sparse_similarities(
            len(names),
            pairs_sharing_trigrams(names, self.cap),
            lambda lefts, rights: jaro_winkler(names, lefts, rights),
            Kept(self.neighbours, self.drawn, self.apart),
            self.seed,
        )


def spelling(objects: Sequence[str] | pl.Series) -> pl.Series:
    """Latin lower-case letters and digits only, as the authors compare names; other scripts are kept."""
    return transliterate(objects).str.to_lowercase().str.replace_all(r"[^a-z0-9]", "")


def jaro_winkler(names: pl.Series, lefts: Ints, rights: Ints) -> Floats:
    """2·Jaro-Winkler − 1 of pairs of names, fastest when sorted by left."""
    words = np.array(names.to_list(), dtype=object)
    values = np.empty(len(lefts), np.float32)
    starts = range(0, len(lefts), _CHUNK)
    for first in counted(starts, len(starts), "comparing names, millions of pairs"):
        part = slice(first, first + _CHUNK)
        values[part] = cpdist(words[lefts[part]], words[rights[part]], scorer=JaroWinkler.similarity, dtype=np.float32)
    return 2 * values - 1
