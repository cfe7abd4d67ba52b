"""Users as weighted sums of members, their objects or friends: a product of two users is a sum over pairs of members.

⟨Σᵢ aᵢ·dᵢ, Σⱼ bⱼ·eⱼ⟩ = Σᵢⱼ aᵢ·bⱼ·⟨dᵢ, eⱼ⟩.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, issparse

from factlink.candidates.pairs import best_of_runs
from factlink.candidates.products import sparse_products, vector_products
from factlink.types import Floats, Ints

MOST_MEMBERS = 12
"""Members of a user that are compared one by one, the strongest; what the others add is left in one piece."""
BLOCK = 2_000
"""Pairs looked at together."""


@dataclass(frozen=True, slots=True, eq=False)
class Members:
    """User u is Σ weights[u, i] · vectors[i]."""

    weights: csr_matrix  # (n_users, n_members)
    vectors: Floats | csr_matrix  # (n_members, dim)

    def sums(self, users: Ints) -> Floats | csr_matrix:
        """(len(users), dim): what the users are."""
        return self.weights[users] @ self.vectors


@dataclass(frozen=True, slots=True, eq=False)
class Meetings:
    """Member `lefts[i]` met member `rights[i]` in the pair at place `pairs[i]`."""

    pairs: Ints
    lefts: Ints
    rights: Ints
    weights: Floats


def meet_members(left: Members, right: Members, lefts: Ints, rights: Ints) -> Meetings:
    """All meetings of the strongest members of each pair of users, those of weight 0 left out."""
    found = [_meet_block(left, right, lefts[some], rights[some], some) for some in pair_blocks(len(lefts))]
    empty = np.empty(0, np.int64)
    pairs, mine, theirs = (np.concatenate([empty, *(part[n] for part in found)]) for n in range(3))
    return Meetings(pairs, mine, theirs, np.concatenate([np.empty(0, np.float32), *(part[3] for part in found)]))


def strongest_meetings(met: Meetings, k: int) -> Meetings:
    """The k that weigh most of each pair, the heaviest first."""
    starts = np.searchsorted(met.pairs, np.arange(met.pairs.max(initial=-1) + 2))  # pairs never fall
    best = np.flatnonzero(best_of_runs(starts, np.abs(met.weights), k))
    kept = best[np.lexsort((-np.abs(met.weights[best]), met.pairs[best]))]
    return Meetings(met.pairs[kept], met.lefts[kept], met.rights[kept], met.weights[kept])


def pair_blocks(n_pairs: int) -> Iterator[Ints]:
    """Places of pairs, BLOCK at a time."""
    return (np.arange(start, min(start + BLOCK, n_pairs)) for start in range(0, n_pairs, BLOCK))


Found = tuple[Ints, Ints, Ints, Floats]


def _meet_block(left: Members, right: Members, lefts: Ints, rights: Ints, places: Ints) -> Found:
    mine = _strongest(left, lefts, right, rights)
    theirs = _strongest(right, rights, left, lefts)
    firsts, seconds, pairs = _combined(mine.indptr, theirs.indptr)
    members = mine.indices[firsts].astype(np.int64), theirs.indices[seconds].astype(np.int64)
    products = _products(left.vectors, right.vectors, *members)
    weights = mine.data[firsts] * theirs.data[seconds] * products
    met = np.flatnonzero(weights)
    return places[pairs[met]], members[0][met], members[1][met], weights[met].astype(np.float32)


def _strongest(own: Members, users: Ints, other: Members, others: Ints) -> csr_matrix:
    """(n_pairs, n_members): of each pair's user the members with the largest absolute product with the other user."""
    rows = own.weights[users].tocsr()
    counts = np.diff(rows.indptr)
    if counts.max(initial=0) <= MOST_MEMBERS:
        return rows
    pair_of = np.repeat(np.arange(len(users)), counts)
    towards = other.sums(others)
    pulls = np.abs(rows.data * _products(own.vectors, towards, rows.indices, pair_of))
    order = np.lexsort((-pulls, pair_of))
    ranks = np.arange(len(order)) - rows.indptr[pair_of[order]]
    kept = np.sort(order[ranks < MOST_MEMBERS])
    ends = np.concatenate([[0], np.cumsum(np.bincount(pair_of[kept], minlength=len(users)))])
    return csr_matrix((rows.data[kept], rows.indices[kept], ends), shape=rows.shape)


def _combined(left_ends: Ints, right_ends: Ints) -> tuple[Ints, Ints, Ints]:
    """Every entry of row i of the left with every entry of row i of the right; and i."""
    left_counts, right_counts = np.diff(left_ends), np.diff(right_ends)
    sizes = left_counts.astype(np.int64) * right_counts
    pairs = np.repeat(np.arange(len(sizes)), sizes)
    within = np.arange(len(pairs)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return left_ends[pairs] + within // right_counts[pairs], right_ends[pairs] + within % right_counts[pairs], pairs


def _products(left: Any, right: Any, lefts: Ints, rights: Ints) -> Floats:
    if issparse(left):
        return sparse_products(left, right.tocsr(), lefts, rights)
    return vector_products(left, right, lefts, rights)
