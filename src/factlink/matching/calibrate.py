"""Scores → probabilities without labels, and the threshold that keeps the false-link rate.

How: soft one-to-one assignment with a dustbin reads scores as log odds at a fixed temperature, lets all rivals of a
pair compete, and learns from the data what share of either network has a partner at all. The share of false links
among those at or above a threshold is then the mean of 1 − probability.
"""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from factlink.canonical.orders import Orders
from factlink.errors import SettingError
from factlink.matching.assign import Crowds, SoftAssignment
from factlink.matching.neighbours import best_candidates
from factlink.matching.pairs import CandidatePairs, candidate_pairs, gather_pairs
from factlink.matching.reordered import Reordered
from factlink.types import Candidates, Floats, Scorer

HOW = "soft one-to-one assignment with a dustbin; the share of users with a partner is learned from the data"
ALIKE = "users of one network tell how alike the names of strangers are"
DEPTH = 30


@runtime_checkable
class Weighed(Protocol):
    """A scorer that has pairs with evidence between 0 and 1, such as a weighted mean of cosines."""

    @property
    def pairs(self) -> CandidatePairs: ...

    @property
    def evidence(self) -> Floats: ...

    @property
    def crowds(self) -> Crowds | None: ...

    @property
    def pair_scores(self) -> Floats: ...


@dataclass(frozen=True, slots=True, eq=False)
class Likelihoods:
    """Pairs with their scores and how likely they are to be one person."""

    pairs: CandidatePairs
    scores: Floats  # (n_pairs,) as the linker gives them
    probabilities: Floats  # (n_pairs,)


def estimate_likelihoods(scorer: Scorer, *, one_to_one: bool = True, found: Candidates | None = None) -> Likelihoods:
    """Probabilities of the candidates of any scorer; `found` saves looking for them again."""
    if isinstance(scorer, Reordered):
        inner = None if found is None else scorer.orders.back.candidates(found)
        return _as_given(estimate_likelihoods(scorer.scorer, one_to_one=one_to_one, found=inner), scorer.orders)
    assignment = SoftAssignment(one_to_one=one_to_one)
    if isinstance(scorer, Weighed):
        probabilities = assignment.assign(scorer.pairs, scorer.evidence, scorer.crowds).probabilities
        return Likelihoods(scorer.pairs, scorer.pair_scores, probabilities)
    found = found or best_candidates(scorer, DEPTH)
    candidates = Candidates(found.rights[:, :DEPTH], found.scores[:, :DEPTH])
    pairs, scores = candidate_pairs(candidates, len(scorer.right))
    return Likelihoods(pairs, scores, assignment.assign(pairs, rescale(scores, candidates)).probabilities)


def _as_given(likely: Likelihoods, orders: Orders) -> Likelihoods:
    """The same in rows as given."""
    lefts, rights = orders.left.rows[likely.pairs.lefts], orders.right.rows[likely.pairs.rights]
    pairs = gather_pairs(likely.pairs.n_left, likely.pairs.n_right, [(lefts, rights)])
    places = np.argsort(pairs.places(lefts, rights))
    return Likelihoods(pairs, likely.scores[places], likely.probabilities[places])


def tell_how(scorer: Scorer) -> str:
    """In words."""
    return f"{HOW}; {ALIKE}" if isinstance(scorer, Weighed) and scorer.crowds is not None else HOW


def rescale(scores: Floats, candidates: Candidates) -> Floats:
    """Scores of any range as if they were cosines: the middle candidate at .25, the surest tenth of best ones at .9."""
    if not len(scores):
        return scores
    best = candidates.scores[:, 0][candidates.rights[:, 0] >= 0]
    low, high = float(np.median(scores)), float(np.quantile(best, 0.9))
    return np.asarray(0.25 + 0.65 * (scores - low) / max(high - low, 1e-9), np.float32)


def find_threshold(probabilities: Floats, precision: float) -> float:
    """The lowest probability from which on at most 1 − precision of the links are expected to be false; 2 for none."""
    if not 0 < precision < 1:
        raise SettingError(f"precision is {precision}; use a number between 0 and 1, such as 0.9")
    falling = np.sort(probabilities.astype(np.float64))[::-1]
    rates = np.cumsum(1 - falling) / np.arange(1, len(falling) + 1)
    fitting = np.flatnonzero(rates <= 1 - precision)
    return float(falling[fitting[-1]]) if len(fitting) else 2.0


def estimate_false_rate(probabilities: Floats) -> float:
    """The expected share of false links among these; 0 for none."""
    return float(np.mean(1 - probabilities)) if len(probabilities) else 0.0
