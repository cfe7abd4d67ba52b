"""Two ways to the maps of a latent space: accelerated proximal gradient, and the concave-convex procedure.

That ULink has these two solvers is certain [A]; steps, restarts, stopping and refreshing are our own [X].
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from factlink.linkers.baselines.latent.latent_space import Maps, Problem

Refresh = Callable[[Maps], Problem]
"""A problem with the impostors that are nearest under these maps."""

REFRESH_EVERY = 10
MOST_ROUNDS = 20  # of the concave-convex procedure
INNER_STEPS = 15
ENOUGH = 1e-4


def solve_apg(start: Maps, refresh: Refresh, iterations: int) -> Maps:
    """FISTA on the squared hinge, restarted when the objective rises and whenever new impostors are chosen."""
    maps, curvature = start, 1.0
    for first in range(0, iterations, REFRESH_EVERY):
        problem = refresh(maps)
        maps, curvature = _accelerate(problem, maps, curvature, min(REFRESH_EVERY, iterations - first))
    return maps


def solve_cccp(start: Maps, refresh: Refresh, iterations: int) -> Maps:
    """Convex problems around one iterate after the other, each by L-BFGS, until the objective rests."""
    maps, before = start, np.inf
    for _ in range(min(MOST_ROUNDS, max(1, iterations // INNER_STEPS))):
        problem = refresh(maps)
        maps, value = _minimise_convex(problem, maps)
        if abs(before - value) < ENOUGH * abs(value):
            break
        before = value
    return maps


def _accelerate(problem: Problem, maps: Maps, curvature: float, steps: int) -> tuple[Maps, float]:
    ahead, pace = maps, 1.0
    best = np.inf
    for _ in range(steps):
        new, value, curvature = _proximal_step(problem, ahead, curvature)
        if value > best:
            ahead, pace, best = maps, 1.0, np.inf
            continue
        next_pace = (1 + np.sqrt(1 + 4 * pace**2)) / 2
        ahead = new.plus(new.plus(maps, -1), (pace - 1) / next_pace)
        maps, pace, best = new, next_pace, value
        curvature /= 1.5
    return maps, curvature


def _proximal_step(problem: Problem, at: Maps, curvature: float) -> tuple[Maps, float, float]:
    """The step, the whole objective there, and the curvature that bounds the smooth part from above."""
    value, gradient = problem.smooth(at)
    while True:
        shrink = 1 / (1 + 2 * problem.penalty / curvature)
        new = Maps(np.float32(shrink) * at.left, np.float32(shrink) * at.right).plus(gradient, -shrink / curvature)
        move = new.plus(at, -1)
        reached = problem.smooth_value(new)
        if reached <= value + gradient.dot(move) + curvature / 2 * move.dot(move) + 1e-7 or curvature > 1e8:
            return new, reached + problem.penalty * new.dot(new), curvature
        curvature *= 2


def _minimise_convex(problem: Problem, around: Maps) -> tuple[Maps, float]:
    from scipy.optimize import minimize

    def objective(flat: npt.NDArray[np.float64]) -> tuple[float, npt.NDArray[np.float64]]:
        value, gradient = problem.convex(_unflatten(flat, around), around)
        return value, _flatten(gradient)

    found = minimize(objective, _flatten(around), jac=True, method="L-BFGS-B", options={"maxiter": INNER_STEPS})
    return _unflatten(found.x, around), float(found.fun)


def _flatten(maps: Maps) -> npt.NDArray[np.float64]:
    return np.concatenate([maps.left.ravel(), maps.right.ravel()]).astype(np.float64)


def _unflatten(flat: npt.NDArray[np.float64], like: Maps) -> Maps:
    left, right = np.split(flat.astype(np.float32), [like.left.size])
    return Maps(left.reshape(like.left.shape), right.reshape(like.right.shape))
