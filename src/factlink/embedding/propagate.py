"""The fast solver: closed-form passes of the follow objective, without training.

From zero, the first passes of the objective are v_u ≈ a_u + λ·mean_j φ(v_j) over u's neighbours j, centred, with an
orthogonal φ. Keeping each hop in a subspace of its own is the same φ without rounding: [a, √λ·h] has the scalar product
⟨a, a'⟩ + λ⟨h, h'⟩.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numba
import numpy as np
from scipy.sparse import csr_matrix

from factlink.execution.workers import HERE, Workers, cut
from factlink.types import Floats, Follows, Halves, Ints
from factlink.vectors import unit_rows

_FEWEST = 2  # neighbours that everybody is taken to have at least
_SCALE = np.float32(2.0**112)  # between the exponents of 16 bits and of 32


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


def propagate(neighbours: csr_matrix, vectors: Floats, workers: Workers = HERE) -> Floats:
    """(n, dim) unit rows: the weighted mean of the neighbours' vectors, rare ones heavier; zero without neighbours."""
    parts = cut(neighbours, neighbours.shape[0], workers.parts)
    return workers.stack(propagate_part, parts, neighbour_rarity(neighbours), vectors)


def propagate_part(neighbours: csr_matrix, rarity: Floats, vectors: Floats) -> Floats:
    """The same for some users: their neighbours among all, what each of those counts, and their vectors."""
    sums = np.zeros((neighbours.shape[0], vectors.shape[1]), np.float32)
    _add_neighbours(neighbours.indptr, neighbours.indices, neighbours.data, rarity, (vectors, sums))
    return sums


def propagate_rows(neighbours: csr_matrix, degrees_of: Callable[[Ints], Ints], stored: Sequence[Halves]) -> Floats:
    """The same for vectors in consecutive `stored` arrays, perhaps on disk: only neighbours' are read."""
    sums, first = np.zeros((neighbours.shape[0], stored[0].shape[1]), np.float32), 0
    weights = neighbours.data * _rarity(degrees_of(neighbours.indices))
    for part in stored:
        _add_stored(neighbours.indptr, neighbours.indices, weights, first, (part.view(np.uint16), sums))
        first += len(part)
    return unit_rows(sums)


def neighbour_rarity(neighbours: csr_matrix) -> Floats:
    """(n,): 1 / log(1 + degree), what a user counts as a neighbour."""
    return _rarity(np.diff(neighbours.indptr))


def _rarity(degrees: Ints) -> Floats:
    return np.asarray(1 / np.log(1 + np.maximum(degrees, _FEWEST)), np.float32)


def mean_row(*vectors: Floats, workers: Workers = HERE) -> Floats:
    """(dim,): the mean of the rows that are not zero; zero for a single one, which would vanish without it."""
    n_filled, total = 0, np.zeros(vectors[0].shape[1])
    for block in (block for rows in vectors for block in workers.walk(rows)):
        n_filled += int(np.count_nonzero(block.any(axis=1)))
        total += block.sum(axis=0, dtype=np.float64)
    return np.asarray(total / n_filled if n_filled > 1 else np.zeros_like(total), np.float32)


def without_mean(vectors: Floats, mean: Floats, workers: Workers = HERE) -> Floats:
    """Rows less a mean, of length 1, in place; zero rows stay zero."""
    if mean.any():
        for block in workers.walk(vectors):
            filled = np.asarray(block.any(axis=1))[:, None]
            block[:] = unit_rows((block - mean) * filled)
    return vectors


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


@numba.njit(cache=True, parallel=True)
def _add_stored(ends: Any, columns: Any, weights: Any, start: int, rows: Any) -> None:
    """Adds the vectors of neighbours who are among those stored, the first of whom is user `start`."""
    vectors, sums = rows
    for i in numba.prange(len(ends) - 1):
        bits = np.empty(vectors.shape[1], np.uint32)  # of halves as single floats: compiled code has no float16
        for entry in range(ends[i], ends[i + 1]):
            row = columns[entry] - start
            if 0 <= row < len(vectors):
                for d in range(vectors.shape[1]):
                    half = np.uint32(vectors[row, d])
                    bits[d] = (half & np.uint32(0x8000)) << np.uint32(16) | (half & np.uint32(0x7FFF)) << np.uint32(13)
                halves = bits.view(np.float32)
                for d in range(vectors.shape[1]):
                    sums[i, d] += weights[entry] * (halves[d] * _SCALE)
