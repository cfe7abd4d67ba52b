"""Pairs within one network → links: every likely pair once, as many for a user as are likely."""

import numpy as np

from factlink.candidates.pairs import best_of_pairs
from factlink.decision.likelihoods import Likelihoods, find_threshold
from factlink.types import DECISIONS, Decision, Links


def decide_pairs(likely: Likelihoods, precision: float, min_probability: float) -> Links:
    """One row for each pair that is as likely as 1 − precision, the lower row first.

    *link*: of probability min_probability or more, and so probable that at most 1 − precision of the links are expected
    to be false. *unknown*: all others. Users without a likely pair are not listed.
    """
    pairs = likely.pairs
    listed = np.flatnonzero((pairs.lefts < pairs.rights) & (likely.probabilities >= 1 - precision))
    lefts, rights, probabilities = pairs.lefts[listed], pairs.rights[listed], likely.probabilities[listed]
    threshold = max(min_probability, find_threshold(probabilities, precision))
    decisions = np.where(probabilities >= threshold, DECISIONS.index(Decision.LINK), DECISIONS.index(Decision.UNKNOWN))
    best = best_of_pairs(pairs, likely.scores, 2)
    other = (best.rights[lefts, 0] == rights).astype(np.int64)
    runners_up, second = best.rights[lefts, other], best.scores[lefts, other]
    scores = likely.scores[listed]
    with np.errstate(invalid="ignore"):
        margins = np.where(runners_up >= 0, scores - second, np.inf).astype(np.float32)
    return Links(lefts.astype(np.int64), rights, scores, probabilities, decisions, runners_up, margins)
