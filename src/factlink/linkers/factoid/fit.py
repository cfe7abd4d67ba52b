"""How the default linker fits: candidate pairs that grow round by round, and what is known about each."""

from collections.abc import Iterator
from copy import copy
from dataclasses import replace

import numpy as np

from factlink.candidates.inverted_index import BUDGET, Search, measure_recall, nearest_by_rare
from factlink.candidates.pairs import CandidatePairs, gather_pairs, keep_pairs, left_best, mutual_best, right_best
from factlink.candidates.top_k import nearest_both_ways
from factlink.decision.channel_weights import confident_pairs, rank_among_rivals
from factlink.decision.overrides import without_rivals
from factlink.decision.soft_assignment import Assignment
from factlink.evidence import ChannelWeight, EvidenceSource
from factlink.execution.workers import Workers
from factlink.linkers.factoid.attributes import attribute_channels
from factlink.linkers.factoid.channels import Channel, channel_shares, mean_product
from factlink.linkers.factoid.names import Names, read_names
from factlink.linkers.factoid.neighbourhood import read_neighbourhood
from factlink.linkers.factoid.probability.decoys import Breeder, Litters
from factlink.linkers.factoid.probability.learning import FEWEST, SAMPLE, Probabilities, Seen, learn_probabilities
from factlink.linkers.factoid.probability.ranking import rank_pairs
from factlink.linkers.factoid.scorer import FactoidScorer
from factlink.linkers.factoid.settings import FactoidSettings
from factlink.linkers.factoid.spreading.held_out import Grown
from factlink.linkers.factoid.spreading.spread import Spread
from factlink.linkers.factoid.spreading_steps import SpreadingSteps
from factlink.linkers.factoid.state import Origins, Voters
from factlink.linkers.factoid.votes import propose_pairs
from factlink.linkers.factoid.written.boilerplate import likely_pairs
from factlink.linkers.factoid.written.declared import Declared, believe, find_declared, raise_evidence
from factlink.linkers.factoid.written.handles import handle_channel, propose_initials
from factlink.linkers.factoid.written.name_channel import NameChannel
from factlink.linkers.known_pairs import both_pairs
from factlink.types import NO_PAIRS, Floats, Ints, Network, Pairs

KEPT = 30
"""Candidates of either side that stay after each look."""

EXACT_PAIRS = 10_000_000
"""Pairs of users up to which every left user is compared with every right one; from there on by rare n-grams alone."""

_LIKELY = 0.3  # mutual best pairs from this probability on may vote
_ALIKE = 3  # new pairs per user that the same picture may propose,
_ALIKE_PAIRS = 400_000_000  # as long as there are at most this many pairs of users
_PROPOSED = 20  # new pairs per left user that votes may propose
_RISE = 0.01  # a round that does not make the votes this much better is the last


