"""Rows of vectors: how long they are, and where they point."""

import numpy as np

from factlink.types import Floats

_TINY = 1e-12


def unit_rows(vectors: Floats, lengths: Floats | None = None) -> Floats:
    """Rows of length 1; zero rows stay zero. `lengths` are those of the rows where they are at hand."""
    found = np.linalg.norm(vectors, axis=1) if lengths is None else lengths
    return np.asarray(vectors / np.where(found > _TINY, found, 1)[:, None], np.float32)


def row_lengths(vectors: Floats) -> Floats:
    """The Euclidean length of every row, without a copy of the vectors; the last bit can differ from numpy's norm."""
    return np.asarray(np.sqrt(np.einsum("ij,ij->i", vectors, vectors)), vectors.dtype)
