"""Names of accounts beside those of their candidates: one compiled pass, in which no row of n-grams is kept.

What is computed is what `written.versions` computes of the same names: the product of the best pair of versions.
"""

from dataclasses import dataclass
from typing import Any

import numba
import numpy as np

from factlink.candidates.pairs import CandidatePairs
from factlink.encoders.ngrams.known import KnownGrams, prepare, weigh_string
from factlink.encoders.ngrams.spaces import GramSpace
from factlink.encoders.readings.sounds import PLAIN
from factlink.execution.workers import HERE, Workers
from factlink.linkers.factoid.channels.channel import Channel
from factlink.linkers.factoid.written.versions import PRICE, Versions
from factlink.serve.warm.named import Named
from factlink.types import Floats, Ints, Pairs


@dataclass(frozen=True, slots=True, eq=False)
class StoredNames(Channel):
    """Names of new users beside those of users in some rows of a side; products come from the strings themselves."""

    versions: Versions | None = None  # of the new users
    buckets: Ints | None = None  # of the columns of their rows
    space: GramSpace | None = None
    parts: tuple[Named, ...] = ()  # users who were there first, and those who came later
    rows: Ints | None = None

    def products(self, pairs: CandidatePairs | Pairs, workers: Workers = HERE) -> Floats:
        """(n_pairs,) between 0 and 1."""
        assert self.versions is not None
        assert self.space is not None
        assert self.rows is not None
        assert self.buckets is not None
        found, first, mine = np.zeros(len(pairs), np.float32), 0, self.versions
        known = KnownGrams(self.space.grams, self.space.counts).settings
        own = mine.rows.indptr, self.buckets[mine.rows.indices], mine.rows.data
        asked = mine.starts, mine.places, mine.families, mine.foreign, own
        for part in self.parts:
            rows = np.where((self.rows >= first) & (self.rows < first + len(part)), self.rows - first, -1)
            stored = part.users, part.owned, part.foreign, part.families, part.members, part.strings, part.weights
            _compare((pairs.lefts, rows[pairs.rights]), asked, stored, (part.starts, part.letters), known, found)
            first += len(part)
        return found


@numba.njit(cache=True)
def _compare(pairs: Any, asked: Any, stored: Any, texts: Any, settings: Any, out: Any) -> None:
    """The products of pairs, those of a left row together; what has no row in `stored` stays as it is."""
    lefts, rows = pairs
    work = prepare(settings, _longest(rows, stored[1], texts[0]))
    left, table = -1, _table_of(0, 0, asked)
    for pair in range(len(lefts)):
        if rows[pair] >= 0:
            if lefts[pair] != left:
                left = lefts[pair]
                table = _table_of(asked[0][left], asked[0][left + 1], asked)
            is_foreign = asked[3][left] or stored[2][rows[pair]]
            weighed = _weigh_user(rows[pair], is_foreign, stored, texts, (settings, work, table))
            out[pair] = _best(rows[pair], is_foreign, stored, weighed, table)


@numba.njit(cache=True)
def _longest(rows: Any, owned: Any, starts: Any) -> int:
    longest = 0
    for row in rows:
        if row >= 0:
            for string in range(owned[row], owned[row + 1]):
                longest = max(longest, starts[string + 1] - starts[string])
    return longest


@numba.njit(cache=True)
def _table_of(first: int, last: int, asked: Any) -> Any:
    """A new user's versions first … last − 1: their families, a table of buckets, and what each weighs in each."""
    _, places, families, _, (ends, buckets, values) = asked
    n = 0
    for at in range(first, last):
        n += ends[places[at] + 1] - ends[places[at]]
    size = 16
    while size < 2 * n:
        size *= 2
    keys, columns, n_columns = np.full(size, -1, np.int64), np.empty(size, np.int64), 0
    weights = np.zeros((last - first, n), np.float32)
    for at in range(first, last):
        for entry in range(ends[places[at]], ends[places[at] + 1]):
            slot = _slot(buckets[entry], keys)
            if keys[slot] < 0:
                keys[slot], columns[slot] = buckets[entry], n_columns
                n_columns += 1
            weights[at - first, columns[slot]] = values[entry]
    return families[first:last], keys, columns, weights


