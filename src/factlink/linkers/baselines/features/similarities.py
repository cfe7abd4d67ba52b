"""Similarities of left and right names: Jaro-Winkler, n-gram cosine, vector cosine."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix

from factlink.candidates.products import sparse_products, vector_products
from factlink.candidates.top_k import best_of_block, blocks, nearest_sparse, nearest_vectors, stack
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

    def turned(self) -> "SparseCosine":
        """Left and right exchanged."""
        return SparseCosine(self.right, self.left)

    def of_pairs(self, lefts: Ints, rights: Ints) -> Floats:
        """(n,): left row `lefts[i]` with right row `rights[i]`."""
        return sparse_products(self.left, self.right, lefts, rights)


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

    def turned(self) -> "VectorCosine":
        """Left and right exchanged."""
        return VectorCosine(self.right, self.left)

    def of_pairs(self, lefts: Ints, rights: Ints) -> Floats:
        """(n,): left row `lefts[i]` with right row `rights[i]`."""
        return vector_products(self.left, self.right, lefts, rights)


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

    def turned(self) -> "JaroWinkler":
        """Left and right exchanged."""
        return JaroWinkler(self.right, self.left)

    def of_pairs(self, lefts: Ints, rights: Ints) -> Floats:
        """(n,): left name `lefts[i]` with right name `rights[i]`."""
        from rapidfuzz import process
        from rapidfuzz.distance import JaroWinkler as Measure

        left, right = ([name.lower() for name in names] for names in (self.left, self.right))
        return process.cpdist(
            [left[place] for place in lefts],
            [right[place] for place in rights],
            scorer=Measure.normalized_similarity,
            dtype=np.float32,
            workers=-1,
        )
