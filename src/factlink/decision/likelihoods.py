"""Scores → probabilities without labels, and the threshold that keeps the false-link rate.

How: soft one-to-one assignment with a dustbin reads scores as log odds at a fixed temperature, lets all rivals of a
pair compete, and learns from the data what share of either network has a partner at all. The share of false links
among those at or above a threshold is then the mean of 1 − probability.
"""

from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from factlink.candidates.pairs import CandidatePairs, candidate_pairs, gather_pairs
from factlink.candidates.reordered import Reordered
from factlink.candidates.top_k import best_candidates
from factlink.canonical.orders import Canonical, Orders
from factlink.decision.soft_assignment import SoftAssignment
from factlink.errors import SettingError
from factlink.protocols import Scorer
from factlink.types import NO_PAIRS, Candidates, Floats, Pairs

HOW = "soft one-to-one assignment with a dustbin; the share of users with a partner is learned from the data"
SEVERAL = "soft assignment with a dustbin, several left users to a right one; the share with a partner is learned"
RESCALED = "scores are rescaled first, the median candidate to 0.25 and the 90th percentile of the best ones to 0.9"
DEPTH = 30


Alike = tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]
"""(n_left,), (n_right,): users that differ from another user of the same network only in their id."""


@dataclass(frozen=True, slots=True, eq=False)
class Likelihoods:
    """Pairs with their scores and how likely they are to be one person, and what these figures rest on."""

    pairs: CandidatePairs
    scores: Floats  # (n_pairs,) as the linker gives them
    probabilities: Floats  # (n_pairs,)
    known: Pairs = NO_PAIRS  # given to the linker, not found by it
    judged: Pairs = NO_PAIRS  # matches that a person decided
    one_to_one: bool = True  # whether left users compete for a right one
    alike: Alike | None = None  # whose links are ties, however likely
    how: str = HOW
    within: bool = False  # pairs of one network, in both directions


@runtime_checkable
class Calibrated(Protocol):
    """A scorer that knows how likely its pairs are, so that nobody has to guess it from the range of its scores."""

    def likelihoods(self, one_to_one: bool | None = None) -> Likelihoods:
        """Probabilities of all its candidate pairs; by default one-to-one as it was fitted."""
        ...


def estimate_likelihoods(
    scorer: Scorer, *, one_to_one: bool | None = None, found: Candidates | None = None
) -> Likelihoods:
    """Probabilities of the candidates of any scorer; `found` saves looking for them again."""
    if isinstance(scorer, Reordered):
        inner = None if found is None else scorer.orders.back.candidates(found)
        return _as_given(estimate_likelihoods(scorer.scorer, one_to_one=one_to_one, found=inner), scorer.orders)
    if isinstance(scorer, Calibrated):
        return replace(scorer.likelihoods(one_to_one), alike=_alike(scorer))
    found = found or best_candidates(scorer, DEPTH)
    candidates = Candidates(found.rights[:, :DEPTH], found.scores[:, :DEPTH])
    pairs, scores = candidate_pairs(candidates, len(scorer.right))
    rule = SoftAssignment(one_to_one=one_to_one is not False)
    probabilities = rule.assign(pairs, rescale(scores, candidates)).probabilities
    how = f"{describe(rule)}; {RESCALED}"
    return Likelihoods(pairs, scores, probabilities, one_to_one=rule.one_to_one, alike=_alike(scorer), how=how)


def _alike(scorer: Scorer) -> Alike | None:
    """Known where the scorer was fitted in canonical order."""
    left, right = scorer.left, scorer.right
    return (left.alike, right.alike) if isinstance(left, Canonical) and isinstance(right, Canonical) else None


def _as_given(likely: Likelihoods, orders: Orders) -> Likelihoods:
    """The same in rows as given."""
    lefts, rights = orders.left.rows[likely.pairs.lefts], orders.right.rows[likely.pairs.rights]
    pairs = gather_pairs(likely.pairs.n_left, likely.pairs.n_right, [(lefts, rights)])
    places = np.argsort(pairs.places(lefts, rights))
    return replace(
        likely,
        pairs=pairs,
        scores=likely.scores[places],
        probabilities=likely.probabilities[places],
        known=orders.back.pairs(likely.known),
        judged=orders.back.pairs(likely.judged),
        alike=likely.alike and (likely.alike[0][orders.left.places], likely.alike[1][orders.right.places]),
    )


def describe(rule: SoftAssignment) -> str:
    """How the rule makes probabilities, in words."""
    return HOW if rule.one_to_one else SEVERAL


def rescale(scores: Floats, candidates: Candidates) -> Floats:
    """Scores mapped to the range of cosines: the median candidate to .25, the top tenth of best candidates to .9."""
    if not len(scores):
        return scores
    best = candidates.scores[:, 0][candidates.rights[:, 0] >= 0]
    low, high = float(np.median(scores)), float(np.quantile(best, 0.9))
    return np.asarray(0.25 + 0.65 * (scores - low) / max(high - low, 1e-9), np.float32)


def check_precision(precision: float) -> None:
    """An error unless it is a share that can be kept."""
    if not 0 < precision < 1:
        raise SettingError(f"precision is {precision}; use a number between 0 and 1, such as 0.9")


def find_threshold(probabilities: Floats, precision: float) -> float:
    """The lowest probability from which on at most 1 − precision of the links are expected to be false; 2 for none."""
    check_precision(precision)
    falling = np.sort(probabilities.astype(np.float64))[::-1]
    rates = np.cumsum(1 - falling) / np.arange(1, len(falling) + 1)
    fitting = np.flatnonzero(rates <= 1 - precision)
    return float(falling[fitting[-1]]) if len(fitting) else 2.0


def estimate_false_rate(probabilities: Floats) -> float:
    """The expected share of false links among these; 0 for none."""
    return float(np.mean(1 - probabilities)) if len(probabilities) else 0.0
