"""Rows of weighted n-grams as dense vectors that keep their cosines: a signed sparse random projection.

Every n-gram has `ONES` entries ±1, one in each of as many equal parts of the vector, drawn by hashing its bucket.
The matrix of all directions is never made, so memory is that of the vectors alone.
"""

import numba
import numpy as np

from factlink.encoders.ngrams.hashing import Bytes, Sizes, gram_buckets
from factlink.encoders.ngrams.kernels import CHUNK, Starts, longest_in, scratch, weighted_row
from factlink.encoders.ngrams.rows import WeighedStrings
from factlink.errors import SettingError
from factlink.execution.workers import HERE, Workers
from factlink.types import Floats

ONES = 16


def check_dim(dim: int) -> None:
    """Raises unless vectors of that many dimensions can be made."""
    if dim < ONES or dim % ONES:
        raise SettingError(f"dim is {dim}; use a multiple of {ONES}, such as 1024")


def project_plainly(weighed: WeighedStrings, dim: int, seed: int) -> Floats:
    """(n, dim): the projected rows as they are."""
    strings, grams = weighed.strings, weighed.grams
    vectors = np.zeros((len(strings), dim), np.float32)
    add_rows(strings.letters, strings.starts, grams.forms, weighed.sizes, weighed.weights, (vectors, np.uint64(seed)))
    return vectors


def centre(vectors: Floats) -> Floats:
    """The same array with its mean direction taken out and rows of unit length; zero rows stay zero.

    A common direction raises every cosine equally and carries no information.
    """
    subtract(vectors, mean_direction(vectors))
    return vectors


def mean_direction(vectors: Floats, workers: Workers = HERE) -> Floats:
    """(dim,): of n filled rows (1 − 1/n) of their mean, so that one row alone keeps its direction."""
    n_filled, total = 0, np.zeros(vectors.shape[1])
    for block in workers.walk(vectors):
        n_filled += int(block.any(1).sum())
        total += block.sum(0, dtype=np.float64)
    n_filled = max(1, n_filled)
    return np.asarray(total / n_filled * (1 - 1 / n_filled), np.float32)


@numba.njit(cache=True, parallel=True)
def subtract(vectors: Floats, mean: Floats) -> None:
    """Takes the mean from every row that is not zero and makes it of unit length, in place."""
    for i in numba.prange(len(vectors)):
        if vectors[i].any():
            norm = 0.0
            for d in range(len(mean)):
                vectors[i, d] -= mean[d]
                norm += vectors[i, d] ** 2
            for d in range(len(mean)):
                vectors[i, d] /= max(np.sqrt(norm), 1e-12)


@numba.njit(cache=True)
def _scramble(state: np.uint64) -> np.uint64:
    """The finaliser of SplitMix64."""
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return state ^ (state >> np.uint64(31))


@numba.njit(cache=True)
def add_direction(vector: Floats, bucket: int, value: float, seed: np.uint64) -> None:
    """Adds value × the direction of a bucket to a vector."""
    width = len(vector) // ONES
    state = _scramble(np.uint64(bucket) + _scramble(seed + np.uint64(0x9E3779B97F4A7C15)))
    for part in range(ONES):
        state += np.uint64(0x9E3779B97F4A7C15)
        drawn = _scramble(state)
        at = part * width + np.int64((drawn >> np.uint64(1)) % np.uint64(width))
        vector[at] += value if drawn & np.uint64(1) else -value


@numba.njit(cache=True, parallel=True)
def add_rows(
    letters: Bytes, starts: Starts, forms: int, sizes: Sizes, weights: Floats, out: tuple[Floats, np.uint64]
) -> None:
    """Adds the weighted directions of the n-grams of string i to row i of `out` = (vectors, seed)."""
    vectors, seed = out
    n = len(starts) - 1
    for chunk in numba.prange((n + CHUNK - 1) // CHUNK):
        first, last = chunk * CHUNK, min(n, (chunk + 1) * CHUNK)
        tokens, buckets, values = scratch(longest_in(starts, first, last), sizes)
        for i in range(first, last):
            end = gram_buckets(letters[starts[i] : starts[i + 1]], forms, sizes, tokens, buckets)
            end = weighted_row(buckets, values, end, weights)
            for j in range(end):
                add_direction(vectors[i], buckets[j], values[j], seed)
