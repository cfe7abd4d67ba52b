"""How long it takes to read a network from each database, and how much memory.

    python benchmarks/database_read.py --rows 1000000

Starts servers of its own on loopback, fills a table of users and one of links with as many rows, reads both in a new
process and makes the network of them. Writes `results/database_read.json`.
"""

import argparse
import json
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import duckdb
from machine import ROOT, Row, made_by, made_up, peak_memory_gb, write_result
from pages import Block, fill_pages, read_result, table

from factlink.data.databases.reading import read_database
from factlink.data.frames import ReadOptions, reading_from_tables

sys.path.insert(0, str(ROOT))

from tests.servers import Server, private_mariadb, private_postgresql, program

USERS = """CREATE TABLE users AS SELECT i AS id, {handle} AS username, {name} AS name, 'x@example.org' AS bio
    FROM {numbers}"""
LINKS = "CREATE TABLE links AS SELECT i AS source, (i * 7919) % {rows} AS target FROM {numbers}"
HANDLES = {"handle": "'user_' || i", "name": "'Name ' || (i % 1000) || ' Family ' || (i % 77777)"}
JOINED = {"handle": "concat('user_', i)", "name": "concat('Name ', i % 1000, ' Family ', i % 77777)"}
SQLITE_NUMBERS = (
    "(WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {rows}) SELECT i FROM n)"
)
NAMES = {"postgresql": "PostgreSQL", "mysql": "MariaDB", "sqlite": "SQLite", "duckdb": "DuckDB"}


def main() -> None:
    """Measures every database that is here, or one in this process."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--url", help="read this address once and print what it took")
    options = parser.parse_args()
    if options.url:
        print(json.dumps(measure(options.url)))
        return
    rows = []
    for filled in (in_postgresql, in_mariadb, in_sqlite, in_duckdb):
        with filled(options.rows) as url:
            row = measured(url, options.rows)
        rows.append(row)
        print({key: value for key, value in row.items() if key != "made"}, flush=True)
    write_result("database_read", rows, ["adbc-driver-postgresql", "duckdb", "polars", "pyarrow", "pymysql"])
    fill_pages(blocks())


def measured(url: str, n_rows: int) -> Row:
    """One database, read in a process of its own."""
    command = [sys.executable, __file__, "--url", url]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    system = url.partition(":")[0]
    entries = ["factlink.data.databases.reading", f"factlink.data.databases.{system}"]
    return {
        "system": NAMES[system],
        "rows": n_rows,
        **json.loads(done.stdout),
        "made": made_by(entries, made_up(f"{n_rows:,} users with three columns, {n_rows:,} links")),
    }


def measure(url: str) -> Row:
    """Seconds to tables, seconds from tables to the network, and the most memory that was held."""
    before = peak_memory_gb()
    start, worked = time.perf_counter(), time.process_time()
    found = read_database(url, "forum")
    read, worked = time.perf_counter(), time.process_time() - worked
    after = peak_memory_gb()
    network = reading_from_tables("forum", found.tables, ReadOptions({}, False)).network
    end = time.perf_counter()
    assert found.tables.links is not None
    size = found.tables.users.estimated_size() + found.tables.links.estimated_size()
    return {
        "users": len(network),
        "seconds_read": round(read - start, 2),
        "processor_seconds_read": round(worked, 2),
        "seconds_network": round(end - read, 2),
        "tables_gb": round(size / 2**30, 3),
        "start_memory_gb": round(before, 3),
        "peak_memory_after_reading_gb": round(after, 3),
        "peak_memory_gb": round(peak_memory_gb(), 3),
    }


@contextmanager
def in_postgresql(rows: int) -> Iterator[str]:
    """Tables on a PostgreSQL server."""
    import adbc_driver_postgresql.dbapi as adbc

    def run(server: Server, statements: list[str]) -> None:
        with adbc.connect(server.url(), autocommit=True) as connection, connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)

    with private_postgresql() as server:
        run(server, statements(rows, f"generate_series(0::bigint, {rows - 1}) AS n(i)", HANDLES))
        yield server.url()


@contextmanager
def in_mariadb(rows: int) -> Iterator[str]:
    """Tables on a MariaDB server."""
    import pymysql
    from tests.servers import PASSWORD, USER

    if program("mariadb-install-db") is None:
        raise SystemExit("no MariaDB server is installed: apt-get install mariadb-server")
    with private_mariadb() as server:
        login = {"host": "127.0.0.1", "user": USER, "password": PASSWORD, "database": "forum"}
        with pymysql.connect(port=server.port, autocommit=True, **login) as connection, connection.cursor() as cursor:
            for statement in statements(rows, f"(SELECT seq AS i FROM seq_0_to_{rows - 1}) AS n", JOINED):
                cursor.execute(statement)
        yield server.url()


@contextmanager
def in_sqlite(rows: int) -> Iterator[str]:
    """Tables in a file of SQLite."""
    with _in_file(sqlite3.connect, rows, "sqlite", SQLITE_NUMBERS.format(rows=rows)) as url:
        yield url


@contextmanager
def in_duckdb(rows: int) -> Iterator[str]:
    """Tables in a file of DuckDB."""
    with _in_file(duckdb.connect, rows, "duckdb", f"range({rows}) AS n(i)") as url:
        yield url


@contextmanager
def _in_file(
    connect: Callable[[Path], sqlite3.Connection | duckdb.DuckDBPyConnection], rows: int, system: str, numbers: str
) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "forum.db"
        with closing(connect(path)) as connection:
            for statement in statements(rows, numbers, HANDLES):
                connection.execute(statement)
            connection.commit() if system == "sqlite" else None
        yield f"{system}:///{path}"


def statements(rows: int, numbers: str, spelling: dict[str, str]) -> list[str]:
    """SQL that fills both tables."""
    return [USERS.format(numbers=numbers, **spelling), LINKS.format(rows=rows, numbers=numbers)]


def blocks() -> list[Block]:
    """What reading costs, as a table."""
    result = read_result("database_read")
    lines = [result.line(row["system"], [(cell, row) for cell in cells(row)]) for row in result.rows]
    head = ["database", "users + links", "processor time", "memory", "wall time", "then the network", "memory"]
    return [Block("docs/databases.md", "reading: benchmarks/database_read.py", table(head, lines, result.note()))]


def cells(row: Row) -> list[str]:
    """One line of the table; memory is the most that the process held until then."""
    return [
        f"{row['rows']:,} + {row['rows']:,}",
        f"{row['processor_seconds_read']:.1f} s",
        f"{row['peak_memory_after_reading_gb'] * 1024:.0f} MB",
        f"{row['seconds_read']:.0f} s",
        f"{row['seconds_network']:.0f} s",
        f"{row['peak_memory_gb'] * 1024:.0f} MB",
    ]


if __name__ == "__main__":
    main()
