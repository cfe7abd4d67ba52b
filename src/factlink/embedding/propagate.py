"""The fast solver: closed-form passes of the follow objective, without training.

From zero, the first passes of the objective are v_u ≈ a_u + λ·mean_j φ(v_j) over u's neighbours j, centred, with an
orthogonal φ. Keeping each hop in a subspace of its own is the same φ without rounding: [a, √λ·h] has the scalar product
⟨a, a'⟩ + λ⟨h, h'⟩.
"""

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_matrix

from factlink.types import Floats, Follows, Ints
from factlink.workers import HERE, Workers, cut, join

_BLOCK = 8192  # users whose neighbours' vectors are held at a time


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
    """(n, dim) unit rows: the mean of the neighbours' vectors, rare neighbours heavier; zero for who has none."""
    degrees = np.diff(neighbours.indptr)
    rarity = 1 / np.log(1 + np.maximum(degrees, 2))
    heard = vectors * rarity[:, None].astype(np.float32)
    return join(workers.map(propagate_part, cut(neighbours, len(degrees), workers.parts), heard))


def propagate_part(neighbours: csr_matrix, heard: Floats) -> Floats:
    """The same for some users: the directions of the sums of what their neighbours say."""
    return unit_rows(neighbours @ heard)


def propagate_rows(neighbours: csr_matrix, degrees: Ints, stored: Sequence[Floats]) -> Floats:
    """The same for some users alone: their neighbours among all, whose vectors lie in `stored`, one after another.

    Only vectors of neighbours are read, so those of a million users may lie on disk.
    """
    hops = np.zeros((neighbours.shape[0], stored[0].shape[1]), np.float32)
    for first in range(0, len(hops), _BLOCK):
        rows = neighbours[first : first + _BLOCK]
        used, columns = np.unique(rows.indices, return_inverse=True)
        rarity = 1 / np.log(1 + np.maximum(degrees[used], 2))
        vectors = _gather(stored, used) * rarity[:, None].astype(np.float32)
        near = csr_matrix((rows.data, columns, rows.indptr), shape=(rows.shape[0], len(used)))
        hops[first : first + _BLOCK] = unit_rows(near @ vectors)
    return hops


def _gather(stored: Sequence[Floats], rows: Ints) -> Floats:
    """Rows of arrays that lie one after another, rising."""
    ends = np.cumsum([len(part) for part in stored])
    parts = np.split(rows, np.searchsorted(rows, ends[:-1]))
    starts = ends - [len(part) for part in stored]
    taken = [part[some - start] for part, some, start in zip(stored, parts, starts, strict=True)]
    return np.concatenate(taken).astype(np.float32)


def centre_rows(vectors: Floats) -> Floats:
    """Unit rows without their mean direction; zero rows stay zero."""
    return without_mean(vectors, mean_row(vectors))


def mean_row(vectors: Floats) -> Floats:
    """(dim,): the mean of the rows that are not zero; zero for a single one, which would vanish without it."""
    filled = np.asarray(vectors.any(axis=1))
    if filled.sum() < 2:
        return np.zeros(vectors.shape[1], np.float32)
    return np.asarray(vectors[filled].mean(axis=0, dtype=np.float64), np.float32)


def without_mean(vectors: Floats, mean: Floats) -> Floats:
    """Rows less the mean, of length 1; zero rows stay zero."""
    return unit_rows((vectors - mean) * np.asarray(vectors.any(axis=1))[:, None])


def unit_rows(vectors: Floats) -> Floats:
    """Rows of length 1; zero rows stay zero."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(norms > 1e-12, norms, 1), np.float32)


def _strongest(keys: Ints, values: Floats) -> tuple[Ints, Floats]:
    """The largest value of each key."""
    order = np.lexsort((-values, keys))
    keys, values = keys[order], values[order]
    first = np.ones(len(keys), bool)
    first[1:] = keys[1:] != keys[:-1]
    return keys[first], values[first]
