"""Compiled loops over the n-grams of strings: counting them, and writing rows of their weights."""

import numba
import numpy as np
import numpy.typing as npt

from factlink.encoders.ngrams.hashing import Buckets, Bytes, Sizes, gram_buckets, merge_equal
from factlink.types import Floats

Starts = npt.NDArray[np.int64]
Rows = tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], Floats]

CHUNK = 512  # rows that share one set of scratch arrays


@numba.njit(cache=True)
def scratch(longest: int, sizes: Sizes) -> tuple[Bytes, Buckets, Floats]:
    """Arrays that hold the tokens, buckets and values of any string up to that length."""
    n_tokens = 2 * longest + 3
    n_buckets = 4 * n_tokens * sizes[1]
    return np.empty(n_tokens, np.uint8), np.empty(n_buckets, np.int64), np.empty(n_buckets, np.float32)


@numba.njit(cache=True)
def longest_in(starts: Starts, first: int, last: int) -> int:
    """Length of the longest string of rows first … last − 1."""
    longest = 0
    for i in range(first, last):
        longest = max(longest, starts[i + 1] - starts[i])
    return longest


@numba.njit(cache=True, parallel=True)
def count_strings(letters: Bytes, starts: Starts, forms: int, sizes: Sizes, n_threads: int) -> npt.NDArray[np.int32]:
    """(n_threads, n_buckets): in how many strings each bucket occurs; their sum is all strings."""
    n = len(starts) - 1
    counts = np.zeros((n_threads, sizes[2]), np.int32)
    for thread in numba.prange(n_threads):
        first, last = n * thread // n_threads, n * (thread + 1) // n_threads
        tokens, buckets, values = scratch(longest_in(starts, first, last), sizes)
        for i in range(first, last):
            end = gram_buckets(letters[starts[i] : starts[i + 1]], forms, sizes, tokens, buckets)
            for j in range(merge_equal(buckets, end, values)):
                counts[thread, buckets[j]] += 1
    return counts


@numba.njit(cache=True)
def list_string_buckets(letters: Bytes, starts: Starts, forms: int, sizes: Sizes) -> npt.NDArray[np.int64]:
    """The buckets of all strings one after another, each once for each string that holds it."""
    n = len(starts) - 1
    tokens, buckets, values = scratch(longest_in(starts, 0, n), sizes)
    ends = np.zeros(n + 1, np.int64)
    for i in range(n):
        end = gram_buckets(letters[starts[i] : starts[i + 1]], forms, sizes, tokens, buckets)
        ends[i + 1] = ends[i] + merge_equal(buckets, end, values)
    found = np.empty(ends[n], np.int64)
    for i in range(n):
        end = gram_buckets(letters[starts[i] : starts[i + 1]], forms, sizes, tokens, buckets)
        found[ends[i] : ends[i + 1]] = buckets[: merge_equal(buckets, end, values)]
    return found


@numba.njit(cache=True)
def weighted_row(buckets: Buckets, values: Floats, end: int, weights: Floats) -> int:
    """Turns sorted buckets into distinct ones with unit-norm weights, in place; how many.

    N-grams that no other string has are left out, unless the string has no others.
    """
    end = merge_equal(buckets, end, values)
    kept, norm = 0, 0.0
    for j in range(end):
        weight = weights[buckets[j]] * (1 + np.log(values[j]))
        if weight > 0:
            buckets[kept], values[kept] = buckets[j], weight
            kept += 1
            norm += weight * weight
    if kept == 0:
        kept, norm = end, float(end)
        values[:end] = 1
    for j in range(kept):
        values[j] /= np.sqrt(norm)
    return kept


@numba.njit(cache=True, parallel=True)
def count_row_entries(
    letters: Bytes, starts: Starts, forms: int, sizes: Sizes, weights: Floats
) -> npt.NDArray[np.int64]:
    """(n,): how many n-grams of each string count."""
    n = len(starts) - 1
    lengths = np.zeros(n, np.int64)
    for chunk in numba.prange((n + CHUNK - 1) // CHUNK):
        first, last = chunk * CHUNK, min(n, (chunk + 1) * CHUNK)
        tokens, buckets, values = scratch(longest_in(starts, first, last), sizes)
        for i in range(first, last):
            end = gram_buckets(letters[starts[i] : starts[i + 1]], forms, sizes, tokens, buckets)
            lengths[i] = weighted_row(buckets, values, end, weights)
    return lengths


@numba.njit(cache=True, parallel=True)
def fill_rows(letters: Bytes, starts: Starts, forms: int, sizes: Sizes, weights: Floats, rows: Rows) -> None:
    """Writes the buckets and weights of string i to `rows` = (ends, buckets, values) from ends[i] on."""
    ends, all_buckets, all_values = rows
    n = len(starts) - 1
    for chunk in numba.prange((n + CHUNK - 1) // CHUNK):
        first, last = chunk * CHUNK, min(n, (chunk + 1) * CHUNK)
        tokens, buckets, values = scratch(longest_in(starts, first, last), sizes)
        for i in range(first, last):
            end = gram_buckets(letters[starts[i] : starts[i + 1]], forms, sizes, tokens, buckets)
            end = weighted_row(buckets, values, end, weights)
            all_buckets[ends[i] : ends[i] + end] = buckets[:end]
            all_values[ends[i] : ends[i] + end] = values[:end]
