"""The fast solver: closed-form passes of the follow objective, without training.

From zero, the first passes of the objective are v_u ≈ a_u + λ·mean_j φ(v_j) over u's neighbours j, centred, with an
orthogonal φ. Keeping each hop in a subspace of its own is the same φ without rounding: [a, √λ·h] has the scalar product
⟨a, a'⟩ + λ⟨h, h'⟩.
"""

import numpy as np
from scipy.sparse import csr_matrix

from factlink.types import Floats, Follows, Ints


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
    return unit_rows(neighbours @ (vectors * neighbour_rarity(neighbours)[:, None]))


def neighbour_rarity(neighbours: csr_matrix) -> Floats:
    """(n,): 1 / log(1 + degree), what a user counts as a neighbour."""
    return np.asarray(1 / np.log(1 + np.maximum(np.diff(neighbours.indptr), 2)), np.float32)


def centre_rows(vectors: Floats) -> Floats:
    """Unit rows without their mean direction; zero rows stay zero."""
    filled = np.asarray(vectors.any(axis=1))
    if filled.sum() < 2:
        return vectors
    mean = vectors[filled].mean(axis=0, dtype=np.float64).astype(np.float32)
    return unit_rows((vectors - mean) * filled[:, None])


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
