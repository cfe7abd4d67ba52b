"""The users of one side of a run, read row by row; and the row of each id."""

import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

from factlink.data.columns import values
from factlink.data.files import stored_kinds
from factlink.explanations.user_names import best_name
from factlink.serve.warm.mapped import made_folder, mapped, one_at_a_time
from factlink.storage.arrays import write_array
from factlink.storage.durable import link_or_copy
from factlink.types import Attribute, Ints, Kind, Network


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """The objects of all users, those of a user together, as bytes that all workers map."""

    users: Ints  # (n_users + 1,) where the objects of each user begin
    starts: Ints  # (n_objects + 1,) where the bytes of each object begin
    letters: npt.NDArray[np.uint8]  # UTF-8

    @classmethod
    def of(cls, column: pl.Series, origin: str) -> "Column":
        """A column of texts, or of lists of texts."""
        rows, objects = values(column, origin)
        users = np.concatenate([[0], np.bincount(rows, minlength=len(column)).cumsum()])
        starts = np.concatenate([[0], objects.str.len_bytes().to_numpy().cumsum(dtype=np.int64)])
        return cls(users, starts, np.frombuffer("".join(objects).encode(), np.uint8))

    def texts(self, row: int) -> list[str]:
        """The objects of one user."""
        return self._between(int(self.users[row]), int(self.users[row + 1]))

    def gather(self, rows: Ints) -> tuple[Ints, list[str]]:
        """The places in `rows` of those who hold something, and what they hold."""
        firsts, counts = self.users[rows], self.users[rows + 1] - self.users[rows]
        within = np.arange(counts.sum()) - np.repeat(counts.cumsum() - counts, counts)
        objects = np.repeat(firsts, counts) + within
        ends = zip(self.starts[objects].tolist(), self.starts[objects + 1].tolist(), strict=True)
        bytes_of = self.letters.data
        texts = [str(bytes_of[first:last], "utf-8") for first, last in ends]
        return np.repeat(np.arange(len(rows), dtype=np.int32), counts), texts

    def _between(self, first: int, last: int) -> list[str]:
        bytes_of = self.letters.data
        return [str(bytes_of[a:b], "utf-8") for a, b in pairwise(self.starts[first : last + 1].tolist())]

    def save(self, folder: Path, name: str) -> None:
        """As files of a folder that is there."""
        for part in _PARTS:
            write_array(folder / f"{name}.{part}.npy", getattr(self, part))

    @classmethod
    def load(cls, folder: Path, name: str) -> "Column":
        """Mapped: only what is asked for is read."""
        return cls(*(mapped(folder / f"{name}.{part}.npy") for part in _PARTS))


_PARTS = ("users", "starts", "letters")


