"""Which relation of one network says what a relation of the other says, learned from matched pairs.

After PARIS (Suchanek, Abiteboul, Senellart 2011): the share of a relation's links between matched users that the other
network has too, under each of its relations; matched pairs count by their strengths.
"""

from dataclasses import dataclass
from typing import Any

import numba
import numpy as np

from factlink.linkers.factoid.spreading.matching import Matching
from factlink.linkers.factoid.spreading.relations import Relations
from factlink.types import Floats, Ints

_DOUBT = 3.0  # links seen until what was seen counts as much as the start,
_START = 0.05  # the share of links with a counterpart before any is seen


@dataclass(frozen=True, slots=True, eq=False)
class Implied:
    """How much each relation of one network implies one of the other; pairs never seen together have a share too."""

    starts: Ints  # (n_relations + 1,)
    others: Ints  # (n_seen,) relations of the other network, rising for each relation
    shares: Floats  # (n_seen,)
    unseen: Floats  # (n_relations,) of every other relation

    def share(self, relation: int, other: int) -> float:
        """Between 0 and 1."""
        seen = self.others[self.starts[relation] : self.starts[relation + 1]]
        place = int(np.searchsorted(seen, other))
        if place < len(seen) and seen[place] == other:
            return float(self.shares[self.starts[relation] + place])
        return float(self.unseen[relation])


@dataclass(frozen=True, slots=True, eq=False)
class Alignment:
    """Relations of the left network implying those of the right, and the other way round."""

    left: Implied
    right: Implied


@dataclass(frozen=True, slots=True, eq=False)
class AlignedLinks:
    """The links of both networks by relation, and which relations say the same."""

    left: Relations
    right: Relations
    alignment: Alignment


def align_relations(left: Relations, right: Relations, matching: Matching) -> Alignment:
    """Learned over the links whose two ends are matched."""
    return Alignment(
        _implied(left, right, matching.partners, matching.strengths),
        _implied(right, left, matching.left_partners, matching.left_strengths),
    )


def _implied(one: Relations, other: Relations, partners: Ints, strengths: Floats) -> Implied:
    n_relations, n_others = 2 * len(one.predicates), 2 * len(other.predicates)
    links = one.starts, one.neighbours, one.relations
    others = other.starts, other.neighbours, other.relations
    ends = _count_met(links, others, partners)
    keys, weights = np.empty(ends[-1], np.int64), np.empty(ends[-1])
    _fill_met(links, others, (partners, strengths), n_others, (ends, keys, weights))
    chances = np.zeros(n_relations)
    _add_chances(links, (partners, strengths), chances)
    distinct, places = np.unique(keys, return_inverse=True)
    met = np.bincount(places, weights, len(distinct))
    rows = distinct // max(1, n_others)
    starts = np.concatenate([[0], np.bincount(rows, minlength=n_relations).cumsum()]).astype(np.int64)
    shares = (met + _DOUBT * _START) / (chances[rows] + _DOUBT)
    return Implied(
        starts,
        (distinct % max(1, n_others)).astype(np.int32),
        shares.astype(np.float32),
        (_DOUBT * _START / (chances + _DOUBT)).astype(np.float32),
    )


@numba.njit(cache=True)
def first_of(starts: Any, neighbours: Any, user: int, neighbour: int) -> Any:
    """The first entry of a user that has the neighbour, or would have."""
    low, high = starts[user], starts[user + 1]
    while low < high:
        middle = (low + high) // 2
        if neighbours[middle] < neighbour:
            low = middle + 1
        else:
            high = middle
    return low


@numba.njit(cache=True, parallel=True)
def _count_met(links: Any, others: Any, partners: Any) -> Any:
    """(n_users + 1,): where the links of the other network that join each user's and a neighbour's partner begin."""
    starts, neighbours, _ = links
    ends = np.zeros(len(starts), np.int64)
    for user in numba.prange(len(starts) - 1):
        if partners[user] >= 0:
            for entry in range(starts[user], starts[user + 1]):
                there = partners[neighbours[entry]]
                if there >= 0:
                    place = first_of(others[0], others[1], partners[user], there)
                    while place < others[0][partners[user] + 1] and others[1][place] == there:
                        ends[user + 1] += 1
                        place += 1
    for user in range(len(starts) - 1):
        ends[user + 1] += ends[user]
    return ends


@numba.njit(cache=True, parallel=True)
def _fill_met(links: Any, others: Any, matched: Any, n_others: int, out: Any) -> None:
    starts, neighbours, relations = links
    partners, strengths = matched
    ends, keys, weights = out
    for user in numba.prange(len(starts) - 1):
        at = ends[user]
        if partners[user] >= 0:
            for entry in range(starts[user], starts[user + 1]):
                there = partners[neighbours[entry]]
                if there >= 0:
                    place = first_of(others[0], others[1], partners[user], there)
                    while place < others[0][partners[user] + 1] and others[1][place] == there:
                        keys[at] = relations[entry] * n_others + others[2][place]
                        weights[at] = strengths[user] * strengths[neighbours[entry]]
                        at += 1
                        place += 1


@numba.njit(cache=True)
def _add_chances(links: Any, matched: Any, chances: Any) -> None:
    starts, neighbours, relations = links
    partners, strengths = matched
    for user in range(len(starts) - 1):
        if partners[user] >= 0:
            for entry in range(starts[user], starts[user + 1]):
                if partners[neighbours[entry]] >= 0:
                    chances[relations[entry]] += strengths[user] * strengths[neighbours[entry]]
