"""Friends of two users that are linked to each other: evidence from links, and candidate pairs from it."""

from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
from scipy.sparse import coo_array, csr_matrix

from factlink.linkers.baselines.features.friends import degrees_of, friends_of
from factlink.types import Floats, Ints, Network, Pairs

MOST_LOOKED_AT = 20_000_000
"""Friend pairs looked at when adding candidates; links between the best-connected users are left out beyond."""


@dataclass(frozen=True, slots=True, eq=False)
class FriendGraphs:
    """Who is linked with whom in both networks."""

    left: csr_matrix  # (n_left, n_left)
    right: csr_matrix  # (n_right, n_right)

    def evidence(self, pairs: Pairs, links: Pairs) -> Floats:
        """(n_pairs, 2): rare shared friends Σ 1/log(1 + deg·deg), and their number over √(deg·deg).

        A shared friend is a link between a friend of the left and one of the right user. NaN where one has no friends.
        """
        matched = _as_rows(links, (self.left.shape[0], self.right.shape[0]))
        graphs = [(matrix.indptr, matrix.indices) for matrix in (self.left, self.right, matched)]
        return np.asarray(_evidence(pairs.lefts, pairs.rights, graphs[0], graphs[1], graphs[2]), np.float32)

    def suggest(self, links: Pairs, most: int) -> Pairs:
        """Pairs that share two friends by these links, or more friends if else there were more pairs than `most`."""
        sizes = degrees_of(self.left)[links.lefts] * degrees_of(self.right)[links.rights]
        order = np.argsort(sizes, kind="stable")
        chosen = order[np.cumsum(sizes[order]) <= MOST_LOOKED_AT]
        shared = coo_array(self.left[:, links.lefts[chosen]] @ self.right[links.rights[chosen]])
        at_least = np.bincount(shared.data.astype(np.int64), minlength=3)[::-1].cumsum()[::-1]  # pairs by friends
        least = max(2, int(np.searchsorted(-at_least, -most)))
        often = shared.data >= least
        return Pairs(shared.coords[0][often].astype(np.int64), shared.coords[1][often].astype(np.int64))


def friend_graphs(left: Network, right: Network) -> FriendGraphs:
    """The friends of both networks."""
    return FriendGraphs(friends_of(left), friends_of(right))


def _as_rows(pairs: Pairs, shape: tuple[int, int]) -> csr_matrix:
    matrix = csr_matrix((np.ones(len(pairs), np.float32), (pairs.lefts, pairs.rights)), shape=shape)
    matrix.sum_duplicates()
    return matrix


@numba.njit(cache=True)
def contains(values: Ints, start: int, end: int, wanted: int) -> bool:
    """Whether rising `values[start:end]` hold what is wanted."""
    while start < end:
        middle = (start + end) // 2
        if values[middle] == wanted:
            return True
        if values[middle] < wanted:
            start = middle + 1
        else:
            end = middle
    return False


@numba.njit(cache=True)
def _evidence(lefts: Any, rights: Any, left: Any, right: Any, matched: Any) -> Any:
    result = np.full((len(lefts), 2), np.nan, np.float32)
    for i in range(len(lefts)):
        start, end = left[0][lefts[i]], left[0][lefts[i] + 1]
        other_start, other_end = right[0][rights[i]], right[0][rights[i] + 1]
        if start == end or other_start == other_end:
            continue
        rare, count = 0.0, 0
        for place in range(start, end):
            friend = left[1][place]
            degree = left[0][friend + 1] - left[0][friend]
            for link in range(matched[0][friend], matched[0][friend + 1]):
                partner = matched[1][link]
                if contains(right[1], other_start, other_end, partner):
                    rare += 1 / np.log(1 + degree * (right[0][partner + 1] - right[0][partner]))
                    count += 1
        result[i, 0] = rare
        result[i, 1] = count / np.sqrt((end - start) * (other_end - other_start))
    return result
