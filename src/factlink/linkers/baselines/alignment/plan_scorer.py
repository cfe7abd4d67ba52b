"""Scores of listed pairs, and the cosine of all others below them; what met is names and pairs of friends."""

from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
import polars as pl
from scipy.sparse import csr_matrix

from factlink.candidates.pairs import CandidatePairs, best_of_pairs, best_of_runs, candidate_pairs, gather_pairs
from factlink.candidates.products import vector_products
from factlink.candidates.top_k import nearest_vectors
from factlink.evidence import FRIENDS, RIVALS
from factlink.explanations.frames import Met, join_parts, part_frame, rest_of
from factlink.explanations.user_names import best_names, user_names
from factlink.explanations.vector_parts import MOST_MEETINGS
from factlink.linkers.baselines.alignment.pair_plan import Doubles
from factlink.linkers.baselines.alignment.user_vectors import UserVectors
from factlink.protocols import Scorer
from factlink.types import Candidates, Floats, Ints, Kind, Network


@dataclass(frozen=True, slots=True, eq=False)
class PairEvidence:
    """What the scores of listed pairs are made of, as far as it can be said."""

    names: Floats  # (n_pairs,) the part of names in the score
    friends: Floats  # (n_pairs,) the part of friends
    values: Doubles  # (n_pairs,) how much each pair counts as a pair of friends
    left: csr_matrix  # (n_left, n_left) who counts as a friend, and how much
    right: csr_matrix  # (n_right, n_right)


@dataclass(frozen=True, slots=True, eq=False)
class PlanScorer(Scorer):
    """Known scores for listed pairs; all others come after them by their cosine."""

    left: Network
    right: Network
    pairs: CandidatePairs
    pair_scores: Floats  # (n_pairs,) finite
    others: UserVectors
    evidence: PairEvidence

    def scores(self, rows: Ints) -> Floats:
        """(len(rows), n_right)."""
        scores = self.others.lefts[rows] @ self.others.rights.T + self._shift()
        starts, ends = self.pairs.left_starts[rows], self.pairs.left_starts[rows + 1]
        sizes = ends - starts
        row_of = np.repeat(np.arange(len(rows)), sizes)
        places = np.arange(len(row_of)) + np.repeat(starts - (np.cumsum(sizes) - sizes), sizes)
        scores[row_of, self.pairs.rights[places]] = self.pair_scores[places]
        return np.asarray(scores, np.float32)

    def candidates(self, k: int) -> Candidates:
        """The k best right users of every left user, among the listed pairs and the k nearest others."""
        k = min(k, len(self.right))
        if np.diff(self.pairs.left_starts).min(initial=k) >= k:
            return best_of_pairs(self.pairs, self.pair_scores, k)
        near, cosines = candidate_pairs(nearest_vectors(self.others.lefts, self.others.rights, k), len(self.right))
        both = gather_pairs(
            len(self.left), len(self.right), [(near.lefts, near.rights), (self.pairs.lefts, self.pairs.rights)]
        )
        scores = np.empty(len(both), np.float32)
        scores[both.places(near.lefts, near.rights)] = cosines + self._shift()
        scores[both.places(self.pairs.lefts, self.pairs.rights)] = self.pair_scores
        return best_of_pairs(both, scores, k)

    def explain(self, lefts: Ints, rights: Ints) -> pl.DataFrame:
        """Columns PARTS: names, the pairs of friends that count most, and what rivals take."""
        listed = self.pairs.places(lefts, rights)
        asked = np.flatnonzero(listed >= 0)
        cosines = vector_products(self.others.lefts, self.others.rights, lefts, rights)
        scores = np.where(listed >= 0, self.pair_scores[listed], cosines + self._shift())
        names = Met(best_names(self.left, lefts[asked]), best_names(self.right, rights[asked]))
        of_names = part_frame(asked, self.evidence.names[listed[asked]], Kind.NAME.value, "names", names)
        parts = join_parts([of_names, self._friend_parts(listed[asked], asked)])
        taken = rest_of(np.where(listed >= 0, scores, 0), parts, "rivals", RIVALS)
        unlisted = rest_of(np.where(listed >= 0, 0, scores), join_parts([]), "not among the nearest")
        return join_parts([parts, taken, unlisted])

    def _friend_parts(self, places: Ints, asked: Ints) -> pl.DataFrame:
        """The part of friends, shared out to their pairs as these count; beyond the strongest in one piece."""
        evidence = self.evidence
        graphs = [(graph.indptr, graph.indices, graph.data) for graph in (evidence.left, evidence.right)]
        listing = self.pairs.left_starts, self.pairs.lefts, self.pairs.rights
        counted = np.asarray(_friend_pairs(places, listing, evidence.values, graphs[0], graphs[1]))
        of, friends, partners = (counted[:, column].astype(np.int64) for column in range(3))
        totals = np.bincount(of, counted[:, 3], minlength=len(places))
        weights = evidence.friends[places][of] * counted[:, 3] / np.where(totals[of] > 0, totals[of], 1)
        starts = np.searchsorted(of, np.arange(len(places) + 1))
        best = np.flatnonzero(best_of_runs(starts, np.abs(weights).astype(np.float32), MOST_MEETINGS))
        met = Met(user_names(self.left, friends[best]), user_names(self.right, partners[best]))
        return part_frame(asked[of[best]], weights[best], FRIENDS, "friends", met)

    def _shift(self) -> np.float32:
        return np.float32(self.pair_scores.min(initial=0) - 2)


@numba.njit(cache=True)
def _friend_pairs(places: Any, listing: Any, values: Any, left: Any, right: Any) -> Any:
    """(n, 4): of each place, by turns, a friend, a partner of it who is a friend too, and how much they count."""
    starts, lefts, rights = listing
    found = []
    reached = np.zeros(len(right[0]) - 1)
    for n in range(len(places)):
        i, j = lefts[places[n]], rights[places[n]]
        for link in range(right[0][j], right[0][j + 1]):
            reached[right[1][link]] = right[2][link]
        for link in range(left[0][i], left[0][i + 1]):
            friend = left[1][link]
            for place in range(starts[friend], starts[friend + 1]):
                weight = left[2][link] * reached[rights[place]] * values[place]
                if weight > 0:
                    found.append((float(n), float(friend), float(rights[place]), weight))
        for link in range(right[0][j], right[0][j + 1]):
            reached[right[1][link]] = 0.0
    table = np.empty((len(found), 4))
    for n in range(len(found)):
        table[n, 0], table[n, 1], table[n, 2], table[n, 3] = found[n]
    return table
