"""Further users of one network in the finished space of `factoid`: their candidates, and the evidence for each."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
from scipy.sparse import csr_matrix, vstack

from factlink.candidates.pairs import CandidatePairs, gather_pairs, keep_pairs
from factlink.candidates.top_k import nearest_stored
from factlink.embedding.propagate import propagate_rows, without_mean
from factlink.encoders.ngrams.owned_rows import sum_by_owner
from factlink.encoders.ngrams.spaces import GramSpace
from factlink.encoders.readings.written import write_out
from factlink.evidence import ChannelWeight, EvidenceSource
from factlink.linkers.factoid.channels import Channel, mean_product
from factlink.linkers.factoid.names import own_names
from factlink.linkers.factoid.new_users import NewUsers
from factlink.linkers.factoid.probability.joining import join_competition, with_joined
from factlink.linkers.factoid.state import (
    AttributeState,
    FactoidState,
    LinkState,
    NameState,
    Voters,
)
from factlink.linkers.factoid.votes import BUSY, propose_part, scaled_votes, vote_weights
from factlink.linkers.factoid.written.name_channel import NameChannel
from factlink.linkers.factoid.written.versions import find_both_versions
from factlink.protocols import Encoder
from factlink.types import Floats, Halves, Ints, Network, Pairs

T = TypeVar("T")

PROPOSED = 20
"""Candidates per new user that linked neighbours may propose."""

_MANY = 0.25  # as a share of those who were there first


class Placement:
    """Places new users; the n-gram counts that they change apply to them and to their candidates."""

    def __init__(self, state: FactoidState, new_users: NewUsers) -> None:
        self.state, self.new_users = _grown(state, new_users), new_users
        self.mine, self.other = new_users.side, 1 - new_users.side
        self.vectors = _name_vectors(self.state.names, new_users)

    def search(self, k: int, barred: Ints, n_others: int) -> CandidatePairs:
        """Pairs of a new user and a user of the other side: nearest names, and proposals of linked neighbours.

        `barred` rows of the other side are not candidates.
        """
        parts: list[tuple[Ints, Ints]] = []
        if self.state.names:
            near = nearest_stored(self.vectors, self.state.names.vectors[self.other], k)
            rows, columns = np.nonzero(near.scores > 0)
            parts.append((rows, near.rights[rows, columns]))
        if self.state.links and self.state.links.vote_weight > 0:
            parts.append(self._proposed(self.state.links))
        pairs = gather_pairs(len(self.new_users), n_others, parts)
        return keep_pairs(pairs, ~np.isin(pairs.rights, barred))

    def weigh(self, pairs: CandidatePairs, rows: Ints, others: Network) -> Floats:
        """(n_pairs,): the evidence for each pair; `others` holds the users of the other side, by `rows`."""
        near = gather_pairs(pairs.n_left, len(rows), [(pairs.lefts, np.searchsorted(rows, pairs.rights))])
        channels = [self._attribute(attribute, others) for attribute in self.state.attributes]
        if self.state.names:
            channels.append(self._names(self.state.names, others))
        if self.state.links:
            channels += self._links(self.state.links, rows)
        channels = [channel for channel in channels if channel.weight > 0]
        return mean_product(channels, (channel.products(near) for channel in channels), len(near))

    def compete(self, pairs: CandidatePairs, evidence: Floats) -> Floats | None:
        """(n_pairs,): how likely each pair of a new user is, by the model of the run; None if it has none."""
        found = self.state.probability
        if found is None:
            return None
        return found.calibration.probabilities(join_competition(found, self.mine, pairs, evidence).log_odds)

    def assigned(
        self, joined: tuple[CandidatePairs, Floats], scaling: tuple[Floats, Floats], linked: Pairs, strengths: Floats
    ) -> FactoidState:
        """The state with the new users in it: `joined` are their pairs and evidence, `linked` the links they got."""
        state, mine = self.state, self.mine
        names, links = state.names, state.links
        if names:
            names = replace(names, vectors=_put(names.vectors, mine, _longer(names.vectors[mine], self.vectors)))
        if links:
            whole = _with_rows(links.neighbours[mine], self.new_users.neighbours)
            voters = Voters(
                Pairs(*(np.concatenate(p) for p in zip(_ends(links.voters.linked), _ends(linked), strict=True))),
                np.concatenate([links.voters.strengths, strengths]),
            )
            links = replace(links, neighbours=_put(links.neighbours, mine, whole), voters=voters)
        assignment = replace(state.assignment, left_scaling=scaling[0], right_scaling=scaling[1])
        probability = state.probability and with_joined(state.probability, mine, *joined)
        return FactoidState(names, state.attributes, links, assignment, probability)

    def _names(self, names: NameState, others: Network) -> Channel:
        """Weighted n-grams of all names of a user, exactly."""
        mine, theirs = (
            own_names(network, names.weights[side])
            for network, side in ((self.new_users.network, self.mine), (others, self.other))
        )
        both = mine.beside(theirs)
        written, rows, weights = both.rows(names.space, names.rules)
        own = rows.sums(weights, 0, mine.n_users), rows.sums(weights, mine.n_users, both.n_users)
        weighting = ChannelWeight(EvidenceSource.NAMES, "", "", names.weight, "")
        return NameChannel(weighting, *own, versions=find_both_versions(written, rows, weights, own))

    def _attribute(self, attribute: AttributeState, others: Network) -> Channel:
        networks = ((self.new_users.network, self.mine), (others, self.other))
        rows = [
            _attribute_rows(network, attribute.predicates[side], attribute.encoder, attribute.mean)
            for network, side in networks
        ]
        return _channel(EvidenceSource.ATTRIBUTE, attribute.weight, *rows)

    def _links(self, links: LinkState, rows: Ints) -> list[Channel]:
        """The neighbours' names, and the linked neighbours in common."""
        channels = []
        theirs = links.neighbours[self.other]
        if links.hop_weight > 0 and self.state.names:
            stored, new = self.state.names.vectors, self.vectors.astype(np.float16)
            hops = [
                propagate_rows(self.new_users.neighbours, self._degrees(links), [*stored[self.mine], new]),
                propagate_rows(theirs[rows], np.diff(theirs.indptr), stored[self.other]),
            ]
            centred = (without_mean(hop, links.hop_mean) for hop in hops)
            channels.append(_channel(EvidenceSource.NEIGHBOURS, links.hop_weight, *centred))
        if links.vote_weight > 0:
            votes = (
                self._votes(links, self.new_users.neighbours, self.mine),
                self._votes(links, theirs[rows], self.other),
            )
            channels.append(_channel(EvidenceSource.VOTES, links.vote_weight, *votes))
        return channels

    def _votes(self, links: LinkState, neighbours: csr_matrix, side: int) -> csr_matrix:
        """(n_rows, n_linked): the linked neighbours of some users of a side."""
        return scaled_votes(neighbours[:, _ends(links.voters.linked)[side]].tocsr(), self._vote_weights(links))

    def _vote_weights(self, links: LinkState) -> Floats:
        sizes = links.neighbours[0].shape[0], links.neighbours[1].shape[0]
        return vote_weights(_linked_degrees(links), sizes, links.voters.strengths)

    def _proposed(self, links: LinkState) -> tuple[Ints, Ints]:
        """For each new user those of the other side with the most votes; busy voters propose nobody."""
        left, right = _linked_degrees(links)
        votes = self._votes(links, self.new_users.neighbours, self.mine)
        voters = np.unique(votes.indices)
        voters = voters[(left[voters] <= BUSY) & (right[voters] <= BUSY)]
        neighbours = links.neighbours[self.other]
        rows = np.unique(neighbours[_ends(links.voters.linked)[self.other][voters]].indices)
        theirs = self._votes(links, neighbours[rows], self.other)[:, voters]
        counts, proposed = propose_part(votes[:, voters], theirs.T.tocsr(), PROPOSED)
        return np.repeat(np.arange(len(self.new_users)), counts), rows[proposed]

    def _degrees(self, links: LinkState) -> Ints:
        """How many neighbours everybody on the new users' side has, the new users last."""
        old = np.diff(links.neighbours[self.mine].indptr)
        more = np.bincount(self.new_users.neighbours.indices, minlength=self.new_users.neighbours.shape[1])
        more[len(old) :] = np.diff(self.new_users.neighbours.indptr)
        more[: len(old)] += old
        return more


