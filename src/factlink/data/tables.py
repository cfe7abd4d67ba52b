"""One file ⇄ one table: Parquet, CSV or JSONL, by its suffix.

CSV is read as strings and nothing is inferred, so '007' stays '007'; blank lines are skipped. Files are written
under another name and then moved, so a killed write leaves the old file or the new one.
"""

import csv
import errno
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import polars as pl

from factlink.data.columns import flat_list, scalar_text, struct_error
from factlink.errors import InputError, SettingError

SUFFIXES = (".parquet", ".csv", ".jsonl")
QUICK = 1
"""Level of zstd: files of our numbers and names are as small as at the usual 3, in half the time."""

_READ_ERRORS = (pl.exceptions.PolarsError, pl.exceptions.PanicException)


def read_table(path: Path, origin: str) -> pl.DataFrame:
    """The table in a file; `origin` opens every message, like "network 'twitter': users.csv"."""
    reader = _READERS.get(path.suffix)
    if reader is None:
        raise InputError(f"{origin} is of a kind that is not read; give a file that ends in {', '.join(SUFFIXES)}")
    if not path.is_file():
        raise InputError(f"there is no file {path}; check the path")
    try:
        return reader(path, origin)
    except OSError as error:
        raise _unreadable(origin, error) from None


def write_table(table: pl.DataFrame, path: Path) -> None:
    """Write a table in the format that the suffix names."""
    writer = _WRITERS.get(path.suffix)
    if writer is None:
        raise SettingError(f"no table can be written as '{path.suffix}'; there are: {', '.join(SUFFIXES)}")
    part = path.with_name(f".{path.name}.part")
    try:
        writer(table, part)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def write_parquet(table: pl.DataFrame, path: Path, group: int | None = None) -> None:
    """Writes a Parquet file, with so many rows in a group; what the system refuses is raised as it says it."""
    try:
        table.write_parquet(path, compression_level=QUICK, row_group_size=group)
    except _READ_ERRORS as error:
        found = re.search(r"\(os error (\d+)\)", str(error))
        number = int(found[1]) if found else errno.EIO
        raise OSError(number, os.strerror(number), str(path)) from None


