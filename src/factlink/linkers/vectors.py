"""Scores that are cosines of vectors: one scorer for any two networks of a space."""

from collections.abc import Mapping
from dataclasses import dataclass

from factlink.embedding.space import Space
from factlink.errors import SettingError
from factlink.matching.neighbours import nearest_vectors
from factlink.types import Candidates, Floats, Ints, Network


@dataclass(frozen=True, slots=True, eq=False)
class VectorScorer:
    """Cosine of unit vectors; a user without a vector scores 0 with everybody."""

    left: Network
    right: Network
    left_vectors: Floats  # (n_left, dim) unit rows
    right_vectors: Floats  # (n_right, dim) unit rows

    def scores(self, rows: Ints) -> Floats:
        """(len(rows), n_right)."""
        return self.left_vectors[rows] @ self.right_vectors.T

    def candidates(self, k: int) -> Candidates:
        """The k best right rows of every left row, exactly."""
        return nearest_vectors(self.left_vectors, self.right_vectors, k)


@dataclass(frozen=True, slots=True, eq=False)
class NetworkSpace:
    """One space for two or more networks; any two of them can be linked."""

    space: Space
    networks: Mapping[str, Network]  # by name

    def scorer(self, left: str, right: str) -> VectorScorer:
        """Scores of the users of one network against those of another."""
        for name in (left, right):
            if name not in self.networks:
                raise SettingError(f"no network is called '{name}'; there are: {', '.join(self.networks)}")
        return VectorScorer(self.networks[left], self.networks[right], self.space.of(left), self.space.of(right))