class FactoidFit(SpreadingSteps):
    """The state of one fit: candidate pairs that grow, and the channels found so far."""

    def __init__(self, linker: FactoidSettings, left: Network, right: Network, known: Pairs, workers: Workers) -> None:
        self.linker, self.left, self.right, self.known, self.workers = linker, left, right, known, workers
        self.sizes = len(left), len(right)
        self.pairs = gather_pairs(*self.sizes, [(known.lefts, known.rights)])
        self.channels: list[Channel] = []
        self.products: list[Floats] = []  # by channel, of all pairs
        self.channel_weights: list[ChannelWeight] = []
        self.confident = known
        self.litters: Litters = {}
        self.exact = self.sizes[0] * self.sizes[1] <= EXACT_PAIRS
        self.found_by = Search("every pair", 1.0)
        self.voters = Voters(NO_PAIRS, np.empty(0, np.float32))
        self.vectors: Floats = np.zeros((sum(self.sizes), linker.dim), np.float32)
        self.origins = Origins(None, np.empty(0, np.float32), self.vectors, None)

    def run(self) -> FactoidScorer:
        fit, found = self.best_branch()
        return fit.scorer(found)

    def best_branch(self) -> "tuple[FactoidFit, Probabilities]":
        """The branch with more right links, and how likely its pairs are."""
        found = [(branch, branch.settle()) for branch in self.branches()]
        return max(found, key=lambda each: each[1].expected_links())

    def branches(self) -> "list[FactoidFit]":
        """The fit with all of its channels; where links spread, also without."""
        self.read_names()
        if self.linker.steps.declared:
            self.use_declared(find_declared(self.left, self.right))
        if self.linker.steps.handles and self.origins.names:
            self.use_handles()
        self.begin()
        if self.linker.steps.attributes:
            self.add(list(self.attribute_channels()))
        if self.linker.steps.links and self.left.links and self.right.links and not self.use_anchors():
            return self.use_links_where_they_pay()
        return [self]

    def use_links_where_they_pay(self) -> "list[FactoidFit]":
        """With spreading, and where that found something, without: where few have a partner, it misleads."""
        without, found = self.branch(), self.spread()
        self.use_links(found)
        if found is None:
            return [self]
        without.use_links(None)
        return [self, without]

    def branch(self) -> "FactoidFit":
        """The same fit, to go on another way."""
        other = copy(self)
        other.channels, other.products = list(self.channels), list(self.products)
        other.channel_weights = list(self.channel_weights)
        return other

    def settle(self) -> Probabilities:
        """How likely the pairs are by all channels found; known pairs have no rivals any more."""
        self.move_to(without_rivals(self.pairs, self.known))
        return self.probabilities(self.evidence())

    def scorer(self, found: Probabilities) -> FactoidScorer:
        """The scorer of the pairs as settled."""
        evidence = self.evidence()
        used = tuple(channel.weighting for channel in self.channels if channel.weight)
        origins = replace(self.origins, vectors=self.vectors, known=self.known, assignment=self.linker.assignment)
        return FactoidScorer(
            self.left,
            self.right,
            tuple(self.channels),
            (*used, *self.channel_weights),
            self.pairs,
            evidence,
            rank_pairs(found),
            self.assign(evidence),
            origins,
            self.found_by,
            self.voters,
        )

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
            self.search(names, weights)
            self.channel_weights += names.channel_weights(weights)
        if linker.steps.boilerplate:
            names = self.without_boilerplate(names, weights)
        self.vectors = names.vectors(weights, workers=self.workers)
        self.origins = replace(self.origins, names=names, name_weights=weights)
        if not self.exact:
            left, right = self.channels[0].left, self.channels[0].right
            self.found_by = Search("rare n-grams", measure_recall(left, right, self.pairs, linker.seed))

    def without_boilerplate(self, names: Names, weights: Floats) -> Names:
        """Names in which what likely partners do not share counts less, and the candidates scored anew."""
        channel = self.channels[0]
        assert isinstance(channel, NameChannel)
        names = names.without_boilerplate(channel, likely_pairs(self.pairs, self.products[0]))
        if self.exact:
            self.search(names, weights)
        else:
            channel = names.channel(weights)
            self.channels, self.products = [channel], [channel.products(self.pairs, self.workers)]
            self.choose_confident()
        return names

    def use_handles(self) -> None:
        """Where names meet bare handles: how people make handles, and candidates by initials."""
        channel = handle_channel(self.left, self.right, self.pairs, self.confident)
        if channel is not None:
            self.add([channel])
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
        channel = names.channel(weights)
        self.channels, self.products = [channel], [channel.products(self.pairs, self.workers)]
        budget = None if self.exact else BUDGET
        self.grow(nearest_by_rare(channel.left, channel.right, self.linker.k, budget, self.workers))
        for found in channel.propose(self.linker.k, budget, self.workers):
            self.grow(found)
        self.choose_confident()

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

    def use_links(self, found: Spread | None) -> None:
        """The neighbours' names, then rounds of votes by users already linked; those found by spreading first."""
        hood = read_neighbourhood(self.left, self.right, self.confident, self.linker.seed)
        self.origins = replace(self.origins, hood=hood)
        hop = self.weigh(hood.name_channel(self.vectors, self.workers))
        self.add([hop])
        self.channel_weights += hood.channel_weights
        if found is None:
            self.choose_confident()
        hood = replace(hood, confident=self.confident)
        n_lasting, before = len(self.channels), 0.0
        for turn in range(self.linker.rounds):
            linked, strengths = found.voters if found and not turn else self.likely()
            channel, votes = hood.vote_channel(linked, strengths)
            if channel.weight <= before:
                break
            del self.channels[n_lasting:], self.products[n_lasting:]
            self.add([channel])
            self.origins, self.voters = replace(self.origins, linked=linked), Voters(linked, strengths)
            self.grow(propose_pairs(votes, _PROPOSED, self.workers))
            self.weigh_names(channel.weight)
            if channel.weight < before + _RISE:
                break
            before = channel.weight
        if len(self.channels) > n_lasting and self.linker.steps.weights:
            self.weigh_votes()

    def weigh_votes(self) -> None:
        """Votes were weighed on confident pairs, some wrong and without any: their weight is that on the right ones.

        Once only, at the end: heavier votes make pairs without any less likely, and so votes heavier still.
        """
        places = self.pairs.places(self.confident.lefts, self.confident.rights)
        probabilities = self.assign(self.evidence()).probabilities[places[places >= 0]]
        votes, share = self.channels[-1], float(probabilities.sum()) / len(places)
        weight = votes.weight / max(share, votes.weight)
        reason = f"{votes.weighting.reason}; {share:.0%} of the confident pairs seem right"
        self.channels[-1] = votes.weighed(weight, reason)
        self.weigh_names(weight)

    def weigh_names(self, trust: float) -> None:
        """Weighs names by their rank on the confident pairs of the other channels, as far as votes have weight."""
        if self.origins.names is None or not self.linker.steps.weights or not trust:
            return
        names, confident = self.channels[0], confident_pairs(self.pairs, self.mean_product(1))
        rank = rank_among_rivals(self.pairs, self.products[0], confident)
        reason = f"MRR {rank:.3f} on pairs that the other channels are confident of"
        self.channels[0] = names.weighed(1 - trust * (1 - rank), reason)

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

    def probabilities(self, evidence: Floats) -> Probabilities:
        """How likely each pair is, by what decoys of both networks get; by fixed odds without the null model."""
        if self.walked is not None and len(self.channels) == 1:
            grown, rule = Grown(self.pairs, self.products[0], self.known), self.linker.assignment.one_to_one
            return self.walked.probabilities(grown, self.channels[0].key, one_to_one=rule)
        rng, steps = np.random.default_rng(self.linker.seed), self.linker.steps
        n_decoys = SAMPLE if steps.null_model and self.channels and min(self.sizes) >= FEWEST else 0
        search, networks = (self.linker.k, None if self.exact else BUDGET), (self.left, self.right)
        origins = self.origins
        agreements = dict(zip((channel.key for channel in self.channels), self.products, strict=True))
        if origins.declared is not None:
            agreements[EvidenceSource.DECLARED.value] = origins.declared.beliefs_in(self.pairs)
        names = origins.names, origins.name_weights
        breeder = Breeder(networks, *names, self.channels, origins.declared, self.pairs, search, self.litters)
        decoys = breeder.breed(0, n_decoys, rng), breeder.breed(1, n_decoys, rng)
        seen = Seen(self.pairs, evidence, agreements, self.known, self.linker.assignment.one_to_one)
        return learn_probabilities(seen, decoys, channel_shares(self.channels), rng)

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
