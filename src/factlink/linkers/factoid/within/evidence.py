"""What is compared within one network: names, friends and further attributes of pairs, as columns for the model."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix

from factlink.candidates.pairs import CandidatePairs
from factlink.candidates.products import sparse_products
from factlink.execution.workers import HERE, Workers
from factlink.linkers.factoid.channels.channel import Channel
from factlink.linkers.factoid.probability.rivals import Rivals, best_rivals
from factlink.linkers.factoid.within.decoys import Decoys
from factlink.linkers.factoid.within.friends import FriendRows
from factlink.linkers.factoid.written.name_channel import NameChannel
from factlink.types import Floats, Ints, Pairs

NAMES, FRIENDS, LINKED, NOT_LINKED, GAP = "names", "shared friends", "linked", "not linked", "gap of "


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """Pairs as the model sees them: a column for each channel, and one for the gap of names and of friends."""

    values: Mapping[str, Floats] = field(default_factory=dict)  # by title, (n_pairs,) each

    def __len__(self) -> int:
        return len(next(iter(self.values.values())))

    def some(self, kept: npt.NDArray[np.bool_]) -> "Columns":
        """Those of some pairs."""
        return Columns({title: values[kept] for title, values in self.values.items()})

    @property
    def channels(self) -> dict[str, Floats]:
        """How far the two agree, channel by channel: without gaps and links between the two."""
        left_out = (LINKED, NOT_LINKED)
        return {t: values for t, values in self.values.items() if t not in left_out and not t.startswith(GAP)}


@dataclass(frozen=True, slots=True, eq=False)
class Sources:
    """All that users of one network are compared by."""

    named: NameChannel | None
    friends: FriendRows | None
    attributes: Mapping[str, Channel]  # by predicate

    def scaled(self) -> csr_matrix:
        """Rows of friends whose products are shrunk cosines."""
        assert self.friends is not None
        return self.friends.scaled(self.friends.rows)

    def of_pairs(self, pairs: CandidatePairs | Pairs, workers: Workers = HERE) -> Columns:
        """The columns of pairs of users, without gaps."""
        values: dict[str, Floats] = {}
        lefts, rights = pairs.lefts, pairs.rights
        if self.named is not None:
            values[NAMES] = self.named.products(pairs, workers)
        if self.friends is not None:
            scaled = self.scaled()
            values[FRIENDS] = sparse_products(scaled, scaled, lefts, rights)
            values |= _ties(self.friends, self.friends.rows, lefts, rights)
        values |= {predicate: c.products(pairs, workers) for predicate, c in self.attributes.items()}
        return Columns(values)

    def of_both_ways(self, pairs: CandidatePairs, workers: Workers = HERE) -> Columns:
        """The same of pairs that are there in both directions: each is compared once."""
        once = pairs.lefts < pairs.rights
        half = Pairs(pairs.lefts[once], pairs.rights[once])
        back, values = pairs.places(half.rights, half.lefts), {}
        for title, found in self.of_pairs(half, workers).values.items():
            values[title] = np.empty(len(pairs), np.float32)
            values[title][once] = values[title][back] = found
        return Columns(values)

    def of_decoys(self, decoys: Decoys, workers: Workers = HERE) -> Columns:
        """The same of decoys; a pair with somebody who gave names or friends is as if that one had given nothing."""
        values: dict[str, Floats] = {}
        pairs = decoys.pairs
        if self.named is not None and decoys.named is not None:
            values[NAMES] = decoys.named.products(pairs, workers)
            first, mates = decoys.first[pairs.lefts], decoys.mates[pairs.lefts]
            gave = (first == pairs.rights) | (mates == pairs.rights)
            values[NAMES][gave] = self.named.products(Pairs(first[gave], mates[gave]), workers)
        if self.friends is not None and decoys.friends is not None:
            rows = decoys.friend_rows
            scaled = self.friends.scaled(decoys.friends)
            values[FRIENDS] = sparse_products(scaled, self.scaled(), rows, pairs.rights)
            values |= _ties(self.friends, decoys.friends, rows, pairs.rights)
        both = Pairs(decoys.described[pairs.lefts], pairs.rights)
        values |= {predicate: c.products(both, workers) for predicate, c in self.attributes.items()}
        return Columns(values)


def add_gaps(pairs: CandidatePairs, columns: Columns) -> tuple[Columns, dict[str, Rivals]]:
    """Columns of symmetric pairs of users with their gaps, and everybody's best pairs by title."""
    rivals, gaps = {}, {}
    for title in _with_gaps(columns):
        values = columns.values[title]
        rivals[title] = best = best_rivals(pairs, values, 0)
        levels = best.levels(pairs.lefts, [pairs.rights]), best.levels(pairs.rights, [pairs.lefts])
        gaps[GAP + title] = _gaps(values, levels)
    return Columns({**columns.values, **gaps}), rivals


def add_decoy_gaps(decoys: Decoys, columns: Columns, rivals: Mapping[str, Rivals]) -> Columns:
    """The same of decoys: the best other pairs of a user are those without the first donor and the one of names."""
    pairs, gaps = decoys.pairs, {}
    for title in _with_gaps(columns):
        values = columns.values[title]
        own = best_rivals(pairs, values, 0).levels(pairs.lefts, [pairs.rights])
        theirs = rivals[title].levels(pairs.rights, [decoys.first[pairs.lefts], decoys.mates[pairs.lefts]])
        gaps[GAP + title] = _gaps(values, (own, theirs))
    return Columns({**columns.values, **gaps})


def _with_gaps(columns: Columns) -> list[str]:
    return [title for title in (NAMES, FRIENDS) if title in columns.values]


def _gaps(values: Floats, levels: tuple[Floats, Floats]) -> Floats:
    """(n,): how far each pair is above the best other pairs of the one of the two who has the better ones."""
    return np.asarray(values - np.maximum(*levels), np.float32)


def _ties(friends: FriendRows, rows: csr_matrix, lefts: Ints, rights: Ints) -> dict[str, Floats]:
    """Links between the two may speak for one person or against it, so there are two rising columns."""
    strengths = friends.ties(rows).strengths(lefts, rights)
    return {LINKED: strengths, NOT_LINKED: 1 - strengths}
