"""The fast solver: closed-form passes of the follow objective, without training.

From zero, the first passes of the objective are v_u ≈ a_u + λ·mean_j φ(v_j) over u's neighbours j, centred, with an
orthogonal φ. Keeping each hop in a subspace of its own is the same φ without rounding: [a, √λ·h] has the scalar product
⟨a, a'⟩ + λ⟨h, h'⟩.
"""

from typing import Any

import numba
import numpy as np
from scipy.sparse import csr_matrix

from factlink.types import Floats, Follows, Ints

_BLOCK = 16_384  # rows centred at a time


def neighbour_matrix(n_users: int, links: list[Follows], weights: list[Floats]) -> csr_matrix:
    """(n, n) symmetric: the strongest link between two users, either way; nobody is their own neighbour."""
    followers = np.concatenate([np.empty(0, np.int64), *(follows.followers for follows in links)])
    followees = np.concatenate([np.empty(0, np.int64), *(follows.followees for follows in links)])
    values = np.concatenate([np.empty(0, np.float32), *weights]).astype(np.float32)
    apart = (followers != followees) & (values > 0)
    lows = np.minimum(followers, followees)[apart].astype(np.int64)
    highs = np.maximum(followers, followees)[apart].astype(np.int64)
    keys, strongest = _strongest(lows * n_users + highs, values[apart])
    lows, highs = np.divmod(keys, max(1, n_users))
    half = csr_matrix((strongest, (lows, highs)), shape=(n_users, n_users))
    return (half + half.T).tocsr()


def propagate(neighbours: csr_matrix, vectors: Floats) -> Floats:
    """(n, dim) unit rows: the mean of the neighbours' vectors, rare neighbours heavier; zero for who has none."""
    rarity = 1 / np.log(1 + np.maximum(np.diff(neighbours.indptr), 2))
    sums = np.zeros(vectors.shape, np.float32)
    _add_neighbours(neighbours.indptr, neighbours.indices, neighbours.data, rarity.astype(np.float32), (vectors, sums))
    return sums


def centre_rows(vectors: Floats) -> Floats:
    """Unit rows without their mean direction, in place; zero rows stay zero, and one row alone stays as it is."""
    blocks = [vectors[first : first + _BLOCK] for first in range(0, len(vectors), _BLOCK)]
    n_filled = sum(np.count_nonzero(block.any(axis=1)) for block in blocks)
    if n_filled < 2:
        return vectors
    mean = sum(block.sum(axis=0, dtype=np.float64) for block in blocks) / n_filled
    for block in blocks:
        filled = np.asarray(block.any(axis=1))[:, None]
        block[:] = unit_rows((block - mean.astype(np.float32)) * filled)
    return vectors


def unit_rows(vectors: Floats) -> Floats:
    """Rows of length 1; zero rows stay zero."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(norms > 1e-12, norms, 1), np.float32)


def _strongest(keys: Ints, values: Floats) -> tuple[Ints, Floats]:
    """The largest value of each key."""
    if len(values) and (values == values[0]).all():
        keys = np.sort(keys)
        first = np.concatenate([[True], keys[1:] != keys[:-1]])
        return keys[first], values[: int(first.sum())]
    order = np.lexsort((-values, keys))
    keys, values = keys[order], values[order]
    first = np.ones(len(keys), bool)
    first[1:] = keys[1:] != keys[:-1]
    return keys[first], values[first]


@numba.njit(cache=True, parallel=True)
def _add_neighbours(ends: Any, columns: Any, weights: Any, rarity: Any, rows: Any) -> None:
    vectors, sums = rows
    for i in numba.prange(len(ends) - 1):
        for entry in range(ends[i], ends[i + 1]):
            weight = weights[entry] * rarity[columns[entry]]
            for d in range(vectors.shape[1]):
                sums[i, d] += weight * vectors[columns[entry], d]
        length = np.float32(0)
        for d in range(vectors.shape[1]):
            length += sums[i, d] ** 2
        if length > 1e-24:
            sums[i] /= np.sqrt(length)
