"""Votes of matched neighbours by relation: how much each matched pair says for the pairs of its neighbours.

A matched pair (y, y') of strength p votes for (x, x') where x has a link of relation r to y and x' one of relation r'
to y'. With the shares S of links that imply one another and w = 1 / (1 + ln n), n being how many links of the relation
y has, the vote is −ln(1 − S(r → r')·w(r, y)·p) − ln(1 − S(r' → r)·w(r', y')·p), of the best pair of relations.
"""

from typing import Any

import numba
import numpy as np

from factlink.linkers.factoid.spreading.alignment import Alignment, Implied, first_of
from factlink.linkers.factoid.spreading.matching import Matching
from factlink.linkers.factoid.spreading.relations import Relations
from factlink.types import Floats, Ints, Pairs

_MOST = np.float32(0.99)  # certainty of one vote, at most
_CHUNK = 256  # left users that share one set of scratch arrays


def best_voted(
    left: Relations, right: Relations, matching: Matching, alignment: Alignment, k: int, busy: int
) -> tuple[Ints, Ints, Floats]:
    """The k right users of each left user with the most votes, and their votes; busy partners propose nobody."""
    counts, rights, votes = _best_voted(
        _links(left, left.rarity_there),
        _links(right, right.rarity),
        (matching.partners, matching.strengths),
        _shares(alignment.left),
        _shares(alignment.right),
        (k, busy),
    )
    lefts = np.repeat(np.arange(left.n_users, dtype=np.int32), counts)
    filled = np.arange(k) < counts[:, None]
    return lefts, rights[filled], votes[filled]


def votes_for(
    left: Relations, right: Relations, matching: Matching, alignment: Alignment, lefts: Ints, rights: Ints
) -> Floats:
    """(n_pairs,): the votes for each pair, of busy partners too."""
    return np.asarray(
        _votes_for(
            _links(left, left.rarity_there),
            _links(right, right.rarity_there),
            (matching.partners, matching.strengths),
            _shares(alignment.left),
            _shares(alignment.right),
            (np.asarray(lefts), np.asarray(rights)),
        )
    )


def meeting_relations(
    left: Relations, right: Relations, alignment: Alignment, pairs: Pairs, friends: Pairs
) -> tuple[Ints, Ints]:
    """(n,), (n,): the relations by which a left user has a left friend and a right user the right friend.

    Of several the two that vote most; −1 where there is no link.
    """
    one, other = _meeting_relations(
        _links(left, left.rarity_there),
        _links(right, right.rarity_there),
        _shares(alignment.left),
        _shares(alignment.right),
        (pairs.lefts, friends.lefts, pairs.rights, friends.rights),
    )
    return one, other


def _links(relations: Relations, rarity: Floats) -> Any:
    return relations.starts, relations.neighbours, relations.relations, rarity


def _shares(implied: Implied) -> Any:
    return implied.starts, implied.others, implied.shares, implied.unseen


@numba.njit(cache=True)
def _share(implied: Any, relation: int, other: int) -> Any:
    starts, others, shares, unseen = implied
    low, end = starts[relation], starts[relation + 1]
    high = end
    while low < high:
        middle = (low + high) // 2
        if others[middle] < other:
            low = middle + 1
        else:
            high = middle
    return shares[low] if low < end and others[low] == other else unseen[relation]


@numba.njit(cache=True)
def _vote(forth: Any, back: Any, one: Any, other: Any, strength: Any) -> Any:
    """Of two relations with their rarities."""
    shares = _share(forth, one[0], other[0]), _share(back, other[0], one[0])
    return _weigh_vote(shares, one[1], other[1], strength)


@numba.njit(cache=True)
def _weigh_vote(shares: Any, rarity: Any, other_rarity: Any, strength: Any) -> Any:
    """Of two relations that imply one another so much."""
    there = min(_MOST, shares[0] * rarity * strength)
    here = min(_MOST, shares[1] * other_rarity * strength)
    return np.float32(-np.log((1.0 - there) * (1.0 - here)))


@numba.njit(cache=True)
def _run_end(neighbours: Any, first: int, end: int) -> int:
    """Where the entries with the same neighbour end."""
    at = first
    while at < end and neighbours[at] == neighbours[first]:
        at += 1
    return at


