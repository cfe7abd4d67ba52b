"""The nearest sparse rows by an index: who shares rare columns, rarest first, up to a budget.

Exact search compares every row with every other. Here a row is compared only with rows that share rare columns: the
lists of who has a column are read from the shortest on until BUDGET entries are read, and the rows found most often are
nearest. Time and memory grow with the number of rows; what is lost is measured, not assumed (see `measure_recall`).
"""

from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
from scipy.sparse import csr_matrix

from factlink.candidates.heaps import push
from factlink.candidates.pairs import CandidatePairs, count_values
from factlink.execution.workers import HERE, Workers, cut, join
from factlink.types import Floats, Ints

BUDGET = 4_000
"""Entries of lists that are read for a row."""

NEAREST, SAMPLE = 10, 100
"""The nearest rows of so many rows, of which the share that was found is measured."""

_CHUNK = 256  # rows that share one scratch array, at least; more where filling a long one would take noticeable time
_LONG = 256
_AT_ONCE = 20  # rows of the sample


Lists = tuple[Ints, Ints, Ints, Floats]
"""The list of each column, −1 for none; where each list begins; and the rows and values in them."""


@dataclass(frozen=True, slots=True)
class Search:
    """How the nearest were looked for, and which share of them was found."""

    method: str
    recall: float


def measure_recall(left: csr_matrix, right: csr_matrix, pairs: CandidatePairs, seed: int) -> float:
    """The share of the NEAREST best right rows of a sample of left rows that is among the pairs."""
    rng = np.random.default_rng(seed)
    sample = np.sort(rng.choice(left.shape[0], min(SAMPLE, left.shape[0]), replace=False, shuffle=False))
    nearest = min(NEAREST, right.shape[0])
    shares = []
    for some in np.array_split(sample, -(-len(sample) // _AT_ONCE)):
        for row, products in zip(some, (right @ left[some].T.toarray()).T, strict=True):
            least = max(float(np.partition(products, -nearest)[-nearest]), 1e-6)
            wanted = min(nearest, np.count_nonzero(products >= least))
            met = pairs.rights[pairs.left_starts[row] : pairs.left_starts[row + 1]]
            shares.append(min(1.0, np.count_nonzero(products[met] >= least) / wanted) if wanted else 1.0)
    return float(np.mean(shares))


def nearest_by_rare(
    left: csr_matrix, right: csr_matrix, k: int, budget: int | None = BUDGET, workers: Workers = HERE
) -> tuple[Ints, Ints]:
    """Pairs of rows: about the k right rows nearest to each left one, and the k left nearest to each right one.

    Without a budget every list is read, and the pairs are exactly those.
    """
    forth = nearest_rows(left, right, k, budget, workers)
    back = nearest_rows(right, left, k, budget, workers)
    return np.concatenate([forth[0], back[1]]), np.concatenate([forth[1], back[0]])


def nearest_rows(
    left: csr_matrix, right: csr_matrix, k: int, budget: int | None = BUDGET, workers: Workers = HERE
) -> tuple[Ints, Ints]:
    """Pairs of rows: about the k right rows of largest product with each left row; fewer if fewer were found."""
    lefts, rights, _ = nearest_scored(left, right, k, budget, workers)
    return lefts, rights


def nearest_scored(
    left: csr_matrix, right: csr_matrix, k: int, budget: int | None = BUDGET, workers: Workers = HERE
) -> tuple[Ints, Ints, Floats]:
    """The same, and their products as far as lists were read."""
    k, budget = min(k, right.shape[0]), right.nnz if budget is None else budget
    parts = cut(left, left.shape[0], workers.parts)
    found = workers.map(meet_part, parts, _lists(right, budget), (right.shape[0], k, budget))
    best, sums = (join([part[place] for part in found]).ravel() for place in (0, 1))
    lefts, met = np.repeat(np.arange(left.shape[0], dtype=np.int32), k), best >= 0
    return lefts[met], best[met], sums[met]


def _lists(right: csr_matrix, budget: int) -> Lists:
    counts = count_values(right.indices, right.shape[1])
    listed = np.flatnonzero((counts > 0) & (counts <= budget))
    list_of = np.full(right.shape[1], -1, np.int32)
    list_of[listed] = np.arange(len(listed), dtype=np.int32)
    starts = np.concatenate([[0], counts[listed].cumsum()])
    rows, values = np.empty(starts[-1], np.int32), np.empty(starts[-1], np.float32)
    _fill_lists(right.indptr, right.indices, right.data, list_of, starts, (rows, values))
    return list_of, starts, rows, values


def meet_part(left: csr_matrix, lists: Lists, bounds: tuple[int, int, int]) -> tuple[Ints, Floats]:
    """(n, k) each: the right rows found in the lists of some left rows, and their sums; −1 where fewer were found."""
    best, sums = _meet(left.indptr, left.indices, left.data, lists, bounds)
    return best, sums


@numba.njit(cache=True)
def _fill_lists(ends: Any, columns: Any, values: Any, list_of: Any, starts: Any, out: Any) -> None:
    """Who has each column, by row."""
    at = starts[:-1].copy()
    for row in range(len(ends) - 1):
        for entry in range(ends[row], ends[row + 1]):
            place = list_of[columns[entry]]
            if place >= 0:
                out[0][at[place]], out[1][at[place]] = row, values[entry]
                at[place] += 1


@numba.njit(cache=True, parallel=True)
def _meet(ends: Any, columns: Any, values: Any, lists: Any, bounds: Any) -> Any:
    """(n, k) each: the rows with the largest sums over the lists read, −1 where fewer were found; and the sums."""
    n_right, k, budget = bounds
    n, at_once = len(ends) - 1, max(_CHUNK, n_right // _LONG)
    best, best_sums = np.full((n, k), -1, np.int32), np.zeros((n, k), np.float32)
    for chunk in numba.prange((n + at_once - 1) // at_once):
        sums, met = np.zeros(n_right, np.float32), np.empty(min(budget, n_right), np.int32)
        for row in range(chunk * at_once, min(n, (chunk + 1) * at_once)):
            n_met = _read_lists(_entries(ends, columns, values, row), lists, budget, sums, met)
            _take_best(sums, met[:n_met], best_sums[row], best[row])
            for place in range(n_met):
                sums[met[place]] = 0
    return best, best_sums


@numba.njit(cache=True)
def _entries(ends: Any, columns: Any, values: Any, row: int) -> Any:
    return columns[ends[row] : ends[row + 1]], values[ends[row] : ends[row + 1]]


@numba.njit(cache=True)
def _read_lists(entries: Any, lists: Any, budget: int, sums: Any, met: Any) -> int:
    """Adds up products over the shortest lists; returns the number of rows found."""
    columns, values = entries
    list_of, starts, rows, list_values = lists
    listed = np.flatnonzero(list_of[columns] >= 0)
    read = list_of[columns[listed]]
    lengths = starts[read + 1] - starts[read]
    left, n_met = budget, 0
    for shortest in np.argsort(lengths, kind="mergesort"):
        entry = listed[shortest]
        if lengths[shortest] > left:
            break
        left -= lengths[shortest]
        for place in range(starts[read[shortest]], starts[read[shortest] + 1]):
            row = rows[place]
            if sums[row] == 0:
                met[n_met] = row
                n_met += 1
            sums[row] += values[entry] * list_values[place]
    return n_met


@numba.njit(cache=True)
def _take_best(sums: Any, met: Any, heap: Any, best: Any) -> None:
    """The rows with the largest sums, unordered; the first of equal ones. `heap` holds zeros."""
    for row in met:
        if sums[row] > heap[0]:
            push(heap, best, sums[row], row)
