"""The best versions of two users' names, compiled: every version of one against those of the other that it may meet."""

from typing import Any

import numba
import numpy as np

from factlink.candidates.products import row_table, table_product
from factlink.types import Floats, Ints

_CHUNK = 1024  # pairs that one thread takes at once


def best_of_versions(pairs: tuple[Ints, Ints], left: Any, right: Any, plain: int) -> tuple[Floats, Ints, Ints, Ints]:
    """(n_pairs,) each: the largest product, the two rows that it is of, and how many were compared.

    `left` and `right` are starts, places, families, who is foreign, and the ends, columns and values of
    sparse rows. Of equal products the first counts, by left version and then right version.
    """
    n = len(pairs[0])
    out = np.empty(n, np.float32), np.empty(n, np.int64), np.empty(n, np.int64), np.zeros(n, np.int64)
    order = np.argsort(pairs[0], kind="stable")  # each left row is unpacked once
    _compare(order, pairs, left, right, plain, out)
    return out


@numba.njit(cache=True, parallel=True)
def _compare(order: Any, pairs: Any, left: Any, right: Any, plain: int, out: Any) -> None:
    lefts, n = pairs[0], len(order)
    starts, places, families, _, ends, columns, values = left
    for chunk in numba.prange((n + _CHUNK - 1) // _CHUNK):
        first, end = chunk * _CHUNK, min(n, (chunk + 1) * _CHUNK)
        while first < end:
            user, last = lefts[order[first]], first + 1
            while last < end and lefts[order[last]] == user:
                last += 1
            for version in range(starts[user], starts[user + 1]):
                row = places[version]
                table = row_table(columns[ends[row] : ends[row + 1]], values[ends[row] : ends[row + 1]])
                for at in range(first, last):
                    _meet(order[at], (row, families[version], plain), table, pairs, left, right, out)
            first = last


@numba.njit(cache=True)
def _meet(pair: int, mine: Any, table: Any, pairs: Any, left: Any, right: Any, out: Any) -> None:
    """One left version against all right versions of a pair."""
    row, family, plain = mine
    starts, places, families, foreign, ends, columns, values = right
    user = pairs[1][pair]
    if family != plain and not (left[3][pairs[0][pair]] or foreign[user]):
        return
    products, best_left, best_right, compared = out
    for version in range(starts[user], starts[user + 1]):
        if families[version] == family:
            theirs = places[version]
            some = slice(ends[theirs], ends[theirs + 1])
            product = np.float32(table_product(table, columns[some], values[some]))
            if compared[pair] == 0 or product > products[pair]:
                products[pair], best_left[pair], best_right[pair] = product, row, theirs
            compared[pair] += 1
