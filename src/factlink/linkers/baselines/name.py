"""`name`: two users are as similar as their most similar names, in any columns."""

from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from factlink.candidates.reordered import Reordered
from factlink.errors import InputError, SettingError
from factlink.linkers.baselines.features.best_pairs import BestPairScorer, Similarity
from factlink.linkers.baselines.features.owned_objects import owned_objects
from factlink.linkers.baselines.features.similarities import JaroWinkler, SparseCosine, VectorCosine
from factlink.linkers.by_content import fit_by_content
from factlink.protocols import Encoder
from factlink.types import NO_PAIRS, Kind, Network, Pairs

SIMILARITIES = ("jaro-winkler", "jaro-winkler-vectors", "ngrams", "vectors")


@dataclass(frozen=True, slots=True)
class NameLinker:
    """The paper's baseline U1 (`jaro-winkler`), or stronger: cosine of character n-grams or of name vectors.

    `jaro-winkler-vectors` are the vectors that the paper fits to Jaro-Winkler similarities.
    """

    name: ClassVar[str] = "name"
    supervised: ClassVar[bool] = False

    similarity: str = "ngrams"
    seed: int = 0

    def __post_init__(self) -> None:
        if self.similarity not in SIMILARITIES:
            raise SettingError(
                f"no name similarity is called '{self.similarity}'; there are: {', '.join(SIMILARITIES)}"
            )

    def fit(self, left: Network, right: Network, known: Pairs = NO_PAIRS) -> Reordered[BestPairScorer]:
        """Known pairs are not used: the similarity of names has no parameters."""
        return fit_by_content(self._fit, left, right, known)

    def _fit(self, left: Network, right: Network, known: Pairs) -> BestPairScorer:
        lefts, rights = owned_objects(left, Kind.NAME), owned_objects(right, Kind.NAME)
        for network, owned in ((left, lefts), (right, rights)):
            if not len(owned.objects):
                raise InputError(f"network '{network.name}' has no names; set a column's kind (--kind COLUMN=name)")
        return BestPairScorer(left, right, lefts, rights, self._similarity(lefts.objects, rights.objects))

    def _similarity(self, left: pl.Series, right: pl.Series) -> Similarity:
        if self.similarity == "jaro-winkler":
            return JaroWinkler(left.to_list(), right.to_list())
        from factlink.encoders.jaro_winkler import JaroWinklerEncoder
        from factlink.encoders.names import NameEncoder
        from factlink.encoders.ngrams.rows import ngram_matrix

        both = pl.concat([left, right])
        if self.similarity == "ngrams":
            matrix = ngram_matrix(both)
            return SparseCosine(matrix[: len(left)], matrix[len(left) :])
        ours = self.similarity == "vectors"
        encoder: Encoder = NameEncoder(seed=self.seed) if ours else JaroWinklerEncoder(seed=self.seed)
        vectors = encoder.encode(both.to_list())
        return VectorCosine(vectors[: len(left)], vectors[len(left) :])
