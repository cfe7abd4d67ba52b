"""Scores as cosines of unit vectors that both networks share."""

from dataclasses import dataclass

import numpy as np

from factlink.matching.neighbours import nearest_vectors
from factlink.types import Candidates, Floats, Ints, Network


@dataclass(frozen=True, slots=True, eq=False)
class VectorScorer:
    """Scores two users by the cosine of their unit vectors; a zero vector is one that nothing is known of."""

    left: Network
    right: Network
    left_vectors: Floats  # (n_left, dim)
    right_vectors: Floats  # (n_right, dim)

    def scores(self, rows: Ints) -> Floats:
        """(len(rows), n_right), −inf where a user has no vector."""
        scores = self.left_vectors[rows] @ self.right_vectors.T
        scores[~self.left_vectors[rows].any(axis=1)] = -np.inf
        scores[:, ~self.right_vectors.any(axis=1)] = -np.inf
        return scores

    def candidates(self, k: int) -> Candidates:
        """The k best right users of every left user, exactly."""
        there = np.flatnonzero(self.right_vectors.any(axis=1)).astype(np.int32)
        near = nearest_vectors(self.left_vectors, self.right_vectors[there], k)
        k = min(k, len(self.right))
        rights, scores = np.full((len(self.left), k), -1, np.int32), np.full((len(self.left), k), -np.inf, np.float32)
        known = self.left_vectors.any(axis=1)
        n_found = near.rights.shape[1]
        rights[known, :n_found], scores[known, :n_found] = there[near.rights[known]], near.scores[known]
        return Candidates(rights, scores)


def unit_rows(vectors: Floats) -> Floats:
    """The direction of each row; zero rows stay zero."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(norms > 0, norms, 1), np.float32)
