"""The users of one side of a run, read row by row; and the row of each id."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from factlink.data.files import stored_kinds
from factlink.data.frames import ReadOptions, Tables, reading_from_tables
from factlink.explanations.user_names import best_name
from factlink.types import Ints, Kind, Network


@dataclass(frozen=True, slots=True, eq=False)
class UserTable:
    """Users with all their columns."""

    name: str
    table: pl.DataFrame
    kinds: dict[str, Kind]  # by predicate
    hashes: Ints  # (n_users,) of the ids, rising
    rows: Ints  # (n_users,) the row of each hash

    @classmethod
    def open(cls, home: Path, name: str) -> "UserTable":
        """The users of a network folder."""
        table = pl.read_parquet(home / "users.parquet").rechunk()
        hashes = table["id"].hash().to_numpy()
        order = np.argsort(hashes, kind="stable")
        return cls(name, table, dict(stored_kinds(home, name)), hashes[order], order)

    def __len__(self) -> int:
        return self.table.height

    def rows_of(self, ids: Sequence[str]) -> Ints:
        """The row of each id; −1 for an id that nobody has."""
        wanted = pl.Series("id", ids, dtype=pl.String)
        places = np.minimum(np.searchsorted(self.hashes, wanted.hash().to_numpy()), max(0, len(self) - 1))
        found = np.full(len(wanted), -1, np.int64)
        for at, user in enumerate(wanted):
            place = int(places[at])
            while place < len(self) and self.hashes[place] == self.hashes[places[at]]:
                if self.table["id"][int(self.rows[place])] == user:
                    found[at] = self.rows[place]
                    break
                place += 1
        return found

    def ids(self, rows: Ints) -> list[str]:
        """The ids in some rows."""
        return [str(user) for user in self.table["id"].gather(rows)]

    def read(self, rows: Ints) -> Network:
        """The users in some rows, without links."""
        some = self.table[rows]
        kinds = {predicate: kind for predicate, kind in self.kinds.items() if predicate in some.columns}
        return reading_from_tables(self.name, Tables(some), ReadOptions(kinds, False)).network

    def objects(self, row: int) -> dict[str, list[str]]:
        """Everything that is known of one user, by predicate."""
        found = self.table.row(row, named=True)
        return {predicate: _as_list(found[predicate]) for predicate in self.kinds if found.get(predicate) is not None}

    def shown_name(self, row: int) -> str:
        """The most informative name of a user, or the id."""
        objects = self.objects(row)
        names = [name for predicate, held in objects.items() if self.kinds[predicate] is Kind.NAME for name in held]
        return best_name(names, str(self.table["id"][row]))


def _as_list(found: object) -> list[str]:
    return [str(each) for each in found if each is not None] if isinstance(found, list) else [str(found)]
