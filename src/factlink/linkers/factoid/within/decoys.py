"""Decoys of one network: made-up users who cannot have a second account, so that their pairs show what chance brings.

A decoy has the names of two users with like names, crossed; friends of several users who share some with the first, a
part of each; and texts and pictures of one more such user. So the second account of a donor is hardly nearer to the
decoy than other users are, and nearer in one respect alone. A pair of the decoy with a donor of names or friends is as
if that donor had given nothing.
"""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix, vstack

from factlink.candidates.inverted_index import nearest_rows
from factlink.candidates.pairs import CandidatePairs, gather_pairs, keep_pairs
from factlink.linkers.factoid.probability.decoys import Breeder
from factlink.linkers.factoid.within.friends import FriendRows
from factlink.linkers.factoid.written.name_channel import NameChannel
from factlink.linkers.factoid.written.versions import nearest_to_versions
from factlink.types import Ints

DONORS = 4
"""Users who give a decoy its friends."""

MATES = 10
"""Users who share the most friends with the first donor, of whom the others are drawn."""

FURTHER = (True, False), (False, True)
"""Sides whose names are looked at in another reading than that as written; users find decoys in none of them."""

Search = tuple[int, int | None]
"""How many nearest, and the budget of looking for them."""


@dataclass(frozen=True, slots=True, eq=False)
class Decoys:
    """Decoys with names and friends of their own, and their pairs with users."""

    first: Ints  # (n,) whose names are crossed
    mates: Ints  # (n,) with whose
    donors: Ints  # (n, DONORS) of friends
    described: Ints  # (n,) whose texts and pictures they have
    named: NameChannel | None  # decoys on the left
    friends: csr_matrix | None  # (n · (1 + DONORS), n_columns): of all donors, then without the first, …
    pairs: CandidatePairs  # decoys as left rows

    def __len__(self) -> int:
        return len(self.first)

    @property
    def givers(self) -> list[Ints]:
        """(n,) each: all who gave something."""
        return [self.first, self.mates, self.described, *self.donors.T]

    @property
    def friend_rows(self) -> Ints:
        """(n_pairs,): the row of `friends` that counts: one to which the pair's user gave nothing."""
        given = self.donors[self.pairs.lefts] == self.pairs.rights[:, None]
        return np.asarray(self.pairs.lefts + len(self) * np.where(given.any(axis=1), 1 + given.argmax(axis=1), 0))


def breed(
    breeder: Breeder, friends: FriendRows | None, searches: tuple[Search, Search], n: int, rng: np.random.Generator
) -> Decoys:
    """So many decoys or as many as there are users, with candidates found as those of users are."""
    n_users = len(breeder.networks[0])
    first: Ints = np.sort(rng.choice(n_users, min(n, n_users), replace=False, shuffle=False))
    named, mates, rows = None, first, None
    found = []
    if breeder.names is not None:
        first, mates, crossed = breeder.crossed_alike(0, first, rng)
        named = crossed.channel
        found.append(nearest_rows(named.left, named.right, *searches[0]))
        if named.versions is not None:
            found += [nearest_to_versions(*named.versions, sides, searches[0]) for sides in FURTHER]
    donors, described = first[:, None], first
    if friends is not None:
        drawn = _draw_donors(friends, first, searches[1][1], rng)
        donors, described = drawn[:, :DONORS], drawn[:, DONORS]
        rows = _friend_rows(friends, donors, int(rng.integers(2**62)))
        found.append(nearest_rows(friends.scaled(rows[: len(first)]), friends.scaled(friends.rows), *searches[1]))
    decoys = np.arange(len(first), dtype=np.int32)
    found += [_candidates(breeder.pairs, described), *((decoys, column) for column in (first, mates, *donors.T))]
    pairs = gather_pairs(len(first), n_users, found)
    pairs = keep_pairs(pairs, described[pairs.lefts] != pairs.rights)
    return Decoys(first, mates, donors, described, named, rows, pairs)


def _friend_rows(friends: FriendRows, donors: Ints, salt: int) -> csr_matrix:
    """Of all donors, and then of all but the first, all but the second …"""
    without = [donors, *(np.delete(donors, place, axis=1) for place in range(donors.shape[1]))]
    return vstack([friends.crossed(some, salt) for some in without]).tocsr()


def _draw_donors(friends: FriendRows, first: Ints, budget: int | None, rng: np.random.Generator) -> Ints:
    """(n, DONORS + 1): some of those who share the most friends with each user; itself where there are too few."""
    scaled = friends.scaled(friends.rows)
    mine, others = nearest_rows(scaled[first], scaled, MATES + 1, budget)
    apart = first[mine] != others
    mine, others = mine[apart], others[apart]
    order = np.lexsort((rng.random(len(mine)), mine))
    mine, others = mine[order], others[order]
    ranks = np.arange(len(mine)) - np.searchsorted(mine, mine)
    donors, taken = np.repeat(first[:, None], DONORS + 1, axis=1), ranks <= DONORS
    donors[mine[taken], ranks[taken]] = others[taken]
    return donors


def _candidates(pairs: CandidatePairs, users: Ints) -> tuple[Ints, Ints]:
    """Pairs of each decoy with the candidates of a donor."""
    lengths = pairs.left_starts[users + 1] - pairs.left_starts[users]
    places = np.repeat(pairs.left_starts[users] - np.cumsum(lengths) + lengths, lengths) + np.arange(lengths.sum())
    return np.repeat(np.arange(len(users), dtype=np.int32), lengths), pairs.rights[places]
