"""Similarities of left and right names: Jaro-Winkler, n-gram cosine, vector cosine."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.sparse import csr_matrix

from factlink.candidates.both_ways import nearest_each_way
from factlink.candidates.products import sparse_products, vector_products
from factlink.candidates.top_k import nearest_sparse, nearest_vectors
from factlink.encoders.cache import NEAREST_NAMES, make_once
from factlink.storage.arrays import Arrays
from factlink.types import Candidates, Floats, Ints

DEPTH = 40
"""So many nearest names of each are found at once: more than candidates of linkers usually ask for."""


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
    found: dict[str, Candidates] = field(default_factory=dict)  # the nearest of all names, from `left` and from `right`

    def scores(self, lefts: Ints) -> Floats:
        """(len(lefts), n_right)."""
        from rapidfuzz import process
        from rapidfuzz.distance import JaroWinkler as Measure

        asked = [self.left[place] for place in lefts]
        return process.cdist(
            asked, self.right, scorer=Measure.normalized_similarity, processor=str.lower, dtype=np.float32, workers=-1
        )

    def nearest(self, lefts: Ints, k: int) -> Candidates:
        """The k most similar right names, of equal ones the first; all names of both sides are compared once."""
        k = min(k, len(self.right))
        if "left" not in self.found or self.found["left"].rights.shape[1] < k:
            self.found.update(zip(("left", "right"), nearest_names(self, max(k, DEPTH)), strict=True))
        near = self.found["left"]
        return Candidates(near.rights[lefts, :k], near.scores[lefts, :k])

    def turned(self) -> "JaroWinkler":
        """Left and right exchanged."""
        turned = JaroWinkler(self.right, self.left)
        if self.found:
            turned.found.update(left=self.found["right"], right=self.found["left"])
        return turned

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


def nearest_names(names: JaroWinkler, k: int) -> tuple[Candidates, Candidates]:
    """The k nearest right names of every left one and the k nearest left ones of every right one, best first."""

    def compare() -> Arrays:
        forth, back = nearest_each_way(names.scores, len(names.left), len(names.right), k)
        return {"rights": forth.rights, "of_left": forth.scores, "lefts": back.rights, "of_right": back.scores}

    described, both = f"nearest {k} of the first {len(names.left)} and the rest", [*names.left, *names.right]
    found = make_once(NEAREST_NAMES, described, both, compare)
    return Candidates(found["rights"], found["of_left"]), Candidates(found["lefts"], found["of_right"])
