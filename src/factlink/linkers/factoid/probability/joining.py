"""Users who join a finished run: how likely their pairs are by its model, and the model's state with them in it."""

from dataclasses import replace

import numpy as np

from factlink.candidates.pairs import CandidatePairs
from factlink.decision.matching import Matching, match
from factlink.decision.pair_model import PairEvidence
from factlink.linkers.factoid.probability.rivals import best_rivals
from factlink.linkers.factoid.state import ProbabilityState
from factlink.types import Floats


def join_competition(state: ProbabilityState, side: int, pairs: CandidatePairs, evidence: Floats) -> Matching:
    """New users of one side (left rows of the pairs) compete with each other and with all who were there first."""
    other = 1 - side
    log_odds = state.model.log_odds(PairEvidence(evidence, evidence - state.levels[other][pairs.rights]))
    dustbins = np.full(pairs.n_left, state.free[side]), state.free[other] + state.totals[other]
    return match(pairs, log_odds, dustbins)


def with_joined(state: ProbabilityState, side: int, pairs: CandidatePairs, evidence: Floats) -> ProbabilityState:
    """The state in which the new users compete with all who come later."""
    matching, other = join_competition(state, side, pairs, evidence), 1 - side
    totals, levels = list(state.totals), list(state.levels)
    totals[other] = totals[other] + matching.right_totals
    totals[side] = np.concatenate([totals[side], matching.left_totals])
    levels[side] = np.concatenate([levels[side], best_rivals(pairs, evidence, 0).mean])
    return replace(state, totals=(totals[0], totals[1]), levels=(levels[0], levels[1]))
