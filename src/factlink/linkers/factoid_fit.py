"""How the default linker fits: candidate pairs that grow round by round, and what is known about each."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from factlink.errors import InputError
from factlink.linkers.channels import Channel, Names, attribute_channels, read_names
from factlink.linkers.factoid_scorer import FactoidScorer
from factlink.linkers.known_pairs import both_pairs
from factlink.linkers.memory import Voters
from factlink.linkers.neighbourhood import Neighbourhood, read_neighbourhood
from factlink.linkers.parts.factoid_parts import Origins
from factlink.matching.assign import Assignment, Crowds
from factlink.matching.neighbours import nearest_both_ways
from factlink.matching.overrides import without_rivals
from factlink.matching.pairs import (
    CandidatePairs,
    gather_pairs,
    keep_pairs,
    left_best,
    mutual_best,
    right_best,
)
from factlink.matching.postings import BUDGET, Search, measure_recall, nearest_by_rare
from factlink.matching.strangers import NameEvidence, Strangers, measure_strangers
from factlink.matching.votes import propose_pairs
from factlink.matching.worth import Worth, rank_among_rivals, sure_pairs
from factlink.types import NO_PAIRS, Floats, Ints, Network, Pairs
from factlink.workers import Workers

if TYPE_CHECKING:
    from factlink.linkers.factoid import FactoidLinker

KEPT = 30
"""Candidates of either side that stay after each look."""

EXACT_PAIRS = 10_000_000
"""Pairs of users up to which every left user is compared with every right one; from there on by rare n-grams alone."""

_LIKELY = 0.3  # mutual best pairs from this probability on may vote
_ALIKE = 3  # new pairs per user that the same picture may propose,
_ALIKE_PAIRS = 400_000_000  # as long as there are no more pairs of users to look through
_PROPOSED = 20  # new pairs per left user that votes may propose
_RISE = 0.01  # a round that does not make the votes this much better is the last


class FactoidFit:
    """The state of one fit: candidate pairs that grow, and the channels found so far."""

    def __init__(self, linker: "FactoidLinker", left: Network, right: Network, known: Pairs, workers: Workers) -> None:
        self.linker, self.left, self.right, self.known, self.workers = linker, left, right, known, workers
        self.sizes = len(left), len(right)
        self.pairs = gather_pairs(*self.sizes, [(known.lefts, known.rights)])
        self.channels: list[Channel] = []
        self.products: list[Floats] = []  # by channel, of all pairs
        self.worths: list[Worth] = []
        self.sure = known
        self.exact = self.sizes[0] * self.sizes[1] <= EXACT_PAIRS
        self.found_by = Search("every pair", 1.0)
        self.strangers: Strangers | None = None
        self.voters = Voters(NO_PAIRS, np.empty(0, np.float32))
        self.vectors: Floats = np.zeros((sum(self.sizes), linker.dim), np.float32)
        self.origins = Origins(None, np.empty(0, np.float32), self.vectors, None)

    def run(self) -> FactoidScorer:
        self.read_names()
        if not len(self.sure):
            raise InputError(
                f"networks '{self.left.name}' and '{self.right.name}' have no names and no known pairs in common to "
                "start from; set a column's kind (--kind COLUMN=name) or give known pairs (--known)"
            )
        if self.linker.steps.attributes:
            self.add(list(self.attribute_channels()))
        if self.linker.steps.links and self.left.links and self.right.links:
            self.use_links(read_neighbourhood(self.left, self.right, self.sure, self.linker.seed))
        self.move_to(without_rivals(self.pairs, self.known))
        evidence = self.evidence()
        worths = tuple(channel.worth for channel in self.channels if channel.worth.weight) + tuple(self.worths)
        origins = replace(self.origins, vectors=self.vectors, known=self.known, assignment=self.linker.assignment)
        crowds, channels = self.crowds(evidence), tuple(self.channels)
        assignment = self.linker.assignment.assign(self.pairs, evidence, crowds, self.workers)
        return FactoidScorer(
            self.left,
            self.right,
            channels,
            worths,
            self.pairs,
            evidence,
            crowds,
            assignment,
            self.linker.assignment.rank(self.pairs, evidence, assignment),
            origins,
            self.found_by,
            self.voters,
        )

    def read_names(self) -> None:
        """Candidates and the first channel from names; sure pairs from them."""
        linker = self.linker
        names = read_names(self.left, self.right, linker.dim, linker.seed, self.workers)
        if names is None:
            return
        weights = np.ones(len(names.predicates), np.float32)
        self.search(names, weights)
        if linker.steps.worth and len(names.predicates) > 2:
            weights = names.weights(self.sure, linker.seed)
            self.search(names, weights)
            self.worths += names.worths(weights)
        self.vectors = names.vectors(weights, workers=self.workers)
        self.origins = replace(self.origins, names=names, name_weights=weights)
        rows = self.channels[0].left, self.channels[0].right
        if linker.steps.strangers:
            self.strangers = measure_strangers(*rows, None if self.exact else BUDGET, linker.seed)
        if not self.exact:
            self.found_by = Search("rare n-grams", measure_recall(*rows, self.pairs, linker.seed))

    def search(self, names: Names, weights: Floats) -> None:
        """Candidates by the n-grams that names share, scored exactly."""
        channel = names.channel(weights)
        self.channels, self.products = [channel], [channel.products(self.pairs, self.workers)]
        budget = None if self.exact else BUDGET
        self.grow(nearest_by_rare(channel.left, channel.right, self.linker.k, budget, self.workers))
        self.choose_sure()

    def choose_sure(self) -> None:
        """Sure are known pairs, and those that all channels so far agree on."""
        self.sure = both_pairs(self.known, sure_pairs(self.pairs, self.evidence()))

    def attribute_channels(self) -> Iterator[Channel]:
        """What further predicates say."""
        linker = self.linker
        return attribute_channels(self.left, self.right, self.sure, linker.seed, self.workers, linker.text_model)

    def add(self, channels: list[Channel]) -> None:
        """Takes the channels that are worth something."""
        for channel in map(self.weigh, channels):
            if channel.worth.weight > 0:
                self.channels.append(channel)
                self.products.append(channel.products(self.pairs, self.workers))
                if channel.least > 0 and self.sizes[0] * self.sizes[1] <= _ALIKE_PAIRS:
                    self.grow(nearest_both_ways(channel.left, channel.right, _ALIKE, self.workers))
            else:
                self.worths.append(channel.worth)

    def weigh(self, channel: Channel) -> Channel:
        """The channel as it is; counting 1 if the linker may not learn weights."""
        if self.linker.steps.worth:
            return channel
        return replace(channel, worth=replace(channel.worth, weight=1.0, reason="weights are not learned"))

    def use_links(self, hood: Neighbourhood) -> None:
        """The neighbours' names, then rounds of votes by users already linked."""
        self.origins = replace(self.origins, hood=hood)
        hop = self.weigh(hood.name_channel(self.vectors, self.workers))
        self.add([hop])
        self.worths += hood.worths
        self.choose_sure()
        hood = replace(hood, sure=self.sure)
        n_lasting, before = len(self.channels), 0.0
        for _ in range(self.linker.rounds):
            linked, strengths = self.likely()
            channel, votes = hood.vote_channel(linked, strengths)
            if channel.worth.weight <= before:
                break
            del self.channels[n_lasting:], self.products[n_lasting:]
            self.add([channel])
            self.origins, self.voters = replace(self.origins, linked=linked), Voters(linked, strengths)
            self.grow(propose_pairs(votes, _PROPOSED, self.workers))
            self.weigh_names(channel.worth.weight)
            if channel.worth.weight < before + _RISE:
                break
            before = channel.worth.weight
        if len(self.channels) > n_lasting and self.linker.steps.worth:
            self.weigh_votes()

    def weigh_votes(self) -> None:
        """Votes were asked on sure pairs, some of which are wrong and find none: their worth is that on the right ones.

        Once only, at the end: heavier votes make pairs without any less likely, and so votes heavier still.
        """
        places = self.pairs.places(self.sure.lefts, self.sure.rights)
        probabilities = self.assign(self.evidence()).probabilities[places[places >= 0]]
        votes, share = self.channels[-1], float(probabilities.sum()) / len(places)
        weight = votes.worth.weight / max(share, votes.worth.weight)
        reason = f"{votes.worth.reason}; {share:.0%} of the sure pairs seem right"
        self.channels[-1] = replace(votes, worth=replace(votes.worth, weight=weight, reason=reason))
        self.weigh_names(weight)

    def weigh_names(self, trust: float) -> None:
        """Names count what they are worth on the pairs that all else is sure of, as far as votes are to be trusted."""
        if self.origins.names is None or not self.linker.steps.worth or not trust:
            return
        names, sure = self.channels[0], sure_pairs(self.pairs, self.mean_product(1))
        rank = rank_among_rivals(self.pairs, self.products[0], sure)
        reason = f"MRR {rank:.3f} on pairs that all else is sure of"
        self.channels[0] = replace(names, worth=replace(names.worth, weight=1 - trust * (1 - rank), reason=reason))

    def likely(self) -> tuple[Pairs, Floats]:
        """Mutual best pairs that are likely, and how likely; known pairs are among them."""
        probabilities = self.assign(self.evidence()).probabilities
        mutual = mutual_best(self.pairs, probabilities)
        mutual = mutual[probabilities[mutual] > _LIKELY]
        return Pairs(self.pairs.lefts[mutual], self.pairs.rights[mutual]), probabilities[mutual]

    def evidence(self) -> Floats:
        """The weighted mean of the channels; known pairs are beyond doubt."""
        evidence = self.mean_product()
        known = self.pairs.places(self.known.lefts, self.known.rights)
        evidence[known[known >= 0]] = 1.0
        return evidence

    def mean_product(self, first: int = 0) -> Floats:
        """(n_pairs,): the weighted mean of the channels from one on."""
        total = sum(channel.worth.weight for channel in self.channels[first:])
        mean = np.zeros(len(self.pairs), np.float32)
        for channel, products in zip(self.channels[first:], self.products[first:], strict=True):
            mean += np.float32(channel.worth.weight / total) * products
        return mean

    def assign(self, evidence: Floats) -> Assignment:
        return self.linker.assignment.assign(self.pairs, evidence, self.crowds(evidence), self.workers)

    def crowds(self, evidence: Floats) -> Crowds | None:
        """Whom strangers resemble, by their names."""
        if self.strangers is None:
            return None
        weights = [channel.worth.weight for channel in self.channels]
        names = NameEvidence(self.products[0], weights[0] / sum(weights))
        return self.strangers.crowds(self.pairs, evidence, names, self.linker.assignment)

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
