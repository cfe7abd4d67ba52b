"""The nearest right rows of every left one and the nearest left rows of every right one, in one pass over scores."""

from collections.abc import Callable

import numpy as np

from factlink.candidates.heaps import keep_column_best, keep_row_best
from factlink.candidates.top_k import blocks
from factlink.types import Candidates, Floats, Ints


def nearest_each_way(
    scores_of: Callable[[Ints], Floats], n_left: int, n_right: int, k: int
) -> tuple[Candidates, Candidates]:
    """The k best right rows of each left row and the k best left rows of each right row, best first, ties by row.

    `scores_of(left rows)` are finite scores with all right rows; every one is looked at once.
    """
    k_right, k_left = min(k, n_right), min(k, n_left)
    rights, of_left = np.empty((n_left, k_right), np.int32), np.empty((n_left, k_right), np.float32)
    lefts, of_right = np.full((n_right, k_left), -1, np.int32), np.full((n_right, k_left), -np.inf, np.float32)
    for rows in blocks(n_left, n_right):
        scores = scores_of(rows)  # (block, n_right)
        rights[rows] = keep_row_best(scores, k_right)
        of_left[rows] = np.take_along_axis(scores, rights[rows], axis=1)
        keep_column_best(scores, int(rows[0]), of_right, lefts)
    return _best_first(rights, of_left), _best_first(lefts, of_right)


def _best_first(rows: Ints, scores: Floats) -> Candidates:
    order = np.lexsort((rows, -scores), axis=1)
    return Candidates(np.take_along_axis(rows, order, axis=1), np.take_along_axis(scores, order, axis=1))
