"""Which pictures are the same up to re-encoding, and how little a picture says that many users hold."""

import numpy as np
import numpy.typing as npt

from factlink.errors import InputError
from factlink.types import Floats, Ints

_BANDS, _BITS = 16, 12


def picture_groups(vectors: Floats, same: float = 0.9) -> Ints:
    """A group number per picture, (n,): equal for those whose cosine is `same` or more; −1 for a zero row.

    Only pictures that fall together under one of sixteen random codes are compared, each with the first and with the
    next of its code, so the work grows as n log n; the order of the pictures does not change who is grouped.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    distinct, row_of = np.unique(vectors, axis=0, return_inverse=True)
    first, second = _near_pairs(distinct)
    alike = np.einsum("ij,ij->i", distinct[first], distinct[second]) >= same
    ends = (first[alike], second[alike])
    links = coo_array((np.ones(len(ends[0]), np.int8), ends), shape=(len(distinct), len(distinct)))
    _, groups = connected_components(links, directed=False)
    return np.where(vectors.any(axis=1), groups[row_of.ravel()], -1).astype(np.int64)


def _near_pairs(vectors: Floats) -> tuple[Ints, Ints]:
    """Rows to compare: in each band, every row with the first and with the next row of equal code."""
    planes = np.random.default_rng(_BANDS).standard_normal((vectors.shape[1], _BANDS, _BITS), np.float32)
    firsts, seconds = [], []
    for band in range(_BANDS):
        code = (vectors @ planes[:, band] > 0) @ (1 << np.arange(_BITS))
        order = np.argsort(code, kind="stable")
        _, start, size = np.unique(code[order], return_index=True, return_counts=True)
        head = order[np.repeat(start, size)]
        follows = code[order[1:]] == code[order[:-1]]
        firsts += [head, order[:-1][follows]]
        seconds += [order, order[1:][follows]]
    return np.concatenate(firsts), np.concatenate(seconds)


def picture_weights(groups: Ints, holders: Ints, expected: int = 2) -> npt.NDArray[np.float32]:
    """What each picture is worth as evidence, (n,), 0 … 1: one while its group has `expected` holders or fewer.

    `holders[i]` users hold picture i; a person holds a picture once in each network, hence two for two networks. Of c
    holders beyond that each is the right one with chance 1 / (c − expected + 1). No picture, no evidence: zero.
    """
    if len(groups) != len(holders):
        raise InputError(f"{len(groups)} groups and {len(holders)} numbers of holders do not belong together")
    used = groups >= 0
    counts = np.bincount(groups[used], weights=holders[used], minlength=1)
    weights = np.zeros(len(groups), np.float32)
    weights[used] = 1 / np.maximum(counts[groups[used]] - expected + 1, 1)
    return weights
