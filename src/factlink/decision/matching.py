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
_STILL = 1e-5  # of a message: who receives a smaller change need not answer


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
    from_left = np.ones_like(from_right)
    groups = (pairs.left_starts, _EVERY, pairs.rights), (pairs.right_starts, pairs.by_right, pairs.lefts)
    stale = np.ones(pairs.n_left, np.bool_), np.ones(pairs.n_right, np.bool_)
    for turn in range(_ROUNDS):
        _send(groups[0], odds, from_right, left, (from_left, False), stale)
        if not one_to_one:
            break
        if _send(groups[1], odds, from_left, right, (from_right, turn % 2 == 1), stale[::-1]) < _CLOSE:
            break
    return Matching(
        np.log(odds) + np.log(from_left) + np.log(from_right),
        odds,
        from_left,
        from_right,
        _totals(*groups[0][:2], odds, from_right),
        _totals(*groups[1][:2], odds, from_left) if one_to_one else np.zeros(pairs.n_right),
    )


_EVERY: Ints = np.empty(0, np.int32)


@numba.njit(cache=True, parallel=True)
def _send(group: Any, odds: Any, received: Any, dustbins: Any, out: Any, stale: Any) -> float:
    """Messages of one side to the other, or half of the way there; the largest change of a logarithm.

    Users are stale until their messages are what they should be; who has received nothing new since stays as is.

    Each message is a sum without one term. Taking the term off the whole sum would lose it to rounding where it is
    nearly all of it, so the terms before and after are added up apart.
    """
    starts, order, others = group
    messages, half = out
    mine, theirs = stale
    changes = np.ones(len(starts) - 1)
    for user in numba.prange(len(starts) - 1):
        if mine[user]:
            mine[user] = False
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
                message, last_one = 1 / (before[at - first] + after), messages[place]
                after += odds[place] * received[place]
                changes[user] = max(changes[user], message / last_one, last_one / message)
                messages[place] = np.sqrt(message * last_one) if half else message
                if abs(messages[place] - last_one) > _STILL * last_one:
                    theirs[others[place]] = True
                if half and abs(messages[place] - message) > _STILL * message:
                    mine[user] = True
    return np.log(changes.max()) if len(changes) else 0.0


@numba.njit(cache=True, parallel=True)
def _totals(starts: Any, order: Any, odds: Any, received: Any) -> Any:
    totals = np.zeros(len(starts) - 1)
    for user in numba.prange(len(starts) - 1):
        for at in range(starts[user], starts[user + 1]):
            place = order[at] if len(order) else at
            totals[user] += odds[place] * received[place]
    return totals
