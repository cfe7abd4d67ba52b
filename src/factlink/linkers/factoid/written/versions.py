"""Versions of users' names: a name may be read in several ways, and the best pair of readings counts."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

from factlink.candidates.inverted_index import nearest_rows, nearest_scored
from factlink.candidates.pairs import CandidatePairs, gather_pairs, keep_pairs, left_best
from factlink.encoders.ngrams.owned_rows import OwnedRows, weighted_sums
from factlink.encoders.readings.sounds import PLAIN
from factlink.encoders.readings.written import ALWAYS, Flags, Marks
from factlink.execution.workers import HERE, Workers
from factlink.linkers.factoid.written.best import best_of_versions
from factlink.linkers.factoid.written.memberships import Held, find_memberships
from factlink.types import Floats, Ints
from factlink.vectors import sparse_rows

PRICE = 0.026
"""What each alternative costs, times the logarithm of their number: the odds of a pair are divided by it."""


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
    def own(self) -> csr_matrix:
        """(n_users, n_columns): the users' rows as written, held once with those of all versions."""
        ends = self.rows.indptr[: len(self.foreign) + 1]
        held = slice(0, int(ends[-1]))
        return sparse_rows(self.rows.data[held], self.rows.indices[held], ends, self.rows.shape[1])

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


def find_versions_of(marks: Marks, owned: OwnedRows, weights: Floats, n_users: int) -> Versions:
    """Versions of the users of one side."""
    held = Held(owned.owners[: len(marks.foreign)], weights[: len(marks.foreign)])
    return find_versions(marks, held, owned.rows, owned.sums(weights, 0, n_users))


def find_versions(marks: Marks, held: Held, rows: csr_matrix, own: csr_matrix) -> Versions:
    """Versions of users from their names: `rows` of all texts, `own` the users' rows as written."""
    n_users = own.shape[0]
    found = find_memberships(marks, held, n_users)
    rows.sort_indices()
    sums = weighted_sums(rows, found.texts, found.starts, found.counted)
    whose = np.concatenate([np.arange(n_users), found.owners])
    families = np.concatenate([np.full(n_users, PLAIN), found.families])
    order = np.argsort(whose, kind="stable")
    ends = np.concatenate([[0], np.bincount(whose, minlength=n_users).cumsum()])
    n_versions = len(found.owners)
    spelled = _spelled(found.texts, np.repeat(np.arange(n_versions), np.diff(found.starts)), marks, n_versions)
    return Versions(_stacked(own, sums), ends, order, families[order], found.foreign, spelled)


def _stacked(own: csr_matrix, sums: csr_matrix) -> csr_matrix:
    """Rows with others below them, in order of their columns."""
    own.sort_indices()
    ends = np.concatenate([own.indptr, own.indptr[-1] + sums.indptr[1:]])
    columns, values = np.concatenate([own.indices, sums.indices]), np.concatenate([own.data, sums.data])
    return sparse_rows(values.astype(np.float32, copy=False), columns, ends, own.shape[1])


def _spelled(members: Ints, versions: Ints, marks: Marks, n_versions: int) -> Ints:
    """(n_versions,): the first reading of each version, −1 for none."""
    row, n_more = members - len(marks.foreign), len(marks.sources)
    reads = row >= 0
    reads[reads] = ~marks.sounds[row[reads]] & (marks.alternatives[row[reads]] != ALWAYS)
    spelled = np.full(n_versions, n_more, np.int64)
    np.minimum.at(spelled, versions[reads], row[reads])
    return np.where(spelled < n_more, spelled, -1)


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
    """Pairs of users: about the k nearest to each user of either side who has versions other than as written."""
    forth = _nearest_users(left, right, (k, budget), workers)
    back = _nearest_users(right, left, (k, budget), workers)
    return np.concatenate([forth.lefts, back.rights]), np.concatenate([forth.rights, back.lefts])


def _nearest_users(left: Versions, right: Versions, search: tuple[int, int | None], workers: Workers) -> CandidatePairs:
    """About the k right users nearest to each left one, by all of its versions other than as written."""
    sizes = len(left.foreign), len(right.foreign)
    pairs, products = gather_pairs(*sizes, []), np.empty(0, np.float32)
    for mine, theirs in rows_by_family(left, right, (True, False)):
        rows = nearest_scored(left.rows[mine[1]], right.rows[theirs[1]], *search, workers)
        found = mine[0][rows[0]], theirs[0][rows[1]]
        both = gather_pairs(*sizes, [(pairs.lefts, pairs.rights), found])
        best = np.zeros(len(both), np.float32)
        best[both.places(pairs.lefts, pairs.rights)] = products
        np.maximum.at(best, both.places(*found), rows[2])
        kept = left_best(both, best, search[0])[1]
        pairs, products = keep_pairs(both, kept), best[kept]
    return pairs


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