def _grown(state: FactoidState, new_users: NewUsers) -> FactoidState:
    """The state with the new users' strings counted."""
    names = state.names
    if names:
        objects = own_names(new_users.network, names.weights[new_users.side]).objects
        names = replace(names, space=names.space.grown(write_out(objects, names.rules).all_texts))
    attributes = [replace(attribute, encoder=_grown_encoder(attribute, new_users)) for attribute in state.attributes]
    return replace(state, names=names, attributes=tuple(attributes))


def _grown_encoder(attribute: AttributeState, new_users: NewUsers) -> Encoder:
    held = new_users.network.attributes.get(attribute.predicates[new_users.side])
    if held is None or not isinstance(attribute.encoder, GramSpace):
        return attribute.encoder
    return attribute.encoder.grown(held.objects)


def _name_vectors(names: NameState | None, new_users: NewUsers) -> Floats:
    """(n_new, dim): where the new users' names are."""
    if names is None:
        return np.zeros((len(new_users), 0), np.float32)
    owned = own_names(new_users.network, names.weights[new_users.side])
    _, rows, weights = owned.rows(names.space, names.rules)
    return rows.vectors(np.arange(owned.n_users), weights, names.space.mean, names.space.seed)


def _attribute_rows(network: Network, predicate: str, encoder: Encoder, mean: Floats) -> Floats:
    held = network.attributes.get(predicate)
    if held is None or not len(held.rows):
        return np.zeros((len(network), len(mean)), np.float32)
    return without_mean(sum_by_owner(held.rows, encoder.encode(held.objects), len(network)), mean)


