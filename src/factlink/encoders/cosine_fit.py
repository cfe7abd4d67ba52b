"""Sparse similarities as vectors whose cosines keep them: the paper's error_pred (section 1.2, object embedding)."""

from collections.abc import Callable
from dataclasses import dataclass

import numba
import numpy as np
import numpy.typing as npt

from factlink.encoders.blocking import BlockedPairs
from factlink.progress import counted
from factlink.types import Floats, Ints
from factlink.vectors import unit_rows

_BATCHES = 8  # rows of a batch move together and see each other as they were before it


@dataclass(frozen=True, slots=True, eq=False)
class Similarities:
    """Sparse symmetric S in [−1, 1] over n objects: each pair once in either order; the diagonal is 1 by itself."""

    n: int
    lefts: Ints  # (n_pairs,)
    rights: Ints  # (n_pairs,)
    values: Floats  # (n_pairs,)

    def __len__(self) -> int:
        return len(self.values)


Compare = Callable[[Ints, Ints], Floats]
"""The similarity of each pair of objects, given as rows; fastest when sorted by left."""


@dataclass(frozen=True, slots=True)
class Kept:
    """How many pairs each object keeps, about: the best blocked ones, blocked ones at random, any at random."""

    best: int
    drawn: int
    apart: int


def sparse_similarities(n: int, blocked: BlockedPairs, compare: Compare, kept: Kept, seed: int) -> Similarities:
    """S over n objects: pairs of each, all at their own similarity.

    The best blocked pairs alone would hold everything together and nothing apart: all vectors would be alike.
    """
    near = Similarities(n, blocked.lefts, blocked.rights, compare(blocked.lefts, blocked.rights))
    some = _draw(near, n * kept.drawn // 2, seed)
    near = _keep_best(near, kept.best)
    far = _random_pairs(n, kept.apart // 2, seed)
    lefts = np.concatenate([near.lefts, some.lefts, far[0]])
    rights = np.concatenate([near.rights, some.rights, far[1]])
    values = np.concatenate([near.values, some.values, compare(*far)])
    _, first = np.unique(lefts.astype(np.int64) * n + rights, return_index=True)
    return Similarities(n, lefts[first], rights[first], values[first])


def fit_cosines(similarities: Similarities, dim: int, passes: int = 30, step: float = 0.5, seed: int = 0) -> Floats:
    """(n, dim) unit rows by SGD on Σ (v_i·v_j − S_ij)², the norm put back to 1 after every row.

    Random unit vectors at the start. Rows are visited in batches of a new random order each pass; within a row one
    step per pair. Threads own rows, so the result does not depend on how many there are.
    """
    rng = np.random.default_rng(seed)
    vectors = unit_rows(rng.standard_normal((similarities.n, dim), dtype=np.float32))
    ends, partners, values = _by_row(similarities)
    for _ in counted(range(passes), passes, "fitting vectors to similarities, passes"):
        for batch in np.array_split(rng.permutation(similarities.n), _BATCHES):
            vectors[batch] = _moved(vectors, batch, ends, partners, values, np.float32(step))
    return vectors


def _by_row(similarities: Similarities) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], Floats]:
    """Every pair under both its rows: where each row ends, its partners and their values."""
    rows = np.concatenate([similarities.lefts, similarities.rights])
    partners = np.concatenate([similarities.rights, similarities.lefts])
    order = np.lexsort((partners, rows))
    ends = np.concatenate([[0], np.bincount(rows, minlength=similarities.n).cumsum()]).astype(np.int64)
    return ends, partners[order].astype(np.int32), np.tile(similarities.values, 2)[order]


@numba.njit(cache=True, parallel=True, fastmath=False)
def _moved(vectors: Floats, batch: Ints, ends: Ints, partners: Ints, values: Floats, step: np.float32) -> Floats:
    """(len(batch), dim): the batch's rows after one step for each of their pairs."""
    dim = vectors.shape[1]
    moved = np.empty((len(batch), dim), np.float32)
    for b in numba.prange(len(batch)):
        row = moved[b]
        row[:] = vectors[batch[b]]
        for at in range(ends[batch[b]], ends[batch[b] + 1]):
            partner = vectors[partners[at]]
            change = step * (np.dot(row, partner) - values[at])
            for d in range(dim):
                row[d] -= change * partner[d]
        norm = np.sqrt(np.dot(row, row))
        if norm > 0:
            for d in range(dim):
                row[d] /= norm
    return moved


def _keep_best(similarities: Similarities, k: int) -> Similarities:
    """The pairs that are among the k most similar of one of their two names."""
    rows = np.concatenate([similarities.lefts, similarities.rights])
    order = np.lexsort((-np.tile(similarities.values, 2), rows))
    firsts = np.concatenate([[0], np.bincount(rows, minlength=similarities.n).cumsum()])
    best = order[np.arange(len(order)) - firsts[rows[order]] < k]
    kept = np.unique(best % max(1, len(similarities)))
    return Similarities(similarities.n, similarities.lefts[kept], similarities.rights[kept], similarities.values[kept])


def _draw(similarities: Similarities, n_pairs: int, seed: int) -> Similarities:
    """About so many of the pairs, drawn evenly; all if there are fewer."""
    drawn = np.flatnonzero(np.random.default_rng([seed, 2]).random(len(similarities)) * len(similarities) < n_pairs)
    return Similarities(
        similarities.n, similarities.lefts[drawn], similarities.rights[drawn], similarities.values[drawn]
    )


def _random_pairs(n: int, per_object: int, seed: int) -> tuple[Ints, Ints]:
    """Random pairs i < j, sorted, about `per_object` for each of n objects."""
    drawn = np.random.default_rng([seed, 1]).integers(0, max(1, n), (n * per_object, 2))
    lower, upper = drawn.min(1), drawn.max(1)
    keys = np.unique((lower * n + upper)[lower < upper])
    return keys // max(1, n), keys % max(1, n)