@numba.njit(cache=True)
def _slot(bucket: Any, keys: Any) -> Any:
    """Where a bucket is in a table, or where it would be."""
    slot = (bucket >> 1) & (len(keys) - 1)
    while keys[slot] >= 0 and keys[slot] != bucket:
        slot = (slot + 1) & (len(keys) - 1)
    return slot


@numba.njit(cache=True)
def _can_meet(family: int, is_foreign: bool, table: Any) -> bool:
    """Sounds are compared where one of two users has a name in another script."""
    found = family == PLAIN
    for other in table[0]:
        found |= is_foreign and other == family
    return found


@numba.njit(cache=True)
def _weigh_user(user: int, is_foreign: bool, stored: Any, texts: Any, known: Any) -> Any:
    """The strings of a user that are compared: n-grams, and the product of each with each version of a new user."""
    users, owned, _, families, members, strings, _ = stored
    settings, work, table = known
    n = owned[user + 1] - owned[user]
    starts, ends = np.full(n, -1, np.int64), np.full(n, -1, np.int64)
    products = np.zeros((n, len(table[0])))
    buckets, values, end = np.empty(128 * max(1, n), np.int64), np.empty(128 * max(1, n), np.float32), 0
    for version in range(users[user], users[user + 1]):
        if not _can_meet(families[version], is_foreign, table):
            continue
        for member in range(members[version], members[version + 1]):
            string = strings[member]
            if starts[string] >= 0:
                continue
            first = texts[0][owned[user] + string]
            held = weigh_string(texts[1][first : texts[0][owned[user] + string + 1]], settings, work, False)
            if end + held > len(buckets):
                buckets = np.concatenate((buckets, np.empty(len(buckets) + held, np.int64)))
                values = np.concatenate((values, np.empty(len(values) + held, np.float32)))
            starts[string], ends[string] = end, end + held
            buckets[end : end + held], values[end : end + held] = work[1][:held], work[2][:held]
            _multiply(work[1][:held], work[2][:held], table, products[string])
            end += held
    return (starts, ends, buckets, values), products


@numba.njit(cache=True)
def _multiply(buckets: Any, values: Any, table: Any, out: Any) -> None:
    """The products of a string with each version of a new user."""
    _, keys, columns, weights = table
    for j in range(len(buckets)):
        slot = _slot(buckets[j], keys)
        if keys[slot] >= 0:
            for version in range(len(out)):
                out[version] += values[j] * weights[version, columns[slot]]


@numba.njit(cache=True)
def _best(user: int, is_foreign: bool, stored: Any, weighed: Any, table: Any) -> Any:
    """The product of the best versions of a pair, less the price of their number."""
    users, _, _, families, members, strings, weights = stored
    best, compared = np.float32(0), 0
    for version in range(users[user], users[user + 1]):
        family = families[version]
        if not _can_meet(family, is_foreign, table):
            continue
        some = strings[members[version] : members[version + 1]]
        counted = weights[members[version] : members[version + 1]]
        scale = 1 / max(_length(some, counted, weighed[0]), 1e-9)
        for other in range(len(table[0])):
            if table[0][other] == family:
                total = 0.0
                for i in range(len(some)):
                    total += counted[i] * weighed[1][some[i], other]
                best = max(best, np.float32(total * scale))
                compared += 1
    return best - np.float32(PRICE) * np.float32(np.log(max(1, compared))) if best > 0 else best


@numba.njit(cache=True)
def _length(some: Any, counted: Any, weighed: Any) -> Any:
    """The length of a weighted sum of strings."""
    starts, ends, buckets, values = weighed
    if len(some) == 1:
        return float(counted[0]) if ends[some[0]] > starts[some[0]] else 0.0
    n = 0
    for string in some:
        n += ends[string] - starts[string]
    size = 16
    while size < 2 * n:
        size *= 2
    keys, sums = np.full(size, -1, np.int64), np.zeros(size, np.float32)
    for i in range(len(some)):
        for at in range(starts[some[i]], ends[some[i]]):
            slot = _slot(buckets[at], keys)
            keys[slot] = buckets[at]
            sums[slot] += counted[i] * values[at]
    total = np.float64(0)
    for value in sums:
        total += np.float64(value) * value
    return np.sqrt(total)
