"""An address → users and links: each table is read once, in batches."""

import polars as pl

from factlink.data.columns import lists_in_cells
from factlink.data.databases.connections import Connection, connected
from factlink.data.databases.queries import is_query, table_query
from factlink.data.databases.urls import DatabaseUrl, parse_url
from factlink.data.frames import Tables
from factlink.data.protocol import Found
from factlink.errors import InputError, require_extra

_PACKAGES = {
    "postgresql": ("adbc_driver_postgresql", "pyarrow"),
    "mysql": ("pymysql",),
    "duckdb": ("duckdb", "pyarrow"),
    "sqlite": (),
}
_NO_LISTS = ("sqlite", "mysql")
_NAMES = {"postgresql": "PostgreSQL", "mysql": "MySQL", "duckdb": "DuckDB", "sqlite": "SQLite"}


def read_database(source: object, name: str) -> Found:
    """The users and links that an address names: by default the tables 'users' and 'links'."""
    url = parse_url(source)
    require_packages(url)
    with connected(url) as connection:
        tables = connection.tables()
        users_from = _chosen(url, "users", url.users, tables, name)
        links_from = _chosen(url, "links", url.links, tables, name)
        if users_from is None:
            raise _no_users(url, tables, name)
        users = _with_lists(_rows(connection, users_from), url, _called("users", users_from))
        links = None if links_from is None else _rows(connection, links_from)
    found = Tables(users, links, _called("users", users_from), _called("links", links_from))
    return Found(found, _notes(url, found, links_from, tables))


def require_packages(url: DatabaseUrl) -> None:
    """Refuse a database whose package is not installed."""
    require_extra(f"reading {_NAMES[url.system]}", "databases", *_PACKAGES[url.system])


def _chosen(url: DatabaseUrl, role: str, given: str | None, tables: list[str], name: str) -> str | None:
    """What the address names, else the table of this name."""
    if given is None:
        return role if role in tables else None
    if not given.strip():
        raise InputError(f"network '{name}': {role}= in {url.shown()} is empty; name a table or write a query")
    if not is_query(given) and "." not in given and _plain(given) not in {_plain(table) for table in tables}:
        raise InputError(
            f"network '{name}': {url.shown()} has no table '{given}' ({role}=); there are: {_listed(tables)}"
        )
    return given


def _plain(table: str) -> str:
    """Case and quotation marks differ between what people write and what a database lists."""
    return table.replace('"', "").replace("`", "").lower()


def _no_users(url: DatabaseUrl, tables: list[str], name: str) -> InputError:
    return InputError(
        f"network '{name}': {url.shown()} has no table 'users'; name the table of users, "
        f"as in ?users=TABLE&links=TABLE (tables found: {_listed(tables)})"
    )


def _listed(tables: list[str]) -> str:
    shown = ", ".join(tables[:20]) or "none"
    return f"{shown} and {len(tables) - 20} more" if len(tables) > 20 else shown


def _rows(connection: Connection, chosen: str) -> pl.DataFrame:
    return connection.read(chosen if is_query(chosen) else table_query(chosen, connection.mark))


def _with_lists(users: pl.DataFrame, url: DatabaseUrl, origin: str) -> pl.DataFrame:
    """SQLite and MySQL have no lists: a cell that is a JSON list holds several values, as in CSV."""
    if url.system not in _NO_LISTS:
        return users
    texts = [column for column in users if column.dtype == pl.String and column.name != "id"]
    return users.with_columns(lists_in_cells(column, origin) for column in texts)


def _called(role: str, chosen: str | None) -> str:
    if chosen is None:
        return role
    return f"the query of {role}" if is_query(chosen) else f"table {chosen}"


def _notes(url: DatabaseUrl, found: Tables, links_from: str | None, tables: list[str]) -> tuple[str, ...]:
    notes = [f"{url.shown()}: {found.users.height:,} users from {found.users_name}"]
    if found.links is None:
        notes.append(f"no links were read: name their table with &links=TABLE (tables found: {_listed(tables)})")
    else:
        notes.append(f"{url.shown()}: {found.links.height:,} links from {found.links_name}")
    return tuple(notes)
