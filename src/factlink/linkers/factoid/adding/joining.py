"""Users who join a finished run: how likely their pairs are by its model, and the model's state with them in it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from factlink.candidates.pairs import CandidatePairs
from factlink.decision.matching import Matching, match
from factlink.decision.pair_model import PairEvidence
from factlink.linkers.factoid.probability.rivals import best_rivals
from factlink.linkers.factoid.state.state import ProbabilityState
from factlink.types import Floats


@dataclass(frozen=True, slots=True, eq=False)
class Weighed:
    """Pairs of new users with what speaks for each."""

    pairs: CandidatePairs  # new users as left rows, whatever side they are of
    evidence: Floats  # (n_pairs,) of all channels together
    agreements: Mapping[str, Floats]  # (n_pairs,) by the key of a channel

    def seen_by(self, state: ProbabilityState, levels: Floats) -> PairEvidence:
        """The pairs as a model sees them; a channel that new users have no part in says nothing."""
        nothing = np.zeros(len(self.pairs), np.float32)
        agreements = tuple(self.agreements.get(key, nothing) for key in state.keys)
        return PairEvidence(agreements, self.evidence - levels[self.pairs.rights])


def join_competition(state: ProbabilityState, side: int, new: Weighed) -> Matching:
    """New users of one side compete with each other and with all who were there first."""
    other = 1 - side
    log_odds = state.model.log_odds(new.seen_by(state, state.levels[other]))
    dustbins = np.full(new.pairs.n_left, state.free[side]), state.free[other] + state.totals[other]
    return match(new.pairs, log_odds, dustbins)


def with_joined(state: ProbabilityState, side: int, new: Weighed) -> ProbabilityState:
    """The state in which the new users compete with all who come later."""
    matching, other = join_competition(state, side, new), 1 - side
    totals, levels = list(state.totals), list(state.levels)
    totals[other] = totals[other] + matching.right_totals
    totals[side] = np.concatenate([totals[side], matching.left_totals])
    levels[side] = np.concatenate([levels[side], best_rivals(new.pairs, new.evidence, 0).mean])
    return replace(state, totals=(totals[0], totals[1]), levels=(levels[0], levels[1]))
