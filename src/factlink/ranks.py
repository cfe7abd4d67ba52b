"""The rank of one column in every row of scores."""

import numpy as np
import numpy.typing as npt

from factlink.types import Floats, Ints


def middle_ranks(scores: Floats, columns: Ints, free: npt.NDArray[np.bool_] | None = None) -> Floats:
    """1 + how many columns beat the wanted one + half of those that tie with it, row by row, among the free ones.

    NaN ranks last, as −inf does.
    """
    if np.isnan(np.max(scores, initial=-np.inf)):
        scores = np.where(np.isnan(scores), -np.inf, scores)  # (n, n_columns)
    own = np.take_along_axis(scores, columns[:, None], axis=1)
    above, equal, itself = scores > own, scores == own, np.ones(len(columns), np.bool_)
    if free is not None:
        above, equal, itself = above & free, equal & free, free[columns]
    beaten_by, tied_with = np.count_nonzero(above, axis=1), np.count_nonzero(equal, axis=1) - itself
    return np.float32(1) + np.asarray(beaten_by + tied_with / 2, np.float32)
