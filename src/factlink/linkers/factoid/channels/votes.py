"""Votes: linked pairs are evidence for the pairs of their neighbours; rare neighbours weigh more."""

from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix

from factlink.candidates.pairs import count_values
from factlink.execution.workers import HERE, Workers, cut, join
from factlink.types import Floats, Ints, Pairs
from factlink.vectors import sparse_rows

Flags = npt.NDArray[np.bool_]

BUSY = 200
"""Linked users with more neighbours than this propose no new pairs; they still vote."""

_DOUBT = 5.0  # how much weight of neighbours it takes until a cosine of votes counts half


@dataclass(frozen=True, slots=True, eq=False)
class Votes:
    """Each linked pair of users is one column; a user has an entry where one of the two is its neighbour.

    The score of a pair is the product of its rows: the weight of the linked neighbours in common, over the root of
    the weights of all linked neighbours of either. A pair never votes for itself: no user is its own neighbour.
    """

    left: csr_matrix  # (n_left, n_linked)
    right: csr_matrix  # (n_right, n_linked)


def cast_votes(left: csr_matrix, right: csr_matrix, linked: Pairs, strengths: Floats) -> Votes:
    """Votes of linked pairs, each √(idf·idf)·strength strong, over the neighbours in the two networks."""
    lefts, rights = left[:, linked.lefts].tocsr(), right[:, linked.rights].tocsr()
    weights = vote_weights((_counts(lefts), _counts(rights)), (left.shape[0], right.shape[0]), strengths)
    return Votes(scaled_votes(lefts, weights), scaled_votes(rights, weights))


