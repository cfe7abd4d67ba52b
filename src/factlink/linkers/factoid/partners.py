"""Likely partners of users, as a pair of networks tells them to others; and what others say about further users.

Partners are likely by a user's own candidates, and by probabilities from before anything was heard: so no pair vouches
for itself, and the second account of somebody finds its partner too.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import csr_matrix, hstack, vstack

from factlink.candidates.pairs import CandidatePairs, gather_pairs
from factlink.decision.matching import Doubles, Matching, match
from factlink.linkers.factoid.adding.joining import Weighed
from factlink.linkers.factoid.probability.learning import Probabilities
from factlink.linkers.factoid.probability.rivals import best_rivals
from factlink.linkers.factoid.state.state import PartnerState
from factlink.types import Floats, Ints

FAINT = 0.05
"""Pairs less likely than this say nothing about third accounts."""


@dataclass(frozen=True, slots=True, eq=False)
class FirstLook:
    """New users (left) with the users of the other side, before anything was heard."""

    weighed: Weighed
    matching: Matching
    partners: csr_matrix  # (n_new, n_others)


def partner_state(found: Probabilities) -> PartnerState:
    """What a pair of networks found alone."""
    sides = [_likely_partners(found, side) for side in (0, 1)]
    (left, left_totals), (right, right_totals) = sides
    first = replace(found.state, totals=(left_totals, right_totals))
    return PartnerState(0.0, first, (left, right))


def _likely_partners(found: Probabilities, side: int) -> tuple[csr_matrix, Doubles]:
    """(n_users, n_others): how likely each other user is the partner of a user of one side, without what is faint."""
    pairs, odds = found.pairs, found.log_odds
    if side == 1:
        turned = gather_pairs(pairs.n_right, pairs.n_left, [(pairs.rights, pairs.lefts)])
        odds = np.empty_like(found.log_odds)
        odds[turned.places(pairs.rights, pairs.lefts)] = found.log_odds
        pairs = turned
    matching = _own_competition(pairs, odds, found.free, side)
    return _likely(pairs, found.calibration.probabilities(matching.log_odds)), matching.left_totals


def look_first(state: PartnerState, side: int, new: Weighed) -> FirstLook:
    """The likely partners of new users of one side; they do not compete with each other."""
    log_odds = state.first.model.log_odds(new.seen_by(state.first, state.first.levels[1 - side]))
    matching = _own_competition(new.pairs, log_odds, state.first.free, side)
    return FirstLook(new, matching, _likely(new.pairs, state.first.calibration.probabilities(matching.log_odds)))


def with_partners(state: PartnerState, side: int, look: FirstLook) -> PartnerState:
    """The state with the new users in it: their partners, and theirs among the partners of others."""
    other, first, pairs = 1 - side, state.first, look.weighed.pairs
    weights = look.matching.odds / first.free[side]
    new_totals = np.bincount(pairs.rights, weights, pairs.n_right)
    totals, levels, partners = list(first.totals), list(first.levels), list(state.partners)
    totals[other] = totals[other] + new_totals
    rivals = first.free[other] + np.maximum(totals[other][pairs.rights] - weights, 0)
    back = first.calibration.probabilities((np.log(weights) - np.log(rivals)).astype(np.float32))
    totals[side] = np.concatenate([totals[side], look.matching.left_totals])
    levels[side] = np.concatenate([levels[side], best_rivals(pairs, look.weighed.evidence, 0).mean])
    partners[side] = vstack([partners[side], look.partners], "csr")
    partners[other] = hstack([partners[other], _likely(pairs, back).T], "csr")
    grown = replace(first, totals=(totals[0], totals[1]), levels=(levels[0], levels[1]))
    return replace(state, first=grown, partners=(partners[0], partners[1]))


def common_partners(lefts: Sequence[csr_matrix], rights: Sequence[csr_matrix]) -> tuple[Ints, Ints]:
    """Pairs of users who have a likely partner in common in one of some networks."""
    met = [(left @ right.T).tocoo() for left, right in zip(lefts, rights, strict=True)]
    kept = [each.data >= FAINT for each in met]
    rows = np.concatenate([each.row[some] for each, some in zip(met, kept, strict=True)])
    return rows, np.concatenate([each.col[some] for each, some in zip(met, kept, strict=True)])


def _own_competition(pairs: CandidatePairs, log_odds: Floats, free: tuple[float, float], side: int) -> Matching:
    """Only a user's own candidates compete: several users may have one partner."""
    dustbins = np.full(pairs.n_left, free[side]), np.full(pairs.n_right, free[1 - side])
    return match(pairs, log_odds, dustbins, one_to_one=False)


def _likely(pairs: CandidatePairs, probabilities: Floats) -> csr_matrix:
    likely = probabilities >= FAINT
    entries = probabilities[likely], (pairs.lefts[likely], pairs.rights[likely])
    return csr_matrix(entries, shape=(pairs.n_left, pairs.n_right), dtype=np.float32)
