"""Runs of entries laid end to end: run *i* is from `ends[i]` to `ends[i + 1]`."""

import numpy as np
import numpy.typing as npt

from factlink.types import Ints


def ends_of(sizes: Ints) -> npt.NDArray[np.int64]:
    """(n + 1,): where runs of such sizes begin, and where the last ends."""
    ends = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=ends[1:])
    return ends


def places_of(ends: Ints, runs: Ints) -> Ints:
    """The places of all entries of some runs, one run after another."""
    firsts = ends[runs]
    sizes = ends[runs + 1] - firsts
    before = np.cumsum(sizes) - sizes
    return np.repeat(firsts - before, sizes) + np.arange(sizes.sum())
