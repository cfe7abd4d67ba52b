"""The best versions of two users' names, compiled: every version of one against those of the other that it may meet."""

from typing import Any

import numba
import numpy as np

from factlink.types import Floats, Ints

_CHUNK = 8192  # pairs that share one scratch array, at least; more where filling a long one would take noticeable time
_LONG = 32


def best_of_versions(
    pairs: tuple[Ints, Ints], left: Any, right: Any, plain: int, n_columns: int
) -> tuple[Floats, Ints, Ints, Ints]:
    """(n_pairs,) each: the largest product, the two rows that it is of, and how many were compared.

    `left` and `right` are starts, places, families, who is foreign, and the ends, columns and values of
    sparse rows. Of equal products the first counts, by left version and then right version.
    """
    n = len(pairs[0])
    out = np.empty(n, np.float32), np.empty(n, np.int64), np.empty(n, np.int64), np.zeros(n, np.int64)
    order = np.argsort(pairs[0], kind="stable")  # each left row is unpacked once
    _compare(order, pairs, left, right, (plain, n_columns), out)
    return out


@numba.njit(cache=True, parallel=True)
def _compare(order: Any, pairs: Any, left: Any, right: Any, bounds: Any, out: Any) -> None:
    lefts, n = pairs[0], len(order)
    plain, n_columns = bounds
    starts, places, families, _, ends, columns, values = left
    at_once = max(_CHUNK, n_columns // _LONG)
    for chunk in numba.prange((n + at_once - 1) // at_once):
        unpacked = np.zeros(n_columns, np.float32)
        first, end = chunk * at_once, min(n, (chunk + 1) * at_once)
        while first < end:
            user, last = lefts[order[first]], first + 1
            while last < end and lefts[order[last]] == user:
                last += 1
            for version in range(starts[user], starts[user + 1]):
                row = places[version]
                for entry in range(ends[row], ends[row + 1]):
                    unpacked[columns[entry]] = values[entry]
                for at in range(first, last):
                    _meet(order[at], (row, families[version], plain), unpacked, pairs, left, right, out)
                for entry in range(ends[row], ends[row + 1]):
                    unpacked[columns[entry]] = 0
            first = last


@numba.njit(cache=True)
def _meet(pair: int, mine: Any, unpacked: Any, pairs: Any, left: Any, right: Any, out: Any) -> None:
    """One left version against all right versions of a pair."""
    row, family, plain = mine
    starts, places, families, foreign, ends, columns, values = right
    user = pairs[1][pair]
    if family != plain and not (left[3][pairs[0][pair]] or foreign[user]):
        return
    products, best_left, best_right, compared = out
    for version in range(starts[user], starts[user + 1]):
        if families[version] == family:
            theirs, total = places[version], 0.0
            for entry in range(ends[theirs], ends[theirs + 1]):
                total += unpacked[columns[entry]] * values[entry]
            product = np.float32(total)
            if compared[pair] == 0 or product > products[pair]:
                products[pair], best_left[pair], best_right[pair] = product, row, theirs
            compared[pair] += 1
