"""The k best of every row and of every column of score blocks, in one pass."""

from typing import Any

import numba
import numpy as np

_STRIP = 256  # columns that one thread owns


@numba.njit(cache=True)
def _is_worse(score: float, row: int, other: float, other_row: int) -> bool:
    return score < other or (score == other and row > other_row)


@numba.njit(cache=True)
def push(scores: Any, rows: Any, score: float, row: int) -> None:
    """Replaces the root, the worst, of a heap; of equal scores the later row is worse, so that order shows nowhere."""
    k, at = len(scores), 0
    while True:
        child = 2 * at + 1
        if child >= k:
            break
        if child + 1 < k and _is_worse(scores[child + 1], rows[child + 1], scores[child], rows[child]):
            child += 1
        if not _is_worse(scores[child], rows[child], score, row):
            break
        scores[at], rows[at] = scores[child], rows[child]
        at = child
    scores[at], rows[at] = score, row


@numba.njit(cache=True, parallel=True)
def keep_row_best(scores: Any, k: int) -> Any:
    """(n_rows, k): the columns of the k largest entries of each row, in no order."""
    best = np.empty((scores.shape[0], k), np.int32)
    for i in numba.prange(scores.shape[0]):
        heap = np.full(k, -np.inf, np.float32)
        for j in range(scores.shape[1]):
            if scores[i, j] > heap[0]:
                push(heap, best[i], scores[i, j], j)
    return best


@numba.njit(cache=True, parallel=True)
def keep_column_best(scores: Any, first_row: int, best: Any, rows: Any) -> None:
    """Updates the heaps (n_columns, k) of each column's largest entries with a further block of rows."""
    n_strips = (scores.shape[1] + _STRIP - 1) // _STRIP
    for strip in numba.prange(n_strips):
        for i in range(scores.shape[0]):
            for j in range(strip * _STRIP, min(scores.shape[1], (strip + 1) * _STRIP)):
                if scores[i, j] > best[j, 0]:
                    push(best[j], rows[j], scores[i, j], first_row + i)
