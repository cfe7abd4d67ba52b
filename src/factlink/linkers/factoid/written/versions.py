"""Versions of users' names: a name may be read in several ways, and the best pair of readings counts."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

from factlink.candidates.inverted_index import nearest_by_rare, nearest_rows
from factlink.encoders.ngrams.owned_rows import OwnedRows, weighted_sums
from factlink.encoders.readings.sounds import PLAIN
from factlink.encoders.readings.written import ALWAYS, Flags, Marks
from factlink.execution.workers import HERE, Workers
from factlink.linkers.factoid.written.best import best_of_versions
from factlink.types import Floats, Ints
from factlink.vectors import sparse_rows

PRICE = 0.026
"""What each alternative costs, times the logarithm of their number: the odds of a pair are divided by it."""

_FAMILIES = 4  # of sounds


@dataclass(frozen=True, slots=True, eq=False)
class Versions:
    """Users of one side: rows of n-grams, first one per user, then those of their further versions."""

    rows: csr_matrix  # (n_users + n_versions, n_columns) of unit length
    starts: Ints  # (n_users + 1,) where the versions of each user begin in the next two
    places: Ints  # (n_users + n_versions,) rows, the user's own first
    families: Ints  # (n_users + n_versions,)
    foreign: Flags  # (n_users,) who has a name in another script
    spelled: Ints  # (n_versions,) the first spelling among the further texts; −1 for names as written

    @property
    def compiled(self) -> Any:
        """For compiled code: starts, places, families, who is foreign, and the parts of the rows."""
        rows = self.rows
        rows.sort_indices()
        return self.starts, self.places, self.families, self.foreign, rows.indptr, rows.indices, rows.data

    def of_family(self, family: int, further: bool) -> tuple[Ints, Ints]:
        """Users and the rows of their versions of a family: all, or those other than names as written."""
        owners = np.repeat(np.arange(len(self.foreign)), np.diff(self.starts))
        chosen = self.families == family
        if further:
            as_written = np.zeros(len(owners), np.bool_)
            as_written[self.starts[:-1]] = True
            chosen &= ~as_written if family == PLAIN else self.foreign[owners]
        return owners[chosen], self.places[chosen]


def find_both_versions(
    marks: Marks, owned: OwnedRows, weights: Floats, own: tuple[csr_matrix, csr_matrix]
) -> tuple[Versions, Versions] | None:
    """Versions of the users of both sides, right ones after left ones in `owned`; None where names have one reading."""
    if not len(marks.sources):
        return None
    n_objects, n_left = len(marks.foreign), own[0].shape[0]
    owners = owned.owners[:n_objects]
    left = find_versions(marks, Held(owners, np.where(owners < n_left, weights[:n_objects], 0)), owned.rows, own[0])
    whose = owners - n_left
    right = find_versions(marks, Held(whose, np.where(whose >= 0, weights[:n_objects], 0)), owned.rows, own[1])
    return left, right


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """Whose each object is, and what it counts; 0 for those of the other side."""

    owners: Ints
    weights: Floats


def find_versions(marks: Marks, held: Held, rows: csr_matrix, own: csr_matrix) -> Versions:
    """Versions of users from their names: `rows` of all texts, `own` the users' rows as written."""
    owners, n_users = held.owners, own.shape[0]
    foreign = _foreign_users(marks, held, n_users)
    weights = np.where(~marks.foreign | foreign[np.clip(owners, 0, n_users - 1)], held.weights, 0)
    keys, members = _members(marks, Held(owners, weights), foreign)
    versions, first = np.unique(keys.codes, return_index=True)
    starts = np.append(first, len(keys.codes)).astype(np.int64)
    rows.sort_indices()
    counted = np.concatenate([weights, weights[marks.sources]]).astype(np.float32)
    sums = weighted_sums(rows, members, starts, counted)
    whose = np.concatenate([np.arange(n_users), keys.owners(versions)])
    families = np.concatenate([np.full(n_users, PLAIN), keys.families(versions)])
    order = np.argsort(whose, kind="stable")
    ends = np.concatenate([[0], np.bincount(whose, minlength=n_users).cumsum()])
    spelled = _spelled(members, np.repeat(np.arange(len(versions)), np.diff(starts)), marks, len(versions))
    return Versions(_stacked(own, sums), ends, order, families[order], foreign, spelled)


def _stacked(own: csr_matrix, sums: csr_matrix) -> csr_matrix:
    """Rows with others below them, in order of their columns."""
    own.sort_indices()
    ends = np.concatenate([own.indptr, own.indptr[-1] + sums.indptr[1:]])
    columns, values = np.concatenate([own.indices, sums.indices]), np.concatenate([own.data, sums.data])
    return sparse_rows(values.astype(np.float32, copy=False), columns, ends, own.shape[1])


def _foreign_users(marks: Marks, held: Held, n_users: int) -> Flags:
    """(n_users,): who is known by a name in another script: none of their Latin names counts twice as much."""
    counted = held.weights > 0
    heaviest = np.zeros((2, n_users), np.float32)
    for place, chosen in enumerate((counted & marks.foreign, counted & ~marks.foreign)):
        np.maximum.at(heaviest[place], held.owners[chosen], held.weights[chosen])
    return np.asarray((heaviest[0] > 0) & (2 * heaviest[0] >= heaviest[1]))


