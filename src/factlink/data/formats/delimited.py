"""CSV ⇄ table, also with other separators. Cells are strings as written: nothing is inferred, so '007' stays '007'.
An empty cell is null; rows of empty cells are skipped.

A file without quotes is split at separators and line ends, which polars does in no time. One with quotes is read by
Python's own strict reader: it refuses what others read in different ways.
"""

import csv
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import IO, TextIO

import polars as pl

from factlink.data.formats.formulas import with_guards, without_guards
from factlink.data.formats.text import is_utf8, not_utf8, open_text
from factlink.errors import InputError

_BLOCK = 1 << 20
_ROWS_AT_ONCE = 50_000
_LONGEST_CELL = 2**31 - 1
_QUOTES_REMEDY = "put values with quotes, {} or line ends in double quotes, and double the quotes in them"
SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars"}


@dataclass(frozen=True, slots=True)
class Dialect:
    """The mark between cells, and whether the first line names the columns."""

    separator: str = ","
    has_header: bool = True

    @property
    def mark(self) -> str:
        """The separator as messages name it."""
        return SEPARATORS.get(self.separator, f"'{self.separator}'")

    def columns(self, first: list[str]) -> list[str]:
        """The names of the columns: those in the first line, or else column_1, column_2 …"""
        return first if self.has_header else [f"column_{place}" for place in range(1, len(first) + 1)]


COMMAS = Dialect()


def read_csv(path: Path, origin: str, n_rows: int | None = None, dialect: Dialect = COMMAS) -> pl.DataFrame:
    """The table in a CSV file, all cells strings, or its first rows."""
    read = _read_plain if _is_plain(path) else _read_quoted
    return without_guards(read(path, origin, n_rows, dialect), origin)


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


def _read_plain(path: Path, origin: str, n_rows: int | None, dialect: Dialect) -> pl.DataFrame:
    with open_text(path, origin) as file:
        line = next((line for line in file if line.strip("\n")), None)
    if line is None:
        return pl.DataFrame()
    header = dialect.columns(line.strip("\n").split(dialect.separator))
    _refuse_repeated_columns(header, origin)
    schema = {f"{place}": pl.String for place in range(len(header))}
    lines = None if n_rows is None else n_rows + 1
    mark = dialect.separator
    try:
        table = pl.read_csv(
            path, separator=mark, has_header=False, schema=schema, glob=False, quote_char=None, n_rows=lines
        )
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise _broken(path, origin, error, dialect) from None
    table = table.filter(pl.any_horizontal(pl.all().is_not_null())).slice(int(dialect.has_header))
    if table.height and table[:, -1].null_count():
        _refuse_ragged_rows(path, origin, n_rows, dialect)
    return table.rename(dict(zip(table.columns, header, strict=True)))


def _broken(path: Path, origin: str, error: BaseException, dialect: Dialect) -> InputError:
    if not is_utf8(path):
        return not_utf8(path, origin)
    _refuse_ragged_rows(path, origin, None, dialect)
    reason = str(error).partition("\n")[0]
    return InputError(f"{origin} is not valid CSV ({reason}); {_QUOTES_REMEDY.format(dialect.mark)}")


def _refuse_ragged_rows(path: Path, origin: str, n_rows: int | None, dialect: Dialect) -> None:
    deque(islice(_checked_rows(path, origin, dialect), None if n_rows is None else n_rows + 1), maxlen=0)


def _read_quoted(path: Path, origin: str, n_rows: int | None, dialect: Dialect) -> pl.DataFrame:
    rows = _checked_rows(path, origin, dialect)
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


def _checked_rows(path: Path, origin: str, dialect: Dialect) -> Iterator[list[str]]:
    """The header and then all rows that hold something, each of as many cells."""
    with open_text(path, origin, newline="") as file, _cells_of_any_length():
        rows = _rows(file, origin, dialect)
        first = next(rows, None)
        if first is None:
            return
        yield dialect.columns(first)
        for row, cells in enumerate(rows if dialect.has_header else chain([first], rows), start=1):
            if len(cells) != len(first):
                raise _ragged(origin, row, cells, len(first), dialect)
            yield cells


def _rows(file: TextIO, origin: str, dialect: Dialect) -> Iterator[list[str]]:
    reader = csv.reader(file, strict=True, delimiter=dialect.separator)
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise InputError(
                f"{origin} line {line} is not valid CSV ({error}); {_QUOTES_REMEDY.format(dialect.mark)}"
            ) from None
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


def _ragged(origin: str, row: int, cells: list[str], wanted: int, dialect: Dialect) -> InputError:
    shown = dialect.separator.join(cells)[:60]
    return InputError(
        f"{origin} row {row}: {len(cells)} cells where the {'header' if dialect.has_header else 'first row'} has "
        f"{wanted} ('{shown}'); put values that hold {dialect.mark} in double quotes, and give every row all its cells"
    )


def _refuse_repeated_columns(columns: list[str], origin: str) -> None:
    for column in columns:
        if columns.count(column) > 1:
            raise InputError(f"{origin} has {columns.count(column)} columns '{column}'; give each column its own name")
