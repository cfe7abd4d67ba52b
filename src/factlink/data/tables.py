"""One file ⇄ one table: Parquet, CSV or JSONL, by its suffix.

Files are written under another name and then moved, so a killed write leaves the old file or the new one. New files
are readable for their owner alone.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import polars as pl

from factlink.data.formats.delimited import read_csv, write_csv
from factlink.data.formats.jsonl import read_jsonl, write_jsonl
from factlink.data.formats.parquet import read_parquet, write_parquet
from factlink.data.formats.text import unreadable
from factlink.errors import InputError, SettingError
from factlink.storage.durable import replaced_file

SUFFIXES = (".parquet", ".csv", ".jsonl")


def read_table(path: Path, origin: str, n_rows: int | None = None) -> pl.DataFrame:
    """The table in a file, or its first rows; `origin` opens every message, like "network 'twitter': users.csv"."""
    reader = _READERS.get(path.suffix)
    if reader is None:
        raise InputError(f"{origin} is of a kind that is not read; give a file that ends in {', '.join(SUFFIXES)}")
    require_file(path, origin)
    try:
        with understood(origin):
            return reader(path, origin, n_rows)
    except OSError as error:
        raise unreadable(origin, error) from None


def write_table(table: pl.DataFrame, path: Path) -> None:
    """Write a table in the format that the suffix names."""
    writer = _WRITERS.get(path.suffix)
    if writer is None:
        raise SettingError(f"no table can be written as '{path.suffix}'; there are: {', '.join(SUFFIXES)}")
    with replaced_file(path) as part, part.open("wb") as file:  # polars takes no path that is not UTF-8
        writer(table, file)


def require_file(path: Path, origin: str) -> None:
    """Refuse what is not a file: a folder, a device, a pipe or nothing at all."""
    try:
        if path.is_file():
            return
        if path.is_dir():
            raise InputError(f"{path} is a folder; give a file")
        if path.exists():
            raise InputError(f"{path} is a device or a pipe; give a file")
    except OSError as error:
        raise unreadable(origin, error) from None
    raise InputError(f"there is no file {path}; check the path")


@contextmanager
def understood(origin: str) -> Iterator[None]:
    """Inside, what polars or Python cannot make sense of in a table is refused."""
    try:
        yield
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, *_LIMITS) as error:
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise InputError(f"{origin} holds what cannot be read ({reason}); write the file again") from None


def require_columns(table: pl.DataFrame, wanted: Mapping[str, str], origin: str) -> None:
    """Refuse a table without the `wanted` columns, each given with what it is for."""
    for column, purpose in wanted.items():
        if column not in table.columns:
            found = ", ".join(f"'{name}'" for name in table.columns) or "none"
            raise InputError(
                f"{origin} has no column '{column}'; name {purpose} '{column}' (columns found: {found}){_advice(table)}"
            )


def _advice(table: pl.DataFrame) -> str:
    if any("\0" in name for name in table.columns):
        return "; the file looks like UTF-16: save it as UTF-8"
    if table.width == 1 and any(mark in table.columns[0] for mark in ";\t|"):
        return "; separate the columns with commas"
    return ""


_LIMITS = (OverflowError, RecursionError, MemoryError, UnicodeError)
_READERS: Mapping[str, Callable[[Path, str, int | None], pl.DataFrame]] = {
    ".parquet": read_parquet,
    ".csv": read_csv,
    ".jsonl": read_jsonl,
}
_WRITERS: Mapping[str, Callable[[pl.DataFrame, IO[bytes]], None]] = {
    ".parquet": write_parquet,
    ".csv": write_csv,
    ".jsonl": write_jsonl,
}
