"""How well a candidate's other pairs do: the level that the gap of a pair is measured from."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numba
import numpy as np

from factlink.candidates.pairs import CandidatePairs
from factlink.types import Floats, Ints

RIVALS = 9
"""Best other pairs of a candidate, whose mean evidence is its level."""


@dataclass(frozen=True, slots=True, eq=False)
class Rivals:
    """The best pairs of each user of one network."""

    users: Ints  # (n, RIVALS + 2) of the other network, −1 for none
    evidence: Floats  # (n, RIVALS + 2), 0 for none

    @property
    def mean(self) -> Floats:
        """(n,): of the RIVALS best pairs of each."""
        return np.asarray(self.evidence[:, :RIVALS].sum(axis=1) / RIVALS, np.float32)

    def levels(self, rows: Ints, without: Sequence[Ints]) -> Floats:
        """(n,): the mean evidence of the RIVALS best pairs of each row that are with none of these users."""
        return np.asarray(_levels(self.users, self.evidence, rows, np.stack(without)), np.float32)


def best_rivals(pairs: CandidatePairs, evidence: Floats, side: int) -> Rivals:
    """The best pairs of each left user (side 0) or right user."""
    n, starts = (pairs.n_left, pairs.left_starts) if side == 0 else (pairs.n_right, pairs.right_starts)
    order = np.empty(0, np.int32) if side == 0 else pairs.by_right
    others = pairs.rights if side == 0 else pairs.lefts
    users, best = np.full((n, RIVALS + 2), -1, np.int32), np.zeros((n, RIVALS + 2), np.float32)
    _fill_rivals(starts, order, others, evidence, users, best)
    return Rivals(users, best)


@numba.njit(cache=True, parallel=True)
def _fill_rivals(starts: Any, order: Any, others: Any, evidence: Any, users: Any, best: Any) -> None:
    width = users.shape[1]
    for user in numba.prange(len(starts) - 1):
        held = 0
        for at in range(starts[user], starts[user + 1]):
            place = order[at] if len(order) else at
            value = evidence[place]
            if held == width and value <= best[user, width - 1]:
                continue
            spot = held if held < width else width - 1
            held = min(held + 1, width)
            while spot > 0 and value > best[user, spot - 1]:
                best[user, spot], users[user, spot] = best[user, spot - 1], users[user, spot - 1]
                spot -= 1
            best[user, spot], users[user, spot] = value, others[place]


@numba.njit(cache=True, parallel=True)
def _levels(users: Any, evidence: Any, rows: Any, without: Any) -> Any:
    levels = np.empty(len(rows), np.float32)
    for i in numba.prange(len(rows)):
        total, taken = 0.0, 0
        for j in range(users.shape[1]):
            met = False
            for k in range(len(without)):
                met |= users[rows[i], j] == without[k, i]
            if not met and taken < RIVALS:
                total += evidence[rows[i], j]
                taken += 1
        levels[i] = total / RIVALS
    return levels
