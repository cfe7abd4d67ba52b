"""DuckDB, as Arrow. Types that polars does not know come as text."""

import re
from collections.abc import Mapping
from pathlib import Path

import duckdb
import polars as pl

from factlink.data.databases.queries import inner, quoted, quoted_table
from factlink.data.databases.rows import ROWS_AT_ONCE, column_names
from factlink.data.databases.urls import DatabaseUrl
from factlink.errors import InputError

_AS_TEXT = re.compile(r"\b(?:U?HUGEINT|UUID|INTERVAL|BIT|JSON|TIME WITH TIME ZONE|TIMETZ|VARINT|BIGNUM|ENUM|UNION)\b")
_FINITE = re.compile(r"DATE|TIMESTAMP.*")
_NO_DOWNLOADS: Mapping[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}
_TABLES = "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema() ORDER BY table_name"


def errors() -> tuple[type[BaseException], ...]:
    """What the package raises."""
    return (duckdb.Error,)


def connect(url: DatabaseUrl, writing: bool) -> "DuckDb":
    """The database in a file, or one in memory whose queries read files."""
    in_memory = url.database in ("", ":memory:")
    if not in_memory and not writing and not Path(url.database).is_file():
        raise InputError(
            f"there is no file {url.database}; check the path (three slashes before a path, four if it begins /)"
        )
    read_only = not writing and not in_memory
    return DuckDb(duckdb.connect(url.database or ":memory:", read_only=read_only, config=dict(_NO_DOWNLOADS)))


class DuckDb:
    """One open database."""

    mark = '"'

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def begin(self) -> None:
        """Times are given in UTC."""
        self._connection.execute("SET TimeZone = 'UTC'")
        self._connection.execute("BEGIN")

    def tables(self) -> list[str]:
        """Tables and views."""
        return [name for (name,) in self._connection.execute(_TABLES).fetchall()]

    def read(self, query: str) -> pl.DataFrame:
        """The rows of a query."""
        relation = self._connection.sql(query)
        if relation is None:
            raise InputError("the query gives no rows; write a query that does, like SELECT … FROM …")
        names = column_names(relation.columns, "the query")
        columns = [_column(name, str(dtype)) for name, dtype in zip(names, relation.types, strict=True)]
        found = self._connection.sql(f"SELECT {', '.join(columns)} FROM (\n{inner(query)}) AS found")
        return pl.DataFrame(found.to_arrow_reader(ROWS_AT_ONCE))

    def write(self, table: str, frame: pl.DataFrame) -> None:
        """Columns keep their types."""
        self._connection.register("frame_to_write", frame.to_arrow(compat_level=pl.CompatLevel.oldest()))
        target = quoted_table(table, self.mark)
        self._connection.execute(f"CREATE TABLE {target} AS SELECT * FROM frame_to_write")
        self._connection.execute("COMMIT")

    def drop(self, table: str) -> None:
        """Gone when the new one is written."""
        self._connection.execute(f"DROP TABLE IF EXISTS {quoted_table(table, self.mark)}")

    def close(self) -> None:
        """Closes the file."""
        self._connection.close()


def _column(name: str, dtype: str) -> str:
    column = quoted(name, '"')
    if _AS_TEXT.search(dtype):
        return f"CAST({column} AS VARCHAR{'[]' * dtype.count('[]')}) AS {column}"
    if _FINITE.fullmatch(dtype):
        return f"CASE WHEN isfinite({column}) THEN {column} END AS {column}"
    return column
