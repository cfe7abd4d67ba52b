"""DeepWalk: users are similar if they occur near the same users on random walks.

After Perozzi, Al-Rfou and Skiena (KDD 2014); walks and window are the defaults of the authors' program. That trains
skip-gram by hierarchical softmax in 5 passes over stored walks; here it is trained by negative sampling (∝ degree^¾),
once, on walks that are never stored. One thread trains one network, so the result is that of its seed alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit

from factlink.embedding.walks.adjacency import join_links, undirected
from factlink.embedding.walks.draws import draw, lots_of, random_below, start_of
from factlink.embedding.walks.line import push
from factlink.embedding.walks.skip_gram import LEAST_RATE, SkipGram, negative_weights, starting_vectors
from factlink.errors import SettingError
from factlink.types import Floats, Follows


@dataclass(frozen=True, slots=True)
class WalkSettings:
    """Walks from each user, users on each walk, and the window of context."""

    walks: int = 10
    length: int = 40
    window: int = 5

    def __post_init__(self) -> None:
        if min(self.walks, self.window) < 1 or self.length < 2:
            raise SettingError(
                f"walks is {self.walks}, window is {self.window} and length is {self.length}; "
                "they must be at least 1, 1 and 2"
            )


DEFAULT_WALKS = WalkSettings()


def deepwalk_vectors(
    links: Mapping[str, Follows], n_users: int, dim: int, seed: int, walks: WalkSettings = DEFAULT_WALKS
) -> Floats:
    """(n_users, dim) vectors by the links of all predicates, direction and weight aside; zero without links."""
    graph, training = undirected(links, n_users), SkipGram(dim=dim)
    vectors = starting_vectors(n_users, dim, seed)
    linked = np.flatnonzero(np.diff(graph.indptr)).astype(np.int32)
    if len(linked):
        negatives = lots_of(negative_weights(join_links(links), n_users))
        _train(
            (vectors, np.zeros_like(vectors)),
            (graph.indptr, graph.indices),
            np.random.default_rng(seed).permutation(np.tile(linked, walks.walks)),
            (negatives.bars, negatives.others, negatives.rows),
            (training.negatives, np.float32(training.rate), walks.length, walks.window),
            start_of(seed),
        )
    vectors[np.diff(graph.indptr) == 0] = 0
    return vectors


@njit(fastmath=True, nogil=True, cache=True)
def _train(tables: Any, graph: Any, starts: Any, negatives: Any, plan: Any, state: Any) -> None:
    """`plan` is (negatives, first rate, users per walk, window); one walk from every start."""
    vectors, contexts = tables
    n_negatives, first_rate, length, window = plan
    walk = np.empty(length, np.int32)
    step = np.empty(vectors.shape[1], np.float32)
    for number in range(len(starts)):
        rate = first_rate * np.float32(max(1 - number / len(starts), LEAST_RATE))
        _walk(graph, starts[number], walk, state)
        for here in range(length):
            reach = 1 + random_below(window, state)
            for there in range(max(0, here - reach), min(length, here + reach + 1)):
                row, seen = walk[here], walk[there]
                if row != seen:
                    step[:] = 0
                    push(vectors[row], contexts[seen], rate, True, step)
                    for _ in range(n_negatives):
                        negative = draw(negatives[0], negatives[1], negatives[2], state)
                        if negative != seen:
                            push(vectors[row], contexts[negative], rate, False, step)
                    for t in range(len(step)):
                        vectors[row, t] += step[t]


@njit(nogil=True, cache=True)
def _walk(graph: Any, start: int, walk: Any, state: Any) -> None:
    """Fills the walk with users, each a random friend of the one before."""
    starts, friends = graph
    walk[0] = start
    for place in range(1, len(walk)):
        first, last = starts[walk[place - 1]], starts[walk[place - 1] + 1]
        walk[place] = friends[first + random_below(last - first, state)]
