"""How far two handles are made of the same pieces: what one copies from the other, by how surprising that is here.

Letters that a handle shares with the other gain as much as they are surprising among all handles of its network, and
a piece that begins costs the choice of where it comes from. `4congress` is hardly surprising, `axne` is.
"""

from typing import Any

import numba
import numpy as np

from factlink.encoders.handles.pieces import ANY, FIRST, START, Handles
from factlink.types import Floats, Ints

LEAST = 2
"""Letters of a piece that is copied."""

CHANGE = np.float32(np.log(0.3))
"""What it costs that a piece begins, or a run of letters that are no copy."""

MOST = np.float32(np.log(36))
"""The largest surprise of a letter: that of one among all letters and digits; where words meet, anything follows."""

AT_MARK = np.float32(START[FIRST] - START[ANY])
"""What a piece gains that ends where a word ends, and costs that ends within one."""

_LONGEST = 60  # letters of a handle that are looked at
_UNSEEN = np.float32(-1e9)


def compare_handles(pairs: tuple[Ints, Ints], left: Handles, right: Handles) -> Floats:
    """(n_pairs,): the share of what is surprising about both handles that the other one explains, from 0 to 1."""
    sides = [(side.letters, side.starts, side.chances, side.begins) for side in (left, right)]
    return np.asarray(_compare(sides[0], sides[1], pairs[0], pairs[1]))


def copied_pieces(user: int, other: int, mine: Handles, theirs: Handles) -> list[str]:
    """The pieces of a handle that are copied from another one."""
    arrays = [(side.letters, side.starts, side.chances, side.begins) for side in (mine, theirs)]
    (first, last), (begin, end) = (_span(each, row) for each, row in zip(arrays, (user, other), strict=True))
    table, pieces = np.empty((2, _LONGEST + 1), np.float32), np.zeros((2, _LONGEST + 1), np.int64)
    handle = mine.letters[first:last]
    chances = np.maximum(mine.chances[first:last], -MOST)
    _copied((handle, chances, mine.begins[first:last]), theirs.letters[begin:end], table, pieces)
    found, at = list[str](), last - first
    within = 0 if at and table[0, at] >= table[1, at] else 1
    while at > 0:
        length, before = (pieces[0, at], pieces[1, at] & 1) if within == 0 else (1, pieces[1, at] >> 1)
        if within == 0:
            found.append(handle[at - length : at].tobytes().decode())
        at, within = at - length, before
    return found[::-1]


@numba.njit(cache=True)
def _compare(left: Any, right: Any, lefts: Any, rights: Any) -> Any:
    shares = np.zeros(len(lefts), np.float32)
    table, pieces = np.empty((2, _LONGEST + 1), np.float32), np.zeros((2, _LONGEST + 1), np.int64)
    for p in range(len(lefts)):
        first, last = _span(left, lefts[p])
        begin, end = _span(right, rights[p])
        if last > first and end > begin:
            mine, theirs = left[0][first:last], right[0][begin:end]
            chances, other = np.maximum(left[2][first:last], -MOST), np.maximum(right[2][begin:end], -MOST)
            explained = _copied((mine, chances, left[3][first:last]), theirs, table, pieces)
            explained += _copied((theirs, other, right[3][begin:end]), mine, table, pieces)
            shares[p] = min(np.float32(1), explained / -(chances.sum() + other.sum()))
    return shares


@numba.njit(cache=True)
def _span(handles: Any, user: int) -> Any:
    first = handles[1][user]
    return first, min(handles[1][user + 1], first + _LONGEST)


@numba.njit(cache=True)
def _copied(written: Any, source: Any, table: Any, pieces: Any) -> Any:
    """The gain of the best way to make a handle of pieces of the source and other letters; 0 if none gains.

    `table` gets the best ways to each position that end in a piece, and in other letters; `pieces` the letters of that
    piece, and what came before: bit 0 for the piece, bit 1 for other letters, 0 for a piece and 1 for other letters.
    """
    handle, chances, begins = written
    n = len(handle)
    piece, left_over = table
    piece[: n + 1], left_over[: n + 1] = _UNSEEN, _UNSEEN
    piece[0], pieces[:, : n + 1] = 0, 0
    where = CHANGE - np.float32(np.log(len(source)))
    for i in range(n):
        after_piece = piece[i] >= left_over[i]
        here = piece[i] if after_piece else left_over[i]
        goes_on = left_over[i] >= piece[i] + CHANGE
        left_over[i + 1] = left_over[i] if goes_on else piece[i] + CHANGE
        pieces[1, i + 1] = (pieces[1, i + 1] & 1) | (2 if goes_on else 0)
        for j in range(len(source)):
            gain, length = np.float32(0), 0
            while i + length < n and j + length < len(source) and handle[i + length] == source[j + length]:
                gain -= chances[i + length]
                length += 1
                value = here + where + gain
                if i + length < n:
                    value += AT_MARK * begins[i + length]
                if length >= LEAST and value > piece[i + length]:
                    piece[i + length], pieces[0, i + length] = value, length
                    pieces[1, i + length] = (pieces[1, i + length] & 2) | (0 if after_piece else 1)
    return max(np.float32(0), piece[n], left_over[n])
