"""Names and texts of a side in Latin letters, made once for a run and mapped by all workers.

The folder of a digest holds the strings of the users that were there first. Those of users who came later are in
memory: they are few, or the folder is made anew.
"""

import hashlib
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np
import polars as pl
from scipy.sparse import csr_matrix, vstack

from factlink.encoders.ngrams.rows import Grams
from factlink.encoders.ngrams.spaces import GramSpace
from factlink.encoders.readings.written import ReadingRules
from factlink.encoders.transliteration import PackedStrings
from factlink.evidence import ChannelWeight
from factlink.linkers.factoid.state.state import FactoidState, NameState
from factlink.linkers.factoid.written.owned_names import own_names
from factlink.linkers.factoid.written.packed_names import EVERY_FAMILY, PackedNames
from factlink.linkers.factoid.written.versions import Versions
from factlink.serve.warm.comparing import StoredNames
from factlink.serve.warm.mapped import made_folder, one_at_a_time
from factlink.serve.warm.named import Named
from factlink.serve.warm.strings import Strings
from factlink.serve.warm.users import UserTable
from factlink.types import Ints

_AT_ONCE = 20_000  # users whose strings are made together
_MANY = 0.1  # users who came later, as a share of those who were there first
_NO_FAMILY = np.empty(0, np.int64)

S = TypeVar("S", Named, Strings)

Make = Callable[[int, int], S]
"""What is kept of the users from one row to another."""


@dataclass(frozen=True, slots=True, eq=False)
class PreparedSide:
    """What `linkers.factoid` asks of a side while it places users of the other one; users who came later are a part."""

    named: tuple[Named, ...]
    stored_texts: Mapping[str, tuple[Strings, ...]]  # by predicate

    def name_channel(
        self, weighting: ChannelWeight, asked: tuple[Versions, Ints], space: GramSpace, rows: Ints
    ) -> StoredNames:
        """Names of new users beside those of users in some rows."""
        nothing = np.empty((0, 0), np.float32)
        versions, buckets = asked
        return StoredNames(
            weighting, nothing, nothing, versions=versions, buckets=buckets, space=space, parts=self.named, rows=rows
        )

    def rows(self, users: Ints, space: GramSpace) -> csr_matrix:
        """(n, n_buckets): n-grams of the names of users in some rows, rising, as written."""
        found: list[csr_matrix] = []
        for at in range(0, len(users), _AT_ONCE):
            some, first = users[at : at + _AT_ONCE], 0
            for part in self.named:
                mine = some[(some >= first) & (some < first + len(part))]
                found.append(part.written(mine - first, space))
                first += len(part)
        return vstack(found, format="csr")

    def texts(self, predicate: str, rows: Ints) -> tuple[Ints, PackedStrings] | None:
        """Whose each text is, and the texts, of users in some rows, rising."""
        if predicate not in self.stored_texts:
            return None
        first, *later = self.stored_texts[predicate]
        if not later or not len(rows) or rows[-1] < len(first):
            return first.gather(rows)
        split = int(np.searchsorted(rows, len(first)))
        (owners, texts), (more, others) = first.gather(rows[:split]), later[0].gather(rows[split:] - len(first))
        strings = PackedStrings(
            np.concatenate([texts.letters, others.letters]),
            np.concatenate([texts.starts, texts.starts[-1] + others.starts[1:]]),
        )
        return np.concatenate([owners, split + more]), strings


def prepare_side(users: UserTable, side: int, state: FactoidState, folder: Path) -> PreparedSide:
    """Opens what was prepared for a side, or makes it."""
    names, texts = state.names, dict[str, tuple[Strings, ...]]()
    with one_at_a_time(folder):
        named: tuple[Named, ...] = ()
        if names is not None:
            key = f"names {side} {dict(names.weights[side])} {names.rules} {names.space.grams}"
            make = partial(_names, users, names, side)
            named = _stored(Named, (users, list(names.weights[side])), key, make, folder)
        for attribute in state.attributes:
            predicate, encoder = attribute.predicates[side], attribute.encoder
            if isinstance(encoder, GramSpace) and predicate not in texts:
                texts[predicate] = _text_column(users, side, predicate, encoder.grams, folder)
    return PreparedSide(named, texts)


def _text_column(users: UserTable, side: int, predicate: str, grams: Grams, folder: Path) -> tuple[Strings, ...]:
    def make(first: int, last: int) -> Strings:
        owned = own_names(users.read(np.arange(first, last)), {predicate: 1.0})
        packed = PackedNames.of(owned, ReadingRules(none=True), grams, _NO_FAMILY)
        return Strings.of(packed.strings, packed.owners, last - first)

    return _stored(Strings, (users, [predicate]), f"texts {side} {predicate} {grams}", make, folder)


def _names(users: UserTable, names: NameState, side: int, first: int, last: int) -> Named:
    owned = own_names(users.read(np.arange(first, last)), names.weights[side])
    return Named.of(PackedNames.of(owned, names.rules, names.space.grams, np.array(EVERY_FAMILY)))


def _stored(
    kind: type[S], columns: tuple[UserTable, list[str]], key: str, make: Make[S], folder: Path
) -> tuple[S, ...]:
    """The folder whose digest is that of the first users as they are now, or a new one; and users who came later."""
    short, (users, names) = hashlib.sha256(f"{_FORM} {key}".encode()).hexdigest()[:16], columns
    n = len(users)
    for place in sorted(folder.glob(f"{short}-*.strings")):
        _, size, digest = place.stem.split("-")
        there = int(size)
        if n * (1 - _MANY) <= there <= n and digest == _digest(users, names, there):
            return (kind.load(place), make(there, n)) if there < n else (kind.load(place),)
        shutil.rmtree(place, ignore_errors=True)
    made = kind.join([make(at, min(n, at + _AT_ONCE)) for at in range(0, n, _AT_ONCE)])
    place = folder / f"{short}-{n}-{_digest(users, names, n)}.strings"
    with made_folder(place) as part:
        made.save(part)
    return (kind.load(place),)


_FORM = 2
"""Changes with the files of a folder, so that those of earlier versions are not read."""


def _digest(users: UserTable, columns: list[str], n: int) -> str:
    """Of what the first n users hold in some columns."""
    table = users.table(columns).head(n).collect()
    hashes = table.hash_rows() if table.width else pl.Series([n], dtype=pl.UInt64)
    return hashlib.sha256(hashes.to_numpy().tobytes()).hexdigest()[:24]
