"""Folder ⇄ Network.

A network is a folder with `users.parquet` (or `.csv`, `.jsonl`): a column `id`, any further columns as attributes, a
list column (in CSV: a cell with a JSON list) being several values; optional `links.*`; and optional `kinds.json`, like
`{"bio": "text"}`, for kinds that should not be guessed. Paths of pictures are relative to the folder. Networks in
other forms are read by `data.sources`.
"""

import json
import os
from pathlib import Path

import polars as pl

from factlink.data.columns import is_list_cell, lists_in_cells
from factlink.data.formats.exact_json import unique_keys
from factlink.data.formats.text import read_text
from factlink.data.frames import frames_from_network
from factlink.data.kinds import kind_named
from factlink.data.layout import KINDS, tables_called
from factlink.data.pictures import stored_pictures
from factlink.data.tables import SUFFIXES, read_table, write_table
from factlink.errors import InputError, SettingError
from factlink.storage.durable import PRIVATE_FOLDER, replaced_file
from factlink.types import Kind, Network

Place = str | os.PathLike[str]


def write_network(network: Network, folder: Place, format: str = "parquet") -> None:  # noqa: A002
    """Write a folder that reads back as the same network.

    The users are written last, so that a killed write leaves no network.
    """
    if f".{format}" not in SUFFIXES:
        raise SettingError(f"no format is called '{format}'; there are: {', '.join(s[1:] for s in SUFFIXES)}")
    folder = Path(folder)
    refuse_network_at(folder)
    users, links = frames_from_network(stored_pictures(network, folder))
    try:
        folder.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise InputError(f"{folder} cannot be made ({error}); name another folder") from None
    _write_kinds(network, folder)
    if links.height:
        write_table(links, folder / f"links.{format}")
    write_table(_lists_to_cells(users) if format == "csv" else users, folder / f"users.{format}")


def refuse_network_at(folder: Path) -> None:
    """Refuse a folder that holds a network already."""
    for stem in ("users", "links"):
        if tables_called(folder, stem):
            raise InputError(f"{folder} already holds a network; write to another folder or remove this one first")


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
        raise InputError(f'{origin} is not JSON ({error}); write it like {{"bio": "text"}}') from None
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
