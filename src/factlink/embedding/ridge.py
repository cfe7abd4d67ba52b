"""Ridge regression from sparse rows to vectors, by conjugate gradients, compiled."""

from typing import Any

import numba
import numpy as np
from scipy.sparse import csr_matrix

from factlink.types import Floats

_ROUNDS = 30


def ridge(rows: csr_matrix, wanted: Floats, doubt: float) -> Floats:
    """(n_columns, dim): B of least |rows·B − wanted|² + doubt·|B|²; all columns of `wanted` at once."""
    back = rows.T.tocsr()
    solved = np.zeros((rows.shape[1], wanted.shape[1]), np.float32)
    rest = times(back, wanted)
    step, before = rest.copy(), _squares(rest)
    goal = before * 1e-6
    for _ in range(_ROUNDS):
        pushed = times(back, times(rows, step)) + np.float32(doubt) * step
        length = before / np.maximum(np.einsum("ij,ij->j", step, pushed), 1e-30)
        solved += length * step
        rest -= length * pushed
        after = _squares(rest)
        if (after <= goal).all():
            break
        step = np.asarray(rest + (after / np.maximum(before, 1e-30)) * step, np.float32)
        before = after
    return solved


def times(rows: csr_matrix, vectors: Floats) -> Floats:
    """(n_rows, dim): a sparse matrix times vectors; the same bytes with any number of threads."""
    out = np.zeros((rows.shape[0], vectors.shape[1]), np.float32)
    _times(rows.indptr, rows.indices, rows.data, np.ascontiguousarray(vectors, np.float32), out)
    return out


def _squares(vectors: Floats) -> Floats:
    return np.asarray(np.einsum("ij,ij->j", vectors, vectors), np.float32)


@numba.njit(cache=True, parallel=True)
def _times(starts: Any, columns: Any, values: Any, vectors: Any, out: Any) -> None:
    for row in numba.prange(len(starts) - 1):
        for entry in range(starts[row], starts[row + 1]):
            for d in range(vectors.shape[1]):
                out[row, d] += values[entry] * vectors[columns[entry], d]
