"""Candidates → links: the best candidate of every left user, and what to make of it."""

from typing import Any

import numpy as np
import numpy.typing as npt

from factlink.matching.calibrate import Likelihoods, estimate_likelihoods, find_threshold
from factlink.matching.optimal import best_assignment
from factlink.matching.pairs import best_of_pairs, left_sums
from factlink.matching.reordered import Reordered
from factlink.types import DECISIONS, Candidates, Decision, Floats, Ints, Links, Scorer

UNLIKELY = 0.01
"""Pairs below are never worth an assignment."""


def link(scorer: Scorer, precision: float = 0.9, *, one_to_one: bool = True, found: Candidates | None = None) -> Links:
    """One outcome per left user, for any scorer; `found`, its best candidates, saves looking for them again.

    *link*: probable enough that at most 1 − precision of all links are expected to be false. *no account*: all
    candidates together are less likely than 1 − precision. *unknown*: all others, and ties.
    """
    if isinstance(scorer, Reordered):
        inner = None if found is None else scorer.orders.back.candidates(found)
        return scorer.orders.links(link(scorer.scorer, precision, one_to_one=one_to_one, found=inner))
    return decide(estimate_likelihoods(scorer, one_to_one=one_to_one, found=found), precision, one_to_one=one_to_one)


def decide(likely: Likelihoods, precision: float, *, one_to_one: bool) -> Links:
    """The chosen pair of each left user, its runner-up, and the outcome."""
    chosen = _choose(likely, one_to_one=one_to_one)
    probabilities = np.where(chosen < 0, 0, _at(likely.probabilities, chosen)).astype(np.float32)
    return decide_chosen(likely, chosen, precision, find_threshold(probabilities, precision))


def decide_chosen(likely: Likelihoods, chosen: Ints, precision: float, threshold: float) -> Links:
    """The same for pairs chosen already: (n_left,) places, −1 for nobody; a link is as likely as the threshold."""
    pairs = likely.pairs
    nobody = chosen < 0
    scores = np.where(nobody, -np.inf, _at(likely.scores, chosen)).astype(np.float32)
    probabilities = np.where(nobody, 0, _at(likely.probabilities, chosen)).astype(np.float32)
    rights = np.where(nobody, -1, _at(pairs.rights, chosen))
    runners_up, margins = _runners_up(likely, rights, scores)
    total = left_sums(pairs, likely.probabilities)
    linked = (probabilities >= threshold) & (margins != 0) & ~nobody
    alone = ~linked & (nobody | (total < 1 - precision))
    decisions = np.select(
        [linked, alone], [_place(Decision.LINK), _place(Decision.NO_ACCOUNT)], _place(Decision.UNKNOWN)
    )
    rights = np.where(alone, -1, rights)
    return Links(np.arange(pairs.n_left), rights, scores, probabilities, decisions, runners_up, margins)


def _choose(likely: Likelihoods, *, one_to_one: bool) -> Ints:
    """Places of the pairs that together hold the most right links; else each user's most likely pair."""
    pairs = likely.pairs
    best = best_of_pairs(pairs, likely.probabilities, 1).rights[:, 0]
    chosen = pairs.places(np.arange(pairs.n_left), best)
    if not one_to_one:
        return chosen
    assigned = best_assignment(pairs, likely.probabilities, alone=UNLIKELY)
    taken = np.zeros(pairs.n_right, bool)
    taken[pairs.rights[assigned]] = True
    chosen[(best >= 0) & taken[best]] = -1
    chosen[pairs.lefts[assigned]] = assigned
    return chosen


def _runners_up(likely: Likelihoods, rights: Ints, scores: Floats) -> tuple[Ints, Floats]:
    """The best other candidate of each left user, and by how much the chosen one leads it."""
    best = best_of_pairs(likely.pairs, likely.scores, 2)
    other = np.where(best.rights[:, 0] == rights, 1, 0)[:, None]
    runners_up = np.take_along_axis(best.rights, other, axis=1)[:, 0]
    second = np.take_along_axis(best.scores, other, axis=1)[:, 0]
    leads = (runners_up >= 0) & np.isfinite(scores)
    margins = np.full(len(scores), np.inf, np.float32)
    margins[leads] = scores[leads] - second[leads]
    return runners_up, margins


def _at(values: npt.NDArray[Any], places: Ints) -> npt.NDArray[Any]:
    """Values at places; whatever at −1."""
    return values[places] if len(values) else np.zeros(len(places), values.dtype)


def _place(decision: Decision) -> int:
    return DECISIONS.index(decision)
