"""Which of a user's names and readings each version of the user is the sum of."""

from dataclasses import dataclass

import numpy as np

from factlink.encoders.readings.sounds import PLAIN
from factlink.encoders.readings.written import ALWAYS, Flags, Marks
from factlink.types import Floats, Ints

FAMILIES = 4
"""Of sounds, plain spellings being one."""


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """Whose each object is, and what it counts; 0 for those of the other side."""

    owners: Ints
    weights: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Memberships:
    """Which texts each further version of users is the sum of, and how much each of them counts."""

    foreign: Flags  # (n_users,) who has a name in another script
    owners: Ints  # (n_versions,) rising
    families: Ints  # (n_versions,)
    starts: Ints  # (n_versions + 1,) where the texts of each begin
    texts: Ints  # (n_members,)
    counted: Floats  # (n_texts,)


def find_memberships(marks: Marks, held: Held, n_users: int) -> Memberships:
    """The versions of users other than their names as written."""
    foreign = _foreign_users(marks, held, n_users)
    weights = np.where(~marks.foreign | foreign[np.clip(held.owners, 0, n_users - 1)], held.weights, 0)
    keys, members = _members(marks, Held(held.owners, weights), foreign)
    versions, first = np.unique(keys.codes, return_index=True)
    starts = np.append(first, len(keys.codes)).astype(np.int64)
    counted = np.concatenate([weights, weights[marks.sources]]).astype(np.float32)
    return Memberships(foreign, keys.owners(versions), keys.families(versions), starts, members, counted)


def _foreign_users(marks: Marks, held: Held, n_users: int) -> Flags:
    """(n_users,): who is known by a name in another script: none of their Latin names counts twice as much."""
    counted = held.weights > 0
    heaviest = np.zeros((2, n_users), np.float32)
    for place, chosen in enumerate((counted & marks.foreign, counted & ~marks.foreign)):
        np.maximum.at(heaviest[place], held.owners[chosen], held.weights[chosen])
    return np.asarray((heaviest[0] > 0) & (2 * heaviest[0] >= heaviest[1]))


@dataclass(frozen=True, slots=True, eq=False)
class _Keys:
    """Which version each member is of, as one number: its owner, family and alternative; rising."""

    codes: Ints
    n_alternatives: int

    def owners(self, codes: Ints) -> Ints:
        return codes // (FAMILIES * self.n_alternatives)

    def families(self, codes: Ints) -> Ints:
        return codes // self.n_alternatives % FAMILIES


def _members(marks: Marks, held: Held, foreign: Flags) -> tuple[_Keys, Ints]:
    """Which row counts in which version: readings, what is heard of Latin names, and names that are not read."""
    n_objects, n_alternatives = len(marks.foreign), int(marks.alternatives.max(initial=0)) + 1
    owners = held.owners[marks.sources]
    counted = np.flatnonzero(held.weights[marks.sources] > 0)
    is_heard = marks.alternatives[counted] == ALWAYS
    read, heard = counted[~is_heard], counted[is_heard]
    spelled, further = read[~marks.sounds[read]], read[marks.families[read] != PLAIN]
    readings = np.concatenate([spelled, further])
    groups = owners * FAMILIES + marks.families
    of_reading = np.concatenate([owners[spelled] * FAMILIES + PLAIN, groups[further]])
    read_keys = of_reading * n_alternatives + marks.alternatives[readings]
    plain_keys = groups[heard[~foreign[owners[heard]]]] * n_alternatives
    keys = np.unique(np.concatenate([read_keys, plain_keys]))
    hear_keys, hear_rows = _joined(keys, keys // n_alternatives, groups[heard], n_objects + heard)
    latin = np.flatnonzero(~marks.foreign & (held.weights > 0))
    name_keys, name_rows = _joined(keys, keys // (FAMILIES * n_alternatives), held.owners[latin], latin)
    stays = ~np.isin(name_keys * n_objects + name_rows, read_keys * n_objects + marks.sources[readings])
    codes = np.concatenate([read_keys, hear_keys, name_keys[stays]])
    rows = np.concatenate([n_objects + readings, hear_rows, name_rows[stays]])
    order = np.lexsort((rows, codes))
    return _Keys(codes[order], n_alternatives), rows[order]


def _joined(keys: Ints, wanted: Ints, groups: Ints, rows: Ints) -> tuple[Ints, Ints]:
    """Each key with each row whose group is the one that the key wants."""
    order = np.argsort(groups, kind="stable")
    groups, rows = groups[order], rows[order]
    first = np.searchsorted(groups, wanted, "left")
    counts = np.searchsorted(groups, wanted, "right") - first
    within = np.arange(counts.sum()) - np.repeat(counts.cumsum() - counts, counts)
    return np.repeat(keys, counts), rows[np.repeat(first, counts) + within]
