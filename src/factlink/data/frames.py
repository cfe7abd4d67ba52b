"""DataFrames (polars, pandas, Arrow) ⇄ Network.

A users frame has a column `id` and any further columns as attributes, a list column being several values. Rows keep
their order: row *i* of the network is row *i* of the frame.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from factlink.data.columns import texts, values
from factlink.data.foreign import polars_frame
from factlink.data.kinds import NO_KINDS, Guess, guess_kind, kind_named
from factlink.data.links import LinkOrigin, ReadLinks, links_from_table, table_from_links
from factlink.data.tables import require_columns, understood
from factlink.errors import InputError, SettingError
from factlink.types import Attribute, Kind, Network


@dataclass(frozen=True, slots=True)
class Reading:
    """A network, and what a person should know of how it was read."""

    network: Network
    guesses: Mapping[str, Guess]  # by predicate: its kind, and why
    links: ReadLinks  # how many links were dropped or merged
    unread: tuple[str, ...] = ()  # a sentence on each file that looks like a part of the network and is not read
    notes: tuple[str, ...] = ()  # a sentence on everything that was understood of the source


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Kinds that are set rather than guessed, and whether links to unknown users are dropped."""

    kinds: Mapping[str, Kind | str]
    drop_dangling: bool


@dataclass(frozen=True, slots=True)
class Tables:
    """A network as tables, and how messages name them, like 'users.csv'."""

    users: pl.DataFrame
    links: pl.DataFrame | None = None
    users_name: str = "users"
    links_name: str = "links"


def network_from_frames(
    name: str,
    users: object,
    links: object | None = None,
    *,
    kinds: Mapping[str, Kind | str] = NO_KINDS,
    drop_dangling: bool = False,
) -> Network:
    """The network that two frames hold; kinds that are not set are guessed."""
    tables = Tables(polars_frame(users), None if links is None else polars_frame(links))
    reading = reading_from_tables(name, tables, ReadOptions(kinds, drop_dangling))
    refuse_unused_kinds(kinds, [reading])
    return reading.network


def frames_from_network(network: Network) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The users and the links of a network; a predicate of which a user has several objects is a list column."""
    columns = {predicate: users_column(network, predicate) for predicate in network.attributes}
    users = pl.DataFrame({"id": network.users, **columns})
    return users, table_from_links(network.links, network.users)


def users_column(network: Network, predicate: str) -> pl.Series:
    """The objects of one predicate, a row for each user: strings, or lists where any user has several."""
    attribute = network.attributes[predicate]
    several = len(attribute.rows) > 1 and bool((attribute.rows[1:] == attribute.rows[:-1]).any())
    held = pl.DataFrame({"row": pl.Series(attribute.rows, dtype=pl.Int32), "object": attribute.objects})
    if several:
        held = held.group_by("row", maintain_order=True).agg("object")
    rows = pl.DataFrame({"row": pl.arange(len(network), dtype=pl.Int32, eager=True)})
    return rows.join(held, on="row", how="left", maintain_order="left")["object"].alias(predicate)


def reading_from_tables(name: str, tables: Tables, options: ReadOptions) -> Reading:
    """The network in its tables, with the reasons for its kinds and what was left out."""
    origin = f"network '{name}': {tables.users_name}"
    with understood(origin):
        users = _users(tables.users, origin)
        attributes, guesses = {}, {}
        for predicate in tables.users.columns:
            if predicate != "id":
                rows, objects = values(tables.users[predicate], origin)
                guess = _kind(predicate, objects, options.kinds)
                guesses[predicate] = guess
                attributes[predicate] = Attribute(guess.kind, rows, objects)
    with understood(f"network '{name}': {tables.links_name}"):
        links = _links(name, tables, users, options.drop_dangling)
    return Reading(Network(name, users, attributes, links.follows), guesses, links)


def refuse_unused_kinds(kinds: Mapping[str, Kind | str], readings: list[Reading]) -> None:
    """Refuse a kind that is set for a column which none of the networks has."""
    found = sorted({predicate for reading in readings for predicate in reading.guesses})
    for predicate in kinds:
        if predicate not in found:
            networks = " or ".join(f"'{reading.network.name}'" for reading in readings)
            columns = ", ".join(found) or "none"
            raise SettingError(
                f"a kind is set for '{predicate}', which is not a column of network {networks}; there are: {columns}"
            )


def _kind(predicate: str, objects: pl.Series, kinds: Mapping[str, Kind | str]) -> Guess:
    if predicate in kinds:
        return Guess(kind_named(kinds[predicate]), "set")
    return guess_kind(predicate, objects)


def _users(table: pl.DataFrame, origin: str) -> pl.Series:
    if table.is_empty() and table.width <= 1:
        raise InputError(f"{origin} holds no users; give a column 'id' and one row for each user")
    require_columns(table, {"id": "the column of user ids"}, origin)
    users = texts(table["id"], origin).alias("")
    if not len(users):
        raise InputError(f"{origin} holds no users; give one row for each user")
    missing = users.is_null().arg_true()
    if len(missing):
        raise InputError(f"{origin} row {missing[0] + 1}: the id is empty; give every user an id")
    _refuse_repeated(users, origin)
    return users


def _refuse_repeated(users: pl.Series, origin: str) -> None:
    repeats = (~users.is_first_distinct()).arg_true()
    if len(repeats):
        user = users[repeats[0]]
        first = (users == user).arg_true()[0]
        raise InputError(
            f"{origin} row {repeats[0] + 1}: id '{user}' is also in row {first + 1}; "
            "give each user one row, with a list where there are several values"
        )


def _links(name: str, tables: Tables, users: pl.Series, drop_dangling: bool) -> ReadLinks:
    if tables.links is None:
        return ReadLinks()
    if not tables.links.width:
        return ReadLinks()
    origin = LinkOrigin(f"network '{name}': {tables.links_name}", tables.users_name)
    return links_from_table(tables.links, users, origin, drop_dangling)
