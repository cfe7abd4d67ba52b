"""`seu`: names propagated over links without any training, then Sinkhorn.

After Mao, Wang, Wu and Lan (EMNLP 2021). Certain, read in the authors' notebook: letter-pair counts inside words;
weights log(triples / triples of the predicate), reverse links as predicates of their own, log(triples / users) for the
user itself; two hops, unit rows after each; the mean of the three cosines; exp(50·cosine) and ten alternating
normalisations. Theirs and not here: GloVe word vectors, translated names, and candidates that are test users alone.
Ours: Sinkhorn over the nearest pairs, the sum of all others being shared out between users in proportion, and known
pairs as random unit vectors that both users share.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
import polars as pl
from scipy.sparse import coo_matrix, csr_matrix, diags, eye

from factlink.candidates.heaps import keep_column_best, keep_row_best
from factlink.candidates.pairs import CandidatePairs, gather_pairs
from factlink.candidates.reordered import Reordered
from factlink.candidates.top_k import blocks, nearest_vectors
from factlink.errors import SettingError
from factlink.evidence import FRIENDS, RIVALS
from factlink.explanations.frames import Met, join_parts, part_frame, rest_of
from factlink.explanations.members import Members, meet_members, strongest_meetings
from factlink.explanations.user_names import best_names, user_names
from factlink.explanations.vector_parts import MOST_MEETINGS
from factlink.linkers.baselines.alignment.pair_plan import Doubles, balance, log_of
from factlink.linkers.baselines.alignment.user_vectors import UserVectors, check_vectors, join_vectors, name_vectors
from factlink.linkers.by_content import fit_by_content
from factlink.protocols import Scorer
from factlink.types import NO_PAIRS, Candidates, Floats, Ints, Kind, Network, Pairs
from factlink.vectors import unit_rows

KNOWN_DIM = 256
"""Columns of the random vectors by which known pairs are told apart."""
LEAST_SHARE, LEAST = 1e-6, 1e-30
FEWEST_LINKS = 2.0
"""For each user, that are counted at least: else the weight of the user itself would vanish or fall below 0."""


@dataclass(frozen=True, slots=True)
class SeuLinker:
    """Letter pairs of names → mean over two hops of links → cosine → Sinkhorn; nothing is learned."""

    name: ClassVar[str] = "seu"
    supervised: ClassVar[bool] = False

    hops: int = 2
    sharpness: float = 50.0  # of the cosine in Sinkhorn
    rounds: int = 10  # of Sinkhorn
    nearest: int = 100  # pairs of each user among which Sinkhorn runs, both ways
    seed: int = 0  # of the vectors of known pairs

    def __post_init__(self) -> None:
        if min(self.hops, self.rounds) < 0 or self.nearest < 1 or not self.sharpness > 0:
            raise SettingError(
                f"hops is {self.hops}, rounds is {self.rounds}, nearest is {self.nearest} and sharpness is "
                f"{self.sharpness}; they must be at least 0, 0 and 1, and above 0"
            )

    def fit(self, left: Network, right: Network, known: Pairs = NO_PAIRS) -> "Reordered[SeuScorer]":
        """Known pairs are not needed; they replace the names of their users."""
        return fit_by_content(self._fit, left, right, known)

    def _fit(self, left: Network, right: Network, known: Pairs) -> "SeuScorer":
        first = self._features(left, right, known)
        links = relational_graphs(left, right)
        layers = [first]
        for _ in range(self.hops):
            before = layers[-1]
            layers.append(UserVectors(unit_rows(links[0] @ before.lefts), unit_rows(links[1] @ before.rights)))
        whole = join_vectors(layers)
        scaling = scale_kernel(sharp_kernel(whole, self.nearest, self.sharpness), self.rounds)
        lefts, rights = (np.asarray(each / self.sharpness, np.float32) for each in scaling)
        return SeuScorer(left, right, whole, lefts, rights, first, links)

    def _features(self, left: Network, right: Network, known: Pairs) -> UserVectors:
        """Letter pairs of names, and a random unit vector in place of them for both users of a known pair."""
        names = name_vectors(left, right)
        if not len(known):
            check_vectors(self.name, [names] if names else [])
            assert names is not None
            return names
        random = np.random.default_rng(self.seed).normal(size=(len(known), KNOWN_DIM)).astype(np.float32)
        sides = []
        for n_users, rows, vectors in (
            (len(left), known.lefts, names.lefts if names else np.empty((len(left), 0), np.float32)),
            (len(right), known.rights, names.rights if names else np.empty((len(right), 0), np.float32)),
        ):
            own = np.zeros((n_users, KNOWN_DIM), np.float32)
            own[rows] = unit_rows(random)
            sides.append(np.concatenate([np.where(own.any(axis=1, keepdims=True), 0, vectors), own], axis=1))
        return UserVectors(*sides)


def relational_graphs(left: Network, right: Network) -> tuple[csr_matrix, csr_matrix]:
    """Σ over predicates of links in both directions, rare predicates heavier; and the user itself."""
    n_triples = 2 * sum(len(follows) for network in (left, right) for follows in network.links.values())
    own = np.log(max(n_triples / max(len(left) + len(right), 1), FEWEST_LINKS))
    return _relational(left, n_triples, own), _relational(right, n_triples, own)


def _relational(network: Network, n_triples: int, own: float) -> csr_matrix:
    n = len(network)
    graph = own * eye(n, format="csr", dtype=np.float64)
    for follows in network.links.values():
        if len(follows):
            ones = np.ones(len(follows)), (follows.followers, follows.followees)
            once = coo_matrix(ones, shape=(n, n)).tocsr()
            once.data[:] = np.log(n_triples / len(follows))
            graph = graph + once + once.T
    return graph.astype(np.float32).tocsr()


@dataclass(frozen=True, slots=True, eq=False)
class Kernel:
    """exp(sharpness · cosine): listed for the nearest pairs, and how much each user has of it over all pairs."""

    pairs: CandidatePairs
    logs: Doubles  # (n_pairs,)
    left_sums: Doubles  # (n_left,) over all right users
    right_sums: Doubles  # (n_right,) over all left users


def sharp_kernel(vectors: UserVectors, k: int, sharpness: float) -> Kernel:
    """The k nearest of every user, both ways, and the sums over everybody, in one pass over blocks of cosines."""
    n_left, n_right = len(vectors.lefts), len(vectors.rights)
    best = np.full((n_right, min(k, n_left)), -np.inf, np.float32), np.zeros((n_right, min(k, n_left)), np.int32)
    rights, left_sums, right_sums = [], np.zeros(n_left), np.zeros(n_right)
    for rows in blocks(n_left, n_right):
        cosines = vectors.lefts[rows] @ vectors.rights.T  # (block, n_right)
        rights.append(keep_row_best(cosines, min(k, n_right)))
        keep_column_best(cosines, int(rows[0]), *best)
        kernel = np.exp(np.float32(sharpness) * (cosines - 1))
        left_sums[rows] = kernel.sum(axis=1, dtype=np.float64)
        right_sums += kernel.sum(axis=0, dtype=np.float64)
    forth = np.repeat(np.arange(n_left), min(k, n_right)), np.concatenate(rights).ravel()
    back = best[1].ravel(), np.repeat(np.arange(n_right), min(k, n_left))
    pairs = gather_pairs(n_left, n_right, [forth, back])
    logs = sharpness * (vectors.cosines(pairs).astype(np.float64) - 1)
    return Kernel(pairs, logs, left_sums, right_sums)


def scale_kernel(kernel: Kernel, rounds: int) -> tuple[Doubles, Doubles]:
    """Logs of Sinkhorn's scaling of left and right users; unlisted pairs share out what sums over all leave over."""
    listed = np.exp(kernel.logs)
    left = _left_over(kernel.left_sums, kernel.pairs.lefts, listed)
    right = _left_over(kernel.right_sums, kernel.pairs.rights, listed)
    elsewhere = log_of(left), log_of(right) - log_of(right.sum(keepdims=True))
    plan = balance(kernel.pairs, kernel.logs, elsewhere, rounds)
    return log_of(plan.lefts) - elsewhere[0], log_of(plan.rights) - elsewhere[1]


