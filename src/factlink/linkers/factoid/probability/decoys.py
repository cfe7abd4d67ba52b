"""Decoys: made-up users who cannot have a partner, so that their best candidates show what chance brings.

A decoy has the names of two users of one network, crossed, and everything else of the first: its links, texts and
pictures. It competes for candidates like everybody else. The two donors' likely partners are left out later.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl
from scipy.sparse import csr_matrix

from factlink.candidates.inverted_index import nearest_rows
from factlink.candidates.pairs import CandidatePairs, gather_pairs
from factlink.candidates.products import sparse_products
from factlink.evidence import EvidenceSource
from factlink.explanations.user_names import pick_best
from factlink.linkers.factoid.channels.channel import Channel, mean_product
from factlink.linkers.factoid.probability.crossing import cross
from factlink.linkers.factoid.written.declared import DeclaredLinks, raise_evidence
from factlink.linkers.factoid.written.handles import HandleChannel
from factlink.linkers.factoid.written.memberships import Held
from factlink.linkers.factoid.written.name_channel import NameChannel
from factlink.linkers.factoid.written.names import Names, with_names
from factlink.types import Floats, Ints, Network, Pairs
from factlink.vectors import unit_rows

NEAREST = 10
"""Users with the nearest names, of whom one is the second donor: so many, or the root of all users."""

LEAST = 300
"""Decoys of a network that has fewer users: a donor has several then, each with a second donor of its own."""

COMMON = 0.05
"""Share of users whose nearest namesake is compared with that of decoys."""


@dataclass(frozen=True, slots=True, eq=False)
class Decoys:
    """Decoys of one network, and their pairs with users of the other, by decoy."""

    side: int  # 0 left, 1 right
    donors: Ints  # (n,) whose links, texts and pictures they have
    mates: Ints  # (n,) whose names theirs are crossed with
    pairs: CandidatePairs  # decoys as left rows, users of the other network as right ones
    evidence: Floats  # (n_pairs,) of all channels together
    agreements: tuple[Floats, ...]  # (n_pairs,) by channel

    def __len__(self) -> int:
        return len(self.donors)


@dataclass(frozen=True, slots=True, eq=False)
class Crossed:
    """The channel of names with decoys on one side, and what each decoy is called."""

    channel: NameChannel
    texts: pl.Series  # (n,) the best name of each


@dataclass(frozen=True, slots=True, eq=False)
class Litter:
    """What names alone decide about the decoys of one network: kept, since a fit asks for it more than once."""

    own: csr_matrix  # rows of the names that it was made from
    donors: Ints
    mates: Ints
    crossed: Crossed
    found: list[tuple[Ints, Ints]]  # pairs of decoys with users whose names are similar
    random_state: Mapping[str, Any]  # of the generator afterwards
    compared: CandidatePairs  # pairs whose names were compared already,
    products: Floats  # (n_compared,) with this outcome

    def compare(self, pairs: CandidatePairs, ends: Pairs) -> Floats:
        """(n_pairs,): how far names agree; only pairs that are new are compared."""
        before = self.compared.places(pairs.lefts, pairs.rights)
        new, products = before < 0, np.empty(len(pairs), np.float32)
        products[~new] = self.products[before[~new]]
        products[new] = self.crossed.channel.products(Pairs(ends.lefts[new], ends.rights[new]))
        return products


Litters = dict[int, Litter]
"""By side."""


@dataclass(frozen=True, slots=True, eq=False)
class Breeder:
    """What decoys are made from: the finished channels of a fit, and how names are looked for."""

    networks: tuple[Network, Network]
    names: Names | None
    name_weights: Floats
    channels: Sequence[Channel]  # names first, if there are any
    declared: DeclaredLinks | None
    pairs: CandidatePairs
    search: tuple[int, int | None]  # how many nearest names, and the budget of looking for them
    litters: Litters = field(default_factory=dict)

    def breed(self, side: int, n: int, rng: np.random.Generator) -> Decoys:
        """So many decoys of one network, or as many as it has users, but not fewer than `LEAST`."""
        n_users = len(self.networks[side])
        donors: Ints = np.sort(rng.choice(n_users, min(n, n_users), replace=False, shuffle=False))
        donors = np.repeat(donors, -(-min(n, LEAST) // max(1, len(donors))))
        if not len(donors):
            nothing = np.empty(0, np.float32)
            return Decoys(side, donors, donors, gather_pairs(0, len(self.networks[1 - side]), []), nothing, ())
        if self.names is None:
            return self._decoys(side, donors, donors, None, [])
        litter = self.litters.get(side)
        if litter is None or litter.own is not self._own(side):
            litter = self.litters[side] = self._litter(side, donors, rng)
        rng.bit_generator.state = litter.random_state
        return self._decoys(side, litter.donors, litter.mates, litter, litter.found)

    def _litter(self, side: int, donors: Ints, rng: np.random.Generator) -> Litter:
        donors, mates, crossed = self.crossed_alike(side, donors, rng)
        named = crossed.channel
        sides = (named.left, named.right) if side == 0 else (named.right, named.left)
        found = [nearest_rows(*sides, *self.search)]
        found += [each if side == 0 else each[::-1] for each in named.propose(*self.search)]
        nothing = gather_pairs(len(donors), len(self.networks[1 - side]), []), np.empty(0, np.float32)
        return Litter(self._own(side), donors, mates, crossed, found, rng.bit_generator.state, *nothing)

    def _own(self, side: int) -> csr_matrix:
        """Rows of the names of one network."""
        return (self.channels[0].left, self.channels[0].right)[side]

    def crossed_alike(self, side: int, donors: Ints, rng: np.random.Generator) -> tuple[Ints, Ints, Crossed]:
        """Donors, mates and names of decoys who have namesakes in their own network as often as its users.

        Crossed with the nearest names, decoys have more of them than if crossed with those a little farther away.
        """
        own = self._own(side)
        level = np.quantile(self._namesake(own, own[donors], donors[:, None]), 1 - COMMON)
        chosen, distance = None, np.inf
        for nearest in (NEAREST, max(NEAREST, int(np.sqrt(own.shape[0])))):
            mates = self._mates(own, donors, nearest, rng)
            both = np.stack([donors, mates], axis=1)[mates >= 0]
            crossed = self._crossed(side, both[:, 0], both[:, 1], rng)
            rows = (crossed.channel.left, crossed.channel.right)[side]
            share = (1 + np.count_nonzero(self._namesake(own, rows, both) > level)) / (1 + len(both))
            if abs(np.log(share / COMMON)) < distance:
                chosen, distance = (both[:, 0], both[:, 1], crossed), abs(np.log(share / COMMON))
        assert chosen is not None
        return chosen

    def _namesake(self, own: csr_matrix, rows: csr_matrix, without: Ints) -> Floats:
        """(n,): the largest product of each row with a user of its own network that is none of these."""
        mine, others = nearest_rows(rows, own, without.shape[1] + 1, self.search[1])
        kept = (without[mine] != others[:, None]).all(axis=1)
        best = np.zeros(rows.shape[0], np.float32)
        np.maximum.at(best, mine[kept], sparse_products(rows, own, mine[kept], others[kept]))
        return best

    def _decoys(
        self, side: int, donors: Ints, mates: Ints, litter: Litter | None, found: list[tuple[Ints, Ints]]
    ) -> Decoys:
        """With what all channels say of their pairs: those found by name, and the candidates of their donors."""
        pairs = gather_pairs(len(donors), len(self.networks[1 - side]), [*found, self._candidates(side, donors)])
        ends = Pairs(pairs.lefts, pairs.rights) if side == 0 else Pairs(pairs.rights, pairs.lefts)
        channels, agreements = list(self.channels), []
        if litter:
            agreements.append(litter.compare(pairs, ends))
            self.litters[side] = replace(litter, compared=pairs, products=agreements[0])
        texts = litter.crossed.texts if litter else None
        others = [self._of_decoys(channel, side, donors, mates, texts) for channel in channels[len(agreements) :]]
        agreements += [channel.products(ends) for channel in others]
        evidence = mean_product(channels, agreements, len(pairs))
        if self.declared is not None:
            mine = donors[pairs.lefts]
            ends = Pairs(mine, pairs.rights) if side == 0 else Pairs(pairs.rights, mine)
            agreements.append(self.declared.beliefs_in(ends))
            evidence = raise_evidence(evidence, agreements[-1])
        return Decoys(side, donors, mates, pairs, evidence, tuple(agreements))

    def _of_decoys(self, channel: Channel, side: int, donors: Ints, mates: Ints, texts: pl.Series | None) -> Channel:
        """A channel with the decoys on one side: what names make is of both donors, the rest of the first."""
        if texts is not None and isinstance(channel, HandleChannel):
            return channel.renamed(side, texts)
        rows = (channel.left, channel.right)[side]
        mine = rows[donors]
        if channel.weighting.source is EvidenceSource.LEARNED_NAMES:  # linear in the names' letters
            mine = unit_rows(mine + rows[mates])
        return replace(channel, left=mine) if side == 0 else replace(channel, right=mine)

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

    def _crossed(self, side: int, donors: Ints, mates: Ints, rng: np.random.Generator) -> Crossed:
        """Every name of the donor crossed with one of the mate's."""
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
        channel = with_names(self._name_channel, side, self.names, names, held, len(donors))
        best = pick_best(pl.DataFrame({"row": held.owners, "name": names}), "row").sort("row")
        return Crossed(channel, best["name"])

    def _own_names(self, user: int) -> Ints:
        """Names of a user without the further texts that they may be read as."""
        assert self.names is not None
        rows = self.names.owned.order[self.names.owned.starts[user] : self.names.owned.starts[user + 1]]
        return rows[rows < len(self.names.columns)]

    @property
    def _name_channel(self) -> NameChannel:
        assert isinstance(self.channels[0], NameChannel)
        return self.channels[0]
