"""The pair model: how much likelier the evidence of a pair is for one person than for two, learned from decoys.

Decoys are users that cannot have a partner. With as many decoys as users, pairs of evidence x have the intensity λ(x)
among decoys and λ(x) · (1 + e^z(x)) among users, because users have the same non-matches and some of them a partner:

    P(a pair is a user's | x) = (1 + e^z) / (2 + e^z)

z is a sum of rising curves: one for each channel, of how far the two agree there, and one of the gap, which is the
evidence of all channels less the mean evidence of the candidate's best other pairs, so that a candidate that resembles
many users says less. All curves are fitted together, so what two channels both say is not counted twice.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from factlink.types import Floats

Doubles = npt.NDArray[np.float64]

KNOTS = 6
"""Pieces of a curve: quantiles of the users' best pairs."""

_STEEPEST_STEP = 1.0  # weight of the squared difference of neighbouring slopes, per unit of spread: curves bend slowly
_LEAST_RIDGE = 1e-3  # keeps slopes finite where users and decoys are apart
_FIRST, _FIRST_SLOPE = -6.0, 0.3  # where the search for the best curves begins


@dataclass(frozen=True, slots=True, eq=False)
class PairEvidence:
    """Pairs as the model sees them: how far each channel agrees, and the gap to the candidate's other pairs."""

    agreements: tuple[Floats, ...]  # (n,) by channel; 0 where one of the two has no value
    gaps: Floats  # (n,)

    def __len__(self) -> int:
        return len(self.gaps)

    def some(self, kept: npt.NDArray[np.bool_]) -> "PairEvidence":
        return PairEvidence(tuple(values[kept] for values in self.agreements), self.gaps[kept])

    @property
    def columns(self) -> tuple[Floats, ...]:
        return *self.agreements, self.gaps


@dataclass(frozen=True, slots=True)
class Curve:
    """A rising line in pieces, 0 at 0; the first and the last piece go on without end."""

    knots: tuple[float, ...]  # rising; where each piece begins
    slopes: tuple[float, ...]

    def __call__(self, values: Floats) -> Doubles:
        knots, slopes = np.array(self.knots), np.array(self.slopes)
        heights = pieces(np.append(knots, 0.0), knots) @ slopes
        inside = np.interp(values, knots, heights[:-1])
        beyond = slopes[0] * np.minimum(values - knots[0], 0) + slopes[-1] * np.maximum(values - knots[-1], 0)
        return np.asarray(inside + beyond - heights[-1])


@dataclass(frozen=True, slots=True)
class PairModel:
    """z of a pair: intercept + a curve of each channel's agreement + a curve of the gap."""

    intercept: float
    channels: tuple[Curve, ...]
    gap: Curve

    @property
    def curves(self) -> tuple[Curve, ...]:
        return *self.channels, self.gap

    def log_odds(self, pairs: PairEvidence) -> Floats:
        """(n,): z, before any competition."""
        total = np.full(len(pairs), self.intercept)
        for curve, values in zip(self.curves, pairs.columns, strict=True):
            total += curve(values)
        return total.astype(np.float32)


def fit_pair_model(users: PairEvidence, decoys: PairEvidence, best: PairEvidence, weight: float | Doubles) -> PairModel:
    """The most likely model; each decoy pair counts `weight` times, all alike or each its own; `best` are the users'.

    One decoy of weight 1 is added that is better than all pairs: nothing that was seen so seldom is certain.
    """
    knots = [_knots(column, chosen, KNOTS) for column, chosen in zip(users.columns, best.columns, strict=True)]
    tops = [
        np.array([max(mine.max(), theirs.max())], np.float32)
        for mine, theirs in zip(users.columns, decoys.columns, strict=True)
    ]
    rows = [_design(pairs, knots) for pairs in (users, decoys, PairEvidence(tuple(tops[:-1]), tops[-1]))]
    weights = np.append(np.broadcast_to(weight, len(decoys)), 1.0)
    solution = _solve(rows[0], np.vstack(rows[1:]), weights, [len(each) for each in knots])
    slopes = np.split(solution[1:], np.cumsum([len(each) for each in knots])[:-1])
    curves = [Curve(tuple(k.tolist()), tuple(s.tolist())) for k, s in zip(knots, slopes, strict=True)]
    at_zero = sum(float(pieces(np.zeros(1), k)[0] @ s) for k, s in zip(knots, slopes, strict=True))
    return PairModel(float(solution[0]) + at_zero, tuple(curves[:-1]), curves[-1])


