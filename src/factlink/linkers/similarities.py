"""Similarities of left and right names: Jaro-Winkler, n-gram cosine, vector cosine."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix

from factlink.matching.neighbours import best_of_block, blocks, nearest_sparse, nearest_vectors, stack
from factlink.types import Candidates, Floats, Ints


@dataclass(frozen=True, slots=True, eq=False)
class SparseCosine:
    """Cosine of sparse unit rows; only rows that share an entry are ever compared."""

    left: csr_matrix  # (n_left, vocabulary)
    right: csr_matrix  # (n_right, vocabulary)

    def scores(self, lefts: Ints) -> Floats:
        """(len(lefts), n_right)."""
        return np.asarray((self.left[lefts] @ self.right.T).toarray(), np.float32)

    def nearest(self, lefts: Ints, k: int) -> Candidates:
        """The k most similar right rows, fewer where fewer share an entry."""
        return nearest_sparse(self.left[lefts], self.right, k)


@dataclass(frozen=True, slots=True, eq=False)
class VectorCosine:
    """Cosine of unit vectors; a zero vector is similar to nothing."""

    left: Floats  # (n_left, dim)
    right: Floats  # (n_right, dim)

    def scores(self, lefts: Ints) -> Floats:
        """(len(lefts), n_right)."""
        return self.left[lefts] @ self.right.T

    def nearest(self, lefts: Ints, k: int) -> Candidates:
        """The k most similar right rows, exactly."""
        return nearest_vectors(self.left[lefts], self.right, k)


@dataclass(frozen=True, slots=True, eq=False)
class JaroWinkler:
    """Jaro-Winkler similarity in [0, 1] of names in lower case, every pair compared."""

    left: Sequence[str]
    right: Sequence[str]

    def scores(self, lefts: Ints) -> Floats:
        """(len(lefts), n_right)."""
        from rapidfuzz import process
        from rapidfuzz.distance import JaroWinkler as Measure

        asked = [self.left[place] for place in lefts]
        return process.cdist(
            asked, self.right, scorer=Measure.normalized_similarity, processor=str.lower, dtype=np.float32, workers=-1
        )

    def nearest(self, lefts: Ints, k: int) -> Candidates:
        """The k most similar right names, streaming over blocks."""
        k = min(k, len(self.right))
        parts = [best_of_block(self.scores(lefts[block]), k) for block in blocks(len(lefts), len(self.right))]
        return stack(parts, k)
