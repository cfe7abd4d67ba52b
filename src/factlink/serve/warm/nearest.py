"""The nearest names of a side: all are compared where there are few; where there are many, lists of n-grams are read.

The lists say who has an n-gram. Those of the n-grams of a name are read from the shortest on until a budget of entries
is read, as candidates are found while a run is made; so the cost does not grow with the number of users. The budget is
the smallest that finds nearly all of the ten nearest of some users of the other side. Lists are made of the users that
a run began with. Users who were added later are always all compared.
"""

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numba
import numpy as np
from scipy.sparse import csr_matrix

from factlink.candidates.inverted_index import BUDGET
from factlink.candidates.pairs import count_values
from factlink.candidates.top_k import nearest_stored
from factlink.linkers.factoid.adding.new_users import AskedNames
from factlink.serve.warm.mapped import made_folder, mapped, one_at_a_time
from factlink.storage.arrays import write_array
from factlink.types import Candidates, Floats, Halves, Ints

FEW = 2_000
"""Users up to whom all are compared."""
RECALL = 0.995
"""The share of the ten nearest that the lists must find."""
BUDGETS = (BUDGET, 2 * BUDGET, 4 * BUDGET)

_ASKED, _BEST = 100, 10  # users and neighbours by which the budget is chosen
_FILES = ("buckets", "starts", "rows", "values")

Rows = Callable[[], tuple[csr_matrix, csr_matrix]]
"""(n, n_buckets) n-grams of all users of the side, and of some users of the other one."""


@dataclass(frozen=True, slots=True, eq=False)
class Lists:
    """Who has each n-gram."""

    buckets: Ints  # (n_lists,) rising
    starts: Ints  # (n_lists + 1,) where each list begins
    rows: Ints  # users
    values: Floats  # what the n-gram weighs in them

    @classmethod
    def of(cls, users: csr_matrix, longest: int) -> "Lists":
        """Lists of all users, without n-grams that more than `longest` have."""
        counts = count_values(users.indices, users.shape[1])
        buckets = np.flatnonzero((counts > 0) & (counts <= longest))
        starts = np.concatenate([[0], counts[buckets].cumsum()])
        rows, values = np.empty(starts[-1], np.int32), np.empty(starts[-1], np.float32)
        at = np.full(users.shape[1], -1, np.int64)
        at[buckets] = starts[:-1]
        _fill(users.indptr, users.indices, users.data, at, (rows, values))
        return cls(buckets.astype(np.int32), starts, rows, values)

    def nearest(self, asked: tuple[Ints, Floats], k: int, budget: int) -> tuple[Ints, Floats]:
        """At most k users who share the rarest n-grams of a name, and how much; the best first."""
        buckets, weights = asked
        stored = self.buckets, self.starts, self.rows, self.values
        users, sums = _read(buckets.astype(np.int64), weights, stored, k, budget)
        return users, sums

    def save(self, folder: Path) -> None:
        """As files of a folder that is there."""
        for name in _FILES:
            write_array(folder / f"{name}.npy", getattr(self, name))

    @classmethod
    def load(cls, folder: Path) -> "Lists":
        """Mapped: only what is asked for is read."""
        return cls(*(mapped(folder / f"{name}.npy") for name in _FILES))


@dataclass(frozen=True, slots=True, eq=False)
class Nearest:
    """Searches one side of a space."""

    lists: Lists | None = None  # None where all are compared
    budget: int = BUDGET
    recall: float = 1.0

    def __call__(self, asked: AskedNames, stored: Sequence[Halves], k: int) -> Candidates:
        """About the k nearest users of each name, and the k nearest of those who came later."""
        if self.lists is None:
            return nearest_stored(asked.vectors, stored, k)
        rights, scores = np.full((len(asked), k), -1, np.int32), np.full((len(asked), k), -np.inf, np.float32)
        for place in range(len(asked)):
            users, sums = self.lists.nearest(asked.entries(place), k, self.budget)
            rights[place, : len(users)], scores[place, : len(users)] = users, sums
        if len(stored) == 1:
            return Candidates(rights, scores)
        later = nearest_stored(asked.vectors, stored[1:], k)
        others = np.where(later.rights < 0, -1, later.rights + np.int32(len(stored[0])))
        return Candidates(np.concatenate([rights, others], axis=1), np.concatenate([scores, later.scores], axis=1))


ALL = Nearest()


