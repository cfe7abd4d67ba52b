"""Evidence from links: the neighbours' names, and the votes of linked neighbours."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix

from factlink.decision.channel_weights import SLIGHT, edge_overlaps, rank_confident_pairs
from factlink.embedding.propagate import mean_row, neighbour_matrix, propagate, without_mean
from factlink.evidence import ChannelWeight, EvidenceSource
from factlink.execution.workers import HERE, Workers
from factlink.linkers.factoid.channels.channel import Channel
from factlink.linkers.factoid.channels.votes import Votes, cast_votes
from factlink.types import Floats, Ints, Network, Pairs

LinkWeight = tuple[str, float, str]
"""A link predicate, its weight, and why."""


@dataclass(frozen=True, slots=True, eq=False)
class Neighbourhood:
    """Who is whose neighbour in both networks, links weighed by their edge overlap with the other network."""

    left: csr_matrix  # (n_left, n_left)
    right: csr_matrix  # (n_right, n_right)
    confident: Pairs
    channel_weights: tuple[ChannelWeight, ...]  # of the link predicates that have a weight of their own
    weights: tuple[Mapping[str, float], Mapping[str, float]]  # of the two networks' link predicates
    seed: int

    def name_channel(self, vectors: Floats, workers: Workers = HERE) -> Channel:
        """The mean of the neighbours' vectors, one hop away."""
        n_left = self.left.shape[0]
        left = propagate(self.left, vectors[:n_left], workers)
        right = propagate(self.right, vectors[n_left:], workers)
        mean = mean_row(left, right, workers=workers)
        without_mean(left, mean, workers)
        without_mean(right, mean, workers)
        ranking = rank_confident_pairs(left, right, self.confident, self.seed)
        return Channel(
            ChannelWeight(EvidenceSource.NEIGHBOURS, "", "", ranking.weight, ranking.reason), left, right, mean=mean
        )

    def vote_channel(self, linked: Pairs, strengths: Floats) -> tuple[Channel, Votes]:
        """The linked neighbours that two users have in common."""
        votes = cast_votes(self.left, self.right, linked, strengths)
        ranking = rank_confident_pairs(votes.left, votes.right, self.confident, self.seed)
        weighting = ChannelWeight(EvidenceSource.VOTES, "", "", ranking.weight, ranking.reason)
        return Channel(weighting, votes.left, votes.right), votes


def read_neighbourhood(left: Network, right: Network, confident: Pairs, seed: int) -> Neighbourhood:
    """Neighbours over all link predicates; a predicate whose links overlap no more than by chance counts nothing."""
    plain = [_matrix(network, np.ones(len(network.links), np.float32)) for network in (left, right)]
    partners = [
        _partners(len(left), confident.lefts, confident.rights),
        _partners(len(right), confident.rights, confident.lefts),
    ]
    sides = ((left, partners[0], plain[1]), (right, partners[1], plain[0]))
    found = [_link_weights(*side, seed) for side in sides]
    weights = [weight for weight, _ in found]
    matrices = [_matrix(network, weight) for network, weight in zip((left, right), weights, strict=True)]
    by_predicate = [
        dict(zip(network.links, weight.tolist(), strict=True))
        for network, weight in zip((left, right), weights, strict=True)
    ]
    channel_weights = [
        ChannelWeight(EvidenceSource.LINK_PREDICATE, predicate, "", weight, reason)
        for predicate, weight, reason in found[0][1]
    ]
    channel_weights += [
        ChannelWeight(EvidenceSource.LINK_PREDICATE, "", predicate, weight, reason)
        for predicate, weight, reason in found[1][1]
    ]
    return Neighbourhood(
        matrices[0], matrices[1], confident, tuple(channel_weights), (by_predicate[0], by_predicate[1]), seed
    )


def _link_weights(network: Network, partners: Ints, other: csr_matrix, seed: int) -> tuple[Floats, list[LinkWeight]]:
    """√ of each predicate's edge overlap above chance, 1 for the best; and each predicate with its weight and why."""
    rates, chance = edge_overlaps(list(network.links.values()), partners, other, seed)
    above = np.maximum(rates - chance, 0)
    above[above < SLIGHT * above.max(initial=0)] = 0
    weights = np.sqrt(above / above.max()) if above.any() else np.ones(len(rates), np.float32)
    listed = [
        (predicate, float(weight), f"{rate:.0%} of its links are in the other network too, {by:.0%} by chance")
        for predicate, weight, rate, by in zip(network.links, weights, rates, chance, strict=True)
    ]
    return weights.astype(np.float32), listed


def _matrix(network: Network, weights: Floats) -> csr_matrix:
    links = list(network.links.values())
    values = [follows.weights * weight for follows, weight in zip(links, weights, strict=True)]
    return neighbour_matrix(len(network), links, values)


def _partners(n_users: int, users: Ints, partners: Ints) -> Ints:
    partner_of = np.full(n_users, -1, np.int64)
    partner_of[users] = partners
    return partner_of
