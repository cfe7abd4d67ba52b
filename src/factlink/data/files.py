"""Folder ⇄ Network.

A network is a folder with `users.parquet` (or `.csv`, `.jsonl`): a column `id`, any further columns as attributes, a
list column (in CSV: a cell with a JSON list) being several values; optional `links.*`; and optional `kinds.json`, like
`{"bio": "text"}`, for kinds that should not be guessed. Paths of pictures are relative to the folder.

The text layout of the paper's authors is read by naming its prefix: `read_network("facebook_twitter/fb")` reads
`facebook_twitter/fb_user_names.txt` and the files beside it.
"""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from factlink.data.authors import is_authors_layout, tables_of_authors
from factlink.data.columns import is_list_cell, lists_in_cells
from factlink.data.formats.exact_json import unique_keys
from factlink.data.formats.text import read_text
from factlink.data.frames import (
    Reading,
    ReadOptions,
    Tables,
    frames_from_network,
    reading_from_tables,
    refuse_unused_kinds,
)
from factlink.data.kinds import NO_KINDS, kind_named
from factlink.data.layout import KINDS, files_in, tables_called, unread_files, usable_path
from factlink.data.pictures import stored_pictures, with_resolved_pictures
from factlink.data.tables import SUFFIXES, read_table, write_table
from factlink.errors import InputError, SettingError
from factlink.storage.durable import PRIVATE_FOLDER, replaced_file
from factlink.types import Kind, Network

Place = str | os.PathLike[str]


def read_network(
    path: Place,
    *,
    name: str | None = None,
    kinds: Mapping[str, Kind | str] = NO_KINDS,
    drop_dangling: bool = False,
) -> Network:
    """The network in a folder, called like the folder unless a name is given."""
    reading = _read(usable_path(path), name or distinct_names([path])[0], ReadOptions(kinds, drop_dangling))
    refuse_unused_kinds(kinds, [reading])
    return reading.network


def read_networks(
    paths: Sequence[Place], *, kinds: Mapping[str, Kind | str] = NO_KINDS, drop_dangling: bool = False
) -> list[Reading]:
    """Different networks under different names, with how each was read; a kind may be meant for one of them only."""
    for path in paths:
        usable_path(path)
    check_distinct(paths)
    options = ReadOptions(kinds, drop_dangling)
    names = distinct_names(paths)
    readings = [_read(Path(path), name, options) for path, name in zip(paths, names, strict=True)]
    refuse_unused_kinds(kinds, readings)
    return readings


def write_network(network: Network, folder: Place, format: str = "parquet") -> None:  # noqa: A002
    """Write a folder that reads back as the same network.

    The users are written last, so that a killed write leaves no network.
    """
    if f".{format}" not in SUFFIXES:
        raise SettingError(f"no format is called '{format}'; there are: {', '.join(s[1:] for s in SUFFIXES)}")
    folder = Path(folder)
    for stem in ("users", "links"):
        if tables_called(folder, stem):
            raise InputError(f"{folder} already holds a network; write to another folder or remove this one first")
    users, links = frames_from_network(stored_pictures(network, folder))
    try:
        folder.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise InputError(f"{folder} cannot be made ({error}); name another folder") from None
    _write_kinds(network, folder)
    if links.height:
        write_table(links, folder / f"links.{format}")
    write_table(_lists_to_cells(users) if format == "csv" else users, folder / f"users.{format}")


def check_distinct(paths: Sequence[Place]) -> None:
    """Refuse two networks that are the same folder, however it is spelt or linked to."""
    seen: dict[Path, Place] = {}
    for path in paths:
        place = Path(os.path.realpath(path))
        if place in seen:
            raise InputError(f"'{seen[place]}' and '{path}' are the same folder; give two different networks")
        seen[place] = path


def distinct_names(paths: Sequence[Place]) -> list[str]:
    """The folder names, each with as many parent folders as it takes to make them distinct."""
    parts = [Path(os.path.abspath(path)).parts for path in paths]
    deepest = max((len(part) for part in parts), default=1)
    for depth in range(1, deepest + 1):
        names = [Path(*part[-depth:]).as_posix() for part in parts]
        if len(set(names)) == len(names):
            break
    return names if parts else []


def _read(path: Path, name: str, options: ReadOptions) -> Reading:
    if is_authors_layout(path):
        return _reading(path.parent, name, tables_of_authors(path, name), options)
    tables, stored = tables_in(path, name), stored_kinds(path, name)
    known = {predicate: kind for predicate, kind in stored.items() if predicate in tables.users.columns}
    reading = _reading(path, name, tables, ReadOptions({**known, **options.kinds}, options.drop_dangling))
    return replace(reading, unread=unread_files(path))


def _reading(folder: Path, name: str, tables: Tables, options: ReadOptions) -> Reading:
    reading = reading_from_tables(name, tables, options)
    return replace(reading, network=with_resolved_pictures(reading.network, folder))


def tables_in(folder: Path, name: str) -> Tables:
    """The users and the links in a folder, unchanged."""
    users, links = files_in(folder, name)
    return Tables(
        users_table(users, f"network '{name}': {users.name}"),
        None if links is None else read_table(links, f"network '{name}': {links.name}"),
        users.name,
        "" if links is None else links.name,
    )


def users_table(path: Path, origin: str, n_rows: int | None = None) -> pl.DataFrame:
    """The table in a users file, or its first rows, with lists where cells of a CSV file hold them."""
    table = read_table(path, origin, n_rows)
    if path.suffix != ".csv":
        return table
    return table.with_columns(lists_in_cells(table[column], origin) for column in table.columns if column != "id")


def _lists_to_cells(users: pl.DataFrame) -> pl.DataFrame:
    return users.with_columns(_cells(users[column]) for column in users.columns if column != "id")


def _cells(column: pl.Series) -> pl.Series:
    if column.dtype == pl.String:
        if not column.str.contains(r"^\s*\[").any():
            return column
        column = column.to_frame().select(pl.concat_list(column.name)).to_series()
    cells = [None if objects is None else _cell(objects) for objects in column.to_list()]
    return pl.Series(column.name, cells, dtype=pl.String)


def _cell(objects: list[str | None]) -> str | None:
    one = objects[0] if len(objects) == 1 else None
    if one is not None and not is_list_cell(one):
        return one
    return None if objects == [None] else json.dumps(objects, ensure_ascii=False)


def stored_kinds(folder: Path, name: str) -> dict[str, Kind]:
    """The kinds that the folder's own kinds.json sets."""
    path = folder / KINDS
    if not path.exists() and not path.is_symlink():
        return {}
    origin = f"network '{name}': {KINDS}"
    if not path.is_file():
        raise InputError(f'{origin} is not a file; remove it, or write a file like {{"bio": "text"}}')
    try:
        kinds = json.loads(read_text(path, origin), object_pairs_hook=unique_keys)
    except (ValueError, RecursionError) as error:
        raise InputError(f'{origin} is no JSON ({error}); write it like {{"bio": "text"}}') from None
    if not isinstance(kinds, dict) or not all(isinstance(kind, str) for kind in kinds.values()):
        raise InputError(f'{origin} does not map columns to kinds; write it like {{"bio": "text"}}')
    try:
        return {predicate: kind_named(kind) for predicate, kind in kinds.items()}
    except SettingError as error:
        raise InputError(f"{origin}: {error}") from None


def _write_kinds(network: Network, folder: Path) -> None:
    kinds = {predicate: attribute.kind.value for predicate, attribute in network.attributes.items()}
    with replaced_file(folder / KINDS) as part:
        part.write_text(json.dumps(kinds, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
