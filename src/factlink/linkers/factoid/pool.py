"""Candidate pairs that grow, and the channels that say how far the two of each agree."""

from collections.abc import Iterator

import numpy as np

from factlink.candidates.pairs import CandidatePairs, gather_pairs, keep_pairs, left_best, mutual_best, right_best
from factlink.candidates.top_k import nearest_both_ways
from factlink.decision.channel_weights import confident_pairs
from factlink.decision.soft_assignment import Assignment
from factlink.evidence import ChannelWeight
from factlink.execution.workers import Workers
from factlink.linkers.factoid.channels.attributes import attribute_channels
from factlink.linkers.factoid.channels.channel import Channel, mean_product
from factlink.linkers.factoid.settings import FactoidSettings
from factlink.linkers.factoid.state.state import Origins
from factlink.linkers.factoid.written.declared import raise_evidence
from factlink.linkers.known_pairs import both_pairs
from factlink.types import Floats, Ints, Network, Pairs

KEPT = 30
"""Candidates of either side that stay after each look."""

_LIKELY = 0.3  # mutual best pairs from this probability on may vote
_ALIKE = 3  # new pairs per user that the same picture may propose,
_ALIKE_PAIRS = 400_000_000  # as long as there are at most this many pairs of users


class CandidatePool:
    """The candidates of a fit, with what each channel found so far says of them."""

    def __init__(self, linker: FactoidSettings, left: Network, right: Network, known: Pairs, workers: Workers) -> None:
        self.linker, self.left, self.right, self.known, self.workers = linker, left, right, known, workers
        self.sizes = len(left), len(right)
        self.pairs = gather_pairs(*self.sizes, [(known.lefts, known.rights)])
        self.channels: list[Channel] = []
        self.products: list[Floats] = []  # by channel, of all pairs
        self.channel_weights: list[ChannelWeight] = []
        self.confident = known
        self.vectors: Floats = np.zeros((sum(self.sizes), linker.dim), np.float32)
        self.origins = Origins(None, np.empty(0, np.float32), self.vectors, None)

    def choose_confident(self) -> None:
        """Confident pairs are the known ones, and those that all channels so far agree on."""
        self.confident = both_pairs(self.known, confident_pairs(self.pairs, self.evidence()))

    def attribute_channels(self) -> Iterator[Channel]:
        """The channels of all predicates other than names."""
        linker = self.linker
        return attribute_channels(self.left, self.right, self.confident, linker.seed, self.workers, linker.text_model)

    def add(self, channels: list[Channel]) -> None:
        """Takes the channels that count something."""
        for channel in map(self.weigh, channels):
            if channel.weight > 0:
                self.channels.append(channel)
                self.products.append(channel.products(self.pairs, self.workers))
                if channel.least > 0 and self.sizes[0] * self.sizes[1] <= _ALIKE_PAIRS:
                    self.grow(nearest_both_ways(channel.left, channel.right, _ALIKE, self.workers))
            else:
                self.channel_weights.append(channel.weighting)

    def weigh(self, channel: Channel) -> Channel:
        """The channel as it is; counting 1 if the linker may not learn weights."""
        if self.linker.steps.weights:
            return channel
        return channel.weighed(1.0, "weights are not learned")

    def likely(self) -> tuple[Pairs, Floats]:
        """Mutual best pairs that are likely, and how likely; known pairs are among them."""
        probabilities = self.assign(self.evidence()).probabilities
        mutual = mutual_best(self.pairs, probabilities)
        mutual = mutual[probabilities[mutual] > _LIKELY]
        return Pairs(self.pairs.lefts[mutual], self.pairs.rights[mutual]), probabilities[mutual]

    def evidence(self) -> Floats:
        """The weighted mean of the channels; known pairs are beyond doubt."""
        evidence = self.mean_product()
        if self.origins.declared is not None:
            evidence = raise_evidence(evidence, self.origins.declared.beliefs_in(self.pairs))
        known = self.pairs.places(self.known.lefts, self.known.rights)
        evidence[known[known >= 0]] = 1.0
        return evidence

    def mean_product(self, first: int = 0) -> Floats:
        """(n_pairs,): the weighted mean of the channels from one on."""
        return mean_product(self.channels[first:], self.products[first:], len(self.pairs))

    def assign(self, evidence: Floats) -> Assignment:
        return self.linker.assignment.assign(self.pairs, evidence, self.workers)

    def grow(self, found: tuple[Ints, Ints]) -> None:
        """Adds pairs, and keeps the best of either side."""
        self.move_to(gather_pairs(*self.sizes, [(self.pairs.lefts, self.pairs.rights), found]))
        evidence = self.evidence()
        best = left_best(self.pairs, evidence, KEPT)[1] | right_best(self.pairs, evidence, KEPT)[1]
        self.move_to(keep_pairs(self.pairs, best))

    def move_to(self, pairs: CandidatePairs) -> None:
        """Other pairs; products are worked out only for those that are new."""
        before = self.pairs.places(pairs.lefts, pairs.rights)
        old = before >= 0
        new = Pairs(pairs.lefts[~old], pairs.rights[~old])
        for place, channel in enumerate(self.channels):
            products = np.empty(len(pairs), np.float32)
            products[old] = self.products[place][before[old]]
            products[~old] = channel.products(new, self.workers)
            self.products[place] = products
        self.pairs = pairs
