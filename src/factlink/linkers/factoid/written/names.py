"""The names of both networks as one channel: users are weighted sums of the n-grams of their names."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from factlink.decision.channel_weights import draw_confident_pairs, rank_drawn_pairs
from factlink.encoders.ngrams.owned_rows import OwnedRows, owners_of_any
from factlink.encoders.ngrams.projection import check_dim
from factlink.encoders.ngrams.rows import NAME_GRAMS
from factlink.encoders.ngrams.spaces import GramSpace, learn_rows
from factlink.encoders.readings.extra import Gain, gains_of
from factlink.encoders.readings.written import ReadingRules, Written, choose_rules, write_out
from factlink.evidence import ChannelWeight, EvidenceSource
from factlink.execution.workers import HERE, Workers
from factlink.linkers.factoid.written.memberships import Held
from factlink.linkers.factoid.written.name_channel import NameChannel
from factlink.linkers.factoid.written.versions import find_both_versions, find_versions
from factlink.types import Attribute, Floats, Ints, Kind, Network, Pairs

_REASON = "names are the measure of all others"


@dataclass(frozen=True, slots=True, eq=False)
class Names:
    """All names of all users, left ones and then right ones, as rows of n-grams."""

    owned: OwnedRows
    columns: Ints  # (n_names,) places in `predicates`
    predicates: tuple[str, ...]  # left ones and then right ones
    n_left_predicates: int
    space: GramSpace
    sizes: tuple[int, int]  # users of the two networks
    written: Written  # rows of `owned` are its texts, the further ones last
    rules: ReadingRules

    def channel(self, weights: Floats) -> NameChannel:
        """Users as weighted sums of their names: exact rows."""
        (n_left, n_right), counted = self.sizes, self.row_weights(weights)
        predicates = self._described(weights, 0), self._described(weights, 1)
        weighting = ChannelWeight(EvidenceSource.NAMES, *predicates, 1.0, _REASON)
        own = self.owned.sums(counted, 0, n_left), self.owned.sums(counted, n_left, n_left + n_right)
        versions = find_both_versions(self.written.marks, self.owned, counted, own)
        if versions is not None:
            own = versions[0].own, versions[1].own
        return NameChannel(weighting, *own, versions=versions)

    def row_weights(self, weights: Floats) -> Floats:
        """(n_rows,): what each name counts; further texts count in versions only."""
        return np.concatenate([weights[self.columns], np.zeros(len(self.written.more), np.float32)])

    def vectors(self, weights: Floats, users: Ints | None = None, workers: Workers = HERE) -> Floats:
        """(n, dim): vectors of all users, or of some, that keep about the products of the channel's rows."""
        rows = np.arange(sum(self.sizes)) if users is None else users
        return self.owned.vectors(rows, self.row_weights(weights), self.space.mean, self.space.seed, workers)

    def weights(self, confident: Pairs, seed: int) -> Floats:
        """How well each name predicate alone ranks the confident pairs, among users who have it; 1 for the best."""
        everything = np.ones(len(self.predicates), np.float32)
        rankings = np.array([self._rank(place, confident, seed) for place in range(len(self.predicates))], np.float32)
        return rankings / max(float(rankings.max(initial=0)), 1e-9) if rankings.any() else everything

    def channel_weights(self, weights: Floats) -> list[ChannelWeight]:
        """The weight of every name predicate beside the best one."""
        sides = [(p, "") if at < self.n_left_predicates else ("", p) for at, p in enumerate(self.predicates)]
        return [
            ChannelWeight(EvidenceSource.NAME_COLUMN, *side, float(weight), "compared with the best name column")
            for side, weight in zip(sides, weights, strict=True)
        ]

    def shown(self, left: Network, right: Network) -> pl.Series:
        """(n_names,) in the order of the two networks."""
        return pl.concat([a.objects for network in (left, right) for a in _named(network).values()])

    def _rank(self, place: int, confident: Pairs, seed: int) -> float:
        same_side = (np.arange(len(self.predicates)) < self.n_left_predicates) == (place < self.n_left_predicates)
        alone = np.where(same_side, np.float32(0), np.float32(1))
        alone[place] = 1
        n_left, able = self.sizes[0], owners_of_any(self.owned, self.row_weights(alone))
        both = able[confident.lefts] & able[n_left + confident.rights]
        drawn, rivals = draw_confident_pairs(Pairs(confident.lefts[both], confident.rights[both]), self.sizes[1], seed)
        left, right = self.vectors(alone, drawn.lefts), self.vectors(alone, n_left + rivals)
        places = Pairs(np.arange(len(drawn)), np.searchsorted(rivals, drawn.rights))
        return rank_drawn_pairs(left, right, places, seed).weight

    def _described(self, weights: Floats, side: int) -> str:
        first, last = (0, self.n_left_predicates) if side == 0 else (self.n_left_predicates, len(self.predicates))
        return " + ".join(self.predicates[i] for i in range(first, last) if weights[i] > 0)


