"""How likely pairs within one network are, learned from users and decoys. Nobody competes: people may have three.

First curves are fitted to users and all decoys. Then pairs with likely accounts of a decoy's donors are left out, and
curves are fitted again. Not more often: what is left out was chosen by the curves, and would confirm them.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from factlink.candidates.pairs import CandidatePairs, left_best
from factlink.decision.decoy_calibration import DecoyCalibration, Side, calibrate_on_decoys
from factlink.decision.pair_model import Curve
from factlink.linkers.factoid.within.curves import CurveModel, fit_curves
from factlink.linkers.factoid.within.decoys import Decoys
from factlink.linkers.factoid.within.evidence import FRIENDS, GAP, NAMES, Columns
from factlink.types import Floats

SAMPLE = 3_000
"""Users that the model is fitted to, and as many decoys."""

FEWEST = 50
"""Decoys below which nothing is learned, and the odds of `FIXED` hold."""

ROUNDS = 2
"""Of fitting, with likely accounts of donors left out from the second on."""

FIXED = CurveModel(-11.0, {NAMES: Curve((0.0,), (12.0,)), FRIENDS: Curve((0.0,), (12.0,))})
"""Even odds where names and friends together reach .92: for a handful of users, who teach nothing."""

_LIKELY = 0.9  # from here on an account of a donor is left out
_CANDIDATES = 8  # pairs per decoy, on average, that the model is fitted to
_MIDDLE = 0.5  # quantile at which the friends of users and of decoys are made equal
_LEAST = -30.0  # log odds of pairs that are left out

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Learned:
    """What was learned, and how likely each pair is."""

    model: CurveModel
    calibration: DecoyCalibration
    log_odds: Floats  # (n_pairs,) before calibration

    @property
    def probabilities(self) -> Floats:
        """(n_pairs,): that the two are one person."""
        return self.calibration.probabilities(self.log_odds)


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """What is learned from: symmetric pairs of users, decoys, and the columns of both."""

    pairs: CandidatePairs
    users: Columns
    decoys: Decoys
    theirs: Columns


def learn(seen: Seen, rng: np.random.Generator) -> Learned:
    """From users and decoys; by fixed odds where there are too few."""
    if len(seen.decoys) < FEWEST or not len(seen.pairs):
        return keep(seen.users)
    drawn = np.sort(rng.permutation(seen.pairs.n_left)[:SAMPLE])
    best = {title: left_best(seen.pairs, values, 1)[0][drawn] for title, values in seen.users.values.items()}
    found, likely = None, np.zeros(len(seen.pairs), np.bool_)
    for _ in range(ROUNDS):
        found = _fit(seen, drawn, best, likely)
        likely = found.probabilities > _LIKELY
    assert found is not None
    return found


def keep(users: Columns) -> Learned:
    """By fixed odds."""
    known = CurveModel(FIXED.base, {t: curve for t, curve in FIXED.curves.items() if t in users.values})
    return Learned(known, DecoyCalibration(), known.log_odds(users))


def _fit(seen: Seen, drawn: npt.NDArray[np.int64], best: Mapping[str, Floats], likely: Flags) -> Learned:
    """One round: the decoys' friends made as near as the users', curves, and the line through the best of both."""
    pairs, decoys = seen.pairs, seen.decoys
    there = ~_belong_to_donors(seen, likely)
    theirs = _made_equal(seen, drawn, best, likely, there)
    mine = np.zeros(pairs.n_left, np.bool_)
    mine[drawn] = True
    some, surprises = seen.users.some(mine[pairs.lefts]), _surprise(theirs, theirs)
    level = _level(surprises[there], _CANDIDATES * len(decoys))
    chosen = some.some(_surprise(some, theirs) >= level), theirs.some(there & (surprises >= level))
    model = fit_curves(*chosen, best, len(drawn) / len(decoys))
    log_odds = model.log_odds(seen.users)
    others = np.where(there, model.log_odds(theirs), np.float32(_LEAST))
    tops = left_best(pairs, log_odds, 1)[0][drawn], left_best(decoys.pairs, others, 1)[0]
    line = calibrate_on_decoys([Side.alike(tops[0].astype(np.float64), tops[1].astype(np.float64))])
    return Learned(model, line, log_odds)


def _made_equal(
    seen: Seen, drawn: npt.NDArray[np.int64], best: Mapping[str, Floats], likely: Flags, there: Flags
) -> Columns:
    """The decoys' columns, friends and their gap stretched until the middle decoy's best is the middle user's.

    A decoy has friends of several users, so none is as near to it as a real user's nearest.
    """
    taken = np.zeros(seen.pairs.n_left, np.bool_)
    taken[seen.pairs.lefts[likely]] = True
    users, decoys = ~taken[drawn], ~np.any([taken[givers] for givers in seen.decoys.givers], axis=0)
    if not users.any() or not decoys.any():
        return seen.theirs
    values = dict(seen.theirs.values)
    for title in (FRIENDS, GAP + FRIENDS):
        if title in values:
            theirs = left_best(seen.decoys.pairs, np.where(there, values[title], np.float32(-1)), 1)[0][decoys]
            middles = np.quantile(best[title][users], _MIDDLE), np.quantile(theirs, _MIDDLE)
            stretch = np.float32(max(1.0, middles[0] / max(middles[1], 1e-3)))
            values[title] = np.where(values[title] > 0, values[title] * stretch, values[title])
    return Columns(values)


def _surprise(columns: Columns, null: Columns) -> Floats:
    """(n,): the sum over the channels of −log of the share of the decoys' pairs that agree as much."""
    total = np.zeros(len(columns), np.float32)
    for title, others in null.channels.items():
        ordered = np.sort(others)
        above = len(ordered) - np.searchsorted(ordered, columns.values[title], "left")
        total -= np.log((above + 1) / (len(ordered) + 1)).astype(np.float32)
    return total


def _level(values: Floats, n: int) -> float:
    """The n-th largest."""
    lowest = max(0, len(values) - n)
    return float(np.partition(values, lowest)[lowest])


def _belong_to_donors(seen: Seen, likely: Flags) -> Flags:
    """(n_pairs,): pairs of decoys with a likely account of one of their donors."""
    pairs, found = seen.decoys.pairs, np.zeros(len(seen.decoys.pairs), np.bool_)
    for givers in seen.decoys.givers:
        places = seen.pairs.places(givers[pairs.lefts], pairs.rights)
        found |= (places >= 0) & likely[places]
    return found
