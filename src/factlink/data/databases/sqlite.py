"""SQLite, with what Python brings along. Cells have types, columns do not: a column of several types is text."""

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from factlink.data.columns import texts
from factlink.data.databases.queries import quoted, quoted_table
from factlink.data.databases.rows import ROWS_AT_ONCE, frame_from_rows
from factlink.data.databases.urls import DatabaseUrl
from factlink.errors import InputError

_TABLES = "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite!_%' ESCAPE '!'"


def errors() -> tuple[type[BaseException], ...]:
    """What the module raises."""
    return (sqlite3.Error, sqlite3.Warning)


def connect(url: DatabaseUrl, writing: bool) -> "Sqlite":
    """The database in a file; only writing makes a new one."""
    path = Path(url.database)
    if not writing and not path.is_file():
        raise InputError(f"there is no file {path}; check the path (three slashes before a path, four if it begins /)")
    mode = "rwc" if writing else "ro"
    return Sqlite(sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True, isolation_level=None))


class Sqlite:
    """One open file."""

    mark = '"'

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def begin(self) -> None:
        """What a foreign file defines may not call functions that could do harm."""
        self._connection.execute("PRAGMA trusted_schema = OFF")
        self._connection.execute("BEGIN")
        self._connection.execute("SELECT 1 FROM sqlite_schema")  # only now is the file looked at

    def tables(self) -> list[str]:
        """Tables and views."""
        return [name for (name,) in self._connection.execute(f"{_TABLES} ORDER BY name")]

    def read(self, query: str) -> pl.DataFrame:
        """The rows of a query."""
        return frame_from_rows(self._connection.execute(query), "the query")

    def write(self, table: str, frame: pl.DataFrame) -> None:
        """Numbers as numbers, lists as JSON, all else as text."""
        columns = ", ".join(f"{quoted(name, self.mark)} {_type(dtype)}".strip() for name, dtype in frame.schema.items())
        target = quoted_table(table, self.mark)
        self._connection.execute(f"CREATE TABLE {target} ({columns})")
        places = ", ".join("?" * frame.width)
        for rows in _batches(frame):
            self._connection.executemany(f"INSERT INTO {target} VALUES ({places})", rows)
        self._connection.execute("COMMIT")

    def drop(self, table: str) -> None:
        """Gone when the new one is written."""
        self._connection.execute(f"DROP TABLE IF EXISTS {quoted_table(table, self.mark)}")

    def close(self) -> None:
        """Closes the file."""
        self._connection.close()


def _type(dtype: pl.DataType) -> str:
    if dtype.is_integer() or dtype == pl.Boolean:
        return "INTEGER"
    return "REAL" if dtype.is_float() else "TEXT"


def _batches(frame: pl.DataFrame) -> Iterator[list[tuple[object, ...]]]:
    for part in frame.iter_slices(ROWS_AT_ONCE):
        yield part.select(_storable(column) for column in part).rows()


def _storable(column: pl.Series) -> pl.Series:
    if isinstance(column.dtype, pl.List | pl.Array):
        lists = column.to_list()
        cells = [None if items is None else json.dumps(items, ensure_ascii=False, default=str) for items in lists]
        return pl.Series(column.name, cells, dtype=pl.String)
    if column.dtype.is_integer() or column.dtype.is_float() or column.dtype == pl.Boolean:
        return column
    return texts(column, "the table to write").alias(column.name)