@dataclass(frozen=True, slots=True, eq=False)
class UserTable:
    """Users with all their columns, in files that all workers map."""

    name: str
    kinds: dict[str, Kind]  # by predicate
    columns: Mapping[str, Column]  # by predicate
    users: Column  # the ids
    hashes: Ints  # (n_users,) of the ids, rising
    rows: Ints  # (n_users,) the row of each hash
    file: Path  # all of it as a table

    @classmethod
    def open(cls, home: Path, name: str, folder: Path) -> "UserTable":
        """The users of a network folder; what is mapped is made in `folder` if it is not there."""
        found, kinds = (home / "users.parquet").stat(), dict(stored_kinds(home, name))
        place = folder / f"{home.name}-{found.st_ino}-{found.st_mtime_ns}-{found.st_size}-{_FORM}.users"
        with one_at_a_time(folder):
            for other in folder.glob(f"{home.name}-*.users"):
                if other != place:
                    shutil.rmtree(other, ignore_errors=True)
            if not place.exists():
                with made_folder(place) as part:
                    _save(home, kinds, part)
        columns = {p: Column.load(place, str(at)) for at, p in enumerate(kinds) if (place / f"{at}.users.npy").exists()}
        hashes, rows = (mapped(place / f"{each}.npy") for each in _ARRAYS)
        return cls(name, kinds, columns, Column.load(place, "id"), hashes, rows, place / "users.parquet")

    def __len__(self) -> int:
        return len(self.rows)

    def table(self, columns: Sequence[str]) -> pl.LazyFrame:
        """Some columns of all users, as far as there are such columns."""
        scanned = pl.scan_parquet(self.file)
        return scanned.select([column for column in columns if column == "id" or column in self.columns])

    def rows_of(self, ids: Sequence[str]) -> Ints:
        """The row of each id; −1 for an id that nobody has."""
        wanted = _hashes(ids)
        firsts, lasts = np.searchsorted(self.hashes, wanted), np.searchsorted(self.hashes, wanted, "right")
        found = np.full(len(ids), -1, np.int64)
        for place in range(int((lasts - firsts).max(initial=0))):  # more than one only where hashes meet
            asked = np.flatnonzero((firsts + place < lasts) & (found < 0))
            rows = self.rows[firsts[asked] + place]
            same = [ids[at] == user for at, user in zip(asked.tolist(), self.ids(rows), strict=True)]
            found[asked[same]] = rows[same]
        return found

    def id(self, row: int) -> str:
        """The id of the user in a row."""
        return self.users.texts(row)[0]

    def ids(self, rows: Ints) -> list[str]:
        """The ids in some rows."""
        return self.users.gather(rows)[1]

    def read(self, rows: Ints) -> Network:
        """The users in some rows, without links."""
        attributes = _Attributes(self.kinds, self.columns, rows)
        return Network(self.name, pl.Series("", self.ids(rows), dtype=pl.String), attributes, {})

    def objects(self, row: int) -> dict[str, list[str]]:
        """Everything that is known of one user, by predicate."""
        held = {predicate: column.texts(row) for predicate, column in self.columns.items()}
        return {predicate: texts for predicate, texts in held.items() if texts}

    def texts(self, predicate: str, row: int) -> list[str]:
        """What one user holds in a column."""
        return self.columns[predicate].texts(row) if predicate in self.columns else []

    def shown_name(self, row: int) -> str:
        """The most informative name of a user, or the id."""
        named = [column for predicate, column in self.columns.items() if self.kinds[predicate] is Kind.NAME]
        return best_name([name for column in named for name in column.texts(row)], self.id(row))


class _Attributes(Mapping[str, Attribute]):
    """Columns of some users, each read when it is asked for: most of them are not."""

    def __init__(self, kinds: Mapping[str, Kind], columns: Mapping[str, Column], rows: Ints) -> None:
        self._kinds, self._columns, self._rows = kinds, columns, rows
        self._read: dict[str, Attribute] = {}

    def __getitem__(self, predicate: str) -> Attribute:
        if predicate not in self._read:
            owners, objects = self._columns[predicate].gather(self._rows)
            self._read[predicate] = Attribute(self._kinds[predicate], owners, pl.Series("", objects, dtype=pl.String))
        return self._read[predicate]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)


_ARRAYS = ("hashes", "rows")
_FORM = 2  # changes with the files, so that those of earlier versions are not read


def _hashes(ids: Iterable[str]) -> npt.NDArray[np.uint64]:
    return np.frombuffer(b"".join([blake2b(user.encode(), digest_size=8).digest() for user in ids]), np.uint64)


def _save(home: Path, kinds: Mapping[str, Kind], folder: Path) -> None:
    """The users' columns as bytes that can be mapped, and their rows by the hashes of their ids."""
    origin, table = str(home), pl.read_parquet(home / "users.parquet")
    Column.of(table["id"], origin).save(folder, "id")
    for at, predicate in enumerate(kinds):
        if predicate in table.columns:
            Column.of(table[predicate], origin).save(folder, str(at))
    hashes = _hashes(table["id"])
    order = np.argsort(hashes, kind="stable")
    for name, array in zip(_ARRAYS, (hashes[order], order), strict=True):
        write_array(folder / f"{name}.npy", array)
    link_or_copy(home / "users.parquet", folder / "users.parquet")
