"""Which files of a folder are a network, and which are not read."""

import os
import re
from pathlib import Path

from factlink.data.authors import prefixes_in
from factlink.data.formats.text import unreadable
from factlink.data.tables import SUFFIXES
from factlink.errors import InputError

KINDS = "kinds.json"
_TABLE = re.compile(r"\.(?:parquet|csv|jsonl|ndjson|tsv)$")
_PERHAPS_A_TABLE = re.compile(
    r"\.(?:pq|tab|psv|json|txt|xlsx?|ods|feather|arrow|gz|zip|zst|bz2|sqlite|db|gml|graphml)$"
)
_USERS = re.compile(r"users?|accounts?|profiles?|people|persons?|members?|nodes?|vertices")
_LINKS = re.compile(
    r"links?|edges?|edgelist|follow\w*|friend\w*|relation\w*|graph|network|connection\w*|arcs?|mentions?|contacts?"
)
_KNOWN = re.compile(
    r"readme|licen[sc]e|notice|changelog|citation|truth|pairs?|known|seeds?|anchors?|requirements|manifest"
)


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


def files_in(folder: Path, name: str) -> tuple[Path, Path | None]:
    """The users file and, if there is one, the links file of a network folder."""
    try:
        _refuse_no_folder(folder)
        users = _only_table(folder, "users", name)
        if users is None:
            raise _no_users(folder, name)
        return users, _only_table(folder, "links", name)
    except OSError as error:
        raise unreadable(str(folder), error) from None


def unread_files(folder: Path) -> tuple[str, ...]:
    """One sentence on each file that looks like a part of the network and is not read."""
    try:
        names = sorted(path.name for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))
    except OSError:  # a folder that may be entered and not listed
        return ()
    read = {KINDS, *(f"{stem}{suffix}" for stem in ("users", "links") for suffix in SUFFIXES)}
    return tuple(f"{name} is not read; {_advice(name, names)}" for name in names if name not in read and _is_data(name))


def tables_called(folder: Path, stem: str) -> list[Path]:
    """The files in a folder that hold the users, or the links."""
    return [path for suffix in SUFFIXES if (path := folder / f"{stem}{suffix}").exists() or path.is_symlink()]


def _is_data(name: str) -> bool:
    if _says(name, _KNOWN):
        return False
    named = _says(name, _USERS) or _says(name, _LINKS)
    return bool(_TABLE.search(name.lower()) or (named and _PERHAPS_A_TABLE.search(name.lower())))


def _says(name: str, words: re.Pattern[str]) -> bool:
    return any(words.fullmatch(word) for word in re.split(r"[\W\d_]+", name.lower()))


def _advice(name: str, names: list[str]) -> str:
    stem = "users" if _says(name, _USERS) else "links" if _says(name, _LINKS) else None
    if stem is None:
        return "a network is users.* and links.*: add what it holds to one of them, or move it away"
    there = [f"{stem}{suffix}" for suffix in SUFFIXES if f"{stem}{suffix}" in names]
    if there:
        return f"add its rows to {there[0]}, or move it away"
    suffix = next((suffix for suffix in SUFFIXES if name.lower().endswith(suffix)), None)
    return f"call it {stem}{suffix}" if suffix else f"save it as {stem}.csv, .parquet or .jsonl"


def _only_table(folder: Path, stem: str, name: str) -> Path | None:
    found = tables_called(folder, stem)
    if len(found) > 1:
        both = " and ".join(path.name for path in found)
        raise InputError(f"network '{name}': {folder} holds {both}; keep one of them")
    return found[0] if found else None


def _refuse_no_folder(folder: Path) -> None:
    if folder.is_dir():
        return
    if folder.is_file():
        raise InputError(f"{folder} is a file, not a network; give the folder that holds it")
    if folder.exists():
        raise InputError(f"{folder} is a device or a pipe, not a network; give a folder")
    raise InputError(f"there is no folder {folder}; give a folder with users.parquet, users.csv or users.jsonl")


def _no_users(folder: Path, name: str) -> InputError:
    remedy = "add users.parquet, users.csv or users.jsonl with a column 'id'"
    places = " or ".join(str(folder / prefix) for prefix in prefixes_in(folder))
    if places:
        remedy = f"it is in the text layout of the paper's authors: give {places}"
    elif unread := [line for line in unread_files(folder) if "users" in line.partition("; ")[2]]:
        remedy = unread[0].replace("is not read; ", "is not read: ")
    return InputError(f"network '{name}': {folder} holds no users file; {remedy}")
