"""The links of a network as relations: a link predicate in one of its two directions."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numba
import numpy as np

from factlink.types import Floats, Follows, Ints


@dataclass(frozen=True, slots=True, eq=False)
class Relations:
    """Every link from both of its ends, by user, then neighbour, then relation.

    Relation 2·i is the i-th predicate from follower to followee, 2·i + 1 the same from followee to follower.
    """

    starts: Ints  # (n_users + 1,)
    neighbours: Ints  # (n_entries,)
    relations: Ints  # (n_entries,)
    rarity: Floats  # (n_entries,) 1 / (1 + ln of how many links of this relation the user has)
    rarity_there: Floats  # (n_entries,) the same of the neighbour, by the relation's other direction
    predicates: tuple[str, ...]

    @property
    def n_users(self) -> int:
        """How many users there are, linked or not."""
        return len(self.starts) - 1

    @property
    def degrees(self) -> Ints:
        """(n_users,): links of each user, both directions and all predicates."""
        return np.diff(self.starts)

    def describe(self, relation: int) -> str:
        """A relation in words; an arrow back where it runs from followee to follower."""
        predicate = self.predicates[relation // 2]
        return predicate if relation % 2 == 0 else f"{predicate} ←"


def read_relations(links: Mapping[str, Follows], n_users: int) -> Relations:
    """All links of a network; a link to oneself says nothing and is left out."""
    empty = np.empty(0, np.int64)
    one = [np.concatenate([follows.followers, follows.followees]) for follows in links.values()]
    other = [np.concatenate([follows.followees, follows.followers]) for follows in links.values()]
    kinds = [np.repeat([2 * i, 2 * i + 1], len(follows)) for i, follows in enumerate(links.values())]
    users, neighbours, relations = (np.concatenate([empty, *parts]).astype(np.int64) for parts in (one, other, kinds))
    apart = users != neighbours
    users, neighbours, relations = users[apart], neighbours[apart], relations[apart]
    order = np.lexsort((relations, neighbours, users))
    users, neighbours, relations = users[order], neighbours[order], relations[order]
    first = np.ones(len(users), np.bool_)
    first[1:] = (np.diff(users) != 0) | (np.diff(neighbours) != 0) | (np.diff(relations) != 0)
    users, neighbours, relations = users[first], neighbours[first], relations[first]
    starts = np.concatenate([[0], np.bincount(users, minlength=n_users).cumsum()]).astype(np.int64)
    fans = _fans(users, relations, 2 * max(1, len(links)))
    rarity = np.asarray(1 / (1 + np.log(np.maximum(1, fans))), np.float32)
    there = _other_ends(starts, neighbours, relations)
    return Relations(
        starts, neighbours.astype(np.int32), relations.astype(np.int32), rarity, rarity[there], tuple(links)
    )


def _fans(users: Ints, relations: Ints, n_relations: int) -> Ints:
    """(n_entries,): how many entries have the same user and the same relation."""
    _, places, counts = np.unique(users * n_relations + relations, return_inverse=True, return_counts=True)
    return np.asarray(counts[places])


def _other_ends(starts: Ints, neighbours: Ints, relations: Ints) -> Ints:
    """(n_entries,): where the same link is listed under its other end."""
    return np.asarray(_find_other_ends(starts, neighbours, relations))


@numba.njit(cache=True, parallel=True)
def _find_other_ends(starts: Any, neighbours: Any, relations: Any) -> Any:
    found = np.empty(len(neighbours), np.int64)
    for user in numba.prange(len(starts) - 1):
        for entry in range(starts[user], starts[user + 1]):
            low, high = starts[neighbours[entry]], starts[neighbours[entry] + 1]
            relation = relations[entry] ^ 1
            while low < high:
                middle = (low + high) // 2
                if neighbours[middle] < user or (neighbours[middle] == user and relations[middle] < relation):
                    low = middle + 1
                else:
                    high = middle
            found[entry] = low
    return found
