"""The space that strings were put into, kept so that further strings find their place in it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import polars as pl
from scipy.sparse import csr_matrix

from factlink.objects.ngrams import GramCounts, Grams, WeighedStrings, count_grams, gram_rows, pack_cut, weigh
from factlink.objects.projection import mean_direction, project_plainly, subtract
from factlink.types import Floats


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

    def rows(self, objects: Sequence[str] | pl.Series) -> csr_matrix:
        """(n, vocabulary) unit rows of n-gram weights, to be compared with each other only."""
        return gram_rows(self._weighed(objects))

    def _weighed(self, objects: Sequence[str] | pl.Series) -> WeighedStrings:
        return WeighedStrings(pack_cut(objects, self.grams), self.grams, self.counts, self.counts.weights(self.grams))


def learn_space(objects: Sequence[str] | pl.Series, grams: Grams, dim: int, seed: int) -> tuple[GramSpace, Floats]:
    """A space made from all its strings, and their vectors in it."""
    weighed = weigh(objects, grams)
    vectors = project_plainly(weighed, dim, seed)
    mean = mean_direction(vectors)
    subtract(vectors, mean)
    return GramSpace(grams, weighed.counts, mean, seed), vectors
