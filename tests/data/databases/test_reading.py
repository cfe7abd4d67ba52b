"""The same small forum in every database is read as the same network."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import adbc_driver_postgresql.dbapi
import duckdb
import polars as pl
import pymysql
import pytest

from factlink.data.databases import read
from factlink.data.databases.rows import ROWS_AT_ONCE
from factlink.data.frames import ReadOptions, reading_from_tables
from factlink.data.protocol import Found, SourceOptions
from factlink.errors import InputError, MissingExtraError
from tests.servers import PASSWORD, USER, Server

SYSTEMS = ("sqlite", "duckdb", "postgresql", "mariadb")
Setup = Callable[..., str]
"""Runs statements in an empty database of a system; gives its address."""


@pytest.fixture(params=SYSTEMS)
def setup(request: pytest.FixtureRequest, tmp_path: Path) -> Setup:
    if request.param in ("postgresql", "mariadb"):
        server: Server = request.getfixturevalue(request.param)
        return lambda *statements: (_run_on(server, statements), server.url())[1]
    return lambda *statements: _run_in_file(request.param, tmp_path / "forum.db", statements)


def _run_in_file(system: str, path: Path, statements: tuple[str, ...]) -> str:
    connection = duckdb.connect(path) if system == "duckdb" else sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit() if system == "sqlite" else None
    connection.close()
    return f"{system}:///{path}"


def _run_on(server: Server, statements: tuple[str, ...]) -> None:
    clean = ("DROP TABLE IF EXISTS users", "DROP TABLE IF EXISTS links", "DROP TABLE IF EXISTS accounts")
    if server.system == "mysql":
        connection = pymysql.connect(
            host="127.0.0.1", port=server.port, user=USER, password=PASSWORD, database="forum", autocommit=True
        )
    else:
        connection = adbc_driver_postgresql.dbapi.connect(server.url(), autocommit=True)
    with connection, connection.cursor() as cursor:
        for statement in (*clean, *statements):
            cursor.execute(statement)


def found(url: str, parameters: str = "") -> Found:
    return read(url + parameters, SourceOptions("forum"))


USERS = (
    "CREATE TABLE users (id BIGINT, name VARCHAR(40), score DECIMAL(8,3), height DOUBLE PRECISION, born DATE)",
    "INSERT INTO users VALUES (9007199254740993, 'Ämy ☃', 1.500, 7, '1990-02-03'), (2, NULL, NULL, 0.1, NULL)",
)
LINKS = ("CREATE TABLE links (source BIGINT, target BIGINT)", "INSERT INTO links VALUES (2, 9007199254740993)")


def test_columns_become_the_values_that_frames_give(setup: Setup) -> None:
    source = found(setup(*USERS, *LINKS))
    network = reading_from_tables("forum", source.tables, ReadOptions({}, False)).network
    assert network.users.to_list() == ["9007199254740993", "2"]
    held = {name: attribute.objects.to_list() for name, attribute in network.attributes.items()}
    assert held == {"name": ["Ämy ☃"], "score": ["1.5"], "height": ["7", "0.1"], "born": ["1990-02-03"]}
    assert [(int(a), int(b)) for a, b in zip(*_ends(network.links["follows"]), strict=True)] == [(1, 0)]


def _ends(follows: object) -> tuple[list[int], list[int]]:
    return follows.followers.tolist(), follows.followees.tolist()  # type: ignore[attr-defined]


def test_notes_say_what_was_read_and_from_where(setup: Setup) -> None:
    notes = found(setup(*USERS, *LINKS)).notes
    assert [note.rpartition(": ")[2] for note in notes] == ["2 users from table users", "1 links from table links"]
    assert not any("s3cr" in note for note in notes)


def test_links_are_optional_and_their_absence_is_said(setup: Setup) -> None:
    source = found(setup(*USERS))
    assert source.tables.links is None
    assert source.notes[1] == "no links were read: name their table with &links=TABLE (tables found: users)"


def test_a_query_in_place_of_a_table(setup: Setup) -> None:
    query = quote("SELECT id, upper(name) AS handle FROM users WHERE name IS NOT NULL ORDER BY id; ")
    source = found(setup(*USERS), f"?users={query}&links=SELECT+2+AS+follower,+id+AS+followee+FROM+users")
    assert source.tables.users.columns == ["id", "handle"]
    assert source.tables.users.height == 1
    assert source.tables.links is not None
    assert source.tables.links.columns == ["follower", "followee"]
    assert source.tables.users_name == "the query of users"


def test_an_empty_table_keeps_its_columns(setup: Setup) -> None:
    source = found(setup("CREATE TABLE users (id BIGINT, name VARCHAR(40))"))
    assert source.tables.users.columns == ["id", "name"]
    assert source.tables.users.is_empty()


def test_many_batches_are_one_table(setup: Setup) -> None:
    """Twice the batch and one row; in the last batch of SQLite the type changes."""
    n = 2 * ROWS_AT_ONCE + 1
    digits = " CROSS JOIN ".join(f"digits AS d{place}" for place in range(6))
    number = " + ".join(f"d{place}.d * {10**place}" for place in range(6))
    ten = "SELECT 0 AS d" + "".join(f" UNION ALL SELECT {d}" for d in range(1, 10))
    query = f"WITH digits AS ({ten}), n AS (SELECT {number} AS id FROM {digits}) SELECT id FROM n WHERE id < {n}"
    source = found(setup(*USERS), f"?users={quote(query)}")
    assert source.tables.users["id"].cast(pl.Int64).sum() == n * (n - 1) // 2
    assert source.tables.users["id"].n_unique() == n


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ("?users=people", r"network 'forum': \S+ has no table 'people' \(users=\); there are: links, users$"),
        ("?users=users&links=follows", r"has no table 'follows' \(links=\); there are: links, users$"),
        ("?users=", r"users= in \S+ is empty; name a table or write a query"),
        ("?users=SELECT+*+FROM+nowhere", r"nowhere.*; check the query$"),
        ("?users=SELECT+id+FROM+users+WHERE", r"; check the query$"),
        ("?users=SELECT+id+AS+a,+name+AS+a+FROM+users", r"gives two columns 'a'; name one of them otherwise"),
        ("?users=WITH+gone+AS+(DELETE+FROM+users+RETURNING+id)+SELECT+id+FROM+gone", r"; check the query$"),
    ],
)
def test_errors_in_one_sentence(setup: Setup, parameters: str, message: str) -> None:
    url = setup(*USERS, *LINKS)
    with pytest.raises(InputError, match=message) as caught:
        found(url, parameters)
    assert "s3cr" not in str(caught.value)
    assert found(url).tables.users.height == 2


def test_no_table_of_users(setup: Setup) -> None:
    with pytest.raises(InputError, match=r"has no table 'users'; name the .* \(tables found: accounts\)$"):
        found(setup("CREATE TABLE accounts (id BIGINT)"))


@pytest.mark.parametrize("system", ["postgresql", "mariadb"])
def test_a_wrong_password_is_not_shown(system: str, request: pytest.FixtureRequest) -> None:
    server: Server = request.getfixturevalue(system)
    with pytest.raises(InputError, match=r"@127.0.0.1:\d+/forum cannot be opened: .*; check the address") as caught:
        read(server.url(password="wr0ngw0rd"), SourceOptions("forum"))
    assert "wr0ng" not in str(caught.value)


@pytest.mark.parametrize("system", ["postgresql", "mysql"])
def test_nobody_listens(system: str) -> None:
    with pytest.raises(InputError, match=rf"^{system}://amy@127.0.0.1:1/forum cannot be opened: .*refused.*; check"):
        read(f"{system}://amy:hush@127.0.0.1:1/forum", SourceOptions("forum"))


@pytest.mark.parametrize("system", ["sqlite", "duckdb"])
def test_files_that_are_no_databases(system: str, tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    with pytest.raises(InputError, match=r"there is no file .*x.db; check the path"):
        found(f"{system}:///{path}")
    path.write_text("id,name\n" * 1000)
    with pytest.raises(InputError, match=r"x.db cannot be opened: .*; check the address"):
        found(f"{system}:///{path}")
    assert path.read_text() == "id,name\n" * 1000


def test_a_package_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("factlink.errors.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"reading MySQL needs pymysql; pip install 'factlink\[databases\]'"):
        found("mysql://localhost/x")


def test_types_of_postgresql(postgresql: Server) -> None:
    query = """SELECT 1 AS id, 'NaN'::numeric AS nothing, 100.0::numeric AS hundred, '{"x": 1}'::jsonb AS json,
        '00000000-0000-0000-0000-00000000000a'::uuid AS uuid, '10.0.0.1'::inet AS inet, interval '1 day 2 h' AS span,
        timestamptz '2020-01-01 12:00+02' AS moment, 'infinity'::date AS never, time '12:30' AS noon,
        ARRAY['a', NULL, 'b'] AS words, ARRAY[1.50]::numeric[] AS numbers, 'x'::char(3) AS padded, true AS yes"""
    tables = found(postgresql.url(), f"?users={quote(query)}").tables
    network = reading_from_tables("forum", tables, ReadOptions({}, False)).network
    assert {name: attribute.objects.to_list() for name, attribute in network.attributes.items()} == {
        "nothing": [],
        "hundred": ["100"],
        "json": ['{"x": 1}'],
        "uuid": ["00000000-0000-0000-0000-00000000000a"],
        "inet": ["10.0.0.1/32"],
        "span": ["P1DT2H"],
        "moment": ["2020-01-01T10:00:00+00:00"],
        "never": [],
        "noon": ["12:30:00"],
        "words": ["a", "b"],
        "numbers": ["1.50"],
        "padded": ["x  "],
        "yes": ["true"],
    }


def test_types_of_duckdb(tmp_path: Path) -> None:
    query = """SELECT 1 AS id, 170141183460469231731687303715884105727::HUGEINT AS huge, 'a'::ENUM('a', 'b') AS enum,
        '00000000-0000-0000-0000-00000000000a'::UUID AS uuid, INTERVAL 1 DAY AS span, 'infinity'::DATE AS never,
        ['a', 'b'] AS words, 1.50::DECIMAL(10, 3) AS number"""
    tables = found("duckdb://", f"?users={quote(query)}").tables
    network = reading_from_tables("forum", tables, ReadOptions({}, False)).network
    assert {name: attribute.objects.to_list() for name, attribute in network.attributes.items()} == {
        "huge": ["170141183460469231731687303715884105727"],
        "enum": ["a"],
        "uuid": ["00000000-0000-0000-0000-00000000000a"],
        "span": ["1 day"],
        "never": [],
        "words": ["a", "b"],
        "number": ["1.5"],
    }


def test_cells_of_several_types_and_lists_in_sqlite(tmp_path: Path) -> None:
    rows = """INSERT INTO users VALUES (1, 'a', '["x", "y"]'), ('two', 2, 'z'), (3, 2.5, NULL)"""
    url = _run_in_file("sqlite", tmp_path / "f.db", ("CREATE TABLE users (id, any_thing, words)", rows))
    assert found(url).tables.users.to_dict(as_series=False) == {
        "id": ["1", "two", "3"],
        "any_thing": ["a", "2", "2.5"],
        "words": [["x", "y"], ["z"], [None]],
    }


def test_bytes_are_refused(tmp_path: Path) -> None:
    statements = ("CREATE TABLE users (id, picture)", "INSERT INTO users VALUES (1, x'00ff')")
    url = _run_in_file("sqlite", tmp_path / "f.db", statements)
    with pytest.raises(InputError, match=r"row 1: column 'picture' holds bytes, .*; save them as files"):
        found(url)


def test_tables_of_another_schema(postgresql: Server) -> None:
    _run_on(postgresql, ("CREATE SCHEMA IF NOT EXISTS old", "DROP TABLE IF EXISTS old.people",
                         "CREATE TABLE old.people AS SELECT 7 AS id"))  # fmt: skip
    assert found(postgresql.url(), "?users=old.people").tables.users["id"].to_list() == [7]
    with pytest.raises(InputError, match=r"no table 'people' \(users=\); there are: old.people$"):
        found(postgresql.url(), "?users=people")
