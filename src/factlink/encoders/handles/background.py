"""How surprising the letters of handles are: chances of each letter after up to five others, by all handles here.

What many handles share is cheap from its second letter on: `rep`, `official`, `4congress`. Nothing is listed.
"""

from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from factlink.types import Floats, Ints

ORDER = 5
"""Letters before a letter that its chance depends on."""

DOUBT = 2.0
"""How often a context must have been seen, apart from twice, until it counts as much as the shorter ones."""

_OWN = 2.0  # times that a run of letters must be seen before it counts: once is the handle itself, once is chance
_FEWEST_BITS, _MOST_BITS = 14, 22  # of the number of places that runs of letters are counted in
_PER_LETTER = 16
_UNIT = 2.0**32


@dataclass(frozen=True, slots=True, eq=False)
class Background:
    """Runs of letters of many handles, counted."""

    singles: Floats  # (128,)
    counts: Floats  # (n_places,) of runs of two letters and more, less `_OWN`
    totals: Floats  # (n_places,) of runs that go on: the sum of the counts of all that they go on to


def count_runs(letters: npt.NDArray[np.uint8], starts: Ints) -> Background:
    """The background that handles make for each other."""
    bits = min(_MOST_BITS, max(_FEWEST_BITS, (_PER_LETTER * len(letters)).bit_length()))
    counts, totals = _count(letters, starts, 1 << bits)
    singles = np.bincount(letters, minlength=128).astype(np.float32)
    return Background(singles, np.maximum(counts - np.float32(_OWN), 0), totals)


def letter_chances(letters: npt.NDArray[np.uint8], starts: Ints, background: Background) -> Floats:
    """(n_letters,): log chances of letters after those before them; rare contexts lean on shorter ones."""
    return np.asarray(_chances(letters, starts, (background.singles, background.counts, background.totals)))


@numba.njit(cache=True, inline="always")
def _place(letters: Any, first: int, at: int, length: int, n_places: int) -> int:
    """Where the run of so many letters that ends before `at` is counted; before the first letter there are zeros."""
    key = np.uint64(length)
    for back in range(length, 0, -1):
        letter = letters[at - back] if at - back >= first else 0
        key = key * np.uint64(1099511628211) + np.uint64(letter + 1)
        key ^= key >> np.uint64(29)
    return int(key & np.uint64(n_places - 1))


@numba.njit(cache=True)
def _count(letters: Any, starts: Any, n_places: int) -> Any:
    counts, totals = np.zeros(n_places, np.float32), np.zeros(n_places, np.int64)  # whole, so that no order tells
    for i in range(len(starts) - 1):
        for at in range(starts[i] + 1, starts[i + 1] + 1):
            for length in range(2, ORDER + 2):
                counts[_place(letters, starts[i], at, length, n_places)] += 1
    for i in range(len(starts) - 1):
        for at in range(starts[i], starts[i + 1]):
            for length in range(1, ORDER + 1):
                held = counts[_place(letters, starts[i], at + 1, length + 1, n_places)]
                context = _place(letters, starts[i], at, length, n_places)
                totals[context] += np.int64(max(0.0, held - _OWN) / held * _UNIT)
    return counts, (totals / _UNIT).astype(np.float32)


@numba.njit(cache=True)
def _chances(letters: Any, starts: Any, background: Any) -> Any:
    singles, counts, totals = background
    found, n, every = np.zeros(len(letters), np.float32), len(counts), singles.sum()
    for i in range(len(starts) - 1):
        for at in range(starts[i], starts[i + 1]):
            chance = (singles[letters[at]] + 1) / (every + 40)
            for length in range(1, ORDER + 1):
                held = counts[_place(letters, starts[i], at + 1, length + 1, n)]
                total = totals[_place(letters, starts[i], at, length, n)]
                chance = min(1.0, (held + DOUBT * chance) / (total + DOUBT))
            found[at] = np.log(chance)
    return found
