"""How likely each pair is when every user has at most one partner: belief propagation over candidate pairs.

The weight of a matching is the product of the odds of its pairs and of the dustbins of all users that it leaves
without a partner. A message x(u → v) says how free u is of everybody but v:

    x(u → v) = 1 / (dustbin of u + Σ over v' ≠ v of odds(u, v') · x(v' → u))
    log odds of a pair under competition = log odds + log x(u → v) + log x(v → u)

This is exact where candidate pairs form no cycle, as for two users without rivals.
"""

from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from factlink.candidates.pairs import CandidatePairs
from factlink.types import Floats, Ints

Doubles = npt.NDArray[np.float64]

FARTHEST = 30.0
"""Log odds are no farther from 0 than this, so that their exponentials stay finite."""

_ROUNDS = 40  # of messages at most; most networks need ten
_CLOSE = 1e-3  # messages that change by less, in logarithms, stay


@dataclass(frozen=True, slots=True, eq=False)
class Matching:
    """Log odds of all pairs under competition, and how much everybody's candidates weigh together."""

    log_odds: Floats  # (n_pairs,)
    odds: Floats  # (n_pairs,) before competition
    from_left: Floats  # (n_pairs,) messages x(u → v)
    from_right: Floats  # (n_pairs,) messages x(v → u)
    left_totals: Doubles  # (n_left,) Σ over v of odds · x(v → u), without the dustbin
    right_totals: Doubles  # (n_right,)


def match(
    pairs: CandidatePairs, log_odds: Floats, dustbins: tuple[Doubles, Doubles], *, one_to_one: bool = True
) -> Matching:
    """The matching of all pairs; without one-to-one, a right user may be the partner of several left ones."""
    odds = np.exp(np.clip(log_odds, -FARTHEST, FARTHEST)).astype(np.float32)
    left, right = dustbins
    from_right = (1 / (right[pairs.rights] + (odds if one_to_one else 0))).astype(np.float32)
    from_left = np.empty_like(from_right)
    groups = (pairs.left_starts, _EVERY), (pairs.right_starts, pairs.by_right)
    for turn in range(_ROUNDS):
        _send(*groups[0], odds, from_right, left, (from_left, 1.0))
        if not one_to_one:
            break
        damping = 0.5 if turn % 2 else 1.0
        change = _send(*groups[1], odds, from_left, right, (from_right, damping))
        if change < _CLOSE:
            break
    return Matching(
        np.log(odds) + np.log(from_left) + np.log(from_right),
        odds,
        from_left,
        from_right,
        _totals(*groups[0], odds, from_right),
        _totals(*groups[1], odds, from_left) if one_to_one else np.zeros(pairs.n_right),
    )


_EVERY: Ints = np.empty(0, np.int32)


@numba.njit(cache=True, parallel=True)
def _send(starts: Any, order: Any, odds: Any, received: Any, dustbins: Any, out: Any) -> float:
    """Messages of one side to the other, `damping` of the way; the largest change of a logarithm.

    Each message is a sum without one term. Taking the term off the whole sum would lose it to rounding where it is
    nearly all of it, so the terms before and after are added up apart.
    """
    messages, damping = out
    changes = np.zeros(len(starts) - 1)
    for user in numba.prange(len(starts) - 1):
        first, last = starts[user], starts[user + 1]
        before = np.empty(last - first)
        total = dustbins[user]
        for at in range(first, last):
            place = order[at] if len(order) else at
            before[at - first] = total
            total += odds[place] * received[place]
        after = 0.0
        for at in range(last - 1, first - 1, -1):
            place = order[at] if len(order) else at
            message = 1 / (before[at - first] + after)
            after += odds[place] * received[place]
            change = np.log(message) - np.log(messages[place]) if damping < 1 or messages[place] > 0 else 0.0
            changes[user] = max(changes[user], abs(change))
            messages[place] = message if damping == 1 else messages[place] * np.exp(damping * change)
    return changes.max() if len(changes) else 0.0


@numba.njit(cache=True, parallel=True)
def _totals(starts: Any, order: Any, odds: Any, received: Any) -> Any:
    totals = np.zeros(len(starts) - 1)
    for user in numba.prange(len(starts) - 1):
        for at in range(starts[user], starts[user + 1]):
            place = order[at] if len(order) else at
            totals[user] += odds[place] * received[place]
    return totals
