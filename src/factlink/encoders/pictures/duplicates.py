"""Which pictures are the same up to re-encoding, and the weight of a picture by its number of holders."""

import numpy as np
import numpy.typing as npt

from factlink.encoders.pictures.codes import distinct_rows
from factlink.errors import InputError
from factlink.types import Floats, Ints

_BANDS, _BITS = 16, 12
_BLOCK = 4096  # pairs at a time


def picture_groups(vectors: Floats, same: float = 0.9) -> Ints:
    """A group number per picture, (n,): equal for those whose cosine is `same` or more; −1 for a zero row.

    Only pictures that fall together under one of sixteen random codes are compared, each with the first and with the
    next of its code, so the work grows as n log n; the order of the pictures does not change who is grouped.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    firsts, row_of = distinct_rows(vectors)
    distinct = vectors[firsts]
    ends = _alike(distinct, same)
    links = coo_array((np.ones(len(ends[0]), np.int8), ends), shape=(len(distinct), len(distinct)))
    _, groups = connected_components(links, directed=False)
    return np.where(np.any(vectors != 0, axis=1), groups[row_of], -1).astype(np.int64)


def _alike(vectors: Floats, same: float) -> tuple[Ints, Ints]:
    """Pairs of rows with a cosine of `same` or more, found in any band."""
    planes = np.random.default_rng(_BANDS).standard_normal((vectors.shape[1], _BANDS, _BITS), np.float32)
    found = [_alike_in_band(vectors, planes[:, band], same) for band in range(_BANDS)]
    firsts, seconds = zip(*found, strict=True)
    return np.concatenate(firsts), np.concatenate(seconds)


def _alike_in_band(vectors: Floats, planes: Floats, same: float) -> tuple[Ints, Ints]:
    """Among rows on the same side of all planes: each with the first and with the next of them, where alike."""
    code = (vectors @ planes > 0) @ (1 << np.arange(_BITS))
    order = np.argsort(code, kind="stable")
    _, starts, sizes = np.unique(code[order], return_index=True, return_counts=True)
    first = np.concatenate([order[np.repeat(starts, sizes)], order[:-1]])
    second = np.concatenate([order, order[1:]])
    kept = np.zeros(len(first), bool)
    for start in range(0, len(first), _BLOCK):
        pairs = slice(start, start + _BLOCK)
        kept[pairs] = np.einsum("ij,ij->i", vectors[first[pairs]], vectors[second[pairs]]) >= same
    return first[kept], second[kept]


def picture_weights(groups: Ints, holders: Ints, expected: int = 2) -> npt.NDArray[np.float32]:
    """The weight of each picture as evidence, (n,), 0 … 1: one while its group has `expected` holders or fewer.

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
