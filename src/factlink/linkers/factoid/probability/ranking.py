"""What candidates are ranked by, and what it is made of.

score = calibration of (log odds − log dustbin + log open(v → u)) + left scaling, where open = a + second · (1 − a) says
how far a right user may be the partner of u: v is free of others with chance a, and otherwise u may be a second account
of the person who has v. A left user's best pair has the calibrated log odds of its likeliest one, so its probability is
1 / (1 + e^−score).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from factlink.candidates.pairs import best_of_pairs, left_best, mutual_best
from factlink.decision.matching import FARTHEST
from factlink.linkers.factoid.probability.learning import Probabilities
from factlink.types import Floats, Ints, Pairs

STRONG = 0.25
"""The share of links that agree less than what counts as the claim of a second account."""

SMALL = 1e-7
"""Evidence below has no parts."""


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """Scores of all pairs, and the parts of them that no channel gives."""

    found: Probabilities
    scores: Floats  # (n_pairs,)
    left_scaling: Floats  # (n_left,)
    second: float  # second accounts of left users, for each link

    def priors(self, lefts: Ints) -> Floats:
        """(n,): the score of two users who agree in nothing and have no rivals."""
        model, line = self.found.model, self.found.calibration
        prior = line.logits(model.intercept - np.log(self.found.free[0]) - np.log(self.found.free[1]))
        return np.full(len(lefts), prior, np.float32)

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
        return np.asarray(found.calibration.slope * _log_open(messages, found.free[1], self.second), np.float32)

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
    """Scores of the pairs: rivals take off no more than the chance that a left user is a second account."""
    pairs, line, matching, second = found.pairs, found.calibration, found.matching, second_share(found)
    dustbin = found.free[1]
    free = line.logits(found.log_odds - np.log(dustbin) + _log_open(matching.from_right, dustbin, second))
    free = np.asarray(free, np.float32)
    likeliest, best = (best_of_pairs(pairs, each, 1).scores[:, 0] for each in (line.logits(matching.log_odds), free))
    scaling = np.zeros(pairs.n_left, np.float32)
    np.subtract(likeliest, best, out=scaling, where=np.isfinite(best))
    return Ranking(found, free + scaling[pairs.lefts], scaling, second)


def second_share(found: Probabilities) -> float:
    """How many left users seem to be second accounts, for each link.

    A second account agrees with its right user as links do. So left users without a link are counted whose likeliest
    right user is linked to somebody else, and who agree with it more than a quarter of the links agree; three in four
    second accounts do. Namesakes seldom do: of a right user who has a partner, more than chance is asked.
    """
    linked = _links(found)
    if not len(linked):
        return 0.0
    pairs, log_odds = found.pairs, found.log_odds
    mine, theirs = np.zeros(pairs.n_left, np.bool_), np.zeros(pairs.n_right, np.bool_)
    mine[pairs.lefts[linked]], theirs[pairs.rights[linked]] = True, True
    best = left_best(pairs, log_odds, 1)[1] & ~mine[pairs.lefts] & theirs[pairs.rights]
    strong = np.count_nonzero(log_odds[best] >= np.quantile(log_odds[linked], STRONG))
    return float(min(1.0, strong / ((1 - STRONG) * len(linked))))


def _links(found: Probabilities) -> Ints:
    """Places of mutual best pairs that are more likely right than wrong; those that are known say nothing."""
    values = found.values
    best = mutual_best(found.pairs, values)
    return best[(values[best] > 0.5) & (found.log_odds[best] < FARTHEST)]


def _log_open(messages: Floats | npt.NDArray[np.float64], dustbin: float, second: float) -> npt.NDArray[np.float64]:
    """(n,): how far right users may be partners, whoever else wants them; at most 0."""
    free = np.minimum(1.0, messages.astype(np.float64) * dustbin)
    return np.log(free + second * (1 - free))
