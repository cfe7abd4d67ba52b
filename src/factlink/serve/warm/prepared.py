"""Names and texts of a side in Latin letters, made once for a run and mapped by all workers.

The folder of a digest holds the strings of the users that were there first. Those of users who came later are in
memory: they are few, or the folder is made anew.
"""

import hashlib
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import numpy as np
import polars as pl
from scipy.sparse import csr_matrix, vstack

from factlink.encoders.ngrams.owned_rows import weighted_sums
from factlink.encoders.ngrams.rows import Grams
from factlink.encoders.ngrams.spaces import GramSpace
from factlink.encoders.readings.written import ReadingRules
from factlink.encoders.transliteration import PackedStrings
from factlink.linkers.factoid.state.state import FactoidState, NameState
from factlink.linkers.factoid.written.owned_names import own_names
from factlink.linkers.factoid.written.packed_names import EVERY_FAMILY, PackedNames
from factlink.serve.warm.mapped import one_at_a_time
from factlink.serve.warm.strings import Strings, join_strings
from factlink.serve.warm.users import UserTable
from factlink.storage.durable import PRIVATE_FOLDER
from factlink.types import Floats, Ints

_AT_ONCE = 20_000  # users whose strings are made together
_MANY = 0.1  # users who came later, as a share of those who were there first
_ONE: Floats = np.ones(1, np.float32)
_NO_FAMILY = np.empty(0, np.int64)

Make = Callable[[int, int], Strings]
"""The strings of the users from one row to another."""


@dataclass(frozen=True, slots=True, eq=False)
class Stored:
    """Strings of those who were there first, and of those who came later."""

    first: Strings
    later: Strings | None

    def gather(self, rows: Ints, families: Ints, weights: Floats) -> PackedNames:
        """The strings of users in some rows, rising."""
        n = len(self.first)
        if self.later is None or not len(rows) or rows[-1] < n:
            return self.first.gather(rows, families, weights)
        split = int(np.searchsorted(rows, n))
        later = self.later.gather(rows[split:] - n, families, weights)
        return self.first.gather(rows[:split], families, weights).beside(later) if split else later


@dataclass(frozen=True, slots=True, eq=False)
class PreparedSide:
    """What `linkers.factoid` asks of a side while it places users of the other one."""

    stored_names: Stored | None
    weights: Floats  # of the name columns
    stored_texts: Mapping[str, Stored]  # by predicate

    def names(self, rows: Ints, families: Ints) -> PackedNames:
        """The names of users in some rows."""
        if self.stored_names is None:
            raise ValueError("names that count nothing were not prepared")
        return self.stored_names.gather(rows, families, self.weights)

    def rows(self, users: Ints, space: GramSpace) -> csr_matrix:
        """(n, n_buckets): n-grams of the names of users in some rows, as written."""
        found: list[csr_matrix] = []
        for at in range(0, len(users), _AT_ONCE):
            packed = self.names(users[at : at + _AT_ONCE], _NO_FAMILY).as_written()
            starts = np.concatenate([[0], np.bincount(packed.owners, minlength=packed.n_users).cumsum()])
            order = np.argsort(packed.owners, kind="stable")
            found.append(weighted_sums(space.rows_packed(packed.strings), order, starts, packed.weights))
        return vstack(found, format="csr")

    def texts(self, predicate: str, rows: Ints) -> tuple[Ints, PackedStrings] | None:
        """Whose each text is, and the texts."""
        if predicate not in self.stored_texts:
            return None
        found = self.stored_texts[predicate].gather(rows, _NO_FAMILY, _ONE)
        return found.owners, found.strings


def prepare_side(users: UserTable, side: int, state: FactoidState, folder: Path) -> PreparedSide:
    """Opens what was prepared for a side, or makes it."""
    names, weights, texts = state.names, np.empty(0, np.float32), {}
    with one_at_a_time(folder):
        stored = None
        if names is not None:
            weights = np.array(list(names.weights[side].values()), np.float32)
            columns = list(names.weights[side])
            key = f"names {side} {columns} {names.rules} {names.space.grams}"
            stored = _stored(users, columns, key, lambda a, b: _names(users, names, side, a, b), folder)
        for attribute in state.attributes:
            predicate, encoder = attribute.predicates[side], attribute.encoder
            if isinstance(encoder, GramSpace) and predicate not in texts:
                texts[predicate] = _text_column(users, side, predicate, encoder.grams, folder)
    return PreparedSide(stored, weights, texts)


def _text_column(users: UserTable, side: int, predicate: str, grams: Grams, folder: Path) -> Stored:
    def make(first: int, last: int) -> Strings:
        network = users.read(np.arange(first, last))
        owned = own_names(network, {predicate: 1.0})
        return Strings.of(
            PackedNames.of(owned, ReadingRules(none=True), grams, _NO_FAMILY), np.zeros(len(owned.owners), np.int64)
        )

    return _stored(users, [predicate], f"texts {side} {predicate} {grams}", make, folder)


def _names(users: UserTable, names: NameState, side: int, first: int, last: int) -> Strings:
    network, weights = users.read(np.arange(first, last)), names.weights[side]
    owned = own_names(network, weights)
    counts = [len(network.attributes[p].rows) if p in network.attributes else 0 for p in weights]
    packed = PackedNames.of(owned, names.rules, names.space.grams, np.array(EVERY_FAMILY))
    return Strings.of(packed, np.repeat(np.arange(len(counts)), counts))


def _stored(users: UserTable, columns: list[str], key: str, make: Make, folder: Path) -> Stored:
    """The folder whose digest is that of the first users as they are now, or a new one."""
    short = hashlib.sha256(key.encode()).hexdigest()[:16]
    for place in sorted(folder.glob(f"{short}-*.strings")):
        _, size, digest = place.stem.split("-")
        there = int(size)
        if len(users) * (1 - _MANY) <= there <= len(users) and digest == _digest(users, columns, there):
            later = make(there, len(users)) if there < len(users) else None
            return Stored(Strings.load(place), later)
        shutil.rmtree(place, ignore_errors=True)
    n = len(users)
    made = join_strings([make(at, min(n, at + _AT_ONCE)) for at in range(0, n, _AT_ONCE)])
    part, place = folder / f"{uuid4()}.part", folder / f"{short}-{n}-{_digest(users, columns, n)}.strings"
    part.mkdir(PRIVATE_FOLDER)
    made.save(part)
    part.rename(place)
    return Stored(Strings.load(place), None)


def _digest(users: UserTable, columns: list[str], n: int) -> str:
    """Of what the first n users hold in some columns."""
    table = users.table(columns).head(n).collect()
    hashes = table.hash_rows() if table.width else pl.Series([n], dtype=pl.UInt64)
    return hashlib.sha256(hashes.to_numpy().tobytes()).hexdigest()[:24]
