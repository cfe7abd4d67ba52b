"""One network of a run, ready for questions about single users."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

import numpy as np
import polars as pl

from factlink.errors import InputError
from factlink.explanations.user_names import best_name
from factlink.types import Ints, Kind

Side = Literal["left", "right"]


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours:
    """Who follows or is followed by whom: `users[starts[row]:starts[row + 1]]`, each once."""

    starts: Ints  # (n_users + 1,)
    users: Ints  # (n_ends,)

    def of(self, row: int) -> Ints:
        """The rows of a user's neighbours."""
        return self.users[self.starts[row] : self.starts[row + 1]]

    def counts(self) -> Ints:
        """How many neighbours each user has."""
        return np.diff(self.starts)


class Accounts:
    """The users of one network with what they show; asking for one user costs the same in any network."""

    def __init__(self, side: Side, name: str, folder: Path) -> None:
        self.side, self.name, self.folder = side, name, folder
        self.table = pl.read_parquet(folder / "users.parquet")
        self.users = self.table["id"]
        stored = json.loads((folder / "kinds.json").read_text("utf-8"))
        self.kinds: Mapping[str, Kind] = {predicate: Kind(kind) for predicate, kind in stored.items()}

    def __len__(self) -> int:
        return self.table.height

    def row_of(self, user: str) -> int:
        """The row of one user."""
        row = int(self.rows_of(pl.Series([user]))[0])
        if row < 0:
            raise InputError(f"network '{self.name}' has no user '{user[:80]}'; ids are matched exactly")
        return row

    def rows_of(self, users: pl.Series) -> Ints:
        """The row of each user, −1 for none; the cost depends on their number, not on the network's size."""
        rows = np.full(len(users), -1, np.int32)
        hashes, order = self._by_hash
        asked = users.hash().to_numpy()
        places = np.searchsorted(hashes, asked)
        left = np.flatnonzero(users.is_not_null().to_numpy())
        while len(left):
            left = left[places[left] < len(hashes)]
            left = left[hashes[places[left]] == asked[left]]
            found = order[places[left]]
            same = (self.users.gather(found) == users.gather(left)).to_numpy()
            rows[left[same]] = found[same]
            left = left[~same]
            places[left] += 1
        return rows

    def objects(self, row: int) -> dict[str, list[str]]:
        """What a user shows, by predicate."""
        shown = {}
        for predicate in self.kinds:
            found = self.table[predicate][row]
            shown[predicate] = [] if found is None else [found] if isinstance(found, str) else found.to_list()
        return shown

    def called(self, row: int) -> str:
        """The most informative name, of several words if there is one; or the id."""
        objects = self.objects(row)
        names = [name for predicate, kind in self.kinds.items() if kind is Kind.NAME for name in objects[predicate]]
        return best_name(names, self.users[row])

    def names(self, rows: Ints) -> pl.DataFrame:
        """Columns row and name: all names of some users, in lower case."""
        frames = [
            _one_a_row(pl.DataFrame({"row": rows, "name": self.table[predicate].gather(rows)}))
            for predicate, kind in self.kinds.items()
            if kind is Kind.NAME
        ]
        empty = pl.DataFrame(schema={"row": pl.Int64, "name": pl.String})
        named = pl.concat([empty, *(frame.cast({"row": pl.Int64}) for frame in frames)])
        return named.drop_nulls().with_columns(pl.col("name").str.to_lowercase()).unique(maintain_order=True)

    def pictures(self, row: int) -> list[str]:
        """The paths of a user's pictures, as the network gives them."""
        objects = self.objects(row)
        return [path for predicate, kind in self.kinds.items() if kind is Kind.IMAGE for path in objects[predicate]]

    def search(self, text: str, limit: int) -> list[int]:
        """Users whose id or name contains the text: the exact id first, then those with a word that begins so."""
        names = [name for name, kind in self.kinds.items() if kind is Kind.NAME]
        columns = [
            column.str.to_lowercase() for column in (pl.col("id"), *(_texts(self.table[name]) for name in names))
        ]
        begins = rf"(?:^|[^\pL\pN]){pl.escape_regex(text.lower())}"
        ways = [
            [column.str.contains(begins) for column in columns],
            [column.str.contains(text.lower(), literal=True) for column in columns],
        ]
        found = [self.table.select(pl.any_horizontal(way)).to_series().arg_true().head(limit) for way in ways]
        exact = self.users.is_in([text]).arg_true()
        return list(dict.fromkeys([*exact, *found[0], *found[1]]))[:limit]

    def owners(self, predicate: str) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """(n_users,) who shows an object of a predicate."""
        if predicate not in self.table.columns:
            return np.zeros(len(self), np.bool_)
        return self.table[predicate].is_not_null().to_numpy()

    @cached_property
    def neighbours(self) -> Neighbours:
        """Links of all predicates, whichever way they point."""
        path = self.folder / "links.parquet"
        if not path.exists():
            return Neighbours(np.zeros(len(self) + 1, np.int64), np.empty(0, np.int32))
        links = pl.read_parquet(path, columns=["source", "target"])
        followers, followees = (self.rows_of(links[end]) for end in ("source", "target"))
        return _neighbours(np.r_[followers, followees], np.r_[followees, followers], len(self))

    @cached_property
    def _by_hash(self) -> tuple[Ints, Ints]:
        """The users' hashes, sorted, and their rows."""
        hashes = self.users.hash().to_numpy()
        order = np.argsort(hashes)
        return hashes[order], order


def _neighbours(rows: Ints, others: Ints, n: int) -> Neighbours:
    from scipy.sparse import coo_array

    graph = coo_array((np.ones(len(rows), np.int8), (rows, others)), shape=(n, n)).tocsr()
    return Neighbours(graph.indptr, graph.indices)


def _texts(column: pl.Series) -> pl.Expr:
    name = pl.col(column.name)
    return name.list.join(" ") if isinstance(column.dtype, pl.List) else name


def _one_a_row(named: pl.DataFrame) -> pl.DataFrame:
    return named.explode("name") if isinstance(named["name"].dtype, pl.List) else named
