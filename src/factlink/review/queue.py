"""Which pair comes next: what fits the filters and nobody (or, blind, this reviewer) has decided."""

import time
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock

import numpy as np
import polars as pl

from factlink.errors import InputError
from factlink.review.accounts import Accounts
from factlink.review.links import Bools, EvidenceFile, Pairings
from factlink.runs.folder.judgements import Judgements
from factlink.types import DECISIONS, Decision, Ints

BLOCK = 4096
MANY = 500
"""Changed judgements from which all are read again."""
LEASE = 120.0
"""Seconds for which a pair that one reviewer looks at is not given to another."""


@dataclass(frozen=True, slots=True)
class Filters:
    """Which pairs a reviewer wants to see."""

    outcome: str = ""
    at_least: float = 0.0
    at_most: float = 1.0
    predicate: str = ""
    network: str = ""

    def __post_init__(self) -> None:
        if self.outcome and self.outcome not in DECISIONS:
            raise InputError(f"no outcome is called '{self.outcome[:20]}'; there are: {', '.join(DECISIONS)}")
        if not 0.0 <= self.at_least <= self.at_most <= 1.0:
            raise InputError(f"probabilities from {self.at_least:g} to {self.at_most:g} are not a range inside 0 to 1")


class Queue:
    """The open pairs of a run, for several reviewers at once."""

    def __init__(self, pairings: Pairings, sides: tuple[Accounts, Accounts], evidence: EvidenceFile) -> None:
        self.pairings = pairings
        self._left, self._right = sides
        self._evidence = evidence
        self._place_of_left = np.full(len(self._left), -1, np.int32)
        self._place_of_left[pairings.lefts] = np.arange(len(pairings))
        self._leases: dict[int, tuple[str, float]] = {}
        self.fitting = lru_cache(maxsize=32)(self._fitting)

    def place_of(self, left: int, right: int) -> int:
        """The place of a pair of rows among the links, −1 for a pair that is not there."""
        place = int(self._place_of_left[left]) if left >= 0 else -1
        return place if place >= 0 and self.pairings.rights[place] == right else -1

    def next_place(self, filters: Filters, decided: Bools, reviewer: str, skipped: int = 0) -> int | None:
        """The open place with the highest priority, after the skipped ones; pairs open at others come last."""
        order, now, others = self.fitting(filters), time.monotonic(), None
        for start in range(0, len(order), BLOCK):
            block = order[start : start + BLOCK]
            for place in map(int, block[~decided[block]]):
                if self._is_others(place, reviewer, now):
                    others = place if others is None else others
                elif skipped == 0:
                    self._leases[place] = (reviewer, now)
                    return int(place)
                else:
                    skipped -= 1
        return others

    def confident_links(self, at_least: float, decided: Bools) -> Ints:
        """Places of open links of at least a probability, the most probable first."""
        places = self.fitting(Filters(Decision.LINK.value, at_least))
        places = places[~decided[places]]
        probabilities = self.pairings.figures["probability"].fill_null(0.0).to_numpy()
        return places[np.lexsort((places, -probabilities[places]))]

    def _is_others(self, place: int, reviewer: str, now: float) -> bool:
        holder, since = self._leases.get(place, (reviewer, now))
        return holder != reviewer and now - since < LEASE

    def _fitting(self, filters: Filters) -> Ints:
        """Places that fit the filters, in the order of the queue."""
        keep = np.ones(len(self.pairings), np.bool_)
        if filters.outcome:
            keep &= (self.pairings.figures["decision"] == filters.outcome).to_numpy()
        if (filters.at_least, filters.at_most) != (0.0, 1.0):
            inside = pl.col("probability").is_between(filters.at_least, filters.at_most)
            keep &= self.pairings.figures.select(inside.fill_null(value=False)).to_series().to_numpy()
        if filters.predicate:
            keep &= self._with_predicate(filters)
        return self.pairings.order[keep[self.pairings.order]]

    def _with_predicate(self, filters: Filters) -> Bools:
        """Pairs with evidence of a predicate; without evidence in the run, pairs of accounts that show one."""
        found = self._evidence.lefts_with(filters.predicate, len(self._left))
        if found is not None:
            return found[self.pairings.lefts]
        owned = {
            self._left.name: self._left.owners(filters.predicate)[self.pairings.lefts],
            self._right.name: self._right.owners(filters.predicate)[self.pairings.rights],
        }
        return owned[filters.network] if filters.network in owned else owned[self._left.name] & owned[self._right.name]


class Decided:
    """Which places are decided, by whom; follows the judgements of every process that writes them."""

    def __init__(self, judgements: Judgements, queue: Queue, sides: tuple[Accounts, Accounts]) -> None:
        self._judgements, self._queue = judgements, queue
        self._left, self._right = sides
        self._by_reviewer: dict[str, Bools] = {}
        self._anybody = np.zeros(len(queue.pairings), np.int16)
        self._newest, _ = judgements.changed_since(0)
        self._lock = Lock()
        self._take_in(judgements.by_reviewer())

    def by(self, reviewer: str) -> Bools:
        """(n_places,) what this reviewer has decided."""
        self.follow()
        return self._of(reviewer)

    def by_anybody(self) -> Bools:
        """(n_places,) what anybody has decided."""
        self.follow()
        return self._anybody > 0

    def follow(self) -> None:
        """Reads the judgements since the last call."""
        with self._lock:
            self._newest, changed = self._judgements.changed_since(self._newest)
            if len(changed) > MANY:
                self._by_reviewer.clear()
                self._anybody[:] = 0
                self._take_in(self._judgements.by_reviewer())
                return
            for left, right in changed:
                place = self._place(left, right)
                if place >= 0:
                    self._set(place, {said.reviewer for said in self._judgements.of_pair(left, right)})

    def _take_in(self, said: pl.DataFrame) -> None:
        lefts, rights = self._left.rows_of(said["left"]), self._right.rows_of(said["right"])
        places = np.array([self._queue.place_of(*pair) for pair in zip(lefts, rights, strict=True)], np.int64)
        for (reviewer,), mine in said.with_columns(place=places).filter(pl.col("place") >= 0).group_by("reviewer"):
            self._of(str(reviewer))[mine["place"].to_numpy()] = True
        self._anybody += np.bincount(places[places >= 0], minlength=len(self._anybody)).astype(np.int16)

    def _set(self, place: int, reviewers: set[str]) -> None:
        for reviewer in reviewers | set(self._by_reviewer):
            self._of(reviewer)[place] = reviewer in reviewers
        self._anybody[place] = len(reviewers)

    def _of(self, reviewer: str) -> Bools:
        return self._by_reviewer.setdefault(reviewer, np.zeros(len(self._anybody), np.bool_))

    def _place(self, left: str, right: str) -> int:
        try:
            return self._queue.place_of(self._left.row_of(left), self._right.row_of(right))
        except InputError:
            return -1
