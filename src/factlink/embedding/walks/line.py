"""LINE: vectors that separate a user's friends (first order) or shared contexts (second order) from negatives.

Per drawn link i–j, with negatives k ∝ degree^¾: log σ(c_j·v_i) + Σ_k log σ(−c_k·v_i), where c = v in the first order
and a context vector of its own in the second. One thread trains one table, so the result is that of its seed alone.
"""

from typing import Any

import numpy as np
from numba import njit

from factlink.embedding.walks.draws import draw, lots_of, start_of
from factlink.embedding.walks.skip_gram import LEAST_RATE, SkipGram, both_directions, negative_weights, starting_vectors
from factlink.types import Floats, Follows


def line_vectors(links: Follows, n_rows: int, order: int, passes: int, training: SkipGram, seed: int) -> Floats:
    """(n_rows, dim) after drawing as many links as `passes` times there are, each in a random direction.

    A row without links has a zero vector.
    """
    links = both_directions(links)
    vectors = starting_vectors(n_rows, training.dim, seed)
    contexts = vectors if order == 1 else np.zeros_like(vectors)
    if len(links):
        edges, negatives = lots_of(links.weights), lots_of(negative_weights(links, n_rows))
        _train(
            (vectors, contexts),
            (links.followers, links.followees),
            (edges.bars, edges.others, edges.rows),
            (negatives.bars, negatives.others, negatives.rows),
            (training.negatives, passes * (len(links) // 2), np.float32(training.rate)),
            start_of(seed, order),
        )
    vectors[np.bincount(links.followers, minlength=n_rows) == 0] = 0
    return vectors


@njit(fastmath=True, nogil=True, cache=True)
def _train(tables: Any, ends: Any, edges: Any, negatives: Any, plan: Any, state: Any) -> None:
    """`plan` is (negatives per link, updates, first rate)."""
    vectors, contexts = tables
    n_negatives, n_updates, first_rate = plan
    step = np.empty(vectors.shape[1], np.float32)
    for update in range(n_updates):
        rate = first_rate * np.float32(max(1 - update / n_updates, LEAST_RATE))
        link = draw(edges[0], edges[1], edges[2], state)
        row, friend = ends[0][link], ends[1][link]
        step[:] = 0
        push(vectors[row], contexts[friend], rate, True, step)
        for _ in range(n_negatives):
            negative = draw(negatives[0], negatives[1], negatives[2], state)
            if negative not in (row, friend):
                push(vectors[row], contexts[negative], rate, False, step)
        for t in range(len(step)):
            vectors[row, t] += step[t]


@njit(fastmath=True, nogil=True, cache=True)
def push(vector: Any, context: Any, rate: Any, true: bool, step: Any) -> None:
    """Moves the context towards the vector (away if it is not true); the vector's own move is added to `step`."""
    gain = _gain(vector, context, rate, true)
    for t in range(len(vector)):
        step[t] += gain * context[t]
        context[t] += gain * vector[t]


@njit(fastmath=True, nogil=True, cache=True)
def exchange(vector: Any, context: Any, rate: Any, true: bool) -> None:
    """Moves both at once, each along what the other was."""
    gain = _gain(vector, context, rate, true)
    for t in range(len(vector)):
        old = vector[t]
        vector[t] += gain * context[t]
        context[t] += gain * old


@njit(fastmath=True, nogil=True, cache=True)
def _gain(vector: Any, context: Any, rate: Any, true: bool) -> Any:
    """rate·(label − σ(vector·context))."""
    dot = np.float32(0)
    for t in range(len(vector)):
        dot += vector[t] * context[t]
    return rate * ((np.float32(1) if true else np.float32(0)) - np.float32(1) / (np.float32(1) + np.exp(-dot)))
