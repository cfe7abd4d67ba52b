"""Rows of vectors: how long they are, and where they point."""

import numpy as np
from scipy.sparse import csr_matrix

from factlink.types import Floats, Ints

_TINY = 1e-12


def unit_rows(vectors: Floats, lengths: Floats | None = None) -> Floats:
    """Rows of length 1; zero rows stay zero. `lengths` are those of the rows where they are at hand."""
    found = np.linalg.norm(vectors, axis=1) if lengths is None else lengths
    return np.asarray(vectors / np.where(found > _TINY, found, 1)[:, None], np.float32)


def row_lengths(vectors: Floats) -> Floats:
    """The Euclidean length of every row, without a copy of the vectors; the last bit can differ from numpy's norm."""
    return np.asarray(np.sqrt(np.einsum("ij,ij->i", vectors, vectors)), vectors.dtype)


def sparse_rows(values: Floats, columns: Ints, ends: Ints, n_columns: int) -> csr_matrix:
    """Sparse rows whose parts are known to be right: of a few rows, scipy's checks would cost more than their use."""
    kind = np.int32 if len(columns) < 2**31 and n_columns < 2**31 else np.int64
    rows = csr_matrix.__new__(csr_matrix)
    parts = {"data": values, "indices": columns.astype(kind, copy=False), "indptr": ends.astype(kind, copy=False)}
    vars(rows).update(vars(_NO_ROWS) | parts, _shape=(len(ends) - 1, n_columns))
    return rows


def pick_sparse(rows: csr_matrix, wanted: Ints) -> csr_matrix:
    """Some rows of a sparse matrix."""
    firsts = rows.indptr[wanted]
    ends = np.concatenate([[0], np.cumsum(rows.indptr[wanted + 1] - firsts, dtype=np.int64)])
    places = np.repeat(firsts - ends[:-1], np.diff(ends)) + np.arange(ends[-1])
    return sparse_rows(rows.data[places], rows.indices[places], ends, rows.shape[1])


_NO_ROWS = csr_matrix((0, 0), dtype=np.float32)
