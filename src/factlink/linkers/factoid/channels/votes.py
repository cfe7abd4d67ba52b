"""Votes: linked pairs are evidence for the pairs of their neighbours; rare neighbours weigh more."""

from dataclasses import dataclass

import numba
import numpy as np
from scipy.sparse import csr_matrix

from factlink.candidates.pairs import count_values
from factlink.execution.workers import HERE, Workers, cut, join
from factlink.types import Floats, Ints, Pairs

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

    @classmethod
    def of(cls, neighbours: tuple[csr_matrix, csr_matrix], linked: Pairs, strengths: Floats) -> "VoterIndex":
        """Indexes all linked pairs."""
        ends = linked.lefts, linked.rights
        left, right = (np.diff(matrix.indptr)[rows] for matrix, rows in zip(neighbours, ends, strict=True))
        sizes = neighbours[0].shape[0], neighbours[1].shape[0]
        lefts, rights = (np.argsort(rows, kind="stable") for rows in ends)
        rows = np.asarray(ends[0])[lefts], np.asarray(ends[1])[rights]
        return cls((left, right), vote_weights((left, right), sizes, strengths), rows, (lefts, rights))

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
        counts, columns = self._expanded(neighbours.indices, side)
        ends = np.concatenate([[0], counts.cumsum()])
        shape = neighbours.shape[0], len(self.weights)
        votes = csr_matrix((np.repeat(neighbours.data, counts), columns, ends[neighbours.indptr]), shape=shape)
        votes.sort_indices()
        return scaled_votes(votes, self.weights)


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
