"""Folders of tables: users and links, by their names or by being the only ones; also a folder of Parquet files."""

import os
from pathlib import Path

import polars as pl

from factlink.data.files import stored_kinds
from factlink.data.formats.text import unreadable
from factlink.data.frames import Tables
from factlink.data.layout import FolderFiles, files_of, no_users, refuse_no_folder, unread_files
from factlink.data.opening.datasets import parts_of
from factlink.data.opening.tables import Opened
from factlink.data.protocol import Found, SourceOptions
from factlink.data.sources.choosing import Chosen, choose_tables
from factlink.data.sources.files import open_file


def recognises(source: object) -> bool:
    """Whether the source is the path of a folder, or of nothing: then `read` says so."""
    return isinstance(source, str | os.PathLike)


def read(source: object, options: SourceOptions) -> Found:
    """The users and the links in a folder."""
    folder = Path(source)  # type: ignore[arg-type]
    try:
        refuse_no_folder(folder)
        files = files_of(folder, options.name, options.links is None)
        if files.users is None and files.links is None:
            if not parts_of(folder):
                raise no_users(folder, options.name)
            files = FolderFiles(folder, None)
    except OSError as error:
        raise unreadable(str(folder), error) from None
    return _found(folder, files, options)


def _found(folder: Path, files: FolderFiles, options: SourceOptions) -> Found:
    users, notes, unread, is_text = Chosen(pl.DataFrame()), files.notes, unread_files(folder, files), False
    if files.users is not None:
        origin = f"network '{options.name}': {files.users.name}"
        opened = open_file(files.users, origin, options)
        users, is_text = _chosen(opened, options, origin), opened.is_text
        notes += tuple(f"{files.users.name}: {note}" for note in (*opened.notes, *users.notes))
        unread += users.unread
    links, links_name = users.links, "" if users.links is None or files.users is None else files.users.name
    if files.links is not None and options.links is None:
        opened = open_file(files.links, f"network '{options.name}': {files.links.name}", options)
        links, links_name = next(iter(opened.tables.values()), pl.DataFrame()), files.links.name
        notes += tuple(f"{links_name}: {note}" for note in opened.notes)
    users_name = "" if files.users is None else files.users.name
    tables = Tables(users.users, links, users_name, links_name)
    return Found(tables, notes, unread, folder, stored_kinds(folder, options.name), is_text)


def _chosen(opened: Opened, options: SourceOptions, origin: str) -> Chosen:
    if len(opened.tables) == 1:
        return Chosen(next(iter(opened.tables.values())))
    return choose_tables(opened.tables, options, origin)
