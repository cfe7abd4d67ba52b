"""Probabilities set right by pairs that are known but were withheld from the fit.

Known pairs are all of people who are on both networks, so they can teach who of a user's candidates it is, and nothing
of whether there is an account at all. The first part of a probability is corrected, the second is kept:

    p = P(has an account) · P(this one | has one),   logit P' = slope · logit P + intercept
"""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from factlink.candidates.pairs import best_of_pairs, left_sums
from factlink.decision.likelihoods import Likelihoods
from factlink.types import Floats, Pairs

FEWEST = 50
"""Withheld users below which nothing is corrected."""

CORRECTED = "which of the candidates it is, by known pairs that were withheld from a second fit"

_SUREST = 1e-4  # no probability is nearer to 0 or 1 than this
_BOUNDS = [(0.05, 20), (-10, 10)]  # of slope and intercept


@dataclass(frozen=True, slots=True)
class PlattScaling:
    """A line through logits; slope 1 and intercept 0 change nothing."""

    slope: float = 1.0
    intercept: float = 0.0

    def apply(self, likely: Likelihoods) -> Likelihoods:
        """The same pairs with corrected probabilities; pairs within one network are not shares of one user's."""
        if likely.within:
            return likely
        logits, totals = _within_users(likely)
        corrected = totals / (1 + np.exp(-(self.slope * logits + self.intercept)))
        how = likely.how if self == PlattScaling() else f"{likely.how}; {CORRECTED}"
        return replace(likely, probabilities=corrected.astype(np.float32), how=how)


def split_users(known: Pairs, rng: np.random.Generator) -> tuple[Pairs, Pairs]:
    """Two halves of the known pairs that share no user, so that no held-out partner is given."""
    users = rng.permutation(np.unique(known.lefts))
    first = np.isin(known.lefts, users[: len(users) // 2])
    second = ~first & ~np.isin(known.rights, known.rights[first])
    return Pairs(known.lefts[first], known.rights[first]), Pairs(known.lefts[second], known.rights[second])


def fit_platt(likely: Likelihoods, withheld: Pairs) -> PlattScaling:
    """From the best candidates of the withheld left users: how likely each was held to be, and whether it is right."""
    users = np.unique(withheld.lefts)
    best = best_of_pairs(likely.pairs, likely.probabilities, 1).rights[users, 0]
    users, best = users[best >= 0], best[best >= 0]
    if len(users) < FEWEST:
        return PlattScaling()
    logits = _within_users(likely)[0][likely.pairs.places(users, best)]
    keys = withheld.lefts.astype(np.int64) << 32 | withheld.rights.astype(np.int64)
    return _fit_line(logits, np.isin(users.astype(np.int64) << 32 | best.astype(np.int64), keys))


def _within_users(likely: Likelihoods) -> tuple[Floats, Floats]:
    """(n_pairs,) each: the logit of a pair given that its left user has an account, and that it has one."""
    pairs = likely.pairs
    totals = left_sums(pairs, likely.probabilities)[pairs.lefts]
    shares = np.clip(likely.probabilities / np.maximum(totals, 1e-9), _SUREST, 1 - _SUREST)
    return np.log(shares / (1 - shares)), np.minimum(totals, 1)


def _fit_line(logits: Floats, right: npt.NDArray[np.bool_]) -> PlattScaling:
    """Logistic regression, drawn to slope 1 and intercept 0 as by one user's answer each."""
    from scipy.optimize import minimize

    signs = np.where(right, -1.0, 1.0)

    def loss(line: npt.NDArray[np.float64]) -> float:
        slope, intercept = line
        surprise = np.logaddexp(0, signs * (slope * logits + intercept)).sum()
        return float(surprise + ((slope - 1) ** 2 + intercept**2) / 2)

    slope, intercept = minimize(loss, (1.0, 0.0), method="L-BFGS-B", bounds=_BOUNDS).x
    return PlattScaling(float(slope), float(intercept))
