"""Propagated codes: matched pairs get the same random vector, and links carry it two hops on.

Users near the same matched pairs, in either network, have like sums of codes. A user's own code comes back over the
second hop and is taken out, so that no pair vouches for itself.
"""

import numpy as np
from scipy.sparse import csr_matrix

from factlink.embedding.propagate import propagate
from factlink.execution.workers import HERE, Workers
from factlink.linkers.factoid.spreading.matching import Matching
from factlink.types import Floats, Ints
from factlink.vectors import unit_rows

DIM = 256
"""Numbers of a code; a user has twice as many, for one hop and for two."""

_NOTHING = 1e-6  # the squared length below which nothing but rounding is left


def spread_codes(
    left: csr_matrix, right: csr_matrix, matching: Matching, seed: int, workers: Workers = HERE
) -> tuple[Floats, Floats]:
    """(n_left, 2·DIM), (n_right, 2·DIM): the mean codes one hop and two hops away, both of length √½."""
    pairs = matching.pairs
    signs = np.random.default_rng(seed).integers(0, 2, (len(pairs), DIM), dtype=np.int8)
    codes = (2 * signs - 1).astype(np.float32) * (matching.pair_strengths / np.float32(np.sqrt(DIM)))[:, None]
    return _carried(left, pairs.lefts, codes, workers), _carried(right, pairs.rights, codes, workers)


def _carried(neighbours: csr_matrix, rows: Ints, codes: Floats, workers: Workers) -> Floats:
    start = np.zeros((neighbours.shape[0], codes.shape[1]), np.float32)
    start[rows] = codes
    once = propagate(neighbours, start, workers)
    twice = propagate(neighbours, once, workers)
    twice[rows] -= np.einsum("ij,ij->i", twice[rows], codes)[:, None] * codes / _squares(codes)[:, None]
    twice[_squares(twice) < _NOTHING] = 0
    return np.asarray(np.concatenate([once, unit_rows(twice)], axis=1) * np.float32(np.sqrt(0.5)))


def _squares(codes: Floats) -> Floats:
    return np.asarray(np.maximum(np.einsum("ij,ij->i", codes, codes), np.float32(1e-12)))
