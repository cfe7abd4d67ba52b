"""Edges and triads of an energy deciding for themselves, compiled.

`shares[i]` is the cost of yes for pair i that each of its parts bears. Decisions go to `states`, counted in `yes`.
"""

from typing import Any

import numba
import numpy as np


@numba.njit(cache=True)
def decide_edges(shares: Any, edges: Any, states: Any, yes: Any) -> float:
    """Every edge takes the best of its four states; the sum of their energies."""
    ends, together, apart, multipliers = edges
    total = 0.0
    for e in range(len(ends)):
        first = shares[ends[e, 0]] + multipliers[e, 0]
        second = shares[ends[e, 1]] + multipliers[e, 1]
        best, least = 0, -apart[e]
        for state, energy in ((1, first), (2, second), (3, first + second - together[e])):
            if energy < least:
                best, least = state, energy
        total += least
        for i in range(2):
            states[e, i] = best >> i & 1
            yes[ends[e, i]] += states[e, i]
    return total


@numba.njit(cache=True)
def decide_triads(shares: Any, triads: Any, states: Any, yes: Any) -> float:
    """Every triad takes the best of its eight states; the sum of their energies."""
    corners, violation, multipliers = triads
    total = 0.0
    for t in range(len(corners)):
        best, least = 0, 0.0
        for state in range(1, 8):
            energy = _triad_energy(state, shares, corners[t], multipliers[t], violation)
            if energy < least:
                best, least = state, energy
        total += least
        for i in range(3):
            states[t, i] = best >> i & 1
            yes[corners[t, i]] += states[t, i]
    return total


@numba.njit(cache=True)
def decide_alone(shares: Any, owned: Any, yes: Any) -> float:
    """Counts become shares; pairs without edges and triads decide alone; the sum of their energies."""
    total = 0.0
    for i in range(len(shares)):
        if owned[i]:
            yes[i] /= owned[i]
        elif shares[i] < 0:
            yes[i] = 1
            total += shares[i]
    return total


@numba.njit(cache=True)
def edge_margins(shares: Any, edges: Any, margins: Any) -> None:
    """Adds to each pair what its edges lose by no against yes."""
    ends, together, apart, multipliers = edges
    for e in range(len(ends)):
        first = shares[ends[e, 0]] + multipliers[e, 0]
        second = shares[ends[e, 1]] + multipliers[e, 1]
        none, both = -apart[e], first + second - together[e]
        margins[ends[e, 0]] += min(none, second) - min(first, both)
        margins[ends[e, 1]] += min(none, first) - min(second, both)


@numba.njit(cache=True)
def triad_margins(shares: Any, triads: Any, margins: Any) -> None:
    """Adds to each pair what its triads lose by no against yes."""
    corners, violation, multipliers = triads
    for t in range(len(corners)):
        for i in range(3):
            least_no, least_yes = np.inf, np.inf
            for state in range(8):
                energy = _triad_energy(state, shares, corners[t], multipliers[t], violation)
                if state >> i & 1:
                    least_yes = min(least_yes, energy)
                else:
                    least_no = min(least_no, energy)
            margins[corners[t, i]] += least_no - least_yes


@numba.njit(cache=True)
def _triad_energy(state: int, shares: Any, corners: Any, multipliers: Any, violation: float) -> float:
    total, n_yes = 0.0, 0
    for i in range(3):
        if state >> i & 1:
            total += shares[corners[i]] + multipliers[i]
            n_yes += 1
    return total + violation if n_yes == 2 else total
