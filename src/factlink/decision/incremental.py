"""Incremental assignment: new users compete among each other and with earlier users, whose links stay."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from factlink.candidates.pairs import CandidatePairs, best_of_pairs, keep_pairs
from factlink.decision.decisions import UNLIKELY, decide_chosen
from factlink.decision.likelihoods import Likelihoods
from factlink.decision.soft_assignment import (
    Doubles,
    SoftAssignment,
    balance_both,
    balance_part,
    deal_rivals,
    first_scaling,
    pair_probabilities,
)
from factlink.decision.sparse_assignment import best_assignment
from factlink.types import DECISIONS, Decision, Floats, Ints, Links


@dataclass(frozen=True, slots=True, eq=False)
class IncrementalAssignment:
    """How likely the pairs of new users (left) with users of the other side (right) are."""

    pairs: CandidatePairs
    evidence: Floats  # (n_pairs,)
    scores: Floats  # (n_pairs,) logarithms of the assignment's shares
    probabilities: Floats  # (n_pairs,)
    new_scaling: Floats  # (n_new,)
    old_scaling: Floats  # (n_old,) of the other side, lower where new users compete
    shifts: Floats  # (n_old,) by how much lower

    @property
    def likelihoods(self) -> Likelihoods:
        """Pairs with scores and probabilities."""
        return Likelihoods(self.pairs, self.scores, self.probabilities)


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """Whom the users of the other side are linked to already, and what makes a link."""

    linked: npt.NDArray[np.bool_]  # (n_old,)
    probabilities: Floats  # (n_old,) of the link each has
    threshold: float  # the least probability of a link
    precision: float
    one_to_one: bool


@dataclass(frozen=True, slots=True, eq=False)
class Arrival:
    """One outcome per new user, and which earlier links the new users call into doubt."""

    links: Links
    doubted: Ints  # (n_doubts,) rows of the other side whose link is beaten
    rivals: Ints  # (n_doubts,) the new user who beats it
    before: Floats  # (n_doubts,) how likely the earlier link still is
    after: Floats  # (n_doubts,) how likely the rival is


def assign_incrementally(
    pairs: CandidatePairs, evidence: Floats, old_scaling: Floats, no_match: float, assignment: SoftAssignment
) -> IncrementalAssignment:
    """Sinkhorn over the pairs of new users; all other pairs stay as they are.

    The scaling of an old user is 1 / (what its pairs and the dustbin weigh), so the new pairs are added to that.
    """
    odds = assignment.odds(evidence.astype(np.float64))
    old: Doubles = np.exp(old_scaling.astype(np.float64))
    new = np.ones(pairs.n_left)
    [lefts] = deal_rivals(pairs.left_starts, pairs.rights, odds, new, 1)
    [rights] = deal_rivals(pairs.right_starts, pairs.lefts[pairs.by_right], odds[pairs.by_right], 1 / old, 1)
    if assignment.one_to_one:
        old = np.minimum(old, first_scaling(*balance_part(rights, new, 1.0)))
    new, old = balance_both(lefts, rights, old, no_match, assignment)
    shares = pair_probabilities(pairs.lefts, pairs.rights, odds, new, old)
    scores = np.log(np.maximum(shares, 1e-30)).astype(np.float32)
    scaling = [np.log(side).astype(np.float32) for side in (new, old)]
    return IncrementalAssignment(pairs, evidence, scores, shares, scaling[0], scaling[1], scaling[1] - old_scaling)


def decide_arrival(assigned: IncrementalAssignment, standing: Standing) -> Arrival:
    """Who is linked stays linked: a new user who is likelier is *unknown*, and the earlier link in doubt."""
    pairs, likely = assigned.pairs, assigned.likelihoods
    best = best_of_pairs(pairs, likely.scores, 1).rights[:, 0]
    favourite = pairs.places(np.arange(pairs.n_left), best)  # (n_new,), −1 for who has no candidate
    if not standing.one_to_one:
        return Arrival(decide_chosen(likely, favourite, standing.precision, standing.threshold), *_no_doubts())
    remaining = standing.probabilities * np.exp(assigned.shifts)
    taken = standing.linked[pairs.rights]
    beats = taken & (likely.probabilities > remaining[pairs.rights])
    contested = favourite[(favourite >= 0) & _at(beats, favourite)]
    chosen = _free_choice(likely, ~taken)
    chosen[pairs.lefts[contested]] = contested
    links = decide_chosen(likely, chosen, standing.precision, standing.threshold)
    links = _unknown(links, pairs.lefts[contested], pairs.rights[contested])
    strongest = _strongest(contested, pairs.rights, likely.probabilities)
    rows = pairs.rights[strongest]
    return Arrival(links, rows, pairs.lefts[strongest], remaining[rows], likely.probabilities[strongest])


def _free_choice(likely: Likelihoods, free: npt.NDArray[np.bool_]) -> Ints:
    """(n_new,) places of the pairs with users who are free that together hold the most right links; −1 for nobody."""
    pairs = keep_pairs(likely.pairs, free)
    places = np.flatnonzero(free)
    assigned = places[best_assignment(pairs, likely.probabilities[free], no_match=UNLIKELY)]
    chosen = np.full(pairs.n_left, -1, np.int64)
    chosen[likely.pairs.lefts[assigned]] = assigned
    return chosen


def _unknown(links: Links, rows: Ints, partners: Ints) -> Links:
    """The links with some of them undecided."""
    decisions, rights = links.decisions.copy(), links.rights.copy()
    decisions[rows], rights[rows] = DECISIONS.index(Decision.UNKNOWN), partners
    return replace(links, decisions=decisions, rights=rights)


def _strongest(places: Ints, rights: Ints, probabilities: Floats) -> Ints:
    """Of several pairs with one user of the other side, the likeliest."""
    order = places[np.argsort(-probabilities[places], kind="stable")]
    return order[np.unique(rights[order], return_index=True)[1]]


def _at(values: npt.NDArray[np.bool_], places: Ints) -> npt.NDArray[np.bool_]:
    return values[places] if len(values) else np.zeros(len(places), np.bool_)


def _no_doubts() -> tuple[Ints, Ints, Floats, Floats]:
    rows, figures = np.empty(0, np.int64), np.empty(0, np.float32)
    return rows, rows, figures, figures
