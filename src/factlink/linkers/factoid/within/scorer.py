"""What was found within one network: pairs of users, and how likely each is."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from factlink.candidates.pairs import CandidatePairs, best_of_pairs, block_of_pairs
from factlink.decision.likelihoods import Likelihoods
from factlink.evidence import ChannelWeight, EvidenceSource
from factlink.linkers.factoid.within.evidence import FRIENDS, GAP, LINKED, NAMES, NOT_LINKED, Columns, Sources
from factlink.linkers.factoid.within.explanation import explain_within
from factlink.linkers.factoid.within.learning import Learned
from factlink.protocols import Scorer
from factlink.types import Candidates, Floats, Ints, Network

HOW = "a pair model learned here, calibrated on decoys, which are users that cannot have a second account"
_SOURCES = {NAMES: EvidenceSource.NAMES, FRIENDS: EvidenceSource.VOTES}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class WithinScorer(Scorer):
    """Pairs of users of one network in both directions, never a user with itself; scores are log odds."""

    in_log_odds: ClassVar[bool] = True

    left: Network
    right: Network  # the same
    pairs: CandidatePairs
    columns: Columns
    found: Learned
    sources: Sources

    @property
    def pair_scores(self) -> Floats:
        """(n_pairs,): calibrated log odds."""
        line = self.found.calibration
        return np.asarray(line.intercept + line.slope * self.found.log_odds, np.float32)

    @property
    def channel_weights(self) -> tuple[ChannelWeight, ...]:
        """The most that each channel adds to the log odds of a pair here, its gap with it."""
        parts = self.found.model.parts(self.columns)
        most = {title: float(part.max(initial=0) - part.min(initial=0)) for title, part in parts.items()}
        slope, weights = self.found.calibration.slope, []
        for title in self.columns.channels:
            weight = slope * (most.get(title, 0) + most.get(GAP + title, 0))
            predicate = "" if title in _SOURCES else title
            source = _SOURCES.get(title, EvidenceSource.ATTRIBUTE)
            weights.append(ChannelWeight(source, predicate, predicate, weight, "most that it adds to the log odds"))
        if LINKED in most:
            weight = slope * (most[LINKED] - most[NOT_LINKED])
            reason = "added to the log odds if both follow each other"
            weights.append(ChannelWeight(EvidenceSource.LINK_PREDICATE, "link between the two", "", weight, reason))
        return tuple(weights)

    def likelihoods(self, one_to_one: bool | None = None) -> Likelihoods:
        """Probabilities of all pairs; nobody competes, whatever the rule."""
        probabilities = self.found.probabilities
        return Likelihoods(self.pairs, self.pair_scores, probabilities, one_to_one=False, how=HOW, within=True)

    def scores(self, rows: Ints) -> Floats:
        """(len(rows), n_users): log odds; −inf for pairs that nothing proposed."""
        return block_of_pairs(self.pairs, self.pair_scores, rows)

    def candidates(self, k: int) -> Candidates:
        """The k best other users of every user."""
        return best_of_pairs(self.pairs, self.pair_scores, k)

    def explain(self, lefts: Ints, rights: Ints) -> pl.DataFrame:
        """Columns PARTS: names, shared friends, links between the two and attributes; none for pairs never scored."""
        places = self.pairs.places(lefts, rights)
        return explain_within(self.left, self.sources, self.found, self.columns, (lefts, rights, places))
