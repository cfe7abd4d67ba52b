"""The steps of a fit that start and spread: confident pairs without names, over links, and from known pairs alone."""

from dataclasses import replace
from functools import partial

from factlink.candidates.pairs import gather_pairs
from factlink.candidates.top_k import nearest_both_ways
from factlink.decision.channel_weights import rank_among_rivals
from factlink.embedding.propagate import neighbour_matrix
from factlink.errors import InputError
from factlink.linkers.factoid.channels.channel import Channel
from factlink.linkers.factoid.learned.learned_names import NameLearner
from factlink.linkers.factoid.name_steps import NameSteps
from factlink.linkers.factoid.spreading.anchors import grow_anchors, grow_folds, neighbour_counts
from factlink.linkers.factoid.spreading.explanation import relation_notes
from factlink.linkers.factoid.spreading.held_out import Walked
from factlink.linkers.factoid.spreading.spread import Spread, Start, spread

_NEAREST = 30  # users of either side that an attribute proposes where there are no names


class SpreadingSteps(NameSteps):
    """A pool of candidates that may start without names, and spread over links."""

    walked: Walked | None = None  # where walks to anchors are all the evidence there is

    def begin(self) -> None:
        """Confident pairs by other columns where there are neither names nor known pairs; an error without any."""
        if not len(self.confident) and self.linker.steps.attributes:
            self._start_from(list(self.attribute_channels()))
        if not len(self.confident):
            raise InputError(
                f"networks '{self.left.name}' and '{self.right.name}' have no names and no known pairs in common to "
                "start from, and no other column that tells users apart; set a column's kind (--kind COLUMN=name) or "
                "give known pairs (--known)"
            )

    def spread(self) -> Spread | None:
        """Confident pairs that spread over links, candidates and learned names; nothing where links mean little."""
        if not self.channels or not self.linker.steps.spreading:
            return None
        likely, strengths = self.likely()
        start = Start(self.left, self.right, self.pairs, self.evidence(), self.known, likely, strengths)
        found = spread(start, self._name_learner, self.linker.seed, self.workers)
        if found:
            self.confident = found.confident
            self.move_to(gather_pairs(*self.sizes, [(self.pairs.lefts, self.pairs.rights), found.proposed]))
            learned = found.learned if self._add_if_better(found.channels(self.linker.seed)) else None
            self.grow(found.proposed)
            notes = partial(relation_notes, found.aligned)
            self.origins = replace(self.origins, friend_notes=notes, learned=learned)
        return found

    def use_anchors(self) -> bool:
        """Walks to anchors grown from known pairs, where there is no other evidence; whether they tell users apart."""
        if self.channels or not self.linker.steps.spreading:
            return False
        left, right = (
            neighbour_matrix(len(network), list(network.links.values()), [f.weights for f in network.links.values()])
            for network in (self.left, self.right)
        )
        found = grow_anchors((left, right), self.known, self.workers).shrunk((left, right))
        channel = found.channel(self.known, self.linker.seed)
        self.add([channel])
        if not channel.weight:
            return False
        self.grow((found.pairs.lefts, found.pairs.rights))
        self.origins = replace(self.origins, linked=found.anchors)
        folds = grow_folds((left, right), self.known, self.linker.seed, self.workers)
        self.walked = Walked(folds, neighbour_counts(left))
        return True

    def _add_if_better(self, channels: list[Channel]) -> bool:
        """Takes channels if confident pairs then rank higher among their candidates; whether it did."""
        alone, n_before = self._rank_confident(), len(self.channels)
        self.add(channels)
        added, together = self.channels[n_before:], self._rank_confident()
        if together > alone:
            return True
        del self.channels[n_before:], self.products[n_before:]
        reason = f"MRR {together:.3f} on confident pairs with them, {alone:.3f} without"
        self.channel_weights += [channel.weighed(0.0, reason).weighting for channel in added]
        return False

    def _rank_confident(self) -> float:
        """The mean reciprocal rank of confident pairs among candidates, by all channels so far."""
        return rank_among_rivals(self.pairs, self.mean_product(), self.confident)

    def _start_from(self, channels: list[Channel]) -> None:
        """Candidates and confident pairs by other columns, all counting the same."""
        self.channels = [replace(c, weighting=replace(c.weighting, weight=1.0)) for c in channels]
        self.products = [channel.products(self.pairs, self.workers) for channel in self.channels]
        for channel in self.channels:
            self.grow(nearest_both_ways(channel.left, channel.right, _NEAREST, self.workers))
        self.choose_confident()
        self.channels, self.products = [], []

    def _name_learner(self) -> NameLearner | None:
        names, weights = self.origins.names, self.origins.name_weights
        return NameLearner.of(self.left, names, weights, self.vectors) if names else None