def vote_weights(degrees: tuple[Ints, Ints], sizes: tuple[int, int], strengths: Floats) -> Floats:
    """(n_linked,): √(idf·idf)·strength of linked pairs, by their degrees and the sizes of the networks."""
    left, right = (_rarity(counts, n_users) for counts, n_users in zip(degrees, sizes, strict=True))
    return np.asarray(np.sqrt(left * right) * strengths, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class VoterIndex:
    """Linked pairs by the users in them, so that the voters of a few users are found without looking at all."""

    degrees: tuple[Ints, Ints]  # (n_linked,) by side: how many neighbours each linked user has
    weights: Floats  # (n_linked,)
    rows: tuple[Ints, Ints]  # (n_linked,) by side: rows of linked users, rising
    places: tuple[Ints, Ints]  # (n_linked,) by side: which linked pair each of those is in
    quiet: Flags  # (n_linked,) whose two users are not busy
    scales: tuple[Floats, Floats]  # (n_users,) by side: what the votes of each user are multiplied by

    @classmethod
    def of(cls, neighbours: tuple[csr_matrix, csr_matrix], linked: Pairs, strengths: Floats) -> "VoterIndex":
        """Indexes all linked pairs."""
        ends = linked.lefts, linked.rights
        left, right = (np.diff(matrix.indptr)[rows] for matrix, rows in zip(neighbours, ends, strict=True))
        sizes = neighbours[0].shape[0], neighbours[1].shape[0]
        lefts, rights = (np.argsort(rows, kind="stable") for rows in ends)
        rows = np.asarray(ends[0])[lefts], np.asarray(ends[1])[rights]
        weights = vote_weights((left, right), sizes, strengths)
        scales = [
            _scales_of(matrix.indptr, matrix.indices, matrix.data, (*side, weights))
            for matrix, side in zip(neighbours, zip(rows, (lefts, rights), strict=True), strict=True)
        ]
        quiet = (left <= BUSY) & (right <= BUSY)
        return cls((left, right), weights, rows, (lefts, rights), quiet, (scales[0], scales[1]))

    def pairs_of(self, users: Ints, side: int) -> Ints:
        """The linked pairs that some users of a side are in."""
        return self._expanded(users, side)[1]

    def _expanded(self, users: Ints, side: int) -> tuple[Ints, Ints]:
        """How many linked pairs each user is in, and which."""
        first = np.searchsorted(self.rows[side], users, "left")
        counts = np.searchsorted(self.rows[side], users, "right") - first
        within = np.arange(counts.sum()) - np.repeat(counts.cumsum() - counts, counts)
        return counts, self.places[side][np.repeat(first, counts) + within]

    def votes(self, neighbours: csr_matrix, side: int) -> csr_matrix:
        """(n_rows, n_linked): the linked neighbours of some users of a side, given by their neighbours among all."""
        voters = self.rows[side], self.places[side], self.weights
        ends, columns, values = _cast(neighbours.indptr, neighbours.indices, neighbours.data, voters)
        return sparse_rows(values, columns, ends, len(self.weights))

    def propose(
        self, votes: csr_matrix, partners: Ints, neighbours: csr_matrix, side: int, k: int
    ) -> tuple[Ints, Ints]:
        """For each of some users the k of a side with the most votes in common; the first of equal ones.

        `votes` are those of the users, `partners` the linked users of the side, whose `neighbours` are proposed. Busy
        voters propose nobody.
        """
        linked = votes.indptr, votes.indices, votes.data, self.quiet, partners, self.weights
        known = neighbours.indptr, neighbours.indices, neighbours.data, self.scales[side]
        proposed = _propose(linked, known, k)
        users, columns = np.nonzero(proposed >= 0)
        return users, proposed[users, columns]


def propose_pairs(votes: Votes, k: int, workers: Workers = HERE) -> tuple[Ints, Ints]:
    """The k right users of each left user with the most votes, leaving out busy voters."""
    quiet = np.flatnonzero((_counts(votes.left) <= BUSY) & (_counts(votes.right) <= BUSY))
    lefts, rights = votes.left[:, quiet].tocsr(), votes.right[:, quiet].T.tocsr()
    found = workers.map(propose_part, cut(lefts, lefts.shape[0], workers.parts), rights, min(k, rights.shape[1]))
    lengths = join([counts for counts, _ in found])
    return np.repeat(np.arange(len(lengths), dtype=np.int32), lengths), join([columns for _, columns in found])


def propose_part(lefts: csr_matrix, rights: csr_matrix, k: int) -> tuple[Ints, Ints]:
    """For some left users how many are proposed, and who."""
    from sparse_dot_topn import sp_matmul_topn

    products = sp_matmul_topn(lefts, rights, top_n=k, sort=True, n_threads=numba.get_num_threads())
    return np.diff(products.indptr), products.indices


def _counts(rows: csr_matrix) -> Ints:
    return count_values(rows.indices, rows.shape[1])


def _rarity(degrees: Ints, n_users: int) -> Floats:
    """log(n / neighbours) of each linked user."""
    return np.asarray(np.log(max(2, n_users) / np.maximum(1, degrees)), np.float32)


def scaled_votes(rows: csr_matrix, weights: Floats) -> csr_matrix:
    """Weighted rows of linked neighbours, divided by the square root of each user's total weight."""
    values = rows.data * np.sqrt(weights[rows.indices]).astype(np.float32)
    totals = _with_values(rows, values * values).sum(axis=1)
    scales = (1 / np.sqrt(np.asarray(totals).ravel() + _DOUBT)).astype(np.float32)
    return _with_values(rows, values * np.repeat(scales, np.diff(rows.indptr)))


def _with_values(rows: csr_matrix, values: Floats) -> csr_matrix:
    return csr_matrix((values, rows.indices, rows.indptr), shape=rows.shape, copy=False)


@numba.njit(cache=True)
def _vote(value: Any, weight: Any) -> Any:
    return value * np.sqrt(weight)


@numba.njit(cache=True)
def _scales_of(ends: Any, columns: Any, values: Any, voters: Any) -> Any:
    """(n_users,): 1 / the root of the weight of all linked neighbours of each."""
    rows, places, weights = voters
    n = len(ends) - 1
    firsts = np.searchsorted(rows, np.arange(n + 1))  # where the linked pairs of each user begin
    scales = np.empty(n, np.float32)
    for user in range(n):
        total = np.float32(0)
        for entry in range(ends[user], ends[user + 1]):
            for at in range(firsts[columns[entry]], firsts[columns[entry] + 1]):
                vote = _vote(values[entry], weights[places[at]])
                total += vote * vote
        scales[user] = 1 / np.sqrt(total + np.float32(_DOUBT))
    return scales


@numba.njit(cache=True)
def _cast(ends: Any, columns: Any, values: Any, voters: Any) -> Any:
    """Rows of votes, scaled and in the order of their columns."""
    rows, places, weights = voters
    firsts = np.searchsorted(rows, columns, "left")
    lasts = np.searchsorted(rows, columns, "right")
    n_votes = (lasts - firsts).sum()
    found, votes = np.empty(n_votes, np.int32), np.empty(n_votes, np.float32)
    out = np.zeros(len(ends), np.int32)
    for user in range(len(ends) - 1):
        first = end = out[user]
        total = np.float32(0)
        for entry in range(ends[user], ends[user + 1]):
            for at in range(firsts[entry], lasts[entry]):
                found[end], votes[end] = places[at], _vote(values[entry], weights[places[at]])
                total += votes[end] * votes[end]
                end += 1
        order = np.argsort(found[first:end])
        found[first:end] = found[first:end][order]
        votes[first:end] = votes[first:end][order] / np.sqrt(total + np.float32(_DOUBT))
        out[user + 1] = end
    return out, found, votes


@numba.njit(cache=True)
def _propose(linked: Any, known: Any, k: int) -> Any:
    vote_ends, voters, votes, quiet, partners, weights = linked
    ends, columns, values, scales = known
    proposed = np.full((len(vote_ends) - 1, k), -1, np.int64)
    for user in range(len(proposed)):
        n = 0
        for at in range(vote_ends[user], vote_ends[user + 1]):
            if quiet[voters[at]]:
                n += ends[partners[voters[at]] + 1] - ends[partners[voters[at]]]
        met, products, n = np.empty(n, np.int64), np.empty(n, np.float32), 0
        for at in range(vote_ends[user], vote_ends[user + 1]):
            if quiet[voters[at]]:
                partner = partners[voters[at]]
                for entry in range(ends[partner], ends[partner + 1]):
                    met[n] = columns[entry]
                    products[n] = votes[at] * _vote(values[entry], weights[voters[at]]) * scales[columns[entry]]
                    n += 1
        best = _best_sums(met, products, k)
        proposed[user, : len(best)] = best
    return proposed


@numba.njit(cache=True)
def _best_sums(met: Any, products: Any, k: int) -> Any:
    """The k of those met whose products add up to the most."""
    order = np.argsort(met, kind="mergesort")
    found, sums, n = np.empty(len(met), np.int64), np.empty(len(met), np.float32), 0
    for at in order:
        if n == 0 or found[n - 1] != met[at]:
            found[n], sums[n] = met[at], 0
            n += 1
        sums[n - 1] += products[at]
    return found[:n][np.argsort(-sums[:n], kind="mergesort")[:k]]
