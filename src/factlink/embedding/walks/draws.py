"""Random draws inside compiled code: the same numbers for the same seed, wherever they are drawn."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit

from factlink.types import Floats, Ints


@dataclass(frozen=True, slots=True, eq=False)
class Lots:
    """Rows to be drawn with chances in proportion to weights, in constant time (Walker's alias method)."""

    bars: Floats  # (n,) in [0, 1]: the chance to stay at the place that was hit
    others: Ints  # (n,) where to go instead
    rows: Ints  # (n,) what is drawn at each place


def lots_of(weights: Floats) -> Lots:
    """Lots for every row of positive weight."""
    rows = np.flatnonzero(weights > 0).astype(np.int32)
    shares = weights[rows].astype(np.float64)
    bars, others = _alias(shares * len(rows) / max(shares.sum(), 1e-300))
    return Lots(bars, others, rows)


def start_of(seed: int, *counters: int) -> Ints:
    """(1,) the state of a stream of random numbers that belongs to this seed and these counters alone."""
    return np.random.SeedSequence([seed, *counters]).generate_state(1, np.uint64)


@njit(cache=True)
def random_bits(state: Any) -> Any:
    """64 random bits (SplitMix64); moves the state on."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    bits = state[0]
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


@njit(cache=True)
def random_below(limit: Any, state: Any) -> Any:
    """A whole number from 0 to limit − 1."""
    return np.int64(((random_bits(state) >> np.uint64(32)) * np.uint64(limit)) >> np.uint64(32))


@njit(cache=True)
def draw(bars: Any, others: Any, rows: Any, state: Any) -> Any:
    """One row of the lots."""
    bits = random_bits(state)
    place = np.int64(((bits >> np.uint64(32)) * np.uint64(len(bars))) >> np.uint64(32))
    part = np.float32(bits & np.uint64(0xFFFFFF)) * np.float32(1 / 16777216)
    return rows[place if part < bars[place] else others[place]]


@njit(cache=True)
def _alias(scaled: Any) -> Any:
    """Bars and others from weights of mean 1: each place lends its excess to a place that lacks some."""
    n = len(scaled)
    bars, others = np.ones(n, np.float32), np.arange(n).astype(np.int32)
    small, large = np.empty(n, np.int32), np.empty(n, np.int32)
    n_small = n_large = 0
    for place in range(n):
        if scaled[place] < 1:
            small[n_small] = place
            n_small += 1
        else:
            large[n_large] = place
            n_large += 1
    while n_small > 0 and n_large > 0:
        n_small -= 1
        low, high = small[n_small], large[n_large - 1]
        bars[low], others[low] = scaled[low], high
        scaled[high] -= 1 - scaled[low]
        if scaled[high] < 1:
            n_large -= 1
            small[n_small] = high
            n_small += 1
    return bars, others
