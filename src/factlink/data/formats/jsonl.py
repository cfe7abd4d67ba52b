"""JSON objects, one on each line ⇄ table.

Every cell is a string or a list of strings. Numbers come as written, however long, but for a trailing '.0' (7.0 is
'7'); true and false as words. What JSON libraries read in different ways is refused: a key that an object has twice,
NaN, half a character. Objects in objects become columns (`nesting`).
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import IO

import polars as pl

from factlink.data.formats.cells import cell_error, flat_list, scalar_text
from factlink.data.formats.exact_json import UnclearError, exact_value
from factlink.data.formats.nesting import flat_record
from factlink.data.formats.text import open_text
from factlink.errors import InputError

Record = dict[str, object]
_ROWS_AT_ONCE = 50_000


def read_jsonl(path: Path, origin: str, n_rows: int | None = None) -> pl.DataFrame:
    """The table in a JSONL file, or its first rows; a column has lists where any of its cells is one."""
    parts: list[pl.DataFrame] = []
    with open_text(path, origin) as file:
        records = islice(_records(file, origin), n_rows)
        first = 1
        while some := list(islice(records, _ROWS_AT_ONCE)):
            parts.append(_table(some, origin, first))
            first += len(some)
    return _stacked(parts)


def table_of_records(records: list[Record], origin: str) -> pl.DataFrame:
    """The table that flat records are, as `read_jsonl` reads them."""
    places = range(0, len(records), _ROWS_AT_ONCE)
    return _stacked([_table(records[place : place + _ROWS_AT_ONCE], origin, place + 1) for place in places])


def write_jsonl(table: pl.DataFrame, file: IO[bytes]) -> None:
    """Write a table that `read_jsonl` reads as the same strings."""
    table.write_ndjson(file)


def _records(lines: Iterable[str], origin: str) -> Iterator[Record]:
    written = (line for line in lines if line.strip())
    for row, line in enumerate(written, start=1):
        yield _record(line, origin, row)


def _record(line: str, origin: str, row: int) -> Record:
    try:
        record = exact_value(line)
        if isinstance(record, dict):
            return flat_record(record)
    except UnclearError as error:
        raise InputError(f"{origin} row {row}: the line {error}") from None
    except ValueError:
        pass
    raise InputError(f"{origin} row {row}: '{line.strip()[:60]}' is not a JSON object; write one {{...}} on each line")


def _table(records: list[Record], origin: str, first: int) -> pl.DataFrame:
    names = dict.fromkeys(name for record in records for name in record)
    return pl.DataFrame(
        {name: _column(name, [record.get(name) for record in records], origin, first) for name in names}
    )


def _column(name: str, cells: list[object], origin: str, first: int) -> pl.Series:
    types = set(map(type, cells))
    if dict in types:
        row, cell = next((row, cell) for row, cell in enumerate(cells, first) if isinstance(cell, dict))
        raise cell_error(name, origin, row, cell, "a struct")
    if list not in types:
        return pl.Series(name, [scalar_text(cell) for cell in cells] if bool in types else cells, dtype=pl.String)
    lists = [
        None if cell is None else flat_list(cell if isinstance(cell, list) else [cell], name, origin, row)
        for row, cell in enumerate(cells, first)
    ]
    return pl.Series(name, lists, dtype=pl.List(pl.String))


def _stacked(parts: list[pl.DataFrame]) -> pl.DataFrame:
    """One table, a column of which any part has lists being one of lists."""
    listed = {column.name for part in parts for column in part if column.dtype != pl.String}
    wrapped = [part.with_columns(_wrapped(part[name]) for name in listed.intersection(part.columns)) for part in parts]
    return pl.concat(wrapped, how="diagonal") if wrapped else pl.DataFrame()


def _wrapped(column: pl.Series) -> pl.Series:
    if column.dtype != pl.String:
        return column
    cell = pl.col(column.name)
    return column.to_frame().select(pl.when(cell.is_not_null()).then(pl.concat_list(cell))).to_series()
