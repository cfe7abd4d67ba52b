"""Self-training by person factoids: ⟨u, is, person_k⟩ for both users of a confident pair, chosen anew each round.

A person's vector is where its two users met in the round before. Through links it reaches their friends, whose
neighbourhoods become comparable even where names differ. A pair that is no longer confident loses its person; merging
the two users, as known pairs are, could not be undone.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import polars as pl

from factlink.candidates.both_ways import nearest_each_way
from factlink.embedding.space import Space
from factlink.errors import SettingError
from factlink.linkers.mutual_pairs import hubness, shortlist, surest_pairs
from factlink.types import FactoidTable, Floats, Has, Ints, Kind, Objects, Pairs
from factlink.vectors import unit_rows

PREDICATE = "is"
NEAREST = 10
"""Nearest users of each user that are compared, and over which hubness is averaged."""


@dataclass(frozen=True, slots=True)
class Persons:
    """How often persons are chosen, and which share of the pairs that are each other's best become persons."""

    rounds: int = 4  # 0 trains once, on the factoids as given
    first: float = 0.5  # share in the first round
    last: float = 0.9  # share in the last one
    less_hubness: bool = True  # scores are cosines less the mean cosine of a right user with its nearest left ones

    def __post_init__(self) -> None:
        if self.rounds < 0:
            raise SettingError(f"persons.rounds is {self.rounds}; it cannot be negative")
        for setting in ("first", "last"):
            if not 0 < getattr(self, setting) <= 1:
                raise SettingError(f"persons.{setting} is {getattr(self, setting)}; it lies above 0 and is at most 1")

    def shares(self) -> list[float]:
        """The share of every round."""
        return [float(share) for share in np.linspace(self.first, self.last, self.rounds)]


@dataclass(frozen=True, slots=True, eq=False)
class Taught:
    """The factoids of a round: those given, and those of persons."""

    table: FactoidTable
    vectors: Mapping[str, Floats]  # of objects, by predicate


def add_persons(given: Taught, space: Space, share: float) -> Taught:
    """The given factoids and two for each person that is confident in the space."""
    table, parts = given.table, [np.empty((0, 2), np.int64)]
    for left, right in combinations(table.rows, 2):
        pairs = confident_pairs(space, left, right, share)
        parts.append(np.column_stack([table.rows[left][pairs.lefts], table.rows[right][pairs.rights]]))
    ends = np.concatenate(parts)  # (n_persons, 2) joint rows
    if not len(ends):
        return given
    directions = unit_rows(space.vectors)
    vectors = unit_rows(directions[ends[:, 0]] + directions[ends[:, 1]])
    predicate = PREDICATE
    while predicate in table.objects:
        predicate = f"{predicate} a person"
    names = pl.Series([f"person {number}" for number in range(1, len(ends) + 1)])
    has = Has(ends.T.ravel(), np.tile(np.arange(len(ends)), 2))
    taught = replace(
        table,
        objects={**table.objects, predicate: Objects(Kind.CATEGORY, names)},
        has={**table.has, predicate: has},
    )
    return Taught(taught, {**given.vectors, predicate: vectors})


def confident_pairs(space: Space, left: str, right: str, share: float) -> Pairs:
    """Rows of two networks that are each other's best by cosines less hubness; the share with the widest margins."""
    lefts, rights = space.of(left), space.of(right)
    known = _shared_rows(space.rows[left], space.rows[right])
    forth, back = nearest_each_way(lambda rows: lefts[rows] @ rights.T, len(lefts), len(rights), NEAREST)
    pairs, scores = shortlist(forth, back, hubness(forth, NEAREST), hubness(back, NEAREST))
    return surest_pairs(pairs, scores, known, share)


def _shared_rows(left: Ints, right: Ints) -> Pairs:
    """Users of two networks that share a joint row: known pairs."""
    _, lefts, rights = np.intersect1d(left, right, return_indices=True)
    return Pairs(lefts, rights)
