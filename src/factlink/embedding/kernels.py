"""Compiled arithmetic of factoid embedding, the same bytes with any number of threads.

Work is cut into blocks of fixed size, so the order of every sum is fixed; a row of vectors is changed by one thread
only. BLAS inside a block must run on one thread (`single_blas`).
"""

from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import scipy.linalg.cython_blas  # noqa: F401  numba's np.dot lives there and must be loaded before it is limited
from numba import njit, prange
from threadpoolctl import threadpool_limits

BLOCK = 256
BUCKETS = 64
ORDERED = {"reassoc", "contract", "nsz", "arcp"}


def single_blas() -> AbstractContextManager[Any]:
    """A context in which every BLAS call runs on the thread that makes it."""
    limits: AbstractContextManager[Any] = threadpool_limits(limits=1, user_api="blas")
    return limits


@njit(parallel=True, cache=True)
def multiply(left: Any, right: Any, out: Any) -> None:
    """out = left @ right, by blocks of rows."""
    for block in prange((len(left) + BLOCK - 1) // BLOCK):
        first, last = block * BLOCK, min(len(left), (block + 1) * BLOCK)
        np.dot(left[first:last], right, out[first:last])


@njit(fastmath=ORDERED, cache=True)
def dot(left: Any, right: Any) -> Any:
    """left · right."""
    total = left[0] * right[0]
    for t in range(1, len(left)):
        total += left[t] * right[t]
    return total


@njit(fastmath=ORDERED, cache=True)
def sigmoid(x: Any) -> Any:
    """σ(x), for any x without overflow."""
    one = np.float32(1)
    small = np.exp(-abs(x))
    return (one if x > 0 else small) / (one + small)


@njit(fastmath=ORDERED, cache=True)
def push_away(dots: Any, step: Any) -> Any:
    """Σ_k −log σ(−dot_k), and in place of every dot −step·σ(dot_k).

    Logarithms are taken of products of 32 factors between 1 and 2, which no float overflows with.
    """
    one = np.float32(1)
    loss, product = np.float32(0) * step, one
    for k in range(len(dots)):
        x = dots[k]
        small = np.exp(-abs(x))
        dots[k] = -step * (one if x > 0 else small) / (one + small)
        loss += max(x, np.float32(0))
        product *= one + small
        if k % 32 == 31:
            loss += np.log(product)
            product = one
    return loss + np.log(product)


@njit(fastmath=ORDERED, cache=True)
def pull_near(x: Any, step: Any) -> Any:
    """−log σ(x), and step·σ(−x)."""
    return max(-x, np.float32(0)) + np.log(np.float32(1) + np.exp(-abs(x))), step * sigmoid(-x)


@njit(parallel=True, fastmath=ORDERED, cache=True)
def push_own(vectors: Any, phi: Any, users: Any, negatives: Any, steps: Any, out: Any) -> None:
    """Steps along φ for the user and for the K own negatives of every factoid, the bracket of ∂f/∂W, and −f.

    pull = step·σ(−v_i·φ); push = −step·σ(v_k·φ); bracket = pull·v_i + Σ_k push·v_k (left alone where it is empty).
    """
    pull, push, bracket, loss = out
    for b in prange(len(phi)):
        for k in range(negatives.shape[1]):
            push[b, k] = dot(vectors[negatives[b, k]], phi[b])
        near, pull[b] = pull_near(dot(vectors[users[b]], phi[b]), steps[b])
        loss[b] = near + push_away(push[b], steps[b])
        if bracket.size:
            for t in range(phi.shape[1]):
                bracket[b, t] = pull[b] * vectors[users[b], t]
            for k in range(negatives.shape[1]):
                for t in range(phi.shape[1]):
                    bracket[b, t] += push[b, k] * vectors[negatives[b, k], t]


@njit(parallel=True, fastmath=ORDERED, cache=True)
def push_pool(vectors: Any, phi: Any, users: Any, negatives: Any, steps: Any, count: float, out: Any) -> None:
    """As `push_own` where all factoids share the negatives, each counting count/pool; moves[block] are their sums."""
    pull, moves, bracket, loss = out
    share = phi.dtype.type(count / len(negatives))
    for block in prange((len(phi) + BLOCK - 1) // BLOCK):
        first, last = block * BLOCK, min(len(phi), (block + 1) * BLOCK)
        push = np.dot(phi[first:last], negatives.T)
        for b in range(first, last):
            near, pull[b] = pull_near(dot(vectors[users[b]], phi[b]), steps[b])
            loss[b] = near + share * push_away(push[b - first], share * steps[b])
        np.dot(push.T, phi[first:last], moves[block])
        if bracket.size:
            np.dot(push, negatives, bracket[first:last])
            for b in range(first, last):
                for t in range(phi.shape[1]):
                    bracket[b, t] += pull[b] * vectors[users[b], t]


@njit(cache=True)
def bucket_order(rows: Any) -> Any:
    """Where each bucket (row modulo BUCKETS) starts, and the entries of all buckets, in their own order in each."""
    starts = np.zeros(BUCKETS + 1, np.int64)
    for row in rows:
        starts[row % BUCKETS + 1] += 1
    starts = np.cumsum(starts)
    after = starts[:-1].copy()
    order = np.empty(len(rows), np.int64)
    for entry in range(len(rows)):
        bucket = rows[entry] % BUCKETS
        order[after[bucket]] = entry
        after[bucket] += 1
    return starts, order


@njit(parallel=True, fastmath=ORDERED, cache=True)
def add_rows(vectors: Any, rows: Any, steps: Any, moves: Any) -> None:
    """vectors[rows[e]] += steps[e] · moves[e // per], entries per move = len(rows) / len(moves)."""
    per = len(rows) // max(len(moves), 1)
    starts, order = bucket_order(rows)
    for bucket in prange(BUCKETS):
        for place in range(starts[bucket], starts[bucket + 1]):
            entry = order[place]
            for t in range(vectors.shape[1]):
                vectors[rows[entry], t] += steps[entry] * moves[entry // per, t]


@njit(parallel=True, cache=True)
def find_rows(cumulated: Any, guide: Any, chances: Any, out: Any) -> None:
    """out[i] = the first row whose cumulative share is above chances[i], searched from the guide's start."""
    for i in prange(len(chances)):
        row = guide[int(chances[i] * (len(guide) - 1))]
        while cumulated[row] <= chances[i]:
            row += 1
        out[i] = row