@numba.njit(cache=True, parallel=True)
def _best_voted(left: Any, right: Any, matched: Any, forth: Any, back: Any, limits: Any) -> Any:
    starts, neighbours, relations, rarity = left
    there_starts, there_neighbours, there_relations, there_rarity = right
    partners, strengths = matched
    k, busy = limits
    n_left, n_right = len(starts) - 1, len(there_starts) - 1
    counts = np.zeros(n_left, np.int64)
    rights, votes = np.full((n_left, k), -1, np.int32), np.zeros((n_left, k), np.float32)
    for chunk in numba.prange((n_left + _CHUNK - 1) // _CHUNK):
        sums, touched = np.zeros(n_right, np.float32), np.empty(n_right, np.int32)
        last_one, last_other, shares = np.int32(-1), np.int32(-1), (np.float32(0), np.float32(0))
        for user in range(chunk * _CHUNK, min(n_left, (chunk + 1) * _CHUNK)):
            n_touched, run = 0, starts[user]
            while run < starts[user + 1]:
                neighbour = neighbours[run]
                run_end = _run_end(neighbours, run, starts[user + 1])
                partner = partners[neighbour]
                if partner >= 0 and there_starts[partner + 1] - there_starts[partner] <= busy:
                    there = there_starts[partner]
                    while there < there_starts[partner + 1]:
                        there_end = _run_end(there_neighbours, there, there_starts[partner + 1])
                        best = np.float32(0)
                        for i in range(run, run_end):
                            for j in range(there, there_end):
                                one, other = relations[i], there_relations[j] ^ 1
                                if one != last_one or other != last_other:  # links of one predicate follow each other
                                    shares = _share(forth, one, other), _share(back, other, one)
                                    last_one, last_other = one, other
                                vote = _weigh_vote(shares, rarity[i], there_rarity[j], strengths[neighbour])
                                best = max(best, vote)
                        candidate = there_neighbours[there]
                        if sums[candidate] == 0:
                            touched[n_touched] = candidate
                            n_touched += 1
                        sums[candidate] += best
                        there = there_end
                run = run_end
            counts[user] = _take_best(sums, touched[:n_touched], rights[user], votes[user])
    return counts, rights, votes


@numba.njit(cache=True)
def _is_better(value: Any, candidate: int, other_value: Any, other: int) -> bool:
    return value > other_value or (value == other_value and candidate < other)


@numba.njit(cache=True)
def _take_best(sums: Any, touched: Any, rights: Any, votes: Any) -> int:
    """The largest sums, falling, of equal ones the first; all sums are 0 again."""
    held = 0
    for candidate in touched:
        value = sums[candidate]
        sums[candidate] = 0
        at = held if held < len(votes) else held - 1
        if held == len(votes) and not _is_better(value, candidate, votes[at], rights[at]):
            continue
        while at > 0 and _is_better(value, candidate, votes[at - 1], rights[at - 1]):
            votes[at], rights[at] = votes[at - 1], rights[at - 1]
            at -= 1
        votes[at], rights[at] = value, candidate
        held = min(held + 1, len(votes))
    return held


@numba.njit(cache=True, parallel=True)
def _votes_for(left: Any, right: Any, matched: Any, forth: Any, back: Any, pairs: Any) -> Any:
    starts, neighbours, relations, rarity = left
    there_starts, there_neighbours, there_relations, there_rarity = right
    partners, strengths = matched
    lefts, rights = pairs
    votes = np.zeros(len(lefts), np.float32)
    for pair in numba.prange(len(lefts)):
        run, end = starts[lefts[pair]], starts[lefts[pair] + 1]
        while run < end:
            run_end, partner = _run_end(neighbours, run, end), partners[neighbours[run]]
            if partner >= 0:
                there = first_of(there_starts, there_neighbours, rights[pair], partner)
                last, best = there_starts[rights[pair] + 1], np.float32(0)
                while there < last and there_neighbours[there] == partner:
                    for i in range(run, run_end):
                        one = relations[i], rarity[i]
                        other = there_relations[there], there_rarity[there]
                        best = max(best, _vote(forth, back, one, other, strengths[neighbours[run]]))
                    there += 1
                votes[pair] += best
            run = run_end
    return votes


@numba.njit(cache=True, parallel=True)
def _meeting_relations(left: Any, right: Any, forth: Any, back: Any, meetings: Any) -> Any:
    starts, neighbours, relations, rarity = left
    there_starts, there_neighbours, there_relations, there_rarity = right
    lefts, left_friends, rights, right_friends = meetings
    one, other = np.full(len(lefts), -1, np.int32), np.full(len(lefts), -1, np.int32)
    for at in numba.prange(len(lefts)):
        first = first_of(starts, neighbours, lefts[at], left_friends[at])
        there_first = first_of(there_starts, there_neighbours, rights[at], right_friends[at])
        most, i = np.float32(-1), first
        while i < starts[lefts[at] + 1] and neighbours[i] == left_friends[at]:
            j = there_first
            while j < there_starts[rights[at] + 1] and there_neighbours[j] == right_friends[at]:
                mine, theirs = (relations[i], rarity[i]), (there_relations[j], there_rarity[j])
                vote = _vote(forth, back, mine, theirs, np.float32(1))
                if vote > most:
                    most = vote
                    one[at], other[at] = relations[i], there_relations[j]
                j += 1
            i += 1
    return one, other
