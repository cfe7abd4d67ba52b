"""Batches and fresh negatives, drawn from (seed, predicate, pass or iteration) alone.

Nothing is carried from draw to draw, so a resumed run needs to know only which iteration comes next.
"""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from factlink.embedding.kernels import find_rows
from factlink.embedding.objectives import Objective
from factlink.embedding.settings import NegativeSampling
from factlink.types import Floats, Ints

TINY = 1e-300


class Draw(IntEnum):
    """What a stream of random numbers is for."""

    START = 0
    PROJECTION = 1
    ORDER = 2
    NEGATIVES = 3
    SAMPLE = 4


def generator(seed: int, draw: Draw, *counters: int) -> np.random.Generator:
    """The random numbers of one purpose at one point of the training."""
    return np.random.default_rng([seed, int(draw), *counters])


def batches_per_pass(objectives: list[Objective], batch: int) -> int:
    """Iterations that take every predicate once, the largest in batches of at most `batch`."""
    return max(-(-len(objective) // batch) for objective in objectives)


def draw_order(n_factoids: int, seed: int, place: int, pass_: int) -> Ints:
    """The factoids of one predicate in the order of one pass."""
    return generator(seed, Draw.ORDER, place, pass_).permutation(n_factoids)


def take_batch(order: Ints, number: int, n_batches: int) -> Ints:
    """Batch `number` of a pass: equal parts, to one factoid."""
    return order[len(order) * number // n_batches : len(order) * (number + 1) // n_batches]


@dataclass(frozen=True, slots=True, eq=False)
class Noise:
    """Where the negatives of one predicate come from: P₁ ∝ out-degree^¾ for links, P₂ uniform for attributes."""

    n_rows: int
    cumulated: Floats | None  # (n_rows,) float64 up to 1; None is uniform
    guide: Ints  # (n + 1,) of n equal parts of 0 … 1: the first row whose cumulated share lies above its start
    negatives: NegativeSampling

    def draw(self, n_factoids: int, random: np.random.Generator) -> Ints:
        """(n_factoids, count) rows, or (pool,) rows for all factoids together."""
        size = self.negatives.pool or (n_factoids, self.negatives.count)
        if self.cumulated is None:
            return random.integers(0, self.n_rows, size, np.int32)
        if self.negatives.fixed:
            return self._different(random)
        rows = np.empty(size, np.int32)
        find_rows(self.cumulated, self.guide, random.random(rows.size), rows.ravel())
        return rows

    def _different(self, random: np.random.Generator) -> Ints:
        """(pool,) different rows, fewer where fewer follow anybody."""
        assert self.cumulated is not None
        shares = np.diff(self.cumulated, prepend=0.0)
        size = min(self.negatives.pool, int(np.count_nonzero(shares)))
        return random.choice(self.n_rows, size, replace=False, p=shares / shares.sum()).astype(np.int32)


def noise_of(objective: Objective, n_rows: int, negatives: NegativeSampling) -> Noise:
    """The noise distribution of one predicate."""
    if objective.out_degrees is None:
        return Noise(n_rows, None, np.zeros(1, np.int64), negatives)
    shares = np.where(objective.out_degrees > 0, objective.out_degrees.astype(np.float64) ** negatives.power, 0.0)
    cumulated = np.cumsum(shares)
    cumulated /= max(cumulated[-1], TINY)
    guide = np.searchsorted(cumulated, np.arange(n_rows + 1) / n_rows, side="right")
    return Noise(n_rows, cumulated, guide, negatives)