def _channel(source: EvidenceSource, weight: float, left: Floats | csr_matrix, right: Floats | csr_matrix) -> Channel:
    return Channel(ChannelWeight(source, "", "", weight, ""), left, right)


def _linked_degrees(links: LinkState) -> tuple[Ints, Ints]:
    """How many neighbours both ends of every voting pair have."""
    ends = _ends(links.voters.linked)
    left, right = (np.diff(matrix.indptr)[rows] for matrix, rows in zip(links.neighbours, ends, strict=True))
    return left, right


def _ends(pairs: Pairs) -> tuple[Ints, Ints]:
    return pairs.lefts, pairs.rights


def _put(sides: tuple[T, T], side: int, new: T) -> tuple[T, T]:
    return (new, sides[1]) if side == 0 else (sides[0], new)


def _longer(stored: Sequence[Halves], new: Floats) -> Sequence[Halves]:
    """Vectors with the new users' behind them; those of earlier users are moved only when the new are many."""
    first, *later = stored
    added = np.concatenate([*later, new.astype(np.float16)])
    return [first, added] if len(added) < _MANY * len(first) else [np.concatenate([first, added])]


def _with_rows(neighbours: csr_matrix, new: csr_matrix) -> csr_matrix:
    """The symmetric matrix with the new users' rows and columns."""
    n_old, n_all = neighbours.shape[0], new.shape[1]
    old = csr_matrix((neighbours.data, neighbours.indices, neighbours.indptr), shape=(n_old, n_all), copy=False)
    whole = vstack([old, new], format="csr")
    if not new.nnz:
        return whole
    known = new[:, :n_old].T.tocsr()  # (n_old, n_new)
    coo = known.tocoo()
    back = csr_matrix((coo.data, (coo.row, coo.col + n_old)), shape=(n_all, n_all))
    return (whole + back).tocsr()
