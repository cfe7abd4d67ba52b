"""Scored pairs as columns: a sparse n×m matrix, indexed from both sides."""

from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from factlink.types import Candidates, Floats, Ints

Flags = npt.NDArray[np.bool_]
_EVERY = np.empty(0, np.int32)


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

    def places(self, lefts: Ints, rights: Ints) -> Ints:
        """The place of each pair; −1 if it is not among these."""
        return np.asarray(_places(self.left_starts, self.rights, np.asarray(lefts), np.asarray(rights)))


def gather_pairs(n_left: int, n_right: int, parts: list[tuple[Ints, Ints]]) -> CandidatePairs:
    """The union of several lists of pairs."""
    starts = np.zeros(n_left + 1, np.int64)
    for lefts, _ in parts:
        starts[1:] += count_values(lefts, n_left)
    np.cumsum(starts, out=starts)
    rights, ends = np.empty(starts[-1], np.int32), starts[:-1].copy()
    for part in parts:
        _scatter(np.asarray(part[0]), np.asarray(part[1]), ends, rights)
    kept = _mark_distinct(starts, rights)
    return _from_rows(n_right, _kept_starts(starts, kept), rights[kept])


def count_values(values: Ints, n: int) -> Ints:
    """(n,): how often each of 0 … n − 1 occurs; unlike `np.bincount` without a copy as long integers."""
    return np.asarray(_count_values(np.asarray(values), n))


def keep_pairs(pairs: CandidatePairs, kept: Flags) -> CandidatePairs:
    """The pairs of a mask."""
    return _from_rows(pairs.n_right, _kept_starts(pairs.left_starts, kept), pairs.rights[kept])


def _from_rows(n_right: int, left_starts: Ints, rights: Ints) -> CandidatePairs:
    n_left, n_pairs = len(left_starts) - 1, len(rights)
    lefts = np.repeat(np.arange(n_left, dtype=np.int32), np.diff(left_starts))
    right_starts = np.zeros(n_right + 1, np.int64)
    np.cumsum(count_values(rights, n_right), out=right_starts[1:])
    by_right: Ints = np.empty(n_pairs, np.int32) if n_pairs < 2**31 else np.empty(n_pairs, np.int64)
    _place_by_right(rights, right_starts[:-1].copy(), by_right)
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
    rights = np.full((pairs.n_left, k), -1, np.int32)
    best = np.full((pairs.n_left, k), -np.inf, np.float32)
    _fill_best(pairs.left_starts, pairs.rights, scores.astype(np.float32, copy=False), rights, best)
    return Candidates(rights, best)


def block_of_pairs(pairs: CandidatePairs, scores: Floats, rows: Ints) -> Floats:
    """(len(rows), n_right): the scores of some left rows; −inf where there is no pair."""
    block = np.full((len(rows), pairs.n_right), -np.inf, np.float32)
    starts, ends = pairs.left_starts[rows], pairs.left_starts[rows + 1]
    lengths = ends - starts
    places = np.repeat(starts - np.cumsum(lengths) + lengths, lengths) + np.arange(lengths.sum())
    block[np.repeat(np.arange(len(rows)), lengths), pairs.rights[places]] = scores[places]
    return block


def left_best(pairs: CandidatePairs, scores: Floats, k: int) -> tuple[Floats, Flags]:
    """Per left row the mean of its k best scores; and which pairs are among the k best."""
    means, kept = _best_of_groups(pairs.left_starts, _EVERY, scores.astype(np.float32, copy=False), k)
    return means, kept


def right_best(pairs: CandidatePairs, scores: Floats, k: int) -> tuple[Floats, Flags]:
    """The same per right row."""
    means, kept = _best_of_groups(pairs.right_starts, pairs.by_right, scores.astype(np.float32, copy=False), k)
    return means, kept


def best_of_runs(starts: Ints, scores: Floats, k: int) -> Flags:
    """Which scores are among the k best of their run; runs begin at all but the last of `starts`."""
    kept: Flags = _best_of_groups(starts, _EVERY, scores.astype(np.float32, copy=False), k)[1]
    return kept


def left_sums(pairs: CandidatePairs, values: Floats) -> npt.NDArray[np.float64]:
    """(n_left,): the values of each left row's pairs together; unlike `np.bincount` without a copy of all values."""
    return np.asarray(_sum_groups(pairs.left_starts, values))


def mutual_best(pairs: CandidatePairs, scores: Floats) -> Ints:
    """Places of the pairs that are the first choice of both."""
    return np.flatnonzero(left_best(pairs, scores, 1)[1] & right_best(pairs, scores, 1)[1])