def open_nearest(n_users: int, rows: Rows, key: str, folder: Path) -> Nearest:
    """The lists of a side, made once of `rows` for a key and kept in `folder`."""
    if n_users <= FEW:
        return ALL
    place = folder / f"{key[:24]}.lists"
    with one_at_a_time(folder):
        if not place.is_dir():
            place.unlink(missing_ok=True)
            with made_folder(place) as part:
                _make(*rows(), part)
    described = json.loads((place / "lists.json").read_text("utf-8"))
    return Nearest(Lists.load(place), described["budget"], described["recall"])


def forget_others(folder: Path, keys: Sequence[str]) -> None:
    """Removes lists of runs that were there before."""
    for other in folder.glob("*.lists"):
        if other.is_dir() and other.stem not in {key[:24] for key in keys}:
            shutil.rmtree(other, ignore_errors=True)


def sample(n_users: int) -> Ints:
    """Rows of some users, by whom the budget is chosen."""
    return np.arange(0, n_users, max(1, n_users // _ASKED))[:_ASKED]


def _make(users: csr_matrix, asked: csr_matrix, folder: Path) -> None:
    lists = Lists.of(users, BUDGETS[-1])
    names = [
        (asked.indices[a:b], asked.data[a:b]) for a, b in zip(asked.indptr[:-1], asked.indptr[1:], strict=True) if a < b
    ]
    wanted = [_compare_all(name, users) for name in names]
    budget, recall = BUDGETS[0], 1.0
    for budget in BUDGETS:
        found = [lists.nearest(name, 50, budget)[0] for name in names]
        shares = [np.isin(some, met).mean() for some, met in zip(wanted, found, strict=True) if len(some)]
        recall = float(np.mean(shares)) if shares else 1.0
        if recall >= RECALL:
            break
    lists.save(folder)
    (folder / "lists.json").write_text(json.dumps({"budget": budget, "recall": recall}), encoding="utf-8")


def _compare_all(asked: tuple[Ints, Floats], users: csr_matrix) -> Ints:
    """The ten users who share the most with a name, as far as they share anything."""
    weights = np.zeros(users.shape[1], np.float32)
    weights[asked[0]] = asked[1]
    products = _products(users.indptr, users.indices, users.data, weights)
    best = np.argsort(-products, kind="stable")[:_BEST]
    return np.asarray(best[products[best] > 0])


@numba.njit(cache=True)
def _products(ends: Any, columns: Any, values: Any, weights: Any) -> Any:
    products = np.zeros(len(ends) - 1, np.float32)
    for row in range(len(products)):
        for entry in range(ends[row], ends[row + 1]):
            products[row] += values[entry] * weights[columns[entry]]
    return products


@numba.njit(cache=True)
def _fill(ends: Any, columns: Any, values: Any, at: Any, out: Any) -> None:
    for row in range(len(ends) - 1):
        for entry in range(ends[row], ends[row + 1]):
            place = at[columns[entry]]
            if place >= 0:
                out[0][place], out[1][place] = row, values[entry]
                at[columns[entry]] += 1


@numba.njit(cache=True)
def _read(asked: Any, weights: Any, stored: Any, k: int, budget: int) -> Any:
    """Sums over the shortest lists, in a table whose size depends on the budget alone."""
    buckets, starts, rows, values = stored
    places = np.searchsorted(buckets, asked)
    lengths = np.full(len(asked), budget + 1, np.int64)
    for i in range(len(asked)):
        if places[i] < len(buckets) and buckets[places[i]] == asked[i]:
            lengths[i] = starts[places[i] + 1] - starts[places[i]]
    size = 1
    while size < 2 * budget:
        size *= 2
    slots, met, sums, n_met, left = np.full(size, -1, np.int32), np.empty(budget, np.int32), np.empty(budget), 0, budget
    for i in np.argsort(lengths, kind="mergesort"):
        if lengths[i] > left:
            break
        left -= lengths[i]
        for entry in range(starts[places[i]], starts[places[i] + 1]):
            slot = (rows[entry] * 2654435761) & (size - 1)
            while slots[slot] >= 0 and met[slots[slot]] != rows[entry]:
                slot = (slot + 1) & (size - 1)
            if slots[slot] < 0:
                slots[slot], met[n_met], sums[n_met] = n_met, rows[entry], 0
                n_met += 1
            sums[slots[slot]] += weights[i] * values[entry]
    if n_met > k:  # the k-th best and all who are as good
        near = np.flatnonzero(sums[:n_met] >= np.partition(sums[:n_met], n_met - k)[n_met - k])
    else:
        near = np.arange(n_met)
    by_row = near[np.argsort(met[near])]
    best = by_row[np.argsort(-sums[by_row], kind="mergesort")[:k]]
    return met[best], sums[best].astype(np.float32)
