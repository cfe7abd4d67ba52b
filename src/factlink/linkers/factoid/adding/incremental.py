"""Further users of one network in the finished space of `factoid`: their candidates, and the evidence for each."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
from scipy.sparse import csr_matrix

from factlink.candidates.top_k import nearest_stored
from factlink.embedding.propagate import propagate_rows, without_mean
from factlink.encoders.ngrams.owned_rows import sum_by_owner
from factlink.encoders.ngrams.spaces import GramSpace
from factlink.evidence import ChannelWeight, EvidenceSource
from factlink.linkers.factoid.adding.joining import Weighed, join_competition, with_joined
from factlink.linkers.factoid.adding.new_users import (
    AskedNames,
    Near,
    NewUsers,
    grown_state,
    longer,
    new_names,
    read_otherwise,
    with_rows,
)
from factlink.linkers.factoid.adding.spreading import learn_names_of
from factlink.linkers.factoid.channels.channel import Channel, mean_product
from factlink.linkers.factoid.channels.votes import VoterIndex
from factlink.linkers.factoid.state.state import (
    AttributeState,
    FactoidState,
    LinkState,
    NameState,
    Voters,
)
from factlink.linkers.factoid.written.arriving import NOTHING, Arriving, Settled
from factlink.linkers.factoid.written.declared import raise_evidence
from factlink.linkers.factoid.written.name_channel import NameChannel
from factlink.linkers.factoid.written.owned_names import own_names
from factlink.linkers.factoid.written.packed_names import PackedNames
from factlink.linkers.factoid.written.prepared import Prepared
from factlink.linkers.factoid.written.versions import find_both_versions, find_versions_of
from factlink.types import Candidates, Floats, Halves, Ints, Network, Pairs
from factlink.vectors import pick_sparse

T = TypeVar("T")

PROPOSED = 20
"""Candidates per new user that linked neighbours may propose."""

Search = Callable[[AskedNames, Sequence[Halves], int, int], Candidates]
"""The k users of a side whose names are nearest to each of some names; their stored vectors are at hand."""


def search_all(asked: AskedNames, stored: Sequence[Halves], k: int, side: int) -> Candidates:
    """Compares with every stored vector of a side."""
    return nearest_stored(asked.vectors, stored, k)


class Placement:
    """Places new users; the n-gram counts that they change apply to them and to their candidates."""

    def __init__(
        self, state: FactoidState, new_users: NewUsers, voters: VoterIndex | None = None, settled: Settled = NOTHING
    ) -> None:
        self.new_users, self._packed = new_users, new_names(state, new_users)
        self.state = grown_state(state, new_users, self._packed)
        self.mine, self.other = new_users.side, 1 - new_users.side
        self._asked = None
        if self.state.names and self._packed:
            self._asked = AskedNames.of(self.state.names, self._packed, np.arange(len(new_users)))
        self.vectors = self._asked.vectors if self._asked else np.zeros((len(new_users), 0), np.float32)
        self.arriving = Arriving(settled, new_users.side, new_users.network)
        self._voters = voters or (index_voters(state.links) if state.links else None)
        self._learned = learn_names_of(self.state, new_users, self.vectors)

    def search(self, k: int, barred: Ints, search: Search = search_all) -> Near:
        """Users of the other side that may be new users': those of nearest names, and proposals of linked neighbours.

        `barred` rows of the other side, rising, are not candidates.
        """
        parts: list[tuple[Ints, Ints]] = self.arriving.proposals()
        if self.state.names and self._packed:
            for asked in (self._asked, read_otherwise(self.state.names, self._packed)):
                if asked:
                    near = search(asked, self.state.names.vectors[self.other], k, self.other)
                    rows, columns = np.nonzero((near.scores > 0) & (near.rights >= 0))
                    parts.append((asked.owners[rows], near.rights[rows, columns]))
        if self.state.links and self.state.links.vote_weight > 0 and self._voters:
            parts.append(self._proposed(self.state.links, self._voters))
        if self._learned:
            parts.append(self._learned.near(PROPOSED))
        return Near.of(len(self.new_users), parts, barred)

    def channels(self, near: Near, others: Network, prepared: Prepared | None = None) -> list[Channel]:
        """What the evidence is the mean of; `others` holds the users of the other side in `near`."""
        channels = [self._attribute(attribute, near.rows, others, prepared) for attribute in self.state.attributes]
        if self.state.names and self._packed:
            channels.append(self._names(self.state.names, self._packed, near.rows, (others, prepared)))
        channels += self.arriving.channels(others)
        if self.state.links:
            channels += self._links(self.state.links, near.rows)
        if self._learned:
            channels.append(self._learned.channel(near.rows))
        return [channel for channel in channels if channel.weight > 0]

    def weigh(self, near: Near, channels: Sequence[Channel]) -> Weighed:
        """The evidence for each pair."""
        agreements = {channel.key: channel.products(near.pairs) for channel in channels}
        evidence = mean_product(channels, agreements.values(), len(near.pairs))
        beliefs = self.arriving.beliefs(near.pairs.lefts, near.rows[near.pairs.rights])
        if beliefs is not None:
            agreements[EvidenceSource.DECLARED.value] = beliefs
            evidence = raise_evidence(evidence, beliefs)
        return Weighed(near.pairs, evidence, agreements)

    def compete(self, near: Near, new: Weighed) -> Floats | None:
        """(n_pairs,): how likely each pair of a new user is, by the model of the run; None if it has none."""
        found = self.state.probability
        if found is None:
            return None
        totals = _put(found.totals, self.other, np.asarray(found.totals[self.other])[near.rows])
        levels = _put(found.levels, self.other, np.asarray(found.levels[self.other])[near.rows])
        among = replace(found, totals=totals, levels=levels)
        return found.calibration.probabilities(join_competition(among, self.mine, new).log_odds)

    def assigned(self, new: Weighed, scaling: tuple[Floats, Floats], linked: Pairs, strengths: Floats) -> FactoidState:
        """The state with the new users in it: `new` are their pairs, `linked` the links they got."""
        state, mine = self.state, self.mine
        names, links = state.names, state.links
        if names:
            names = replace(names, vectors=_put(names.vectors, mine, longer(names.vectors[mine], self.vectors)))
        if links:
            whole = with_rows(links.neighbours[mine], self.new_users.neighbours)
            voters = Voters(
                Pairs(*(np.concatenate(p) for p in zip(_ends(links.voters.linked), _ends(linked), strict=True))),
                np.concatenate([links.voters.strengths, strengths]),
            )
            links = replace(links, neighbours=_put(links.neighbours, mine, whole), voters=voters)
        assignment = replace(state.assignment, left_scaling=scaling[0], right_scaling=scaling[1])
        probability = state.probability and with_joined(state.probability, mine, new)
        learned = state.learned
        if learned and self._learned and mine == 0:
            learned = replace(learned, expected=longer(learned.expected, self._learned.rows))
        return replace(state, names=names, links=links, assignment=assignment, probability=probability, learned=learned)

    def _names(
        self, names: NameState, mine: PackedNames, rows: Ints, others: tuple[Network, Prepared | None]
    ) -> Channel:
        """Weighted n-grams of all names of a user, exactly."""
        weighting = ChannelWeight(EvidenceSource.NAMES, "", "", names.weight, "")
        if others[1] is not None and self._asked:
            versions = find_versions_of(mine.marks, self._asked.owned, self._asked.weights, len(self.new_users))
            return others[1].name_channel(weighting, (versions, self._asked.owned.buckets), names.space, rows)
        owned = own_names(others[0], names.weights[self.other])
        both = mine.beside(PackedNames.of(owned, names.rules, names.space.grams, mine.families))
        owned_rows, weights = both.rows(names.space)
        own = owned_rows.sums(weights, 0, mine.n_users), owned_rows.sums(weights, mine.n_users, both.n_users)
        return NameChannel(weighting, *own, versions=find_both_versions(both.marks, owned_rows, weights, own))

    def _attribute(self, attribute: AttributeState, rows: Ints, others: Network, prepared: Prepared | None) -> Channel:
        mine = _attribute_rows(self.new_users.network, attribute, self.mine)
        encoder, predicate = attribute.encoder, attribute.predicates[self.other]
        found = prepared.texts(predicate, rows) if prepared and isinstance(encoder, GramSpace) else None
        if not mine.any():
            theirs = np.zeros((len(rows), mine.shape[1]), np.float32)
        elif found is not None and isinstance(encoder, GramSpace):
            sums = sum_by_owner(found[0], encoder.encode_packed(found[1]), len(rows))
            theirs = without_mean(sums, attribute.mean)
        else:
            theirs = _attribute_rows(others, attribute, self.other)
        return _channel(EvidenceSource.ATTRIBUTE, attribute.weight, mine, theirs, attribute.predicates)

    def _links(self, links: LinkState, rows: Ints) -> list[Channel]:
        """The neighbours' names, and the linked neighbours in common."""
        channels = []
        theirs = pick_sparse(links.neighbours[self.other], rows)
        if links.hop_weight > 0 and self.state.names:
            stored, new = self.state.names.vectors, self.vectors.astype(np.float16)
            ends = links.neighbours[self.other].indptr
            hops = [
                propagate_rows(self.new_users.neighbours, self._degrees_of, [*stored[self.mine], new]),
                propagate_rows(theirs, lambda some: ends[some + 1] - ends[some], stored[self.other]),
            ]
            mine, others = (without_mean(hop, links.hop_mean) for hop in hops)
            channels.append(_channel(EvidenceSource.NEIGHBOURS, links.hop_weight, mine, others))
        if links.vote_weight > 0 and self._voters:
            votes = self._voters.votes(self.new_users.neighbours, self.mine), self._voters.votes(theirs, self.other)
            channels.append(_channel(EvidenceSource.VOTES, links.vote_weight, *votes))
        return channels

    def _proposed(self, links: LinkState, index: VoterIndex) -> tuple[Ints, Ints]:
        """For each new user those of the other side with the most votes; busy voters propose nobody."""
        votes, partners = index.votes(self.new_users.neighbours, self.mine), _ends(links.voters.linked)[self.other]
        return index.propose(votes, partners, links.neighbours[self.other], self.other, PROPOSED)

    def _degrees_of(self, rows: Ints) -> Ints:
        """How many neighbours some users of the new users' side have, the new ones being counted."""
        links, near = self.state.links, self.new_users.neighbours
        ends = links.neighbours[self.mine].indptr if links else np.zeros(1, np.int64)
        n_old, degrees = len(ends) - 1, np.empty(len(rows), np.int64)
        old = rows < n_old
        linked = np.sort(near.indices)
        met = np.searchsorted(linked, rows[old], "right") - np.searchsorted(linked, rows[old], "left")
        degrees[old] = ends[rows[old] + 1] - ends[rows[old]] + met
        degrees[~old] = np.diff(near.indptr)[rows[~old] - n_old]
        return degrees


def index_voters(links: LinkState) -> VoterIndex:
    """The voters of a state by the users in them."""
    return VoterIndex.of(links.neighbours, links.voters.linked, links.voters.strengths)


def _attribute_rows(network: Network, attribute: AttributeState, side: int) -> Floats:
    held = network.attributes.get(attribute.predicates[side])
    if held is None or not len(held.rows):
        return np.zeros((len(network), len(attribute.mean)), np.float32)
    return without_mean(sum_by_owner(held.rows, attribute.encoder.encode(held.objects), len(network)), attribute.mean)


def _channel(
    source: EvidenceSource,
    weight: float,
    left: Floats | csr_matrix,
    right: Floats | csr_matrix,
    predicates: tuple[str, str] = ("", ""),
) -> Channel:
    return Channel(ChannelWeight(source, *predicates, weight, ""), left, right)


def _ends(pairs: Pairs) -> tuple[Ints, Ints]:
    return pairs.lefts, pairs.rights


def _put(sides: tuple[T, T], side: int, new: T) -> tuple[T, T]:
    return (new, sides[1]) if side == 0 else (sides[0], new)
