"""A transport plan that lists some pairs and is of rank one elsewhere: users·k numbers in place of users·users.

What a plan adds up to over the neighbours of two users, and Sinkhorn's scaling, are exact for such plans.
"""

from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix

from factlink.candidates.pairs import CandidatePairs

Doubles = npt.NDArray[np.float64]
_LEAST, _FARTHEST = 1e-300, 600.0


@dataclass(frozen=True, slots=True, eq=False)
class PairPlan:
    """How much of each left user goes to each right one; an unlisted pair (i, j) has lefts[i]·rights[j]."""

    pairs: CandidatePairs
    values: Doubles  # (n_pairs,)
    lefts: Doubles  # (n_left,)
    rights: Doubles  # (n_right,)
    scaling: Doubles  # (n_left,) logs of what Sinkhorn scaled left users by, to begin the next time with

    def over(self, left: csr_matrix, right: csr_matrix) -> Doubles:
        """(n_pairs,): left · plan · rightᵀ at the listed pairs; what sums to 0 by rounding is just above."""
        elsewhere = self.lefts[self.pairs.lefts] * self.rights[self.pairs.rights]
        listed = over_neighbours(self.pairs, self.values - elsewhere, left, right)
        lefts, rights = over_users(left, self.lefts), over_users(right, self.rights)
        return np.asarray(np.maximum(listed + lefts[self.pairs.lefts] * rights[self.pairs.rights], _LEAST))


def uniform_plan(pairs: CandidatePairs) -> PairPlan:
    """Every pair alike, all of them 1 together."""
    share = 1 / (pairs.n_left * pairs.n_right)
    lefts, rights = np.full(pairs.n_left, 1 / pairs.n_left), np.full(pairs.n_right, 1 / pairs.n_right)
    return PairPlan(pairs, np.full(len(pairs), share), lefts, rights, np.zeros(pairs.n_left))


def log_of(values: Doubles) -> Doubles:
    """Logs; what is 0 by rounding counts as just above."""
    return np.asarray(np.log(np.maximum(values, _LEAST)))


def over_users(graph: csr_matrix, values: Doubles) -> Doubles:
    """The graph's sums of values; who has no neighbour gets the mean of all, as if linked with everybody."""
    sums = np.asarray(graph @ values)
    return np.where(np.diff(graph.indptr) > 0, sums, values.mean())


def balance(
    pairs: CandidatePairs,
    listed: Doubles,
    elsewhere: tuple[Doubles, Doubles],
    rounds: int,
    start: Doubles | None = None,
) -> PairPlan:
    """Sinkhorn: the plan exp(listed) or exp(left + right elsewhere), scaled so that rows and columns are uniform."""
    shift = elsewhere[1].max()
    tops = np.maximum(_row_most(pairs, listed), elsewhere[0] + shift)
    kernel, left = np.exp(listed - tops[pairs.lefts]), np.exp(elsewhere[0] + shift - tops)
    right = np.exp(elsewhere[1] - shift)
    rows = np.zeros(pairs.n_left) if start is None else start + tops
    rows, columns = np.maximum(rows - rows.max(), -_FARTHEST), np.zeros(pairs.n_right)
    for _ in range(rounds):
        columns = -np.log(pairs.n_right) - _log_sums(pairs.rights, pairs.lefts, kernel, (right, left), np.exp(rows))
        rows = -np.log(pairs.n_left) - _log_sums(pairs.lefts, pairs.rights, kernel, (left, right), np.exp(columns))
    values = kernel * np.exp(rows[pairs.lefts] + columns[pairs.rights])
    lefts, rights = log_of(left) + rows, log_of(right) + columns
    middle = (lefts.max() - rights.max()) / 2  # neither side may run away from the other
    sides = np.exp(lefts - middle), np.exp(rights + middle)
    return PairPlan(pairs, np.maximum(values, _LEAST), *sides, rows - tops)


def _log_sums(ours: Any, theirs: Any, kernel: Doubles, elsewhere: tuple[Doubles, Doubles], scaling: Doubles) -> Doubles:
    """Of each of our users the log of all its pairs, listed or not, under the scaling of the others."""
    mine, others = elsewhere[0], elsewhere[1] * scaling
    unlisted = np.maximum(others.sum() - np.bincount(ours, others[theirs], len(mine)), 0)
    sums = np.bincount(ours, kernel * scaling[theirs], len(mine)) + mine * unlisted
    return np.asarray(np.clip(log_of(sums), -_FARTHEST, _FARTHEST))


def _row_most(pairs: CandidatePairs, values: Doubles) -> Doubles:
    """(n_left,): the largest value of each left user's pairs, −∞ without pairs."""
    most = np.full(pairs.n_left, -np.inf)
    np.maximum.at(most, pairs.lefts, values)
    return most


def over_neighbours(pairs: CandidatePairs, values: Doubles, left: csr_matrix, right: csr_matrix) -> Doubles:
    """(n_pairs,): left · V · rightᵀ at the pairs, where V has these values at the pairs and 0 elsewhere."""
    graphs = [(graph.indptr, graph.indices, graph.data.astype(np.float64)) for graph in (left, right)]
    return np.asarray(_over_neighbours(pairs.left_starts, pairs.rights, values, graphs[0], graphs[1], pairs.n_right))


_CHUNK = 64  # left users that share one scratch array


@numba.njit(cache=True, parallel=True)
def _over_neighbours(starts: Any, rights: Any, values: Any, left: Any, right: Any, n_right: int) -> Any:
    sums, n_left = np.zeros(len(values)), len(starts) - 1
    for chunk in numba.prange((n_left + _CHUNK - 1) // _CHUNK):
        reached = np.zeros(n_right)
        for i in range(chunk * _CHUNK, min(n_left, (chunk + 1) * _CHUNK)):
            if starts[i] == starts[i + 1]:
                continue
            for link in range(left[0][i], left[0][i + 1]):
                friend, weight = left[1][link], left[2][link]
                for place in range(starts[friend], starts[friend + 1]):
                    reached[rights[place]] += weight * values[place]
            for place in range(starts[i], starts[i + 1]):
                total = 0.0
                for link in range(right[0][rights[place]], right[0][rights[place] + 1]):
                    total += right[2][link] * reached[right[1][link]]
                sums[place] = total
            for link in range(left[0][i], left[0][i + 1]):
                friend = left[1][link]
                for place in range(starts[friend], starts[friend + 1]):
                    reached[rights[place]] = 0.0
    return sums
