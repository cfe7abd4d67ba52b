"""Decoys: made-up users who cannot have a partner, so that their best candidates show what chance brings.

A decoy has the names of two users of one network, crossed, and everything else of the first: its links, texts and
pictures. It competes for candidates like everybody else. The two donors' likely partners are left out later.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from scipy.sparse import csr_matrix

from factlink.candidates.inverted_index import nearest_rows
from factlink.candidates.pairs import CandidatePairs, gather_pairs
from factlink.candidates.products import sparse_products
from factlink.linkers.factoid.channels import Channel, mean_product
from factlink.linkers.factoid.names import Names, with_names
from factlink.linkers.factoid.written.name_channel import NameChannel
from factlink.linkers.factoid.written.versions import Held
from factlink.types import Floats, Ints, Network, Pairs

NEAREST = 10
"""Users with the nearest names, of whom one is the second donor: so many, or the root of all users."""

COMMON = 0.05
"""Share of users whose nearest namesake is compared with that of decoys."""


@dataclass(frozen=True, slots=True, eq=False)
class Decoys:
    """Decoys of one network, and their pairs with users of the other, by decoy."""

    side: int  # 0 left, 1 right
    donors: Ints  # (n,) whose links, texts and pictures they have
    mates: Ints  # (n,) whose names theirs are crossed with
    pairs: CandidatePairs  # decoys as left rows, users of the other network as right ones
    evidence: Floats  # (n_pairs,)

    def __len__(self) -> int:
        return len(self.donors)


@dataclass(frozen=True, slots=True, eq=False)
class Breeder:
    """What decoys are made from: the finished channels of a fit, and how names are looked for."""

    networks: tuple[Network, Network]
    names: Names | None
    name_weights: Floats
    channels: Sequence[Channel]  # names first, if there are any
    pairs: CandidatePairs
    search: tuple[int, int | None]  # how many nearest names, and the budget of looking for them

    def breed(self, side: int, n: int, rng: np.random.Generator) -> Decoys:
        """So many decoys of one network, or as many as it has users."""
        n_users = len(self.networks[side])
        donors: Ints = np.sort(rng.choice(n_users, min(n, n_users), replace=False, shuffle=False))
        if not len(donors):
            return Decoys(
                side, donors, donors, gather_pairs(0, len(self.networks[1 - side]), []), np.empty(0, np.float32)
            )
        if self.names is None:
            return self._decoys(side, donors, donors, self.channels[0], [])
        donors, mates, named = self._crossed_alike(side, donors, rng)
        sides = (named.left, named.right) if side == 0 else (named.right, named.left)
        found = [nearest_rows(*sides, *self.search)]
        found += [each if side == 0 else each[::-1] for each in named.propose(*self.search)]
        return self._decoys(side, donors, mates, named, found)

    def _crossed_alike(self, side: int, donors: Ints, rng: np.random.Generator) -> tuple[Ints, Ints, NameChannel]:
        """Donors, mates and the name channel of decoys who have namesakes in their own network as often as its users.

        Crossed with the nearest names, decoys have more of them than if crossed with those a little farther away.
        """
        own = (self.channels[0].left, self.channels[0].right)[side]
        level = np.quantile(self._namesake(own, own[donors], donors[:, None]), 1 - COMMON)
        chosen, distance = None, np.inf
        for nearest in (NEAREST, max(NEAREST, int(np.sqrt(own.shape[0])))):
            mates = self._mates(own, donors, nearest, rng)
            both = np.stack([donors, mates], axis=1)[mates >= 0]
            named = self._crossed(side, both[:, 0], both[:, 1], rng)
            rows = (named.left, named.right)[side]
            share = (1 + np.count_nonzero(self._namesake(own, rows, both) > level)) / (1 + len(both))
            if abs(np.log(share / COMMON)) < distance:
                chosen, distance = (both[:, 0], both[:, 1], named), abs(np.log(share / COMMON))
        assert chosen is not None
        return chosen

    def _namesake(self, own: csr_matrix, rows: csr_matrix, without: Ints) -> Floats:
        """(n,): the largest product of each row with a user of its own network that is none of these."""
        mine, others = nearest_rows(rows, own, without.shape[1] + 1, self.search[1])
        kept = (without[mine] != others[:, None]).all(axis=1)
        best = np.zeros(rows.shape[0], np.float32)
        np.maximum.at(best, mine[kept], sparse_products(rows, own, mine[kept], others[kept]))
        return best

    def _decoys(self, side: int, donors: Ints, mates: Ints, first: Channel, found: list[tuple[Ints, Ints]]) -> Decoys:
        """With the evidence of all channels; the first one has rows of the decoys if they have names of their own."""
        n_others = len(self.networks[1 - side])
        pairs = gather_pairs(len(donors), n_others, [*found, self._candidates(side, donors)])
        own = [pairs.lefts, *[donors[pairs.lefts]] * (len(self.channels) - 1)]
        if self.names is None:
            own[0] = donors[pairs.lefts]
        channels = [first, *self.channels[1:]]
        products = [
            channel.products(Pairs(rows, pairs.rights) if side == 0 else Pairs(pairs.rights, rows))
            for channel, rows in zip(channels, own, strict=True)
        ]
        return Decoys(side, donors, mates, pairs, mean_product(channels, products, len(pairs)))

    def _candidates(self, side: int, donors: Ints) -> tuple[Ints, Ints]:
        """Pairs of each decoy with the candidates of its donor."""
        starts = (self.pairs.left_starts, self.pairs.right_starts)[side]
        lengths = starts[donors + 1] - starts[donors]
        places = np.repeat(starts[donors] - np.cumsum(lengths) + lengths, lengths) + np.arange(lengths.sum())
        others = self.pairs.rights[places] if side == 0 else self.pairs.lefts[self.pairs.by_right[places]]
        return np.repeat(np.arange(len(donors), dtype=np.int32), lengths), others

    def _mates(self, own: csr_matrix, donors: Ints, nearest: int, rng: np.random.Generator) -> Ints:
        """(n_donors,): for each one of the users with the nearest names, −1 for who has none."""
        mine, others = nearest_rows(own[donors], own, nearest + 1, self.search[1])
        keys = np.where(donors[mine] == others, 2.0, rng.random(len(mine)))
        order = np.lexsort((keys, mine))
        first = order[np.unique(mine[order], return_index=True)[1]]
        first = first[keys[first] < 1]
        mates = np.full(len(donors), -1)
        mates[mine[first]] = others[first]
        return mates

    def _crossed(self, side: int, donors: Ints, mates: Ints, rng: np.random.Generator) -> NameChannel:
        """The channel of names with decoys on one side: every name of the donor crossed with one of the mate's."""
        assert self.names is not None
        columns = self.names.columns
        offset = self.names.sizes[0] if side else 0
        strings = self.names.shown(*self.networks)
        crossed, owners, predicates = [], [], []
        for decoy, (donor, mate) in enumerate(zip(donors.tolist(), mates.tolist(), strict=True)):
            mine, theirs = (self._own_names(user + offset) for user in (donor, mate))
            for name in mine.tolist():
                alike = theirs[columns[theirs] == columns[name]]
                other = strings[int(alike[0] if len(alike) else theirs[0])]
                crossed.append(cross(strings[name], other, rng))
                owners.append(decoy)
                predicates.append(columns[name])
        names = pl.Series(crossed, dtype=pl.String)
        held = Held(np.array(owners, np.int64), self.name_weights[np.array(predicates, np.int64)])
        return with_names(self._name_channel, side, self.names, names, held, len(donors))

    def _own_names(self, user: int) -> Ints:
        """Names of a user without the further texts that they may be read as."""
        assert self.names is not None
        rows = self.names.owned.order[self.names.owned.starts[user] : self.names.owned.starts[user + 1]]
        return rows[rows < len(self.names.columns)]

    @property
    def _name_channel(self) -> NameChannel:
        assert isinstance(self.channels[0], NameChannel)
        return self.channels[0]


def cross(first: str, second: str, rng: np.random.Generator) -> str:
    """The first words of one name and the last of another; single words change where both have the same two letters."""
    words, others = first.split(), second.split()
    if len(words) > 1 and len(others) > 1:
        return " ".join(words[: rng.integers(1, len(words))] + others[rng.integers(1, len(others)) :])
    cuts = _cuts(first, second)
    if cuts:
        here, there = cuts[rng.integers(len(cuts))]
        return first[: here + 1] + second[there + 1 :]
    return first[: (len(first) + 1) // 2] + second[len(second) // 2 :]


def _cuts(first: str, second: str) -> list[tuple[int, int]]:
    """Places where both names have the same two letters, and crossing there gives neither of them again."""
    mine, theirs = first.lower(), second.lower()
    places: dict[str, list[int]] = {}
    for there in range(1, len(theirs) - 1):
        places.setdefault(theirs[there - 1 : there + 1], []).append(there)
    return [
        (here, there)
        for here in range(1, len(mine) - 1)
        for there in places.get(mine[here - 1 : here + 1], ())
        if first[: here + 1] + second[there + 1 :] not in (first, second)
    ]
