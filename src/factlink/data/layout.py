"""Which files of a folder are a network, and which are not read."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

from factlink.data.authors import prefixes_in
from factlink.data.formats.text import unreadable
from factlink.data.opening.content import is_table_name, stem_of
from factlink.data.opening.datasets import parts_of
from factlink.data.tables import SUFFIXES
from factlink.errors import InputError, did_you_mean

KINDS = "kinds.json"
_RUN = ("manifest.json", "candidates.parquet", "judgements.sqlite")  # what only a run has
_PERHAPS_A_TABLE = re.compile(r"\.(?:feather|arrow|avro|orc|sqlite3?|db|duckdb|7z|rar|tar)$")
_USERS = re.compile(r"users?|accounts?|profiles?|people|persons?|members?|nodes?|vertices")
_LINKS = re.compile(
    r"links?|edges?|edgelist|follow\w*|friend\w*|relation\w*|graph|network|connection\w*|arcs?|mentions?|contacts?"
)
_KNOWN = re.compile(
    r"readme|licen[sc]e|notice|changelog|citation|truth|pairs?|known|seeds?|anchors?|requirements|manifest"
)


def says_users(name: str) -> bool:
    """Whether a file or a sheet of this name holds users."""
    return _says(name, _USERS)


def says_links(name: str) -> bool:
    """Whether a file or a sheet of this name holds links between users."""
    return _says(name, _LINKS)


def usable_path(path: str | os.PathLike[str]) -> Path:
    """The path, refused if the system cannot look it up."""
    try:
        os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        pass
    except OSError as error:
        raise unreadable(os.fspath(path), error) from None
    except ValueError as error:
        raise InputError(f"'{os.fspath(path)}' is not a path ({error}); check it") from None
    return Path(path)


@dataclass(frozen=True, slots=True)
class FolderFiles:
    """Which files of a folder hold the users and the links; a note where they are not called so."""

    users: Path | None
    links: Path | None
    notes: tuple[str, ...] = ()


def is_network_folder(source: object) -> bool:
    """Whether the source is a folder with users.* in it."""
    if not isinstance(source, str | os.PathLike):
        return False
    try:
        return Path(source).is_dir() and bool(_called(_entries(Path(source)), "users"))
    except (OSError, ValueError):
        return False


def files_in(folder: Path, name: str) -> tuple[Path, Path | None]:
    """The users file and, if there is one, the links file of a network folder in our own form."""
    users, links = tables_called(folder, "users"), tables_called(folder, "links")
    if len(users) != 1:
        raise no_users(folder, name)
    return users[0], links[0] if links else None


def files_of(folder: Path, name: str, with_links: bool = True) -> FolderFiles:
    """The users and the links in a folder: called so, named like it, or the only table that is left."""
    entries = _entries(folder)
    if all((folder / part).is_file() for part in _RUN):
        networks = ", ".join(sorted(str(users.parent) for users in folder.glob("*/users.parquet")))
        raise InputError(f"network '{name}': {folder} is a run, not a network; the networks in it are {networks}")
    if prefixes_in(folder) and not _called(entries, "users"):
        raise no_users(folder, name)
    users, links = (_only(folder, _called(entries, stem), name) for stem in ("users", "links"))
    rest = [path for path in entries if path not in (users, links) and not _says(path.name, _KNOWN)]
    notes: tuple[str, ...] = ()
    if links is None and with_links:
        likely = [path for path in rest if says_links(path.name) and not says_users(path.name)]
        links = _only_likely(folder, likely, name, "links")
        notes += (f"links: {links.name}",) if links else ()
    if users is None:
        likely = [path for path in rest if says_users(path.name) and path != links]
        likely = likely or [path for path in rest if path != links and not says_links(path.name)]
        users = None if parts_of(folder) and len(likely) > 1 else _only_likely(folder, likely, name, "users")
        notes += (f"users: {users.name}",) if users else ()
    return FolderFiles(users, links, notes)


def unread_files(folder: Path, files: FolderFiles) -> tuple[str, ...]:
    """One sentence on each file that looks like a part of the network and is not read."""
    read = [path.name for path in (files.users, files.links) if path is not None]
    if files.users == folder:
        return ()
    try:
        names = sorted(path.name for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))
    except OSError:  # a folder that may be entered and not listed
        return ()
    names = [name for name in names if name not in (KINDS, *read) and _is_data(name)]
    return tuple(f"{name} is not read; {_advice(name, files)}" for name in names)


def tables_called(folder: Path, stem: str) -> list[Path]:
    """The files in a folder that hold the users, or the links, in our own form."""
    return [path for suffix in SUFFIXES if (path := folder / f"{stem}{suffix}").exists() or path.is_symlink()]


def tables_beside(path: Path) -> list[Path]:
    """Links in the folder of a users file that was named alone."""
    if stem_of(path.name).lower() != "users":
        return []
    try:
        return _called(_entries(path.parent), "links")
    except OSError:
        return []


def no_users(folder: Path, name: str) -> InputError:
    """The error for a folder without users."""
    remedy = "add users.csv (or .parquet, .jsonl, .xlsx) with a column 'id', or name the file that holds the users"
    places = " or ".join(str(folder / prefix) for prefix in prefixes_in(folder))
    if places:
        remedy = f"it is in the text layout of the paper's authors: give {places}"
    return InputError(f"network '{name}': {folder} holds no users file; {remedy}")


def refuse_no_folder(folder: Path) -> None:
    """Refuse a path that is not a folder."""
    if folder.is_dir():
        return
    if folder.exists():
        raise InputError(f"{folder} is a device or a pipe, not a network; give a folder or a file")
    raise InputError(f"there is no folder or file {folder}; check the path{did_you_mean(folder.name, _beside(folder))}")


def _beside(path: Path) -> list[str]:
    """The names of what lies in the same folder."""
    try:
        return sorted(entry.name for entry in path.parent.iterdir())
    except OSError:
        return []


def _entries(folder: Path) -> list[Path]:
    """The files and folders that can hold a table, by name."""
    entries = sorted(path for path in folder.iterdir() if not path.name.startswith((".", "_")))
    return [path for path in entries if is_table_name(path.name) or (path.is_dir() and _may_hold(path))]


def _may_hold(path: Path) -> bool:
    """Whether a folder in the folder is a table of several Parquet files."""
    return (says_users(path.name) or says_links(path.name)) and bool(parts_of(path))


def _called(entries: list[Path], stem: str) -> list[Path]:
    exact = [path for path in entries if stem_of(path.name) == stem]
    return exact or [path for path in entries if stem_of(path.name).lower() == stem]


def _only(folder: Path, found: list[Path], name: str) -> Path | None:
    if len(found) > 1:
        both = " and ".join(path.name for path in found)
        raise InputError(f"network '{name}': {folder} holds {both}; keep one of them")
    return found[0] if found else None


def _only_likely(folder: Path, found: list[Path], name: str, what: str) -> Path | None:
    if len(found) > 1:
        several = " and ".join(path.name for path in found[:5])
        flag = "--links FILE" if what == "links" else f"a path, like {found[0]}"
        raise InputError(
            f"network '{name}': {folder} holds {several}, which may all be the {what}; name one with {flag}"
        )
    return found[0] if found else None


def _is_data(name: str) -> bool:
    if _says(name, _KNOWN):
        return False
    named = says_users(name) or says_links(name)
    plain = is_table_name(name) and not name.lower().endswith((".json", ".txt", ".dat"))
    return plain or (named and (is_table_name(name) or bool(_PERHAPS_A_TABLE.search(name.lower()))))


def _says(name: str, words: re.Pattern[str]) -> bool:
    return any(words.fullmatch(word) for word in re.split(r"[\W\d_]+", name.lower()))


def _advice(name: str, files: FolderFiles) -> str:
    stem = "users" if says_users(name) else "links" if says_links(name) else None
    there = files.users if stem == "users" else files.links
    if stem is None:
        return "a network is users.* and links.*: add what it holds to one of them, or move it away"
    if there is not None:
        return f"add its rows to {there.name}, or move it away"
    return f"save it as {stem}.csv, .parquet or .jsonl"
