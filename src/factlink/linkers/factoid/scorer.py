"""What the default linker found: candidate pairs, and how likely each is."""

from dataclasses import dataclass

import numpy as np
import polars as pl

from factlink.candidates.inverted_index import Search
from factlink.candidates.pairs import CandidatePairs, best_of_pairs
from factlink.canonical.orders import Canonical, Orders
from factlink.decision.likelihoods import Likelihoods
from factlink.decision.soft_assignment import Assignment, CompetitionDiscount
from factlink.evidence import ChannelWeight
from factlink.linkers.factoid.channels import Channel
from factlink.linkers.factoid.explanation import Asked, explain_pairs, place_users
from factlink.linkers.factoid.probability.learning import FIXED, Probabilities
from factlink.linkers.factoid.state import Origins, Voters, keep_state, state_as_given
from factlink.linkers.factoid.stored_state import pack
from factlink.protocols import FittedState, Scorer
from factlink.types import Candidates, Floats, Ints, Network

HOW = "a pair model learned here, calibrated on decoys, which are users that cannot have a partner"
FIXED_HOW = "fixed odds: too few users to learn from"
ONE_TO_ONE = "one-to-one matching with a dustbin"
SEVERAL = "matching with a dustbin, several left users to a right one"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class FactoidScorer(Scorer):
    """Candidate pairs, the channels of evidence for them, and how likely each is given its rivals."""

    left: Network
    right: Network
    channels: tuple[Channel, ...]
    channel_weights: tuple[ChannelWeight, ...]  # of all predicates looked at, also those that count nothing
    pairs: CandidatePairs
    evidence: Floats  # (n_pairs,) weighted mean of the channels
    found: Probabilities
    assignment: Assignment  # of the rounds; its scaling ranks candidates
    competition: CompetitionDiscount
    origins: Origins
    found_by: Search  # how candidates with similar names were found
    voters: Voters

    def keep_state(self) -> FittedState:
        """What it takes to place further users, in the rows of the networks as given."""
        state = keep_state(self.channels, self.origins, self.voters, self.assignment, self.found.state)
        if isinstance(self.left, Canonical) and isinstance(self.right, Canonical):
            state = state_as_given(state, Orders(self.left.order, self.right.order))
        return pack(state)

    @property
    def probabilities(self) -> Floats:
        """(n_pairs,): that the two are one person, estimated without labels."""
        return self.found.values

    def likelihoods(self, one_to_one: bool | None = None) -> Likelihoods:
        """Probabilities as fitted, or matched anew by another rule."""
        found = self.found.rematched(one_to_one=self.found.one_to_one if one_to_one is None else one_to_one)
        rule = ONE_TO_ONE if found.one_to_one else SEVERAL
        how = f"{rule}; {FIXED_HOW if found.model is FIXED else HOW}"
        known = self.origins.known
        return Likelihoods(self.pairs, self.pair_scores, found.values, known, one_to_one=found.one_to_one, how=how)

    def scores(self, rows: Ints) -> Floats:
        """(len(rows), n_right): log odds under competition; −inf for pairs that no predicate proposed."""
        block = np.full((len(rows), len(self.right)), -np.inf, np.float32)
        starts, ends = self.pairs.left_starts[rows], self.pairs.left_starts[rows + 1]
        lengths = ends - starts
        places = np.repeat(starts - np.cumsum(lengths) + lengths, lengths) + np.arange(lengths.sum())
        block[np.repeat(np.arange(len(rows)), lengths), self.pairs.rights[places]] = self.pair_scores[places]
        return block

    def candidates(self, k: int) -> Candidates:
        """The k best right users of every left user."""
        return best_of_pairs(self.pairs, self.pair_scores, k)

    @property
    def pair_scores(self) -> Floats:
        """(n_pairs,): log odds, scaling and discount; of a left user's best pair the log of its highest probability."""
        lefts, rights = self.pairs.lefts, self.pairs.rights
        scaling = self.competition.left_scaling[lefts] + self.competition.discounts(lefts, rights)
        return self.origins.assignment.log_odds(self.evidence) + scaling

    def place(self, lefts: Ints, rights: Ints) -> tuple[Floats, Floats]:
        """Vectors of the names beside those of all other channels, votes left out; products come near to evidence."""
        return place_users(Asked(self.left, self.right, lefts, rights), self.channels, self.origins)

    def explain(self, lefts: Ints, rights: Ints) -> pl.DataFrame:
        """Columns PARTS: the score by names, words, friends and competing candidates."""
        return explain_pairs(Asked(self.left, self.right, lefts, rights), self.channels, self.origins, self.competition)