def read_names(
    left: Network, right: Network, dim: int, seed: int, workers: Workers = HERE, *, readings: bool = True
) -> Names | None:
    """The names of both networks in one space; None if one of them has none. `readings` adds what they may mean."""
    check_dim(dim)
    sides = [_named(network) for network in (left, right)]
    if not all(sides):
        return None
    attributes = [attribute for side in sides for attribute in side.values()]
    offsets = [0] * len(sides[0]) + [len(left)] * len(sides[1])
    objects = pl.concat([attribute.objects for attribute in attributes])
    texts = [pl.concat([attribute.objects for attribute in side.values()]) for side in sides]
    rules = choose_rules(*texts) if readings else ReadingRules(none=True)
    written = write_out(objects, rules)
    counts, rows = learn_rows(written.all_texts, NAME_GRAMS, workers)
    owners = np.concatenate([a.rows + offset for a, offset in zip(attributes, offsets, strict=True)])
    owned = OwnedRows.of(rows, np.concatenate([owners, owners[written.sources]]), len(left) + len(right))
    return Names(
        owned,
        np.repeat(np.arange(len(attributes)), [len(a.rows) for a in attributes]),
        tuple(predicate for side in sides for predicate in side),
        len(sides[0]),
        GramSpace(NAME_GRAMS, counts, owned.mean(dim, seed), seed),
        (len(left), len(right)),
        written,
        rules,
    )


def read_better(left: Network, right: Network) -> tuple[Gain, ...]:
    """The columns of names that the extra `scripts` would read better."""
    columns = [(n.name, predicate, a.objects) for n in (left, right) for predicate, a in _named(n).items()]
    return tuple(gain for column in columns for gain in gains_of(*column))


def with_names(
    channel: NameChannel, side: int, names: Names, objects: pl.Series, held: Held, n_users: int
) -> NameChannel:
    """The channel with other users on one side: their names, and who holds which."""
    families = np.unique(names.written.families).tolist()
    written = write_out(objects, names.rules, families)
    rows = names.space.rows(written.all_texts)[:, names.owned.buckets].tocsr()
    owners = np.concatenate([held.owners, held.owners[written.sources]])
    starts = np.concatenate([[0], np.bincount(owners, minlength=n_users).cumsum(dtype=np.int64)])
    owned = OwnedRows(rows, names.owned.buckets, np.argsort(owners, kind="stable"), starts)
    own = owned.sums(np.append(held.weights, np.zeros(len(written.more), np.float32)), 0, n_users)
    versions = channel.versions
    if versions is not None:
        found = find_versions(written.marks, held, rows, own)
        versions = (found, versions[1]) if side == 0 else (versions[0], found)
    if side == 0:
        return replace(channel, left=own, versions=versions)
    return replace(channel, right=own, versions=versions)


def _named(network: Network) -> Mapping[str, Attribute]:
    return {p: a for p, a in network.attributes.items() if a.kind is Kind.NAME and len(a.rows)}
