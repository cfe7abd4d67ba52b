"""Which candidates of a decoy may be partners of its donors, who would be the decoy's own: they are left out.

How likely a candidate is a donor's partner is known from the last round, by the donor's own candidates: whoever else
likes it may be another account of the donor. Crossing names tells more. A partner agrees with the donor in both parts
of the name, and so less with the decoy, which has one of them. Somebody who shares one part by chance agrees as much
with the decoy, or not at all.
"""

from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from factlink.candidates.pairs import CandidatePairs, left_best, right_best
from factlink.decision.matching import FARTHEST, Doubles
from factlink.linkers.factoid.probability.decoys import Decoys
from factlink.types import Floats

PARTS = 10
"""Parts, of as many pairs each, in which a decoy's agreement with a candidate is compared with its donor's."""

_STEPS = 10  # of expectation and maximisation

_NEVER = 1e-4  # candidates that are a decoy's best with a smaller chance are none


def shares_there(decoys: Decoys, pairs: CandidatePairs, agreements: Floats, probabilities: Floats) -> Doubles:
    """(n_decoy_pairs,): how likely each candidate of a decoy is nobody's partner.

    `agreements` and `probabilities` are of all pairs of users; agreements are by names, if there are any, probabilities
    by the candidates of the decoys' network alone.
    """
    there = np.ones(len(decoys.pairs))
    best = (left_best, right_best)[decoys.side](pairs, probabilities, 1)[1]
    rows, others = decoys.pairs.lefts, decoys.pairs.rights
    crossed = not np.array_equal(decoys.donors, decoys.mates)
    for givers in (decoys.donors, decoys.mates)[: 1 + crossed]:
        mine = givers[rows]
        places = pairs.places(*((mine, others) if decoys.side == 0 else (others, mine)))
        seen = np.flatnonzero(places >= 0)
        at = places[seen]
        kept = decoys.agreements[0][seen] / np.maximum(agreements[at], 1e-6)
        there[seen] *= _no_partner(probabilities[at].astype(np.float64), kept, best[at])
    return there


def _no_partner(probabilities: Doubles, kept: Floats | Doubles, best: npt.NDArray[np.bool_]) -> Doubles:
    """How likely no partner, given what share of a donor's agreement its decoy has; learned on best candidates.

    Apart for those that are likelier right than wrong: somebody who is taken for the partner has more than one part of
    the name in common, as the partner has. Until as many as there are parts were seen, no share says anything.
    """
    shares = np.quantile(kept[best], np.linspace(0, 1, PARTS + 1)[1:-1]) if best.any() else np.empty(0)
    part = np.searchsorted(shares, kept, side="right") + PARTS * (probabilities > 0.5)
    seen = np.bincount(part[best], minlength=2 * PARTS).reshape(2, PARTS)
    doubt = PARTS * seen / np.maximum(seen.sum(axis=1, keepdims=True), 1)
    ratio = np.ones(2 * PARTS)
    for _ in range(_STEPS):
        likely = 1 - _without(probabilities[best], ratio[part[best]])
        partners, others = (
            doubt + np.bincount(part[best], weights, 2 * PARTS).reshape(2, PARTS) for weights in (likely, 1 - likely)
        )
        odds = partners * others.sum(axis=1, keepdims=True), others * partners.sum(axis=1, keepdims=True)
        ratio = np.divide(*odds, out=np.ones((2, PARTS)), where=seen > 0).ravel()
    return _without(probabilities, ratio[part])


def _without(probabilities: Doubles, ratio: Doubles) -> Doubles:
    """How unlikely pairs are once their odds are multiplied."""
    return np.asarray((1 - probabilities) / (probabilities * ratio + 1 - probabilities))


def chance_bests(decoys: Decoys, log_odds: Doubles, there: Doubles) -> tuple[Doubles, Doubles]:
    """The log odds that may be the best of a decoy, and their chances: of being there while no better one is."""
    order = np.asarray(_falling(decoys.pairs.left_starts, log_odds))
    rows, there = decoys.pairs.lefts[order], there[order]
    gone = np.log(np.maximum(1 - there, 1e-12))
    before = np.cumsum(gone) - gone
    chances = there * np.exp(before - before[decoys.pairs.left_starts[:-1].clip(max=max(0, len(rows) - 1))][rows])
    chosen = chances > _NEVER
    nobody = len(decoys) - float(chances[chosen].sum())
    return np.append(log_odds[order][chosen], -FARTHEST), np.append(chances[chosen], max(0.0, nobody))


@numba.njit(cache=True, parallel=True)
def _falling(starts: Any, values: Any) -> Any:
    """(n,): the places of each group by falling value; equal ones as they were."""
    order = np.empty(len(values), np.int64)
    for group in numba.prange(len(starts) - 1):
        first, last = starts[group], starts[group + 1]
        order[first:last] = first + np.argsort(-values[first:last], kind="mergesort")
    return order
