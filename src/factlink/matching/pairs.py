"""Scored pairs as columns: the sparse stand-in for an n×m matrix, seen from both sides."""

from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from factlink.types import Candidates, Floats, Ints

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class CandidatePairs:
    """Distinct pairs, by left row and then right row; `by_right` lists them by right row and then left row."""

    n_left: int
    n_right: int
    lefts: Ints  # (n_pairs,)
    rights: Ints  # (n_pairs,)
    left_starts: Ints  # (n_left + 1,) where each left row's pairs begin
    by_right: Ints  # (n_pairs,)
    right_starts: Ints  # (n_right + 1,) where each right row's pairs begin in `by_right`

    def __len__(self) -> int:
        return len(self.lefts)

    @property
    def keys(self) -> Ints:
        """One rising number per pair."""
        return self.lefts * self.n_right + self.rights

    def places(self, lefts: Ints, rights: Ints) -> Ints:
        """Where each pair stands, −1 for one that is not here."""
        keys, wanted = self.keys, lefts.astype(np.int64) * self.n_right + rights
        places = np.searchsorted(keys, wanted)
        found = places < len(keys)
        found[found] = keys[places[found]] == wanted[found]
        return np.where(found & (rights >= 0), places, -1)


def gather_pairs(n_left: int, n_right: int, parts: list[tuple[Ints, Ints]]) -> CandidatePairs:
    """The union of several lists of pairs."""
    keys = [lefts.astype(np.int64) * n_right + rights for lefts, rights in parts]
    return _from_keys(n_left, n_right, np.unique(np.concatenate([np.empty(0, np.int64), *keys])))


def keep_pairs(pairs: CandidatePairs, kept: Flags) -> CandidatePairs:
    """The pairs of a mask."""
    return _from_keys(pairs.n_left, pairs.n_right, pairs.keys[kept])


def _from_keys(n_left: int, n_right: int, keys: Ints) -> CandidatePairs:
    lefts, rights = np.divmod(keys, max(1, n_right))
    by_right = np.argsort(rights, kind="stable")
    left_starts = np.searchsorted(lefts, np.arange(n_left + 1))
    right_starts = np.searchsorted(rights[by_right], np.arange(n_right + 1))
    return CandidatePairs(n_left, n_right, lefts, rights, left_starts, by_right, right_starts)


def candidate_pairs(candidates: Candidates, n_right: int) -> tuple[CandidatePairs, Floats]:
    """Candidates as pairs, with their scores."""
    lefts, columns = np.nonzero(candidates.rights >= 0)
    pairs = gather_pairs(len(candidates), n_right, [(lefts, candidates.rights[lefts, columns])])
    scores = np.empty(len(pairs), np.float32)
    scores[pairs.places(lefts, candidates.rights[lefts, columns])] = candidates.scores[lefts, columns]
    return pairs, scores


def best_of_pairs(pairs: CandidatePairs, scores: Floats, k: int) -> Candidates:
    """The k best pairs of each left row; equal scores by right row."""
    order = np.lexsort((pairs.rights, -scores, pairs.lefts))
    ranks = np.arange(len(pairs)) - pairs.left_starts[pairs.lefts]
    order, ranks = order[ranks < k], ranks[ranks < k]
    rights = np.full((pairs.n_left, k), -1, np.int32)
    best = np.full((pairs.n_left, k), -np.inf, np.float32)
    rights[pairs.lefts[order], ranks] = pairs.rights[order]
    best[pairs.lefts[order], ranks] = scores[order]
    return Candidates(rights, best)


def left_best(pairs: CandidatePairs, scores: Floats, k: int) -> tuple[Floats, Flags]:
    """Per left row the mean of its k best scores; and which pairs are among the k best."""
    means, kept = _best_of_groups(pairs.left_starts, np.arange(len(pairs)), scores.astype(np.float32), k)
    return means, kept


def right_best(pairs: CandidatePairs, scores: Floats, k: int) -> tuple[Floats, Flags]:
    """The same per right row."""
    means, kept = _best_of_groups(pairs.right_starts, pairs.by_right, scores.astype(np.float32), k)
    return means, kept


def mutual_best(pairs: CandidatePairs, scores: Floats) -> Ints:
    """Places of the pairs that are the first choice of both."""
    return np.flatnonzero(left_best(pairs, scores, 1)[1] & right_best(pairs, scores, 1)[1])


def left_margins(pairs: CandidatePairs, scores: Floats) -> Floats:
    """Per left row its best score less its second best; infinite without a second."""
    best = left_best(pairs, scores, 1)[0]
    second = np.asarray(2 * left_best(pairs, scores, 2)[0] - best, np.float32)
    return np.where(np.diff(pairs.left_starts) > 1, best - second, np.inf).astype(np.float32)


@numba.njit(cache=True, parallel=True)
def _best_of_groups(starts: Any, order: Any, scores: Any, k: int) -> Any:
    n = len(starts) - 1
    means, kept = np.zeros(n, np.float32), np.zeros(len(scores), np.bool_)
    for i in numba.prange(n):
        members = order[starts[i] : starts[i + 1]]
        if len(members):
            best = np.argsort(-scores[members], kind="mergesort")[:k]
            means[i] = scores[members[best]].mean()
            for j in best:
                kept[members[j]] = True
    return means, kept
