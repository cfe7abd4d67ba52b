"""Risk: the share of people whom an attacker links correctly, with its interval, beside the baseline of decoys."""

from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt

from factlink.audits.attacks import Attack

LEVELS = (0.5, 0.9, 0.99)
"""Levels of certainty: the attacker acts on links of this probability or more."""
HEADLINE = LEVELS[0]
"""The level of the reasons, the measures and the target: all that the attacker holds more likely than not."""
_Z = 1.96


@dataclass(frozen=True, slots=True)
class Share:
    """A share of some people, with its 95 % interval."""

    value: float
    low: float
    high: float
    people: int


@dataclass(frozen=True, slots=True)
class Risk:
    """What an attacker reaches at one level of certainty."""

    level: float
    correct: Share  # of the people are linked correctly
    claimed: Share  # are linked, correctly or not
    baseline: Share  # of the decoys are linked, though they are nobody
    above_baseline: float  # (claimed − baseline) / (1 − baseline)


def share_of(total: float, people: int) -> Share:
    """Wilson's interval of `total` among so many people."""
    if people <= 0:
        return Share(0.0, 0.0, 1.0, 0)
    p, z2 = total / people, _Z * _Z / people
    middle, half = (p + z2 / 2) / (1 + z2), _Z * sqrt(p * (1 - p) / people + z2 / (4 * people)) / (1 + z2)
    return Share(float(p), max(0.0, float(middle - half)), min(1.0, float(middle + half)), int(people))


def share_correct(attack: Attack, level: float, some: npt.NDArray[np.bool_] | None = None) -> Share:
    """The share of the people counted, or of some of them, whom the attacker links correctly."""
    counted = attack.release.counted if some is None else attack.release.counted & some
    return share_of(float(attack.correct(level)[counted].sum()), int(counted.sum()))


def measure_risks(attack: Attack) -> list[Risk]:
    """The risk at every level."""
    counted = attack.release.counted
    found = []
    for level in LEVELS:
        claimed = share_of(float(attack.claimed(level)[counted].sum()), int(counted.sum()))
        baseline = share_of(float((attack.decoys >= level).sum()), len(attack.decoys))
        above = _above(claimed.value, baseline.value)
        found.append(Risk(level, share_correct(attack, level), claimed, baseline, above))
    return found


def _above(claimed: float, baseline: float) -> float:
    return max(0.0, (claimed - baseline) / (1 - baseline)) if baseline < 1 else 0.0
