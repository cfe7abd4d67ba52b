"""Which of several tables (sheets, keys of a JSON file) holds the users, and which the links."""

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from factlink.data.layout import says_links, says_users
from factlink.data.opening.content import WORDS
from factlink.data.protocol import SourceOptions
from factlink.data.sources.roles import id_columns, names_both_ends
from factlink.errors import InputError


@dataclass(frozen=True, slots=True, eq=False)
class Chosen:
    """The table of users, that of links, and sentences on what was chosen and what was not."""

    users: pl.DataFrame
    links: pl.DataFrame | None = None
    notes: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


def choose_tables(tables: Mapping[str, pl.DataFrame], options: SourceOptions, origin: str) -> Chosen:
    """The users and the links among the tables of one file; users without columns where there are links only."""
    if not tables:
        return Chosen(pl.DataFrame())
    if len(tables) == 1 and (options.sheet is None or options.sheet in tables):
        name, table = next(iter(tables.items()))
        return Chosen(pl.DataFrame(), table) if is_edge_list(table, options, name) else Chosen(table)
    users, links = _users_and_links(tables, options, origin)
    said = " and ".join(f"{what} from '{name}'" for what, name in (("users", users), ("links", links)) if name)
    unread = tuple(
        f"'{name}' ({table.height:,} rows) is not read; set {options.flag('sheet', repr(name))} if it holds the users"
        for name, table in tables.items()
        if name not in (users, links)
    )
    found = pl.DataFrame() if users is None else tables[users]
    return Chosen(found, None if links is None else tables[links], (said,), unread)


def is_edge_list(table: pl.DataFrame, options: SourceOptions, name: str = "") -> bool:
    """Whether a table that stands alone holds links rather than users."""
    if "id" in options.columns or options.links is not None:
        return False
    if "source" in options.columns or "target" in options.columns:
        return True
    if says_users(name) and not names_both_ends(table.columns):
        return False
    if names_both_ends(table.columns) or name.endswith(WORDS):
        return True
    narrow = 2 <= table.width <= 3
    return narrow and (_is_unnamed(table) or (not id_columns(table.columns) and header_is_data(table)))


def header_is_data(table: pl.DataFrame) -> bool:
    """Whether the names of the first two columns are found below them: the first line is a link like the others."""
    first, second = table.columns[:2]
    values = pl.concat([table[name].cast(pl.String, strict=False).alias("") for name in (first, second)])
    return bool(values.is_in([first, second]).any())


def _is_unnamed(table: pl.DataFrame) -> bool:
    if table.columns != [f"column_{place}" for place in range(1, table.width + 1)]:
        return False
    ends = pl.concat([table[name].cast(pl.String).alias("") for name in table.columns[:2]])
    return table.height < 2 or ends.n_unique() < len(ends) or (table.width == 2 and _alike(table))


def _alike(table: pl.DataFrame) -> bool:
    return len({table[name].str.contains(r"^\d+$").all() for name in table.columns}) == 1


def _users_and_links(
    tables: Mapping[str, pl.DataFrame], options: SourceOptions, origin: str
) -> tuple[str | None, str | None]:
    if options.sheet is not None and options.sheet not in tables:
        there = ", ".join(f"'{name}'" for name in tables)
        raise InputError(f"{origin} has no sheet '{options.sheet}'; there are: {there}")
    links = [name for name in tables if name != options.sheet and says_links(name) and not says_users(name)]
    links = links or [
        name for name, table in tables.items() if name != options.sheet and names_both_ends(table.columns)
    ]
    rest = [name for name in tables if name not in links]
    users = [options.sheet] if options.sheet else [name for name in rest if says_users(name)] or _with_ids(rest, tables)
    if len(users) == 1 and len(links) <= 1:
        return users[0], links[0] if links else None
    if not users and len(links) == 1:
        return None, links[0]
    many, what = (users or rest, "users") if len(users) != 1 else (links, "links")
    there = ", ".join(f"'{name}'" for name in many)
    raise InputError(
        f"{origin} holds several tables that may be the {what}: {there}; name that of the users with "
        f"{options.flag('sheet', 'NAME')}, and give links, if any, in another file: {options.flag('links', 'FILE')}"
    )


def _with_ids(names: list[str], tables: Mapping[str, pl.DataFrame]) -> list[str]:
    found = [name for name in names if id_columns(tables[name].columns)]
    return found or (names if len(names) == 1 else [])
