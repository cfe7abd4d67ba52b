"""The matching graph: candidate pairs as points, joined where both their left and their right users are friends."""

from typing import Any

import numba
import numpy as np

from factlink.linkers.baselines.features.shared_friends import FriendGraphs
from factlink.types import Floats, Ints, Pairs


def join_pairs(pairs: Pairs, graphs: FriendGraphs, strengths: Floats, most: int) -> Ints:
    """(n_edges, 2) places of joined pairs, first < second; each pair keeps its `most` strongest, an edge needs both."""
    starts = np.searchsorted(pairs.lefts, np.arange(graphs.left.shape[0] + 1))
    order = np.argsort(pairs.rights, kind="stable")
    links = [(graph.indptr, graph.indices) for graph in (graphs.left, graphs.right)]
    kept = _strongest(
        pairs.lefts, pairs.rights, (order, starts), links[0], links[1], strengths.astype(np.float32), most
    )
    n = np.int64(max(1, len(pairs)))
    codes, back = kept[:, 0] * n + kept[:, 1], kept[:, 1] * n + kept[:, 0]
    mutual = np.intersect1d(codes, back, assume_unique=True)
    edges = np.stack([mutual // n, mutual % n], axis=1)
    return edges[edges[:, 0] < edges[:, 1]]


def edge_degrees(edges: Ints, n: int) -> Ints:
    """(n,): how many edges each pair has."""
    return np.bincount(edges.ravel(), minlength=n)


@numba.njit(cache=True)
def _strongest(lefts: Any, rights: Any, places: Any, left: Any, right: Any, strengths: Any, most: int) -> Any:
    order, starts = places
    kept = np.empty((max(16, len(lefts)), 2), np.int64)
    found = np.empty(1024, np.int64)
    friend_of = np.full(len(right[0]), -1, np.int64)
    n_kept, current = 0, -1
    for pair in order:
        u, v = lefts[pair], rights[pair]
        if v != current:
            current = v
            for place in range(right[0][v], right[0][v + 1]):
                friend_of[right[1][place]] = v
        n_found = 0
        for place in range(left[0][u], left[0][u + 1]):
            friend = left[1][place]
            for other in range(starts[friend], starts[friend + 1]):
                if friend_of[rights[other]] == v:
                    if n_found == len(found):
                        found = np.concatenate((found, np.empty_like(found)))
                    found[n_found] = other
                    n_found += 1
        chosen = found[:n_found]
        if n_found > most:
            chosen = chosen[np.argsort(-strengths[chosen], kind="mergesort")[:most]]
        while n_kept + len(chosen) > len(kept):
            kept = np.concatenate((kept, np.empty_like(kept)))
        for other in chosen:
            kept[n_kept, 0] = pair
            kept[n_kept, 1] = other
            n_kept += 1
    return kept[:n_kept]
