"""What candidates are ranked by, and what it is made of.

score = calibration of (log odds + share · log x(v → u)) + left scaling, where x says how free the right user is. A left
user's best pair has the calibrated log odds of its likeliest one, so its probability is 1 / (1 + e^−score).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from factlink.candidates.pairs import best_of_pairs, left_sums
from factlink.decision.matching import FARTHEST
from factlink.linkers.factoid.probability.learning import Probabilities
from factlink.types import Floats, Ints, Pairs

FREE_SHARE = 0.5
"""How much rivals for a right user count for who seems to have no match: in full, a second account would lose all."""

SMALL = 1e-7
"""Evidence below has no parts."""


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """Scores of all pairs, and the parts of them that no channel gives."""

    found: Probabilities
    scores: Floats  # (n_pairs,)
    left_scaling: Floats  # (n_left,)
    shares: Floats  # (n_left,) how much rivals for a right user count

    def priors(self, lefts: Ints) -> Floats:
        """(n,): the score of two users who agree in nothing and have no rivals."""
        model, line = self.found.model, self.found.calibration
        unrivalled = np.log(self.found.free[0]) + self.shares[lefts] * np.log(self.found.free[1])
        return np.asarray(line.logits(model.intercept - unrivalled), np.float32)

    def left_discounts(self, lefts: Ints) -> Floats:
        """(n,): what rivals for each left user take off the score."""
        return np.asarray(
            self.left_scaling[lefts] + self.found.calibration.slope * np.log(self.found.free[0]), np.float32
        )

    def right_discounts(self, lefts: Ints, rights: Ints) -> Floats:
        """(n,): what rivals for each right user take off the score."""
        found = self.found
        places = found.pairs.places(lefts, rights)
        messages = 1 / (found.free[1] + found.matching.right_totals[rights])
        if len(found.pairs):
            messages = np.where(places >= 0, found.matching.from_right[places], messages)
        return np.asarray(found.calibration.slope * self.shares[lefts] * np.log(messages * found.free[1]), np.float32)

    def take_apart(self, pairs: Pairs, agreements: Sequence[Floats], shares: Sequence[Floats]) -> "LogOdds":
        """What each channel adds; `shares` are the parts of the evidence that come from them.

        The curve of the gap is split in two: what it would be if the right user resembled nobody else goes to the
        channels by their shares, and the rest is resemblance; of pairs that are not candidates, resemblance as a whole.
        """
        found, slope = self.found, self.found.calibration.slope
        evidence = np.sum(shares, axis=0)
        unrivalled = found.model.gap(evidence)
        per_unit = np.divide(unrivalled, evidence, out=np.zeros(len(evidence)), where=np.abs(evidence) > SMALL)
        curves = [curve(values) for curve, values in zip(found.model.channels, agreements, strict=True)]
        gaps = found.model.gap(evidence - found.levels[1][pairs.rights])
        places = found.pairs.places(pairs.lefts, pairs.rights)
        if len(found.pairs):
            seen = (places >= 0) & (found.log_odds[places] < FARTHEST)
            gaps = np.where(seen, found.log_odds[places] - found.model.intercept - np.sum(curves, axis=0), gaps)
        channels = [slope * (curve + per_unit * share) for curve, share in zip(curves, shares, strict=True)]
        return LogOdds(channels, slope * (gaps - per_unit * evidence))


@dataclass(frozen=True, slots=True, eq=False)
class LogOdds:
    """Calibrated log odds of pairs in parts, before any competition and without the prior."""

    channels: Sequence[npt.NDArray[np.float64]]  # (n,) each
    resemblance: npt.NDArray[np.float64]  # (n,): that the right user resembles others too


def rank_pairs(found: Probabilities) -> Ranking:
    """Scores of the pairs: rivals count half for who seems to have no match, and up to all of it for others."""
    pairs, line, matching = found.pairs, found.calibration, found.matching
    linked = np.minimum(left_sums(pairs, found.values), 1)
    shares = (FREE_SHARE + (1 - FREE_SHARE) * linked).astype(np.float32)
    free = line.logits(found.log_odds + shares[pairs.lefts] * np.log(matching.from_right))
    likeliest, best = (best_of_pairs(pairs, each, 1).scores[:, 0] for each in (line.logits(matching.log_odds), free))
    scaling = np.zeros(pairs.n_left, np.float32)
    np.subtract(likeliest, best, out=scaling, where=np.isfinite(best))
    return Ranking(found, free + scaling[pairs.lefts], scaling, shares)