def _spelled(members: Ints, versions: Ints, marks: Marks, n_versions: int) -> Ints:
    """(n_versions,): the first reading of each version, −1 for none."""
    row, n_more = members - len(marks.foreign), len(marks.sources)
    reads = row >= 0
    reads[reads] = ~marks.sounds[row[reads]] & (marks.alternatives[row[reads]] != ALWAYS)
    spelled = np.full(n_versions, n_more, np.int64)
    np.minimum.at(spelled, versions[reads], row[reads])
    return np.where(spelled < n_more, spelled, -1)


@dataclass(frozen=True, slots=True, eq=False)
class _Keys:
    """Which version each member is of, as one number: its owner, family and alternative; rising."""

    codes: Ints
    n_alternatives: int

    def owners(self, codes: Ints) -> Ints:
        return codes // (_FAMILIES * self.n_alternatives)

    def families(self, codes: Ints) -> Ints:
        return codes // self.n_alternatives % _FAMILIES


def _members(marks: Marks, held: Held, foreign: Flags) -> tuple[_Keys, Ints]:
    """Which row counts in which version: readings, what is heard of Latin names, and names that are not read."""
    n_objects, n_alternatives = len(marks.foreign), int(marks.alternatives.max(initial=0)) + 1
    owners = held.owners[marks.sources]
    counted = np.flatnonzero(held.weights[marks.sources] > 0)
    is_heard = marks.alternatives[counted] == ALWAYS
    read, heard = counted[~is_heard], counted[is_heard]
    spelled, further = read[~marks.sounds[read]], read[marks.families[read] != PLAIN]
    readings = np.concatenate([spelled, further])
    groups = owners * _FAMILIES + marks.families
    of_reading = np.concatenate([owners[spelled] * _FAMILIES + PLAIN, groups[further]])
    read_keys = of_reading * n_alternatives + marks.alternatives[readings]
    plain_keys = groups[heard[~foreign[owners[heard]]]] * n_alternatives
    keys = np.unique(np.concatenate([read_keys, plain_keys]))
    hear_keys, hear_rows = _joined(keys, keys // n_alternatives, groups[heard], n_objects + heard)
    latin = np.flatnonzero(~marks.foreign & (held.weights > 0))
    name_keys, name_rows = _joined(keys, keys // (_FAMILIES * n_alternatives), held.owners[latin], latin)
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


def compare_versions(pairs: tuple[Ints, Ints], left: Versions, right: Versions) -> Floats:
    """(n_pairs,): the product of the best versions of each pair, less the price of their number."""
    return best_versions(pairs, left, right)[0]


def best_versions(pairs: tuple[Ints, Ints], left: Versions, right: Versions) -> tuple[Floats, Ints, Ints]:
    """The same, and the two rows that were best."""
    ends = np.asarray(pairs[0], np.int64), np.asarray(pairs[1], np.int64)
    products, mine, theirs, compared = best_of_versions(ends, left.compiled, right.compiled, PLAIN)
    values = products - np.float32(PRICE) * np.log(compared).astype(np.float32)
    return np.where(products > 0, values, 0).astype(np.float32), mine, theirs


def nearest_versions(
    left: Versions, right: Versions, k: int, budget: int | None, workers: Workers = HERE
) -> tuple[Ints, Ints]:
    """Pairs of users that are near in a version other than that as written."""
    found = []
    for further in ((True, False), (False, True)):
        for mine, theirs in rows_by_family(left, right, further):
            rows = nearest_by_rare(left.rows[mine[1]], right.rows[theirs[1]], k, budget, workers)
            found.append((mine[0][rows[0]], theirs[0][rows[1]]))
    return _joined_pairs(found)


def nearest_to_versions(
    left: Versions, right: Versions, further: tuple[bool, bool], search: tuple[int, int | None], workers: Workers = HERE
) -> tuple[Ints, Ints]:
    """Pairs of users: about the k right ones nearest to each version of left users; of one side further versions."""
    found = []
    for mine, theirs in rows_by_family(left, right, further):
        rows = nearest_rows(left.rows[mine[1]], right.rows[theirs[1]], *search, workers)
        found.append((mine[0][rows[0]], theirs[0][rows[1]]))
    return _joined_pairs(found)


def rows_by_family(
    left: Versions, right: Versions, further: tuple[bool, bool]
) -> Iterator[tuple[tuple[Ints, Ints], tuple[Ints, Ints]]]:
    """Users and rows of both sides that can be compared, family by family; of one side further versions alone."""
    for family in np.union1d(left.families, right.families):
        mine, theirs = left.of_family(family, further[0]), right.of_family(family, further[1])
        if len(mine[0]) and len(theirs[0]):
            yield mine, theirs


def _joined_pairs(found: list[tuple[Ints, Ints]]) -> tuple[Ints, Ints]:
    none = np.empty(0, np.int64)
    return np.concatenate([none, *(pairs[0] for pairs in found)]), np.concatenate(
        [none, *(pairs[1] for pairs in found)]
    )