def left_margins(pairs: CandidatePairs, scores: Floats) -> Floats:
    """Per left row its best score less its second best; infinite without a second."""
    best = left_best(pairs, scores, 1)[0]
    second = np.asarray(2 * left_best(pairs, scores, 2)[0] - best, np.float32)
    return np.where(np.diff(pairs.left_starts) > 1, best - second, np.inf).astype(np.float32)


@numba.njit(cache=True, parallel=True)
def _places(starts: Any, rights: Any, wanted_lefts: Any, wanted_rights: Any) -> Any:
    places = np.empty(len(wanted_lefts), np.int64)
    for i in numba.prange(len(places)):
        low, end = starts[wanted_lefts[i]], starts[wanted_lefts[i] + 1]
        high = end
        while low < high:
            middle = (low + high) // 2
            if rights[middle] < wanted_rights[i]:
                low = middle + 1
            else:
                high = middle
        places[i] = low if low < end and rights[low] == wanted_rights[i] else -1
    return places


@numba.njit(cache=True)
def _count_values(values: Any, n: int) -> Any:
    counts = np.zeros(n, np.int64)
    for value in values:
        counts[value] += 1
    return counts


@numba.njit(cache=True)
def _scatter(lefts: Any, rights: Any, ends: Any, out: Any) -> None:
    for i in range(len(lefts)):
        out[ends[lefts[i]]] = rights[i]
        ends[lefts[i]] += 1


@numba.njit(cache=True, parallel=True)
def _mark_distinct(starts: Any, rights: Any) -> Any:
    """Sorts the rights of each left row; which of them are the first of their like."""
    kept = np.ones(len(rights), np.bool_)
    for i in numba.prange(len(starts) - 1):
        rights[starts[i] : starts[i + 1]].sort()
        for place in range(starts[i] + 1, starts[i + 1]):
            kept[place] = rights[place] != rights[place - 1]
    return kept


@numba.njit(cache=True)
def _kept_starts(starts: Any, kept: Any) -> Any:
    left = np.zeros(len(starts), np.int64)
    for i in range(len(starts) - 1):
        left[i + 1] = left[i]
        for place in range(starts[i], starts[i + 1]):
            left[i + 1] += kept[place]
    return left


@numba.njit(cache=True)
def _place_by_right(rights: Any, ends: Any, out: Any) -> None:
    for place in range(len(rights)):
        out[ends[rights[place]]] = place
        ends[rights[place]] += 1


@numba.njit(cache=True, parallel=True)
def _fill_best(starts: Any, rights: Any, scores: Any, best_rights: Any, best: Any) -> None:
    for i in numba.prange(len(starts) - 1):
        held = 0
        for place in range(starts[i], starts[i + 1]):
            held = _insert(best[i], best_rights[i], held, scores[place], rights[place])


@numba.njit(cache=True, parallel=True)
def _best_of_groups(starts: Any, order: Any, scores: Any, k: int) -> Any:
    """Groups are runs of `order`, or of places where `order` is empty."""
    n = len(starts) - 1
    means, kept = np.zeros(n, np.float32), np.zeros(len(scores), np.bool_)
    for i in numba.prange(n):
        size = min(k, starts[i + 1] - starts[i])
        best, places, held = np.empty(size, np.float32), np.empty(size, np.int64), 0
        for at in range(starts[i], starts[i + 1]):
            place = _member(order, at)
            held = _insert(best, places, held, scores[place], place)
        for rank in range(size):
            kept[places[rank]] = True
            means[i] += best[rank]
        means[i] /= max(1, size)
    return means, kept


@numba.njit(cache=True)
def _insert(values: Any, places: Any, held: int, value: Any, place: int) -> int:
    """Puts a value among the largest so far, which fall, behind equal ones; how many there are now."""
    if held == len(values):
        if value <= values[held - 1]:
            return held
        held -= 1
    at = held
    while at > 0 and value > values[at - 1]:
        values[at], places[at] = values[at - 1], places[at - 1]
        at -= 1
    values[at], places[at] = value, place
    return held + 1


@numba.njit(cache=True)
def _sum_groups(starts: Any, values: Any) -> Any:
    sums = np.zeros(len(starts) - 1)
    for i in range(len(sums)):
        for place in range(starts[i], starts[i + 1]):
            sums[i] += values[place]
    return sums


@numba.njit(cache=True)
def _member(order: Any, place: int) -> int:
    return order[place] if len(order) else place
