"""IONE: a vector, an input and an output context of every user, over networks that share the rows of known pairs.

Per drawn link i → j and its negatives k, after the authors' Java code:
A: log σ(u_i·u'_j) + Σ_k log σ(−u_i·u'_k), B: log σ(u_j·u''_i) + Σ_k log σ(−u_k·u''_i), with negatives of the same
network ∝ (in + out degree)^¾ and never i or j. As in that code, B draws its negatives on the side of the vectors;
unlike it, σ is the true sigmoid (the code's table divides integers and so rounds its argument down).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import njit

from factlink.embedding.walks.draws import draw, lots_of, start_of
from factlink.embedding.walks.line import exchange, push
from factlink.embedding.walks.skip_gram import LEAST_RATE, SkipGram, negative_weights, starting_vectors
from factlink.types import Floats, Follows

REDRAWS = 100
"""Tries to find a negative that is neither end of the link; a network of two users has none."""


def context_vectors(networks: Sequence[Follows], n_rows: int, updates: int, training: SkipGram, seed: int) -> Floats:
    """(n_rows, dim) after `updates` drawn links of each network, in turns; links are in joint rows."""
    vectors = starting_vectors(n_rows, training.dim, seed)
    tables = vectors, np.zeros_like(vectors), np.zeros_like(vectors)
    parts = tuple(_part(links, n_rows) for links in networks)
    plan = training.negatives, updates, np.float32(training.rate)
    _train(tables, parts, plan, start_of(seed))
    linked = [end for links in networks for end in (links.followers, links.followees)]
    vectors[np.bincount(np.concatenate(linked), minlength=n_rows) == 0] = 0
    return vectors


def _part(links: Follows, n_rows: int) -> tuple[Any, ...]:
    edges, negatives = lots_of(links.weights), lots_of(negative_weights(links, n_rows))
    ends = links.followers, links.followees
    return *ends, edges.bars, edges.others, edges.rows, negatives.bars, negatives.others, negatives.rows


@njit(fastmath=True, nogil=True, cache=True)
def _train(tables: Any, parts: Any, plan: Any, state: Any) -> None:
    """`plan` is (negatives per link, updates, first rate)."""
    n_updates, first_rate = plan[1], plan[2]
    step = np.empty(tables[0].shape[1], np.float32)
    for update in range(n_updates):
        rate = first_rate * np.float32(max(1 - update / n_updates, LEAST_RATE))
        for place in range(len(parts)):
            part = parts[place]
            link = draw(part[2], part[3], part[4], state)
            ends = part[0][link], part[1][link]
            step[:] = 0
            _push_link(tables, ends, ends[1], rate, step)
            for _ in range(plan[0]):
                negative = _draw_negative(part, ends, state)
                if negative >= 0:
                    _push_link(tables, ends, negative, rate, step)
            vector = tables[0][ends[0]]
            for t in range(len(step)):
                vector[t] += step[t]


@njit(fastmath=True, nogil=True, cache=True)
def _push_link(tables: Any, ends: Any, followee: int, rate: Any, step: Any) -> None:
    """A and B for the true followee or a negative; the follower's own move is added to `step`."""
    vectors, inputs, outputs = tables
    true = followee == ends[1]
    push(vectors[ends[0]], inputs[followee], rate, true, step)
    exchange(outputs[ends[0]], vectors[followee], rate, true)


@njit(nogil=True, cache=True)
def _draw_negative(part: Any, ends: Any, state: Any) -> Any:
    for _ in range(REDRAWS):
        negative = draw(part[5], part[6], part[7], state)
        if negative not in (ends[0], ends[1]):
            return negative
    return -1
