"""Further users for a network folder that exists: read with its columns and kinds, written behind its users."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import polars as pl

from factlink.data.files import stored_kinds
from factlink.data.formats.parquet import whole_parquet
from factlink.data.frames import ReadOptions, Tables, frames_from_network, reading_from_tables
from factlink.data.layout import KINDS
from factlink.data.links import DEFAULT_PREDICATE, LinkOrigin, links_from_table, table_from_links
from factlink.data.pictures import stored_pictures, with_resolved_pictures
from factlink.data.protocol import SourceOptions
from factlink.data.sources.networks import distinct_names, found_in
from factlink.data.tables import read_table, write_table
from factlink.errors import InputError
from factlink.storage.durable import PRIVATE_FOLDER, replaced_file
from factlink.types import Follows, Ints, Kind, Network


@dataclass(frozen=True, slots=True, eq=False)
class Addition:
    """New users, and their links in rows of the whole network: the old users, then the new."""

    network: Network  # the new users alone, without links
    users: pl.Series  # all ids, old and new
    links: Mapping[str, Follows]  # by predicate
    notes: tuple[str, ...] = ()  # a sentence on everything that was understood of the source


AS_FOUND = SourceOptions()


def read_addition(
    source: object, home: Path, predicates: Sequence[str], drop_dangling: bool, said: SourceOptions = AS_FOUND
) -> Addition:
    """The users of a source, as further users of the network in `home`; `predicates` are those of its links."""
    old, kinds = _stored(home, "users")["id"], stored_kinds(home, home.name)
    name = distinct_names([source])[0]
    found = found_in(source, replace(said, name=name))
    addition = addition_of(Arriving(name, found.tables, kinds, predicates), old, drop_dangling)
    if found.home is not None:
        addition = replace(addition, network=with_resolved_pictures(addition.network, found.home))
    return replace(addition, notes=found.notes)


@dataclass(frozen=True, slots=True, eq=False)
class Arriving:
    """Tables of users who are to join a network, and the columns and link predicates that it has."""

    name: str
    tables: Tables
    kinds: Mapping[str, Kind]
    predicates: Sequence[str]


def addition_of(arriving: Arriving, old: pl.Series, drop_dangling: bool = False) -> Addition:
    """Users in tables as further users of a network whose ids are `old`, or at least all that they may meet."""
    tables, origin = arriving.tables, f"network '{arriving.name}'"
    users_origin = f"{origin}: {tables.users_name}"
    _refuse_columns(tables.users, list(arriving.kinds), users_origin)
    known = {predicate: kind for predicate, kind in arriving.kinds.items() if predicate in tables.users.columns}
    users = Tables(tables.users, users_name=tables.users_name)
    network = reading_from_tables(arriving.name, users, ReadOptions(known, False)).network
    _refuse_known(network.users, old, users_origin)
    both = pl.concat([old.alias("id"), network.users.alias("id")])
    links = _links(tables, both, len(old), drop_dangling, origin)
    _refuse_predicates(links, arriving.predicates, f"{origin}: {tables.links_name}")
    return Addition(network, both, links)


def read_rows(home: Path, rows: Ints, name: str) -> Network:
    """Some users of a network in the order of `rows`, without links."""
    stored = stored_kinds(home, name)
    row = "row" + max(stored, key=len, default="")  # longer than any column's name
    users = pl.scan_parquet(home / "users.parquet").with_row_index(row).filter(pl.col(row).is_in(rows.tolist()))
    with whole_parquet(str(home / "users.parquet")):
        table = users.collect().drop(row)
    kinds = {predicate: kind for predicate, kind in stored.items() if predicate in table.columns}
    return reading_from_tables(name, Tables(table), ReadOptions(kinds, False)).network


def write_addition(addition: Addition, home: Path, out: Path) -> None:
    """The network in `home` with the new users behind the old ones, as a network in `out`; users come last."""
    out.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)
    with replaced_file(out / KINDS) as part:
        part.write_bytes((home / KINDS).read_bytes())
    links = table_from_links(addition.links, addition.users)
    if (home / "links.parquet").exists():
        links = pl.concat([_stored(home, "links"), links])
    if links.height:
        write_table(links, out / "links.parquet")
    old = _stored(home, "users")
    new, _ = frames_from_network(stored_pictures(addition.network, out))
    write_table(_stacked(old, new), out / "users.parquet")


def _stored(home: Path, stem: str) -> pl.DataFrame:
    path = home / f"{stem}.parquet"
    return read_table(path, str(path))


def _stacked(old: pl.DataFrame, new: pl.DataFrame) -> pl.DataFrame:
    """Both, a column of which either has lists being one of lists."""
    columns = {}
    for column in old.columns:
        parts = [old[column], new[column] if column in new.columns else pl.repeat(None, new.height, eager=True)]
        several = any(isinstance(part.dtype, pl.List) for part in parts)
        columns[column] = pl.concat([_cast(part.alias(column), several) for part in parts])
    return pl.DataFrame(columns)


def _cast(column: pl.Series, several: bool) -> pl.Series:
    if not several:
        return column.cast(pl.String)
    if isinstance(column.dtype, pl.List):
        return column
    text = pl.col("text")
    wrapped = pl.when(text.is_not_null()).then(pl.concat_list("text"))
    return pl.DataFrame({"text": column.cast(pl.String)}).select(wrapped.alias(column.name)).to_series()


def _links(tables: Tables, users: pl.Series, n_old: int, drop_dangling: bool, origin: str) -> Mapping[str, Follows]:
    if tables.links is None or not tables.links.width:
        return {}
    named = LinkOrigin(f"{origin}: {tables.links_name}", f"{tables.users_name} or the run")
    links = links_from_table(tables.links, users, named, drop_dangling).follows
    for follows in links.values():
        among_old = np.flatnonzero((follows.followers < n_old) & (follows.followees < n_old))
        if len(among_old):
            ends = users[int(follows.followers[among_old[0]])], users[int(follows.followees[among_old[0]])]
            raise InputError(
                f"{named.links}: '{ends[0]}' and '{ends[1]}' are both in the run already; "
                "a link to add needs a new user at one end"
            )
    return links


def _refuse_columns(users: pl.DataFrame, columns: list[str], origin: str) -> None:
    for column in users.columns:
        if column != "id" and column not in columns:
            there = ", ".join(["id", *columns])
            raise InputError(f"{origin} has a column '{column}' that the run does not know; there are: {there}")


def _refuse_known(new: pl.Series, old: pl.Series, origin: str) -> None:
    known = new.is_in(old.implode()).arg_true()
    if len(known):
        raise InputError(
            f"{origin} row {known[0] + 1}: id '{new[known[0]]}' is in the run already; leave it out, or link again"
        )


def _refuse_predicates(links: Mapping[str, Follows], predicates: Sequence[str], origin: str) -> None:
    for predicate in links:
        if predicate not in predicates:
            there = ", ".join(predicates) or f"none, not even '{DEFAULT_PREDICATE}'"
            raise InputError(f"{origin}: the run has no links called '{predicate}' on this side; there are: {there}")
