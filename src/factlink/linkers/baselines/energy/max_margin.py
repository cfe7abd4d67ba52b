"""Weights of an energy that put the true decisions below all others by a margin, learned by subgradients.

    min_w ½|w|² + μ/|L| · Σ_s c_s (E_s(y*; w) − min_y (E_s(y; w) − Δ_s(y, y*)))

over the parts s of the energy (edges, triads and pairs alone; see `energy`), which bounds the margin of the whole. Δ
counts wrong decisions. A part with a match in it counts c_s = non-matches / matches times, one without once: else the
many non-matches would make "no" the answer to everything. The scheme is recalled from COSNET [R]; its parts, their
weights and all constants are our own [X].
"""

from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from factlink.linkers.baselines.energy.least_energy import (
    FIRST_STEP,
    Energy,
    Multipliers,
    improve,
    no_multipliers,
    no_triads,
)
from factlink.types import Floats, Ints

INNER_ROUNDS = 20
FIRST_RATE = 0.1


@dataclass(frozen=True, slots=True, eq=False)
class DecidedPairs:
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

    def energy(self, pairs: DecidedPairs) -> Energy:
        """The energy of these pairs; their decisions are not looked at."""
        costs = -(pairs.values @ self.values + np.float32(self.constant))
        strengths = pairs.strengths
        return Energy(
            costs, pairs.edges, self.together * strengths, self.apart * strengths, pairs.triads, self.violation
        )


def learn_weights(pairs: DecidedPairs, importance: float, rounds: int) -> Weights:
    """The mean of the weights over the second half of the rounds."""
    flat = np.zeros(pairs.values.shape[1] + 4)
    losses = np.where(pairs.matches, 1, -1).astype(np.float32)  # what the margin adds to the cost of yes
    state = no_multipliers(_unflatten(flat).energy(pairs))
    true = _totals(pairs, _true_states(pairs, state))
    halves = []
    for done in range(1, rounds + 1):
        energy = _unflatten(flat).energy(pairs)
        _agree(replace(energy, costs=energy.costs + losses), state)
        slope = flat + importance / len(losses) * (true - _totals(pairs, state))
        flat = flat - FIRST_RATE / np.sqrt(done) * slope
        flat[-3:] = np.maximum(flat[-3:], 0)
        if 2 * done > rounds:
            halves.append(flat)
    return _unflatten(np.mean(halves, axis=0))


def _agree(energy: Energy, state: Multipliers) -> None:
    """Moves the parts towards one decision, from where they were."""
    for done in range(1, INNER_ROUNDS + 1 if len(energy.edges) + len(energy.triads) else 2):
        improve(energy, state, FIRST_STEP / np.sqrt(done))


def _true_states(pairs: DecidedPairs, like: Multipliers) -> Multipliers:
    truth = pairs.matches.astype(np.int8)
    return replace(like, edge_states=truth[pairs.edges], triad_states=truth[pairs.triads], yes=truth.astype(np.float64))


def _totals(pairs: DecidedPairs, state: Multipliers) -> npt.NDArray[np.float64]:
    """∂/∂w of the energies of all parts at their decisions, each part weighed."""
    n = len(pairs.matches)
    n_matches = max(1, int(np.count_nonzero(pairs.matches)))
    balance = max(1.0, (n - n_matches) / n_matches)
    on_edges = np.where(pairs.matches[pairs.edges].any(axis=1), balance, 1.0)
    on_triads = np.where(pairs.matches[pairs.triads].any(axis=1), balance, 1.0)
    ends, corners = pairs.edges.ravel(), pairs.triads.ravel()
    on_ends = np.bincount(ends, (on_edges[:, None] * state.edge_states).ravel(), minlength=n)
    on_corners = np.bincount(corners, (on_triads[:, None] * state.triad_states).ravel(), minlength=n)
    owned = np.bincount(ends, minlength=n) + np.bincount(corners, minlength=n)
    alone = np.where(pairs.matches, balance, 1.0) * state.yes
    yes = np.where(owned > 0, (on_ends + on_corners) / np.maximum(1, owned), alone)
    both, none = ((state.edge_states == decision).all(axis=1) for decision in (1, 0))
    violated = (state.triad_states == 1).sum(axis=1) == 2
    weighed = on_edges * pairs.strengths
    of_parts = [-weighed[both].sum(), -weighed[none].sum(), on_triads[violated].sum()]
    return np.array([*(-(yes @ pairs.values)), -yes.sum(), *of_parts])


def _unflatten(flat: npt.NDArray[np.float64]) -> Weights:
    constant, together, apart, violation = flat[-4:]
    return Weights(flat[:-4].astype(np.float32), float(constant), float(together), float(apart), float(violation))
