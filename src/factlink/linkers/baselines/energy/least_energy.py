"""The least energy of yes/no decisions about candidate pairs, by dual decomposition.

    E(y) = Σ_i cost_i y_i − Σ_(i,j) (together_ij [y_i = y_j = 1] + apart_ij [y_i = y_j = 0])
           + violation · Σ_c [two of the three are 1]

Every edge and every triad decides for itself; each pair's cost is split among its parts, and multipliers that sum to
zero move it between them until all copies of a decision agree. Energies, triads and the scheme as recalled from COSNET
[R]; its text could not be read, and steps and stopping are this project's own [X].
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from factlink.linkers.baselines.energy.decomposition import (
    decide_alone,
    decide_edges,
    decide_triads,
    edge_margins,
    triad_margins,
)
from factlink.types import Floats, Ints, Pairs

FIRST_STEP = 1.0
ENOUGH = 1e-4  # gain of the dual below which a round counts as idle
IDLE_ROUNDS = 5


def no_triads() -> Ints:
    """What two networks have."""
    return np.empty((0, 3), np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Energy:
    """What decisions cost."""

    costs: Floats  # (n,) of saying yes; saying no is free
    edges: Ints  # (n_edges, 2)
    together: Floats  # (n_edges,) ≥ 0, the reward of two yes
    apart: Floats  # (n_edges,) ≥ 0, the reward of two no
    triads: Ints = field(default_factory=no_triads)  # (n_triads, 3)
    violation: float = 0.0  # ≥ 0, the cost of two yes and one no


@dataclass(slots=True, eq=False)
class Multipliers:
    """The state of the dual: how much of a pair's cost each of its parts bears beyond its share."""

    edges: npt.NDArray[np.float64]  # (n_edges, 2)
    triads: npt.NDArray[np.float64]  # (n_triads, 3)
    edge_states: npt.NDArray[np.int8]  # (n_edges, 2) the last decisions
    triad_states: npt.NDArray[np.int8]  # (n_triads, 3)
    yes: npt.NDArray[np.float64]  # (n,) the share of parts that decide for a match


@dataclass(frozen=True, slots=True, eq=False)
class Minimum:
    """Decisions, how clear they are, and a bound from below on the energy."""

    decisions: npt.NDArray[np.bool_]  # (n,)
    margins: Floats  # (n,) Σ over parts of (least energy with no − least energy with yes)
    dual: float


def minimise(energy: Energy, rounds: int = 100) -> Minimum:
    """The decisions of (nearly) least energy; exact where all copies agree."""
    multipliers = no_multipliers(energy)
    best, idle = -np.inf, 0
    dual = -np.inf
    for done in range(1, rounds + 1):
        dual = improve(energy, multipliers, FIRST_STEP / np.sqrt(done))
        if np.isin(multipliers.yes, (0, 1)).all():
            break
        idle = 0 if dual > best + ENOUGH else idle + 1
        best = max(best, dual)
        if idle == IDLE_ROUNDS:
            break
    return Minimum(multipliers.yes > 0.5, _margins(energy, multipliers), float(max(best, dual)))


def no_multipliers(energy: Energy) -> Multipliers:
    """The start: every part bears an equal share."""
    n_edges, n_triads = len(energy.edges), len(energy.triads)
    states = np.zeros((n_edges, 2), np.int8), np.zeros((n_triads, 3), np.int8)
    return Multipliers(np.zeros((n_edges, 2)), np.zeros((n_triads, 3)), *states, np.zeros(len(energy.costs)))


def improve(energy: Energy, multipliers: Multipliers, step: float) -> float:
    """One subgradient round: every part decides, multipliers move towards agreement; the dual before the move."""
    shares, owned = _shares(energy)
    edges, triads = _parts(energy, multipliers)
    yes = multipliers.yes
    yes[:] = 0
    dual = decide_edges(shares, edges, multipliers.edge_states, yes)
    dual += decide_triads(shares, triads, multipliers.triad_states, yes)
    dual += decide_alone(shares, owned, yes)
    multipliers.edges += step * (multipliers.edge_states - yes[energy.edges])
    multipliers.triads += step * (multipliers.triad_states - yes[energy.triads])
    return float(dual)


def find_triads(first: Pairs, second: Pairs, across: Pairs) -> Ints:
    """(n, 3) places of pairs (u, v), (v, z), (u, z), the pairs of networks A-B, B-C and A-C listed in turn."""
    import polars as pl

    frames = [
        pl.DataFrame({names[0]: pairs.lefts, names[1]: pairs.rights, f"place{i}": np.arange(len(pairs))})
        for i, (names, pairs) in enumerate(zip(("uv", "vz", "uz"), (first, second, across), strict=True))
    ]
    joined = frames[0].join(frames[1], on="v").join(frames[2], on=["u", "z"]).sort("place0", "place1", "place2")
    starts = np.array([0, len(first), len(first) + len(second)])
    return np.asarray(joined.select("place0", "place1", "place2").to_numpy() + starts, np.int64)


def _shares(energy: Energy) -> tuple[npt.NDArray[np.float64], Ints]:
    """Each pair's cost per part, and how many parts it has."""
    n = len(energy.costs)
    owned = np.bincount(energy.edges.ravel(), minlength=n) + np.bincount(energy.triads.ravel(), minlength=n)
    return energy.costs.astype(np.float64) / np.maximum(1, owned), owned


def _parts(energy: Energy, multipliers: Multipliers) -> tuple[Any, Any]:
    """Edges and triads as compiled code takes them."""
    edges = (energy.edges, energy.together, energy.apart, multipliers.edges)
    return edges, (energy.triads, float(energy.violation), multipliers.triads)


def _margins(energy: Energy, multipliers: Multipliers) -> Floats:
    shares, owned = _shares(energy)
    edges, triads = _parts(energy, multipliers)
    margins = np.where(owned > 0, 0.0, -shares)
    edge_margins(shares, edges, margins)
    triad_margins(shares, triads, margins)
    return margins.astype(np.float32)
