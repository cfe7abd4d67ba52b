"""Scores as cosines of unit vectors that both networks share."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import numpy.typing as npt
import polars as pl

from factlink.candidates.hubness import NEIGHBOURS
from factlink.candidates.products import vector_products
from factlink.candidates.top_k import nearest_vectors
from factlink.embedding.walks.adjacency import join_links
from factlink.evidence import FRIENDS
from factlink.explanations.members import Members
from factlink.explanations.user_names import user_names
from factlink.explanations.vector_parts import Pull, explain_vectors, mean_members
from factlink.linkers.mutual_pairs import hubness
from factlink.protocols import Scorer
from factlink.types import Candidates, Floats, Ints, Network

Bools = npt.NDArray[np.bool_]

TAKEN = 2
"""How far the accounts of known pairs rank below all others for everybody else: a known account is nobody else's.

Without this they would fill the top: a pair has the links of both networks and is close to all its friends.
"""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class VectorScorer(Scorer):
    """Scores two users by the cosine of their unit vectors; a zero vector is one that nothing is known of."""

    left: Network
    right: Network
    left_vectors: Floats  # (n_left, dim)
    right_vectors: Floats  # (n_right, dim)
    pulls: Callable[[], Sequence[Pull]] | None = None  # what the vectors were pulled towards; friends unless given

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

    def place(self, lefts: Ints, rights: Ints) -> tuple[Floats, Floats]:
        """The vectors themselves."""
        return self.left_vectors[lefts], self.right_vectors[rights]

    def explain(self, lefts: Ints, rights: Ints) -> pl.DataFrame:
        """Columns PARTS: what objects and friends account for, and the rest of the cosine."""
        vectors = self.left_vectors, self.right_vectors
        pulls = self.pulls() if self.pulls is not None else _friends(self)
        return explain_vectors(vectors, (lefts, rights), pulls, vector_products(*vectors, lefts, rights))


def _friends(scorer: VectorScorer) -> Sequence[Pull]:
    """Every user as the mean of its neighbours, which is what links alone can make of it."""
    sides = (scorer.left, scorer.left_vectors), (scorer.right, scorer.right_vectors)
    members = [_neighbours(*side) for side in sides]
    if not all(each.weights.nnz for each in members):
        return []
    names = partial(user_names, scorer.left), partial(user_names, scorer.right)
    return [Pull("friends", FRIENDS, members[0], members[1], *names)]


def _neighbours(network: Network, vectors: Floats) -> Members:
    links = join_links(network.links)
    rows = np.concatenate([links.followers, links.followees])
    others = np.concatenate([links.followees, links.followers])
    return mean_members(rows, others, (len(network), len(network)), vectors)


def without_taken(scorer: VectorScorer, known_left: Bools, known_right: Bools) -> VectorScorer:
    """The scorer with the right accounts of known pairs below all others, for left users that are in none."""
    if not known_left.any():
        return scorer
    asking = scorer.left_vectors.any(axis=1) & ~known_left
    lefts = np.column_stack([scorer.left_vectors, asking.astype(np.float32)])
    rights = np.column_stack([scorer.right_vectors, np.where(known_right, -TAKEN, 0).astype(np.float32)])
    return replace(scorer, left_vectors=lefts, right_vectors=rights)


def without_hubs(scorer: VectorScorer) -> VectorScorer:
    """The scorer with half the hubness of each right user taken off: the order of 2·cosine − hubness (CSLS)."""
    near = nearest_vectors(scorer.right_vectors, scorer.left_vectors, NEIGHBOURS)
    there = scorer.right_vectors.any(axis=1)
    discount = np.where(there, -hubness(near, NEIGHBOURS) / 2, 0).astype(np.float32)
    asking = scorer.left_vectors.any(axis=1).astype(np.float32)
    lefts, rights = np.column_stack([scorer.left_vectors, asking]), np.column_stack([scorer.right_vectors, discount])
    return replace(scorer, left_vectors=lefts, right_vectors=rights)
