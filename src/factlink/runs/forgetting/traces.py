"""Proof that nothing of an account is left: its values are looked for in every file of a folder.

Files are searched twice: their bytes as they are, and tables also as text, since Parquet packs its values.
"""

import html
import json
import mmap
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import polars as pl

from factlink.runs.forgetting.accounts import SIDES, Account, as_texts

SHORTEST = 4
"""Bytes of a value that is looked for; shorter ones occur by chance in any file of numbers."""
_TABLES = {"left": ("left",), "right": ("right", "runner_up")}


def telling_values(values: Collection[str], kept: Path) -> list[str]:
    """The values that nobody else in a run has, not even as a part of a text: what their bytes say is of one person."""
    long = sorted(value for value in values if len(value.encode()) >= SHORTEST)
    shared = {value for side in SIDES for value in _contained(long, kept / side / "users.parquet")}
    return [value for value in long if value not in shared]


def find_traces(folder: Path, accounts: Sequence[Account], values: Sequence[str]) -> list[str]:
    """The files that still name an account, or hold one of some values."""
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    return [
        file.relative_to(folder).as_posix()
        for file in files
        if _has_bytes(file, values) or (file.suffix == ".parquet" and _has_text(file, folder, accounts, values))
    ]


def written_forms(value: str) -> Iterator[bytes]:
    """A value as plain text, JSON, CSV and HTML write it."""
    for text in {value, json.dumps(value)[1:-1], value.replace('"', '""'), html.escape(value)}:
        yield text.encode()


def _has_bytes(file: Path, values: Sequence[str]) -> bool:
    if not file.stat().st_size:
        return False
    with file.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return any(content.find(form) >= 0 for value in values for form in written_forms(value))


def _has_text(file: Path, folder: Path, accounts: Sequence[Account], values: Sequence[str]) -> bool:
    return bool(_contained(values, file)) or any(_has_id(file, folder, account) for account in accounts)


def _has_id(file: Path, folder: Path, account: Account) -> bool:
    """Whether a column of users of the account's own network holds its id."""
    in_network = file.parent == folder / account.side
    wanted = ("id", "source", "target") if in_network else _TABLES[account.side] if file.parent == folder else ()
    columns = [name for name in wanted if pl.read_parquet_schema(file).get(name) == pl.String]
    if not columns:
        return False
    found = pl.scan_parquet(file).filter(pl.any_horizontal(pl.col(columns) == account.user))
    return bool(found.select(pl.len()).collect().item())


def _contained(values: Sequence[str], file: Path) -> set[str]:
    """The values that stand somewhere in the texts of a table."""
    found: set[str] = set()
    texts_only = [
        name for name, kind in pl.read_parquet_schema(file).items() if kind in (pl.String, pl.List(pl.String))
    ]
    for name in texts_only:
        missing = [value for value in values if value not in found]
        texts = as_texts(pl.read_parquet(file, columns=[name])[name])
        found |= {value for value in missing if texts.str.contains(value, literal=True).any()}
    return found
