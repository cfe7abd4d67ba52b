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
_NINE_OF_TEN = 1.645  # standard deviations to either side


@dataclass(frozen=True, slots=True)
class DecoyCalibration:
    """A line through log odds; slope 1 and intercept 0 change nothing."""

    intercept: float = 0.0
    slope: float = 1.0
    by_side: tuple[tuple[float, float], ...] = ()  # intercepts and slopes that each network's decoys alone would give
    doubt: float = 0.0  # standard deviation of the share of false links, relative to it, as so few decoys tell it

    def probabilities(self, log_odds: Floats) -> Floats:
        """(n,): calibrated probabilities."""
        logits = np.clip(self.logits(log_odds), -_FARTHEST, _FARTHEST)
        return np.asarray(1 / (1 + np.exp(-logits)), np.float32)

    def logits(self, log_odds: Floats) -> Floats:
        """(n,): calibrated log odds."""
        return np.asarray(self.intercept + self.slope * log_odds, np.float32)

    def false_link_range(self, probabilities: Floats) -> tuple[float, float]:
        """Between which shares of false links the truth should be, nine times out of ten, given these probabilities.

        What the decoys of either network alone would say, how far as many links as these may be off by chance, and as
        many decoys.
        """
        if not len(probabilities):
            return 0.0, 0.0
        likely = np.clip(probabilities.astype(np.float64), 1e-6, 1 - 1e-6)
        log_odds = (np.log(likely / (1 - likely)) - self.intercept) / self.slope
        lines = ((self.intercept, self.slope), *self.by_side)
        false = [1 / (1 + np.exp(np.clip(a + b * log_odds, -_FARTHEST, _FARTHEST))) for a, b in lines]
        chance = [
            _NINE_OF_TEN * float(np.hypot(np.sqrt((each * (1 - each)).sum()) / len(likely), self.doubt * each.mean()))
            for each in false
        ]
        ends = [(each.mean() - by, each.mean() + by) for each, by in zip(false, chance, strict=True)]
        return max(0.0, float(min(low for low, _ in ends))), min(1.0, float(max(high for _, high in ends)))


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """The best log odds of users of one network, and of its decoys, with what each of these counts."""

    users: Doubles  # (n_users,)
    decoys: Doubles  # (n,)
    weights: Doubles  # (n,)

    @classmethod
    def alike(cls, users: Doubles, decoys: Doubles) -> "Side":
        """All decoys count the same."""
        return cls(users, decoys, np.ones(len(decoys)))

    def share_wrong(self) -> float:
        """π: the share of users whose best candidate is no better than a decoy's; at least one user's."""
        order = np.argsort(self.decoys)
        below = np.cumsum(self.weights[order]) / self.weights.sum()
        at = min(int(np.searchsorted(below, QUANTILE)), len(order) - 1)
        level = self.decoys[order][at]
        share = float(self.weights[self.decoys <= level].sum() / self.weights.sum())
        return min(1.0, (float((self.users <= level).mean()) + 1 / len(self.users)) / share)


def calibrate_on_decoys(sides: Sequence[Side]) -> DecoyCalibration:
    """The most likely line, one for both networks, and those of each; a decoy above all keeps them from certainty.

    That decoy has a weight of 1. A slope e times steeper or gentler than 1 is as surprising as one such decoy: a few
    users cannot tell it.
    """
    prepared = [_prepare(side) for side in sides]
    intercept, slope = _fit_line(prepared)
    doubt = 1 / np.sqrt(1 + sum(_count(side, -intercept / slope) for side in sides))
    return DecoyCalibration(intercept, slope, tuple(_fit_line([each]) for each in prepared), float(doubt))


def _count(side: Side, level: float) -> float:
    """How many decoys of one weight tell as much as those from a level on, where candidates are likelier right."""
    weights = side.weights[side.decoys >= level]
    return float(weights.sum() ** 2 / (weights**2).sum()) if len(weights) else 0.0


def _fit_line(sides: Sequence[tuple[Doubles, Doubles, Doubles, float]]) -> tuple[float, float]:
    from scipy.optimize import minimize

    n_users = sum(len(users) for users, *_ in sides)

    def loss(line: Doubles) -> float:
        steepness = float(np.log(max(line[1], _GENTLEST)))
        return (sum(_surprise(line, *each) for each in sides) + steepness**2) / n_users

    intercept, slope = minimize(loss, (0.0, 1.0), method="Nelder-Mead").x
    return float(intercept), max(float(slope), _GENTLEST)


def _prepare(side: Side) -> tuple[Doubles, Doubles, Doubles, float]:
    weights = np.append(side.weights * (len(side.users) / side.weights.sum()), 1.0)
    highest = max(side.users.max(), side.decoys.max())
    return side.users, np.append(side.decoys, highest), weights, side.share_wrong()


def _surprise(line: Doubles, users: Doubles, decoys: Doubles, weights: Doubles, share: float) -> float:
    mine, theirs = (
        share * (1 + np.exp(np.clip(line[0] + line[1] * t, -_FARTHEST, _FARTHEST))) for t in (users, decoys)
    )
    return float(np.log1p(1 / mine).sum() + (weights * np.log1p(theirs)).sum())
