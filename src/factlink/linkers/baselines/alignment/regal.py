"""`regal`: users are alike if the degrees around them are, and their names; vectors from a few landmarks.

After Heimann, Shen, Safavi and Koutra (CIKM 2018). Certain, read in the authors' program: counts of neighbours at 0, 1
and 2 hops by log₂ of their degree, .01 to the power of the hop as weight; similarity exp(−γ_s·distance − γ_a·attributes
that differ); 10·log₂(users) random landmarks, and vectors by the pseudo-inverse of their similarities; unit rows,
nearest first. Ours: 1 − cosine of names in place of the number of attributes that differ, since two names hardly ever
have equal vectors. It uses no known pairs.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numba
import numpy as np
from scipy.sparse import csr_matrix

from factlink.candidates.reordered import Reordered
from factlink.errors import SettingError
from factlink.linkers.baselines.alignment.pair_plan import Doubles
from factlink.linkers.baselines.alignment.user_vectors import UserVectors, friends_graph, name_vectors
from factlink.linkers.by_content import fit_by_content
from factlink.linkers.known_pairs import check_links
from factlink.linkers.vector_scorer import VectorScorer
from factlink.types import NO_PAIRS, Floats, Network, Pairs
from factlink.vectors import unit_rows


@dataclass(frozen=True, slots=True)
class RegalLinker:
    """Degrees within two hops, and names → similarity to landmarks → vectors → cosine."""

    name: ClassVar[str] = "regal"
    supervised: ClassVar[bool] = False

    landmarks: float = 10.0  # times log₂ of the number of users
    hop_weight: float = 0.01
    structure_weight: float = 1.0  # γ_s
    name_weight: float = 1.0  # γ_a
    seed: int = 0

    def __post_init__(self) -> None:
        if not self.landmarks > 0 or min(self.hop_weight, self.structure_weight, self.name_weight) < 0:
            raise SettingError(f"landmarks is {self.landmarks}; it must be above 0, and no weight may be below 0")

    def fit(self, left: Network, right: Network, known: Pairs = NO_PAIRS) -> Reordered[VectorScorer]:
        """Known pairs are not used."""
        return fit_by_content(self._fit, left, right, known)

    def _fit(self, left: Network, right: Network, known: Pairs) -> VectorScorer:
        check_links(self.name, left, right)
        graphs = friends_graph(left), friends_graph(right)
        n_bins = 1 + int(np.log2(max(np.diff(graph.indptr).max(initial=1) for graph in graphs)))
        degrees = np.concatenate([degree_counts(graph, n_bins, self.hop_weight) for graph in graphs])
        alike = self._similarities(degrees, name_vectors(left, right))
        vectors = landmark_vectors(*alike)
        return VectorScorer(left, right, vectors[: len(left)], vectors[len(left) :])

    def _similarities(self, degrees: Doubles, names: UserVectors | None) -> tuple[Doubles, Any]:
        """(n_users, n_landmarks) similarities to random users of both networks; and who those are."""
        n = len(degrees)
        n_landmarks = min(n, max(1, int(self.landmarks * np.log2(n))))
        chosen = np.sort(np.random.default_rng(self.seed).permutation(n)[:n_landmarks])
        away = self.structure_weight * _distances(degrees, degrees[chosen])
        if names is not None:
            vectors = np.concatenate([names.lefts, names.rights])
            away += self.name_weight * (1 - (vectors @ vectors[chosen].T).astype(np.float64))
        return np.exp(-away), chosen


def landmark_vectors(alike: Doubles, landmarks: Any) -> Floats:
    """(n_users, n_landmarks) unit rows whose products come close to the similarities of all users (Nyström)."""
    left, values, _ = np.linalg.svd(np.linalg.pinv(alike[landmarks]))
    return unit_rows(np.asarray(alike @ (left * np.sqrt(values)), np.float32))


def _distances(ours: Doubles, theirs: Doubles) -> Doubles:
    squares = (ours**2).sum(axis=1)[:, None] + (theirs**2).sum(axis=1) - 2 * ours @ theirs.T
    return np.asarray(np.sqrt(np.maximum(squares, 0)))


def degree_counts(graph: csr_matrix, n_bins: int, hop_weight: float) -> Doubles:
    """(n_users, n_bins): users at 0, 1 and 2 hops by log₂ of their degree, each hop weighing less."""
    return np.asarray(_degree_counts(graph.indptr, graph.indices, n_bins, hop_weight))


_CHUNK = 256


@numba.njit(cache=True, parallel=True)
def _degree_counts(starts: Any, friends: Any, n_bins: int, hop_weight: float) -> Any:
    n = len(starts) - 1
    counts = np.zeros((n, n_bins))
    for chunk in numba.prange((n + _CHUNK - 1) // _CHUNK):
        seen_by = np.full(n, -1)
        for user in range(chunk * _CHUNK, min(n, (chunk + 1) * _CHUNK)):
            seen_by[user] = user
            _count(counts[user], starts, user, 1.0)
            for place in range(starts[user], starts[user + 1]):
                seen_by[friends[place]] = user
                _count(counts[user], starts, friends[place], hop_weight)
            for place in range(starts[user], starts[user + 1]):
                for further in range(starts[friends[place]], starts[friends[place] + 1]):
                    other = friends[further]
                    if seen_by[other] != user:
                        seen_by[other] = user
                        _count(counts[user], starts, other, hop_weight * hop_weight)
    return counts


@numba.njit(cache=True)
def _count(row: Any, starts: Any, user: int, weight: float) -> None:
    degree = starts[user + 1] - starts[user]
    if degree > 0:
        row[int(np.log2(degree))] += weight