def _left_over(sums: Doubles, rows: Ints, listed: Doubles) -> Doubles:
    """What each user has beside its listed pairs, a little at least."""
    return np.asarray(np.maximum(sums - np.bincount(rows, listed, len(sums)), LEAST_SHARE * sums + LEAST))


@dataclass(frozen=True, slots=True, eq=False)
class SeuScorer(Scorer):
    """The mean cosine over hops less what rivals take: log of Sinkhorn's plan over its sharpness, for any pair."""

    left: Network
    right: Network
    vectors: UserVectors
    left_scaling: Floats  # (n_left,)
    right_scaling: Floats  # (n_right,)
    first: UserVectors  # of names and known pairs
    links: tuple[csr_matrix, csr_matrix]

    def scores(self, rows: Ints) -> Floats:
        """(len(rows), n_right), −inf where nothing is known of a user."""
        lefts = self.vectors.lefts[rows]
        scores = lefts @ self.vectors.rights.T + self.left_scaling[rows][:, None] + self.right_scaling
        scores[~lefts.any(axis=1)] = -np.inf
        scores[:, ~self.vectors.rights.any(axis=1)] = -np.inf
        return np.asarray(scores, np.float32)

    def candidates(self, k: int) -> Candidates:
        """The k best right users of every left user, exactly."""
        there = np.flatnonzero(self.vectors.rights.any(axis=1)).astype(np.int32)
        lefts = np.column_stack([self.vectors.lefts, np.ones(len(self.left), np.float32)])
        near = nearest_vectors(lefts, np.column_stack([self.vectors.rights, self.right_scaling])[there], k)
        filled, k = self.vectors.lefts.any(axis=1, keepdims=True), min(k, len(self.right))
        rights, scores = np.full((len(self.left), k), -1, np.int32), np.full((len(self.left), k), -np.inf, np.float32)
        n_found = near.rights.shape[1]
        rights[:, :n_found] = np.where(filled, there[near.rights], -1)
        scores[:, :n_found] = np.where(filled, near.scores + self.left_scaling[:, None], -np.inf)
        return Candidates(rights, scores)

    def explain(self, lefts: Ints, rights: Ints) -> pl.DataFrame:
        """Columns PARTS: names, friends' names of the first hop, rivals, and what further hops add."""
        asked, places = (lefts, rights), np.arange(len(lefts))
        cosines = np.einsum("ij,ij->i", self.vectors.lefts[lefts], self.vectors.rights[rights])
        rivals = part_frame(places, self.left_scaling[lefts] + self.right_scaling[rights], RIVALS, "rivals")
        parts = join_parts([*self._parts(asked, places), rivals])
        scores = cosines + self.left_scaling[lefts] + self.right_scaling[rights]
        return join_parts([parts, rest_of(scores, parts, "further hops")])

    def _parts(self, asked: tuple[Ints, Ints], places: Ints) -> Sequence[pl.DataFrame]:
        n_layers = self.vectors.lefts.shape[1] // self.first.lefts.shape[1]
        own = np.einsum("ij,ij->i", self.first.lefts[asked[0]], self.first.rights[asked[1]])
        sides = [self._side(side, rows) for side, rows in enumerate(asked)]
        through_self = sides[0][1] * sides[1][1] if n_layers > 1 else 0
        names = Met(*(best_names(network, rows) for network, rows in zip((self.left, self.right), asked, strict=True)))
        parts = [part_frame(places, own * (1 + through_self) / n_layers, Kind.NAME.value, "names", names)]
        if n_layers > 1:
            found = strongest_meetings(meet_members(sides[0][0], sides[1][0], *asked), MOST_MEETINGS)
            call = partial(user_names, self.left), partial(user_names, self.right)
            met = Met(call[0](found.lefts), call[1](found.rights))
            parts.append(part_frame(found.pairs, found.weights / n_layers, FRIENDS, "names of friends", met))
        return parts

    def _side(self, side: int, rows: Ints) -> tuple[Members, Floats]:
        """The first hop of one network: friends and what each counts, and what the users themselves count."""
        graph, first = self.links[side], (self.first.lefts, self.first.rights)[side]
        lengths = np.linalg.norm(graph[np.unique(rows)] @ first, axis=1)
        shares = np.zeros(len(first))
        shares[np.unique(rows)] = 1 / np.where(lengths > 0, lengths, 1)
        own = graph.diagonal()
        friends = (graph - diags(own)).tocsr()
        friends.eliminate_zeros()
        return Members((diags(shares) @ friends).tocsr(), first), (shares * own)[rows]
