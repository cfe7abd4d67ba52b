"""How the default linker fits: candidate pairs that grow round by round, and what is known about each."""

from collections.abc import Iterator
from copy import copy
from dataclasses import replace

import numpy as np

from factlink.candidates.inverted_index import BUDGET
from factlink.decision.channel_weights import confident_pairs, rank_among_rivals
from factlink.decision.overrides import without_rivals
from factlink.evidence import EvidenceSource
from factlink.execution.workers import Workers
from factlink.linkers.factoid.channels.channel import channel_shares
from factlink.linkers.factoid.channels.neighbourhood import read_neighbourhood
from factlink.linkers.factoid.channels.votes import propose_pairs
from factlink.linkers.factoid.probability.decoys import Breeder, Litters
from factlink.linkers.factoid.probability.learning import FEWEST, SAMPLE, Probabilities, Seen, learn_probabilities
from factlink.linkers.factoid.probability.ranking import rank_pairs
from factlink.linkers.factoid.scorer import FactoidScorer
from factlink.linkers.factoid.settings import FactoidSettings
from factlink.linkers.factoid.spreading.held_out import Grown
from factlink.linkers.factoid.spreading.spread import Spread
from factlink.linkers.factoid.spreading_steps import SpreadingSteps
from factlink.linkers.factoid.state.state import Voters
from factlink.linkers.factoid.written.declared import find_declared
from factlink.types import NO_PAIRS, Floats, Network, Pairs

_PROPOSED = 20  # new pairs per left user that votes may propose
_RISE = 0.01  # a round that does not make the votes this much better is the last


class FactoidFit(SpreadingSteps):
    """The state of one fit: candidate pairs that grow, and the channels found so far."""

    def __init__(self, linker: FactoidSettings, left: Network, right: Network, known: Pairs, workers: Workers) -> None:
        super().__init__(linker, left, right, known, workers)
        self.litters: Litters = {}
        self.voters = Voters(NO_PAIRS, np.empty(0, np.float32))

    def run(self) -> FactoidScorer:
        fit, found = self.best_branch()
        return fit.scorer(found)

    def best_branch(self) -> "tuple[FactoidFit, Probabilities]":
        """The branch that surely has more right links, and how likely its pairs are."""
        best, most = None, -1.0
        for branch in self.branches():
            found = branch.settle()
            right = found.fewest_right()
            if right > most:
                best, most = (branch, found), right
        assert best is not None
        return best

    def branches(self) -> "Iterator[FactoidFit]":
        """The fit with all of its channels; where links spread, then without."""
        self.read_names()
        if self.linker.steps.declared:
            self.use_declared(find_declared(self.left, self.right))
        if self.linker.steps.handles and self.origins.names:
            self.use_handles()
        self.begin()
        if self.linker.steps.attributes:
            self.add(list(self.attribute_channels()))
        if self.linker.steps.links and self.left.links and self.right.links and not self.use_anchors():
            yield from self.use_links_where_they_pay()
        else:
            yield self

    def use_links_where_they_pay(self) -> "Iterator[FactoidFit]":
        """With spreading, and where that found something, without: it misleads where names are good or partners few."""
        without, found = self.branch(), self.spread()
        self.use_links(found)
        yield self
        if found is not None:
            without.use_links(None)
            yield without

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
