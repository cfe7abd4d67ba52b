"""Addresses are taken apart, and nothing that is shown holds a password."""

import sqlite3
from pathlib import Path

import pytest

from factlink.data.databases import recognises
from factlink.data.databases.urls import DatabaseUrl, parse_url
from factlink.errors import InputError


def test_an_address_is_taken_apart() -> None:
    url = parse_url("postgresql://amy:s3%40cret@db.example:5433/forum?users=accounts&links=follows&sslmode=require")
    assert url == DatabaseUrl(
        "postgresql", "forum", "db.example:5433", "amy", "s3@cret", "accounts", "follows", {"sslmode": "require"}
    )


@pytest.mark.parametrize(
    ("address", "system", "database"),
    [
        ("postgres://localhost/forum", "postgresql", "forum"),
        ("postgresql+psycopg2://localhost/forum", "postgresql", "forum"),
        ("mariadb://localhost/forum", "mysql", "forum"),
        ("sqlite:///forum.db", "sqlite", "forum.db"),
        ("sqlite:////srv/forum.db?users=a", "sqlite", "/srv/forum.db"),
        ("sqlite://forum.db", "sqlite", "forum.db"),
        ("duckdb:///my%20forum.duckdb", "duckdb", "my forum.duckdb"),
        ("duckdb://?users=SELECT+1+AS+id", "duckdb", ""),
    ],
)
def test_spellings_of_addresses(address: str, system: str, database: str) -> None:
    url = parse_url(address)
    assert (url.system, url.database) == (system, database)


def test_a_query_may_hold_anything_but_a_bare_ampersand() -> None:
    url = parse_url("sqlite:///f.db?users=SELECT+a%2Bb+AS+id+FROM+%22t%23%22&links=SELECT * FROM l WHERE m='@'")
    assert url.users == 'SELECT a+b AS id FROM "t#"'
    assert url.links == "SELECT * FROM l WHERE m='@'"


def test_a_path_of_a_database_file_is_enough(tmp_path: Path) -> None:
    path = tmp_path / "forum.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE users (id)")
    connection.close()
    assert recognises(path)
    assert recognises(f"{path}?users=accounts")
    assert parse_url(f"{path}?users=accounts") == DatabaseUrl("sqlite", str(path), users="accounts")


@pytest.mark.parametrize("source", ["https://example.org/x", "no-such-file", ".", 3, None, b"x", "a\0b", "x" * 5000])
def test_what_is_not_a_database(source: object) -> None:
    assert not recognises(source)


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://amy:hush@localhost/forum",
        "postgresql://amy:hu%73h@localhost/forum",
        "mysql://amy@localhost/forum?password=hush",
    ],
)
def test_a_password_is_not_shown(address: str) -> None:
    url = parse_url(address)
    assert url.password == "hush"
    assert "hush" not in url.shown() + repr(url)
    assert url.without_password("login with hush failed") == "login with *** failed"


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("mssql://localhost/x", r"no database is called 'mssql'; there are: duckdb, mariadb, mysql, postgres, "),
        ("postgresql://amy:hu/sh@localhost/f", r"cannot be taken apart; .* in the password as %2F %3F %23 %40 %3A"),
        ("postgresql://amy:hu#sh@localhost/f", "cannot be taken apart"),
        ("mysql://amy:hu?sh@localhost/f", "cannot be taken apart"),
        ("sqlite:///f.db?users=a&users=b", r"has 'users' twice; write & in a query as %26"),
        ("sqlite:///f.db?user_table=a", r"parameters that are not known: 'user_table'; there are: users, links"),
    ],
)
def test_addresses_that_cannot_be_used(address: str, message: str) -> None:
    assert recognises(address)
    with pytest.raises(InputError, match=message) as caught:
        parse_url(address)
    assert "hu" not in str(caught.value)
