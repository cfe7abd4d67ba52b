"""Weights of an energy that put the true decisions below all others by a margin, learned by subgradients.

    min_w ½|w|² + μ/|L| · (E(y*; w) − min_y (E(y; w) − Δ(y, y*)))

Δ counts wrong decisions, missed matches as many times as there are non-matches to a match. The inner minimum is taken
part by part (see `energy`), which bounds it. The scheme is recalled from COSNET [R], all constants are our own [X].
"""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from factlink.linkers.energy import FIRST_STEP, Energy, Multipliers, improve, no_multipliers, no_triads
from factlink.types import Floats, Ints

INNER_ROUNDS = 20
FIRST_RATE = 0.1


@dataclass(frozen=True, slots=True, eq=False)
class Decided:
    """Candidate pairs whose decisions are known, and how they hang together."""

    values: Floats  # (n, n_columns) scaled
    matches: npt.NDArray[np.bool_]  # (n,)
    edges: Ints  # (n_edges, 2)
    strengths: Floats  # (n_edges,) how much an edge counts
    triads: Ints = field(default_factory=no_triads)  # (n_triads, 3)


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """What each part of an energy weighs."""

    values: Floats  # (n_columns,) of one pair's similarities
    constant: float
    together: float  # ≥ 0
    apart: float  # ≥ 0
    violation: float  # ≥ 0

    def energy(self, pairs: Decided) -> Energy:
        """The energy of these pairs; their decisions are not looked at."""
        costs = -(pairs.values @ self.values + np.float32(self.constant))
        strengths = pairs.strengths
        return Energy(
            costs, pairs.edges, self.together * strengths, self.apart * strengths, pairs.triads, self.violation
        )


def learn_weights(pairs: Decided, importance: float, rounds: int) -> Weights:
    """The mean of the weights over the second half of the rounds."""
    losses = _losses(pairs.matches)
    flat = np.zeros(pairs.values.shape[1] + 4)
    target = _totals(pairs, pairs.matches, pairs.matches[pairs.edges], pairs.matches[pairs.triads])
    state: Multipliers | None = None
    halves = []
    for done in range(1, rounds + 1):
        energy = _unflatten(flat).energy(pairs)
        energy = replace(energy, costs=energy.costs + losses)
        state = state or no_multipliers(energy)
        for inner in range(1, INNER_ROUNDS + 1 if len(pairs.edges) + len(pairs.triads) else 2):
            improve(energy, state, FIRST_STEP / np.sqrt(inner))
        reached = _totals(pairs, state.yes, state.edge_states, state.triad_states)
        flat = flat - FIRST_RATE / np.sqrt(done) * (flat + importance / len(losses) * (target - reached))
        flat[-3:] = np.maximum(flat[-3:], 0)
        if 2 * done > rounds:
            halves.append(flat)
    return _unflatten(np.mean(halves, axis=0))


def _losses(matches: npt.NDArray[np.bool_]) -> Floats:
    """What the margin adds to the cost of yes: the weight of a miss at matches, −1 elsewhere."""
    n_matches = max(1, int(matches.sum()))
    return np.where(matches, max(1.0, (len(matches) - n_matches) / n_matches), -1).astype(np.float32)


def _totals(
    pairs: Decided, yes: npt.NDArray[Any], edge_states: npt.NDArray[Any], triad_states: npt.NDArray[Any]
) -> npt.NDArray[np.float64]:
    """∂E/∂w at some decisions."""
    both = (edge_states == 1).all(axis=1)
    none = (edge_states == 0).all(axis=1)
    violated = (triad_states == 1).sum(axis=1) == 2
    of_edges = [-pairs.strengths[both].sum(), -pairs.strengths[none].sum()]
    return np.array([*(-(yes.astype(np.float64) @ pairs.values)), -yes.sum(), *of_edges, violated.sum()])


def _unflatten(flat: npt.NDArray[np.float64]) -> Weights:
    constant, together, apart, violation = flat[-4:]
    return Weights(flat[:-4].astype(np.float32), float(constant), float(together), float(apart), float(violation))
