"""CSV ⇄ table. Cells are strings as written: nothing is inferred, so '007' stays '007'. An empty cell is null; rows
of empty cells are skipped.

A file without quotes is split at commas and line ends, which polars does in no time. One with quotes is read by
Python's own strict reader: it refuses what others read in different ways.
"""

import csv
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO, TextIO

import polars as pl

from factlink.data.formats.formulas import with_guards, without_guards
from factlink.data.formats.text import is_utf8, not_utf8, open_text
from factlink.errors import InputError

_BLOCK = 1 << 20
_ROWS_AT_ONCE = 50_000
_LONGEST_CELL = 2**31 - 1
_QUOTES_REMEDY = "put values with quotes, commas or line ends in double quotes, and double the quotes in them"


def read_csv(path: Path, origin: str, n_rows: int | None = None) -> pl.DataFrame:
    """The table in a CSV file, all cells strings, or its first rows."""
    table = _read_plain(path, origin, n_rows) if _is_plain(path) else _read_quoted(path, origin, n_rows)
    return without_guards(table, origin)


def write_csv(table: pl.DataFrame, file: IO[bytes]) -> None:
    """Write a table that `read_csv` reads as the same strings, and in which no spreadsheet finds a formula."""
    with_guards(table).write_csv(file)


def _is_plain(path: Path) -> bool:
    """Whether there are neither quotes nor line ends that are a carriage return alone."""
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            block += file.read(1) if block.endswith(b"\r") else b""
            if b'"' in block or block.count(b"\r") != block.count(b"\r\n"):
                return False
    return True


def _read_plain(path: Path, origin: str, n_rows: int | None) -> pl.DataFrame:
    with open_text(path, origin) as file:
        line = next((line for line in file if line.strip("\n")), None)
    if line is None:
        return pl.DataFrame()
    header = line.strip("\n").split(",")
    _refuse_repeated_columns(header, origin)
    schema = {f"{place}": pl.String for place in range(len(header))}
    lines = None if n_rows is None else n_rows + 1
    try:
        table = pl.read_csv(path, has_header=False, schema=schema, glob=False, quote_char=None, n_rows=lines)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise _broken(path, origin, error) from None
    table = table.filter(pl.any_horizontal(pl.all().is_not_null())).slice(1)
    if table.height and table[:, -1].null_count():
        _refuse_ragged_rows(path, origin, n_rows)
    return table.rename(dict(zip(table.columns, header, strict=True)))


def _broken(path: Path, origin: str, error: BaseException) -> InputError:
    if not is_utf8(path):
        return not_utf8(path, origin)
    _refuse_ragged_rows(path, origin)
    reason = str(error).partition("\n")[0]
    return InputError(f"{origin} is not valid CSV ({reason}); {_QUOTES_REMEDY}")


def _refuse_ragged_rows(path: Path, origin: str, n_rows: int | None = None) -> None:
    deque(islice(_checked_rows(path, origin), None if n_rows is None else n_rows + 1), maxlen=0)


def _read_quoted(path: Path, origin: str, n_rows: int | None) -> pl.DataFrame:
    rows = _checked_rows(path, origin)
    header = next(rows, [])
    _refuse_repeated_columns(header, origin)
    names = [f"{place}" for place in range(len(header))]
    rows = islice(rows, n_rows)
    parts = [pl.DataFrame(schema=dict.fromkeys(names, pl.String))]
    while some := list(islice(rows, _ROWS_AT_ONCE)):
        columns = zip(names, zip(*some, strict=True), strict=True)
        parts.append(pl.DataFrame([pl.Series(name, cells, dtype=pl.String) for name, cells in columns]))
    table = pl.concat(parts).with_columns(pl.all().replace("", None))
    return table.rename(dict(zip(names, header, strict=True)))


def _checked_rows(path: Path, origin: str) -> Iterator[list[str]]:
    """The header and then all rows that hold something, each of as many cells."""
    with open_text(path, origin, newline="") as file, _cells_of_any_length():
        rows = _rows(file, origin)
        header = next(rows, None)
        if header is None:
            return
        yield header
        for row, cells in enumerate(rows, start=1):
            if len(cells) != len(header):
                raise _ragged(origin, row, cells, len(header))
            yield cells


def _rows(file: TextIO, origin: str) -> Iterator[list[str]]:
    reader = csv.reader(file, strict=True)
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise InputError(f"{origin} line {line} is not valid CSV ({error}); {_QUOTES_REMEDY}") from None
        if cells is None:
            return
        if any(cells):
            yield cells


@contextmanager
def _cells_of_any_length() -> Iterator[None]:
    usual = csv.field_size_limit(_LONGEST_CELL)
    try:
        yield
    finally:
        csv.field_size_limit(usual)


def _ragged(origin: str, row: int, cells: list[str], wanted: int) -> InputError:
    shown = ",".join(cells)[:60]
    return InputError(
        f"{origin} row {row}: {len(cells)} cells where the header has {wanted} ('{shown}'); "
        "put values that hold commas in double quotes, and give every row all its cells"
    )


def _refuse_repeated_columns(columns: list[str], origin: str) -> None:
    for column in columns:
        if columns.count(column) > 1:
            raise InputError(f"{origin} has {columns.count(column)} columns '{column}'; give each column its own name")
