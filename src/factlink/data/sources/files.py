"""One file as a network: a table of users, an edge list, a workbook or a JSON file with both."""

import os
from pathlib import Path

import polars as pl

from factlink.data.frames import Tables
from factlink.data.layout import tables_beside
from factlink.data.opening.tables import Opened, Opening, open_tables
from factlink.data.protocol import Found, SourceOptions
from factlink.data.sources.choosing import choose_tables


def recognises(source: object) -> bool:
    """Whether the source is the path of a file."""
    return isinstance(source, str | os.PathLike) and Path(source).is_file()


def read(source: object, options: SourceOptions) -> Found:
    """The users and the links in one file."""
    path = Path(source)  # type: ignore[arg-type]
    origin = f"network '{options.name}': {path.name}"
    opened = open_file(path, origin, options)
    chosen = choose_tables(_called(opened, path), options, origin)
    notes = (*(f"{path.name}: {note}" for note in opened.notes), *(f"{path.name}: {note}" for note in chosen.notes))
    unread = tuple(f"{path.name}: {line}" for line in chosen.unread)
    if chosen.links is None and options.links is None:
        unread += tuple(
            f"{file.name} beside it is not read; add {options.flag('links', str(file))}" for file in tables_beside(path)
        )
    tables = Tables(chosen.users, chosen.links, path.name, path.name)
    return Found(tables, notes, unread, path.parent, lists_in_cells=opened.is_text)


def open_file(path: Path, origin: str, options: SourceOptions) -> Opened:
    """The tables in a file, read as a person says."""
    return open_tables(path, origin, Opening(options.encoding, options.header))


def _called(opened: Opened, path: Path) -> dict[str, pl.DataFrame]:
    """The tables, the only one of a file under the file's name."""
    if len(opened.tables) != 1:
        return dict(opened.tables)
    return {name or path.name.lower(): table for name, table in opened.tables.items()}
