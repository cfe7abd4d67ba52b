"""Spreading: likely pairs by names vote over links, are chosen anew round by round, and teach what names look like.

score(x, x') = votes by relation + 2·names + 2·codes. In every round pairs are chosen anew: mutual best, the score at
least .3 and .05 above the second best. Nothing is committed but known pairs.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from factlink.candidates.pairs import CandidatePairs, gather_pairs
from factlink.candidates.products import vector_products
from factlink.candidates.top_k import nearest_both_ways
from factlink.decision.channel_weights import rank_confident_pairs
from factlink.evidence import ChannelWeight, EvidenceSource
from factlink.execution.workers import HERE, Workers
from factlink.linkers.factoid.channels.channel import Channel
from factlink.linkers.factoid.channels.neighbourhood import read_neighbourhood
from factlink.linkers.factoid.channels.votes import BUSY
from factlink.linkers.factoid.learned.learned_names import LearnedNames, NameLearner
from factlink.linkers.factoid.spreading.alignment import AlignedLinks, align_relations
from factlink.linkers.factoid.spreading.codes import spread_codes
from factlink.linkers.factoid.spreading.gate import measure_agreement, named_share
from factlink.linkers.factoid.spreading.matching import Choice, Matching, choose, matching_of, with_known
from factlink.linkers.factoid.spreading.relation_votes import best_voted
from factlink.linkers.factoid.spreading.relations import Relations, read_relations
from factlink.progress import counted
from factlink.types import Floats, Ints, Network, Pairs

Links = tuple[Relations, Relations]
"""Of the left and of the right network."""

PROPOSED = 20
"""Candidates per user that votes, learned names and codes may each propose."""

SEARCHED_PAIRS = 2_000_000_000
"""Pairs of users up to which learned names and codes look for candidates among all; past it votes alone propose."""

_ROUNDS = 4  # of learning from chosen pairs, at most
_TURNS = 8  # of voting within a round, at most
_STAY = 0.98  # the share of pairs that stay at which a round ends
_RISE = 0.01  # a round after which links name no more of the first pairs than this is the last
_LEAST_SCORE = 0.3
_LEAST_MARGIN = 0.05
_CONFIDENT_MARGIN = 1.5  # over the second best, of pairs that are confident
_NAMES, _CODES = 2.0, 2.0  # against votes


@dataclass(frozen=True, slots=True, eq=False)
class Start:
    """What is known before links are used: candidate pairs, their evidence, and those that are likely."""

    left: Network
    right: Network
    pairs: CandidatePairs
    evidence: Floats  # (n_pairs,)
    known: Pairs
    likely: Pairs
    strengths: Floats  # (n_likely,)


@dataclass(frozen=True, slots=True)
class Round:
    """What one round came to."""

    matched: int
    confident: int
    named_by_links: float  # share of the first likely pairs
    stay: float  # share of pairs that the last turn did not change


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """Where spreading ended."""

    confident: Pairs
    strengths: Floats  # (n_confident,)
    proposed: tuple[Ints, Ints]
    learned: LearnedNames | None
    aligned: AlignedLinks
    rounds: tuple[Round, ...]

    @property
    def voters(self) -> tuple[Pairs, Floats]:
        """The confident pairs, which vote first, and their strengths."""
        return self.confident, self.strengths

    def channels(self, seed: int) -> list[Channel]:
        """Learned names as evidence, weighed by how they rank confident pairs."""
        if self.learned is None:
            return []
        ranking = rank_confident_pairs(*self.learned.rows, self.confident, seed)
        weighting = ChannelWeight(EvidenceSource.LEARNED_NAMES, "", "", ranking.weight, ranking.reason)
        return [Channel(weighting, *self.learned.rows)]


def spread(start: Start, names: Callable[[], NameLearner | None], seed: int, workers: Workers = HERE) -> Spread | None:
    """Confident pairs spread over links; None where links do not name the partners that are likely anyway."""
    left, right = (read_relations(network.links, len(network)) for network in (start.left, start.right))
    first = matching_of((len(start.left), len(start.right)), start.likely, start.strengths)
    if not measure_agreement(left, right, first, seed).is_open:
        return None
    return Spreading(start, names(), (left, right), first, seed, workers).run()


class Spreading:
    """The state of spreading: who is matched, and what is known of candidate pairs beside votes."""

    def __init__(
        self, start: Start, names: NameLearner | None, links: Links, first: Matching, seed: int, workers: Workers
    ) -> None:
        self.start, self.names, self.links, self.first = start, names, links, first
        self.seed, self.workers = seed, workers
        self.sizes = len(start.left), len(start.right)
        self.searches = self.sizes[0] * self.sizes[1] <= SEARCHED_PAIRS
        self.pairs, self.scores = start.pairs, np.asarray(_NAMES * start.evidence, np.float32)
        self.matching, self.choice = first, Choice(start.likely, start.strengths, start.strengths)

    def run(self) -> Spread:
        """Rounds of votes; between two of them confident pairs teach names and send out codes."""
        rounds: list[Round] = []
        for _ in counted(range(_ROUNDS), _ROUNDS, "spreading over links, round"):
            rounds.append(self.vote())
            if len(rounds) > 1 and rounds[-1].named_by_links < rounds[-2].named_by_links + _RISE:
                break
            if len(rounds) < _ROUNDS:
                self.learn()
        confident, matched = self.confident(), self.matching.pairs
        proposed, learned = [(matched.lefts, matched.rights)], None
        if self.names:
            learned = self.names.learn(confident.pairs)
            proposed.append(self.search(*learned.rows))
        lefts, rights = (np.concatenate(part) for part in zip(*proposed, strict=True))
        aligned = AlignedLinks(*self.links, align_relations(*self.links, self.matching))
        return Spread(confident.pairs, confident.strengths, (lefts, rights), learned, aligned, tuple(rounds))

    def vote(self) -> Round:
        """Turns of voting and choosing, until the pairs stay."""
        stay = 0.0
        for _ in range(_TURNS):
            before, self.matching = self.matching, self.turn()
            stay = self.matching.stay(before)
            if stay >= _STAY:
                break
        named = named_share(*self.links, self.matching, self.first.pairs)
        return Round(len(self.matching.pairs), len(self.confident().pairs), named, stay)

    def turn(self) -> Matching:
        """Pairs chosen anew, by votes of the last ones and all else that is known."""
        alignment = align_relations(*self.links, self.matching)
        lefts, rights, votes = best_voted(*self.links, self.matching, alignment, PROPOSED, BUSY)
        pairs = gather_pairs(*self.sizes, [(self.pairs.lefts, self.pairs.rights), (lefts, rights)])
        scores = np.zeros(len(pairs), np.float32)
        scores[pairs.places(self.pairs.lefts, self.pairs.rights)] = self.scores
        scores[pairs.places(lefts, rights)] += votes
        chosen = choose(pairs, scores)
        chosen = chosen.where((chosen.scores >= _LEAST_SCORE) & (chosen.margins >= _LEAST_MARGIN))
        self.choice = with_known(chosen, self.start.known, self.sizes)
        return matching_of(self.sizes, self.choice.pairs, self.choice.strengths)

    def learn(self) -> None:
        """What confident pairs say of names, and matched ones of who is near: further candidates, and their scores."""
        confident = self.confident().pairs
        hood = read_neighbourhood(self.start.left, self.start.right, confident, self.seed)
        codes = spread_codes(hood.left, hood.right, self.matching, self.seed, self.workers)
        spaces = [codes]
        if self.names:
            spaces.append(self.names.learn(confident).rows)
        found = [self.search(left, right) for left, right in spaces]
        start, matched = self.start.pairs, self.matching.pairs
        pairs = gather_pairs(*self.sizes, [(start.lefts, start.rights), (matched.lefts, matched.rights), *found])
        named = np.zeros(len(pairs), np.float32)
        named[pairs.places(start.lefts, start.rights)] = self.start.evidence
        if self.names:
            named = np.maximum(named, vector_products(*spaces[1], pairs.lefts, pairs.rights))
        near = np.maximum(vector_products(*codes, pairs.lefts, pairs.rights), 0)
        self.pairs, self.scores = pairs, np.asarray(_NAMES * named + _CODES * near, np.float32)

    def search(self, left: Floats, right: Floats) -> tuple[Ints, Ints]:
        """The nearest pairs of users who are in no confident pair; none where there are too many users."""
        taken = self.confident().pairs
        lefts, rights = (
            np.setdiff1d(np.arange(n), rows) for n, rows in zip(self.sizes, (taken.lefts, taken.rights), strict=True)
        )
        if not self.searches or not len(lefts) or not len(rights):
            return np.empty(0, np.int64), np.empty(0, np.int64)
        rows, others = nearest_both_ways(left[lefts], right[rights], PROPOSED, self.workers)
        return lefts[rows], rights[others]

    def confident(self) -> Choice:
        """The chosen pairs that leave the second best far behind."""
        return self.choice.where(self.choice.margins >= _CONFIDENT_MARGIN)