def read_text(path: Path, origin: str) -> str:
    """The text of a UTF-8 file, with line ends as '\\n'."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise _not_utf8(path, origin) from None
    except OSError as error:
        raise _unreadable(origin, error) from None


def require_columns(table: pl.DataFrame, wanted: Mapping[str, str], origin: str) -> None:
    """Refuse a table without the `wanted` columns, each given with what it is for."""
    for column, purpose in wanted.items():
        if column not in table.columns:
            found = ", ".join(f"'{name}'" for name in table.columns) or "none"
            comma = "; separate the columns with commas" if _is_other_dialect(table) else ""
            raise InputError(
                f"{origin} has no column '{column}'; name {purpose} '{column}' (columns found: {found}){comma}"
            )


def _is_other_dialect(table: pl.DataFrame) -> bool:
    return table.width == 1 and any(mark in table.columns[0] for mark in ";\t|")


def _unreadable(origin: str, error: OSError) -> InputError:
    reason = error.strerror or str(error).splitlines()[0]
    return InputError(f"{origin} cannot be read ({reason}); check the path and its permissions")


def _read_parquet(path: Path, origin: str) -> pl.DataFrame:
    try:
        return pl.read_parquet(path, glob=False, hive_partitioning=False)
    except _READ_ERRORS as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"{origin} is no whole Parquet file ({reason}); copy or write it again") from None


def _read_csv(path: Path, origin: str) -> pl.DataFrame:
    try:
        table = pl.read_csv(path, has_header=False, infer_schema=False, glob=False)
    except pl.exceptions.NoDataError:
        return pl.DataFrame()
    except _READ_ERRORS as error:
        raise _broken_csv(path, origin, error) from None
    columns = [name or "" for name in table.row(0)]
    table = table.slice(1).filter(pl.any_horizontal(pl.all().is_not_null()))
    if "" in columns[-1:] or table[:, -1].null_count():
        _refuse_ragged_rows(path, origin)
    _refuse_repeated_columns(columns, origin)
    return table.rename(dict(zip(table.columns, columns, strict=True)))


def _broken_csv(path: Path, origin: str, error: BaseException) -> InputError:
    if _first_bad_line(path) is not None:
        return _not_utf8(path, origin)
    _refuse_ragged_rows(path, origin)
    reason = str(error).splitlines()[0]
    return InputError(f"{origin} is no CSV ({reason}); put values with quotes, commas or line ends in double quotes")


def _refuse_ragged_rows(path: Path, origin: str) -> None:
    for row, (wanted, cells) in enumerate(_csv_rows(path), start=1):
        if len(cells) != wanted:
            shown = ",".join(cells)[:60]
            raise InputError(
                f"{origin} row {row}: {len(cells)} cells where the header has {wanted} ('{shown}'); "
                "put values that hold commas in double quotes, and give every row all its cells"
            )


def _csv_rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = csv.reader(file)
        wanted = len(next(rows, []))
        try:
            for cells in rows:
                if any(cells):
                    yield wanted, cells
        except csv.Error:
            return


def _refuse_repeated_columns(columns: list[str], origin: str) -> None:
    for column in columns:
        if columns.count(column) > 1:
            raise InputError(f"{origin} has {columns.count(column)} columns '{column}'; give each column its own name")


def _read_jsonl(path: Path, origin: str) -> pl.DataFrame:
    if not path.stat().st_size:
        return pl.DataFrame()
    try:
        with path.open("rb") as file:
            table = pl.read_ndjson(file, infer_schema_length=None)
    except _READ_ERRORS as error:
        raise _broken_jsonl(path, origin, error) from None
    return table.with_columns(_mixed_column(path, origin, name) for name in _mixed_columns(table))


def _broken_jsonl(path: Path, origin: str, error: BaseException) -> InputError:
    if _first_bad_line(path) is not None:
        return _not_utf8(path, origin)
    for row, line in enumerate(_json_lines(path), start=1):
        try:
            found = json.loads(line)
        except ValueError:
            found = None
        if not isinstance(found, dict):
            return InputError(
                f"{origin} row {row}: '{line.strip()[:60]}' is no JSON object; write one {{...}} on each line"
            )
    reason = str(error).splitlines()[0]
    return InputError(
        f"{origin} is no JSONL ({reason}); write one JSON object on each line, with the same kind of value in a column"
    )


def _mixed_columns(table: pl.DataFrame) -> list[str]:
    """Columns where polars may have written lists or objects out as text because other rows hold scalars."""
    return [name for name in table.columns if _may_hold_json(table[name])]


def _may_hold_json(column: pl.Series) -> bool:
    items = column.explode() if column.dtype == pl.List(pl.String) else column
    return items.dtype == pl.String and bool(items.str.contains(r"^[\[{]").any())


def _mixed_column(path: Path, origin: str, name: str) -> pl.Series:
    cells = [json.loads(line).get(name) for line in _json_lines(path)]
    for row, cell in enumerate(cells, start=1):
        if isinstance(cell, dict):
            raise struct_error(name, origin, row, cell)
    if not any(isinstance(cell, list) for cell in cells):
        return pl.Series(name, [scalar_text(cell) for cell in cells], dtype=pl.String)
    lists = [
        flat_list(cell if isinstance(cell, list) else [cell], name, origin, row)
        for row, cell in enumerate(cells, start=1)
    ]
    return pl.Series(name, lists, dtype=pl.List(pl.String))


def _json_lines(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8") as file:
        yield from (line for line in file if line.strip())


def _first_bad_line(path: Path) -> tuple[int, bytes] | None:
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError as error:
                return number, line[error.start : error.start + 1]
    return None


def _not_utf8(path: Path, origin: str) -> InputError:
    number, byte = _first_bad_line(path) or (1, b"")
    return InputError(f"{origin} line {number}: byte 0x{byte.hex()} is not UTF-8; save the file as UTF-8")


_READERS: Mapping[str, Callable[[Path, str], pl.DataFrame]] = {
    ".parquet": _read_parquet,
    ".csv": _read_csv,
    ".jsonl": _read_jsonl,
}
_WRITERS: Mapping[str, Callable[[pl.DataFrame, Path], None]] = {
    ".parquet": write_parquet,
    ".csv": lambda table, path: table.write_csv(path),
    ".jsonl": lambda table, path: table.write_ndjson(path),
}
