"""What every embedding by sampled links shares: settings, starting vectors and degrees."""

from dataclasses import dataclass

import numpy as np

from factlink.errors import SettingError
from factlink.types import Floats, Follows, Ints

NEGATIVE_POWER = 0.75
LEAST_RATE = 1e-4  # of the first rate


FASTEST = 10.0
"""The largest rate: vectors that move farther at once grow without end."""


@dataclass(frozen=True, slots=True)
class SkipGram:
    """How vectors are trained on drawn links: the rate falls linearly from `rate` over all updates."""

    dim: int = 100
    negatives: int = 5
    rate: float = 0.025

    def __post_init__(self) -> None:
        if self.dim < 1 or self.negatives < 1:
            raise SettingError(f"dim is {self.dim} and negatives is {self.negatives}; both must be at least 1")
        if not 0 < self.rate <= FASTEST:
            raise SettingError(f"rate is {self.rate}; it must be above 0, and {FASTEST:g} at most")


def starting_vectors(n_rows: int, dim: int, seed: int) -> Floats:
    """(n_rows, dim) uniform in ±½/dim."""
    return (np.random.default_rng(seed).random((n_rows, dim), np.float32) - np.float32(0.5)) / np.float32(dim)


def negative_weights(links: Follows, n_rows: int) -> Floats:
    """(n_rows,) weighted degree, both directions together, to the power of ¾."""
    degrees = np.bincount(links.followers, links.weights, n_rows) + np.bincount(links.followees, links.weights, n_rows)
    return np.asarray(degrees**NEGATIVE_POWER, np.float32)


def both_directions(links: Follows) -> Follows:
    """Every link and its reverse."""
    ends: tuple[Ints, Ints] = links.followers, links.followees
    return Follows(np.concatenate(ends), np.concatenate(ends[::-1]), np.tile(links.weights, 2))
