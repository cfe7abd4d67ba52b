"""What the default linker found: candidate pairs, and how likely each is."""

from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from factlink.candidates.inverted_index import Search
from factlink.candidates.pairs import CandidatePairs, best_of_pairs, block_of_pairs
from factlink.canonical.orders import Canonical, Orders
from factlink.decision.likelihoods import Likelihoods
from factlink.decision.soft_assignment import Assignment
from factlink.encoders.readings.extra import Gain
from factlink.evidence import ChannelWeight
from factlink.linkers.factoid.channels.channel import Channel
from factlink.linkers.factoid.explanation.asked import Asked
from factlink.linkers.factoid.explanation.pairs import explain_pairs, place_users
from factlink.linkers.factoid.probability.learning import Probabilities
from factlink.linkers.factoid.probability.ranking import Ranking
from factlink.linkers.factoid.state.as_given import state_as_given
from factlink.linkers.factoid.state.state import Origins, PartnerState, Voters, keep_state
from factlink.linkers.factoid.state.stored import pack
from factlink.linkers.factoid.written.names import read_better
from factlink.protocols import FittedState, Scorer
from factlink.types import Candidates, Floats, Ints, Network

HOW = "a pair model learned here, calibrated on decoys, which are users that cannot have a partner"
FIXED_HOW = "fixed odds: too few users to learn from"
ONE_TO_ONE = "one-to-one matching with a dustbin"
SEVERAL = "matching with a dustbin, several left users to a right one"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class FactoidScorer(Scorer):
    """Candidate pairs, the channels of evidence for them, and how likely each is given its rivals."""

    in_log_odds: ClassVar[bool] = True

    left: Network
    right: Network
    channels: tuple[Channel, ...]
    channel_weights: tuple[ChannelWeight, ...]  # of all predicates looked at, also those that count nothing
    pairs: CandidatePairs
    evidence: Floats  # (n_pairs,) weighted mean of the channels
    ranking: Ranking
    assignment: Assignment  # of the rounds
    origins: Origins
    found_by: Search  # how candidates with similar names were found
    voters: Voters
    partners: PartnerState | None = None  # where there are three networks or more

    def keep_state(self) -> FittedState:
        """What it takes to place further users, in the rows of the networks as given."""
        state = keep_state(self.channels, self.origins, self.voters, self.assignment, self.found.state, self.partners)
        if isinstance(self.left, Canonical) and isinstance(self.right, Canonical):
            state = state_as_given(state, Orders(self.left.order, self.right.order))
        return pack(state)

    @property
    def probabilities(self) -> Floats:
        """(n_pairs,): that the two are one person, estimated without labels."""
        return self.found.shared

    def likelihoods(self, one_to_one: bool | None = None) -> Likelihoods:
        """Probabilities as fitted, or matched anew by another rule."""
        found = self.found.rematched(one_to_one=self.found.one_to_one if one_to_one is None else one_to_one)
        rule = ONE_TO_ONE if found.one_to_one else SEVERAL
        how = f"{rule}; {HOW if found.learned else FIXED_HOW}"
        known = self.origins.known
        return Likelihoods(self.pairs, self.pair_scores, found.shared, known, one_to_one=found.one_to_one, how=how)

    def false_link_range(self, probabilities: Floats) -> tuple[float, float] | None:
        """Between which shares of these links are likely to be false; None where nothing was learned."""
        return self.found.calibration.false_link_range(probabilities) if self.found.learned else None

    def scores(self, rows: Ints) -> Floats:
        """(len(rows), n_right): log odds under competition; −inf for pairs that no predicate proposed."""
        return block_of_pairs(self.pairs, self.pair_scores, rows)

    def candidates(self, k: int) -> Candidates:
        """The k best right users of every left user."""
        return best_of_pairs(self.pairs, self.pair_scores, k)

    @property
    def found(self) -> Probabilities:
        """What was learned about how likely pairs are."""
        return self.ranking.found

    @property
    def gains(self) -> tuple[Gain, ...]:
        """Names that the extra `scripts` would read better; none where names are not read, or it is installed."""
        names = self.origins.names
        return () if names is None or names.rules.none else read_better(self.left, self.right)

    @property
    def pair_scores(self) -> Floats:
        """(n_pairs,): log odds; of a left user's best pair those of its likeliest."""
        return self.ranking.scores

    def place(self, lefts: Ints, rights: Ints) -> tuple[Floats, Floats]:
        """Vectors of the names beside those of all other channels, votes left out; products come near to evidence."""
        return place_users(Asked(self.left, self.right, lefts, rights), self.channels, self.origins)

    def explain(self, lefts: Ints, rights: Ints) -> pl.DataFrame:
        """Columns PARTS: the score by names, words, friends and competing candidates."""
        return explain_pairs(Asked(self.left, self.right, lefts, rights), self.channels, self.origins, self.ranking)
