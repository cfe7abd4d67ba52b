"""The steps of a fit that read names: candidates by the n-grams that names share, handles and declared links."""

from dataclasses import replace

import numpy as np

from factlink.candidates.inverted_index import BUDGET, Search, measure_recall, nearest_by_rare
from factlink.execution.workers import Workers
from factlink.linkers.factoid.pool import CandidatePool
from factlink.linkers.factoid.settings import FactoidSettings
from factlink.linkers.factoid.written.declared import Declared, believe
from factlink.linkers.factoid.written.handles import HandleChannel, handle_channel, propose_initials
from factlink.linkers.factoid.written.name_channel import NameChannel
from factlink.linkers.factoid.written.names import Names, read_names
from factlink.types import Floats, Network, Pairs

EXACT_PAIRS = 10_000_000
"""Pairs of users up to which every left user is compared with every right one; from there on by rare n-grams alone."""

_MISLEADING = 0.5  # a name column that counts less than this misled the search


class NameSteps(CandidatePool):
    """A pool of candidates with names to find them by."""

    def __init__(self, linker: FactoidSettings, left: Network, right: Network, known: Pairs, workers: Workers) -> None:
        super().__init__(linker, left, right, known, workers)
        self.exact = self.sizes[0] * self.sizes[1] <= EXACT_PAIRS
        self.found_by = Search("every pair", 1.0)

    def read_names(self) -> None:
        """Candidates and the first channel from names; confident pairs from them."""
        linker = self.linker
        names = read_names(self.left, self.right, linker.dim, linker.seed, self.workers, readings=linker.steps.readings)
        if names is None:
            return
        weights = np.ones(len(names.predicates), np.float32)
        self.search(names, weights)
        if linker.steps.weights and len(names.predicates) > 2:
            weights = names.weights(self.confident, linker.seed)
            self.channel_weights += names.channel_weights(weights)
            if weights.min() < _MISLEADING:
                self.search(names, weights)
            else:
                self.score_names(names, weights)
        self.vectors = names.vectors(weights, workers=self.workers)
        self.origins = replace(self.origins, names=names, name_weights=weights)
        if not self.exact:
            left, right = self.channels[0].left, self.channels[0].right
            self.found_by = Search("rare n-grams", measure_recall(left, right, self.pairs, linker.seed))

    def use_handles(self) -> None:
        """Where there are bare handles: how people make them of names and of each other, and candidates by initials."""
        channel = handle_channel(self.left, self.right, self.pairs, self.confident)
        if channel is not None:
            self.add([channel])
            if isinstance(channel, HandleChannel):
                self.grow(propose_initials(self.left, self.right, channel.names_left))
            self.choose_confident()

    def use_declared(self, declared: Declared) -> None:
        """Declared pairs are candidates, and as likely as such declarations are right here."""
        if len(declared):
            links = believe(declared, self.sizes, self.confident)
            self.origins = replace(self.origins, declared=links)
            self.channel_weights.append(links.weighting)
            self.grow((declared.pairs.lefts, declared.pairs.rights))
            self.choose_confident()

    def search(self, names: Names, weights: Floats) -> None:
        """Candidates by the n-grams that names share, scored exactly."""
        channel = self.score_names(names, weights)
        k, budget = self.linker.k, None if self.exact else BUDGET
        self.grow(nearest_by_rare(channel.left, channel.right, k, budget, self.workers))
        for found in channel.propose(k, budget, self.workers):
            self.grow(found)
        self.choose_confident()

    def score_names(self, names: Names, weights: Floats) -> NameChannel:
        """The candidates so far by names alone, columns weighed anew."""
        self.channels, self.products = [], []  # the rows of an earlier channel need not stay while new ones are made
        channel = names.channel(weights)
        self.channels, self.products = [channel], [channel.products(self.pairs, self.workers)]
        self.choose_confident()
        return channel