def pieces(values: Floats | Doubles, knots: Doubles) -> Doubles:
    """(n, n_knots): how far each value reaches into each piece; the slopes of the pieces times that is the curve."""
    ends = np.append(knots[1:], np.inf)
    reach = np.clip(values[:, None] - knots, 0, ends - knots)
    reach[:, 0] = np.minimum(values - knots[0], ends[0] - knots[0])
    return np.asarray(reach, np.float64)


def _knots(values: Floats, best: Floats, n: int) -> Doubles:
    """The lowest value, and quantiles of the best ones above it."""
    lowest = float(values.min())
    quantiles = np.quantile(best, np.linspace(0, 1, n + 1)[:-1])
    return np.unique(np.append(quantiles[quantiles > lowest + 1e-6], lowest))


def _design(pairs: PairEvidence, knots: list[Doubles]) -> Doubles:
    columns = [pieces(column, each) for column, each in zip(pairs.columns, knots, strict=True)]
    return np.column_stack([np.ones(len(pairs)), *columns])


def _solve(users: Doubles, decoys: Doubles, weights: Doubles, sizes: list[int]) -> Doubles:
    """Intercept and slopes ≥ 0 that make users and decoys most likely."""
    from scipy.optimize import minimize
    from threadpoolctl import threadpool_limits

    units, penalty = _units(users, sizes), _bending(sizes)
    users, decoys = np.asfortranarray(users / units), np.asfortranarray(decoys / units)

    def loss(solution: Doubles) -> tuple[float, Doubles]:
        mine, theirs = (np.exp(np.clip(rows @ solution, -40, 40)) for rows in (users, decoys))
        value = (np.log(2 + mine) - np.log(1 + mine)).sum() + (weights * np.log(2 + theirs)).sum()
        slope = users.T @ (mine / (2 + mine) - mine / (1 + mine)) + decoys.T @ (weights * theirs / (2 + theirs))
        bent, ridge = penalty @ solution, _LEAST_RIDGE * np.append(0, solution[1:])
        value += _STEEPEST_STEP * solution @ bent / 2 + ridge @ solution
        return value / len(users), (slope + _STEEPEST_STEP * bent + 2 * ridge) / len(users)

    start = np.full(users.shape[1], _FIRST_SLOPE)
    start[0] = _FIRST
    bounds = [(-15.0, 10.0)] + [(0.0, None)] * (len(start) - 1)
    with threadpool_limits(limits=1, user_api="blas"):  # problems so small that threads only wait for each other
        return np.asarray(minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds).x / units)


def _units(users: Doubles, sizes: list[int]) -> Doubles:
    """What one unit of each column is: the spread of its feature, so that no scale of evidence matters."""
    units, start = np.ones(users.shape[1]), 1
    for size in sizes:
        units[start : start + size] = max(float(users[:, start : start + size].sum(axis=1).std()), 1e-6)
        start += size
    return units


def _bending(sizes: list[int]) -> Doubles:
    """The quadratic form of the differences of neighbouring slopes."""
    n = 1 + sum(sizes)
    penalty, start = np.zeros((n, n)), 1
    for size in sizes:
        for place in range(start, start + size - 1):
            step = np.zeros(n)
            step[place], step[place + 1] = 1, -1
            penalty += np.outer(step, step)
        start += size
    return penalty
