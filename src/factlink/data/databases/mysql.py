"""MySQL and MariaDB through PyMySQL, with a cursor that leaves the rows on the server until they are fetched."""

from contextlib import closing
from typing import Any
from urllib.parse import urlsplit

import polars as pl
import pymysql
import pymysql.cursors

from factlink.data.databases.rows import frame_from_rows
from factlink.data.databases.urls import DatabaseUrl
from factlink.errors import InputError

_OPTIONS = {"charset": str, "connect_timeout": int, "ssl_ca": str, "ssl_cert": str, "ssl_key": str, "unix_socket": str}


def errors() -> tuple[type[BaseException], ...]:
    """What the package raises."""
    return (pymysql.MySQLError, RuntimeError)


def connect(url: DatabaseUrl, writing: bool) -> "MySql":
    """A connection to the server."""
    if writing:
        raise InputError(
            "tables are written to PostgreSQL, SQLite and DuckDB only; export to one of them, or to a file"
        )
    server = urlsplit(f"//{url.host}")
    connection = pymysql.connect(
        host=server.hostname or "localhost",
        port=server.port or 3306,
        user=url.user or None,
        password=url.password,
        database=url.database or None,
        **_options(url),
    )
    return MySql(connection)


class MySql:
    """One connection."""

    mark = "`"

    def __init__(self, connection: "pymysql.Connection[pymysql.cursors.Cursor]") -> None:
        self._connection = connection

    def begin(self) -> None:
        """Times are given in UTC."""
        with self._connection.cursor() as cursor:
            cursor.execute("SET time_zone = '+00:00'")
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            cursor.execute("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY")

    def tables(self) -> list[str]:
        """Tables and views of the database."""
        with self._connection.cursor() as cursor:
            cursor.execute("SHOW TABLES")
            return sorted(name for (name,) in cursor.fetchall())

    def read(self, query: str) -> pl.DataFrame:
        """The rows of a query."""
        with closing(self._connection.cursor(pymysql.cursors.SSCursor)) as cursor:
            cursor.execute(query)
            return frame_from_rows(cursor, "the query")

    def write(self, table: str, frame: pl.DataFrame) -> None:
        """Never called: `connect` refuses to write."""
        raise NotImplementedError

    def drop(self, table: str) -> None:
        """Never called: `connect` refuses to write."""
        raise NotImplementedError

    def close(self) -> None:
        """Ends the connection."""
        self._connection.close()


def _options(url: DatabaseUrl) -> dict[str, Any]:
    given: dict[str, Any] = {"charset": "utf8mb4"}
    for name, value in url.options.items():
        if name not in _OPTIONS:
            there = ", ".join([*_OPTIONS, "users", "links"])
            raise InputError(f"{url.shown()} has a parameter that is not known: '{name}'; there are: {there}")
        try:
            given[name] = _OPTIONS[name](value)
        except ValueError:
            raise InputError(f"{url.shown()}: {name} is not a number; give seconds") from None
    return given
