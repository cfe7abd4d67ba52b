"""Strings of users in Latin letters, those of a user together, so that a few users' are gathered by compiled code."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from factlink.encoders.readings.written import Marks
from factlink.encoders.transliteration import PackedStrings
from factlink.linkers.factoid.written.packed_names import PackedNames
from factlink.serve.warm.mapped import mapped
from factlink.types import Floats, Ints

FAMILIES = 4
"""Of sounds, plain spellings being one."""

_COLUMN, _SOURCE, _FAMILY, _ALTERNATIVE, _FOREIGN, _SOUND = range(6)
_OBJECT = -1  # the source of a string that is an object itself

Shorts = npt.NDArray[np.int16]


@dataclass(frozen=True, slots=True, eq=False)
class Strings:
    """All strings of all users of a side, of one column or of several."""

    users: Ints  # (n_users + 1,) where the strings of each user begin
    starts: Ints  # (n_strings + 1,) where the letters of each string begin
    letters: npt.NDArray[np.uint8]
    facts: Shorts  # (n_strings, 6): the column, the object it is of (OBJECT), family, alternative, foreign, sound

    def __len__(self) -> int:
        return len(self.users) - 1

    @classmethod
    def of(cls, names: PackedNames, columns: Ints) -> "Strings":
        """Strings of users; `columns` says which column each object is of."""
        n_objects, marks = len(names.owners), names.marks
        owners = np.concatenate([names.owners, names.owners[marks.sources]])
        order = np.lexsort((np.arange(len(owners)), owners))
        users = np.concatenate([[0], np.bincount(owners, minlength=names.n_users).cumsum()])
        place = np.empty(len(owners), np.int64)
        place[order] = np.arange(len(order))
        facts = np.zeros((len(owners), 6), np.int16)
        facts[:n_objects, _COLUMN], facts[:n_objects, _SOURCE] = columns, _OBJECT
        facts[:n_objects, _ALTERNATIVE], facts[:n_objects, _FOREIGN] = _OBJECT, marks.foreign
        facts[n_objects:, _SOURCE] = (place[:n_objects] - users[names.owners])[marks.sources]
        facts[n_objects:, _FAMILY], facts[n_objects:, _ALTERNATIVE] = marks.families, marks.alternatives
        facts[n_objects:, _SOUND] = marks.sounds
        letters, starts = _reordered(names.strings, order)
        return cls(users, starts, letters, facts[order])

    def gather(self, rows: Ints, families: Ints, weights: Floats) -> PackedNames:
        """The strings of some users: sounds of some families beside those that each needs; `weights` by column."""
        wanted = np.zeros(FAMILIES, np.bool_)
        wanted[families] = True
        stored = self.users, self.starts, self.letters, self.facts
        chosen, n_objects = _choose(stored, np.asarray(rows, np.int64), wanted)
        letters, starts, owners, sources = _gather(stored, np.asarray(rows, np.int64), chosen, n_objects)
        facts = self.facts[chosen]
        more = facts[n_objects:]
        marks = Marks(
            facts[:n_objects, _FOREIGN] != 0,
            sources,
            more[:, _FAMILY].astype(np.int64),
            more[:, _ALTERNATIVE].astype(np.int64),
            more[:, _SOUND] != 0,
        )
        counted = weights[facts[:n_objects, _COLUMN]]
        return PackedNames(PackedStrings(letters, starts), marks, owners, counted, len(rows))

    def save(self, folder: Path) -> None:
        """As files of a folder that is there."""
        for name in _FILES:
            np.save(folder / f"{name}.npy", getattr(self, name), allow_pickle=False)

    @classmethod
    def load(cls, folder: Path) -> "Strings":
        """Mapped: only what is asked for is read."""
        return cls(*(mapped(folder / f"{name}.npy") for name in _FILES))


_FILES = ("users", "starts", "letters", "facts")


def join_strings(parts: Sequence[Strings]) -> Strings:
    """Strings of users after those of others."""
    users = np.concatenate([[0], *(np.diff(part.users) for part in parts)]).cumsum()
    starts = np.concatenate([[0], *(np.diff(part.starts) for part in parts)]).cumsum()
    letters, facts = (np.concatenate([getattr(part, name) for part in parts]) for name in ("letters", "facts"))
    return Strings(users, starts, letters, facts)


def _reordered(strings: PackedStrings, order: Ints) -> tuple[npt.NDArray[np.uint8], Ints]:
    lengths = np.diff(strings.starts)[order]
    starts = np.concatenate([[0], lengths.cumsum()])
    within = np.arange(starts[-1]) - np.repeat(starts[:-1], lengths)
    return strings.letters[np.repeat(strings.starts[:-1][order], lengths) + within], starts


@numba.njit(cache=True)
def _choose(stored: Any, rows: Any, wanted: Any) -> Any:
    """The strings of some users that are compared: all objects first, then further ones; how many objects there are."""
    users, _, _, facts = stored
    n = 0
    for row in rows:
        n += users[row + 1] - users[row]
    objects, more = np.empty(n, np.int64), np.empty(n, np.int64)
    n_objects, n_more = 0, 0
    needed = np.empty(len(wanted), np.bool_)
    for row in rows:
        needed[:] = wanted
        for at in range(users[row], users[row + 1]):
            if facts[at, _ALTERNATIVE] >= 0:
                needed[facts[at, _FAMILY]] = True
        for at in range(users[row], users[row + 1]):
            if facts[at, _SOURCE] == _OBJECT:
                objects[n_objects] = at
                n_objects += 1
            elif facts[at, _ALTERNATIVE] >= 0 or needed[facts[at, _FAMILY]]:
                more[n_more] = at
                n_more += 1
    return np.concatenate((objects[:n_objects], more[:n_more])), n_objects


@numba.njit(cache=True)
def _gather(stored: Any, rows: Any, chosen: Any, n_objects: int) -> Any:
    """Letters and starts of the chosen strings, the place in `rows` of the owner of each object, and sources."""
    users, starts, letters, facts = stored
    ends = np.zeros(len(chosen) + 1, np.int64)
    for i in range(len(chosen)):
        ends[i + 1] = ends[i] + starts[chosen[i] + 1] - starts[chosen[i]]
    found = np.empty(ends[-1], np.uint8)
    for i in range(len(chosen)):
        first = starts[chosen[i]]
        for j in range(ends[i + 1] - ends[i]):
            found[ends[i] + j] = letters[first + j]
    firsts = np.zeros(len(rows) + 1, np.int64)  # where the objects of each user begin among the chosen
    owners, sources = np.empty(n_objects, np.int64), np.empty(len(chosen) - n_objects, np.int64)
    place = 0
    for i in range(n_objects):
        while chosen[i] >= users[rows[place] + 1]:
            place += 1
            firsts[place] = i
        owners[i] = place
    place = 0
    for i in range(n_objects, len(chosen)):
        while chosen[i] < users[rows[place]] or chosen[i] >= users[rows[place] + 1]:
            place += 1
        sources[i - n_objects] = firsts[place] + facts[chosen[i], _SOURCE]
    return found, ends, owners, sources
