"""Log odds → probabilities that decoys confirm: how often does somebody without a partner get so good a candidate?

The best log odds t of users are those of decoys, for the share π of users whose best candidate is wrong, and higher
for the others. So with as many decoys as users

    P(a user's | t) = q / (1 + q),   q = π · (1 + e^(intercept + slope · t)),

and the best candidate is right with the probability σ(intercept + slope · t). π is read off below the level that
QUANTILE of the decoys stay under, where few users with a partner are.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from factlink.types import Floats

Doubles = npt.NDArray[np.float64]

QUANTILE = 0.9
"""The share of decoys below the level that the share of wrong best candidates is read at."""

_GENTLEST = 0.05  # the smallest slope
_FARTHEST = 30.0  # logits


@dataclass(frozen=True, slots=True)
class DecoyCalibration:
    """A line through log odds; slope 1 and intercept 0 change nothing."""

    intercept: float = 0.0
    slope: float = 1.0

    def probabilities(self, log_odds: Floats) -> Floats:
        """(n,): calibrated probabilities."""
        logits = np.clip(self.intercept + self.slope * log_odds, -_FARTHEST, _FARTHEST)
        return np.asarray(1 / (1 + np.exp(-logits)), np.float32)


Side = tuple[Doubles, Doubles]
"""The best log odds of users of one network, and of decoys of that network."""


def share_wrong(users: Doubles, decoys: Doubles) -> float:
    """π: the share of users whose best candidate is no better than a decoy's; at least one user's."""
    level = np.quantile(decoys, QUANTILE)
    return min(1.0, (float((users <= level).mean()) + 1 / len(users)) / float((decoys <= level).mean()))


def calibrate_on_decoys(sides: Sequence[Side]) -> DecoyCalibration:
    """The most likely line, one for both networks; a decoy of weight 1 above all keeps it from certainty."""
    from scipy.optimize import minimize

    prepared = [_prepare(*side) for side in sides]
    n_users = sum(len(users) for users, _ in sides)

    def loss(line: Doubles) -> float:
        return sum(_surprise(line, *each) for each in prepared) / n_users

    intercept, slope = minimize(loss, (0.0, 1.0), method="Nelder-Mead").x
    return DecoyCalibration(float(intercept), max(float(slope), _GENTLEST))


def _prepare(users: Doubles, decoys: Doubles) -> tuple[Doubles, Doubles, Doubles, float]:
    weights = np.append(np.full(len(decoys), len(users) / len(decoys)), 1.0)
    return users, np.append(decoys, max(users.max(), decoys.max())), weights, share_wrong(users, decoys)


def _surprise(line: Doubles, users: Doubles, decoys: Doubles, weights: Doubles, share: float) -> float:
    mine, theirs = (
        share * (1 + np.exp(np.clip(line[0] + line[1] * t, -_FARTHEST, _FARTHEST))) for t in (users, decoys)
    )
    return float(np.log1p(1 / mine).sum() + (weights * np.log1p(theirs)).sum())
