"""JSON objects, one on each line ⇄ table.

Every cell is a string or a list of strings. Numbers come as written, however long, but for a trailing '.0' (7.0 is
'7'); true and false as words. What JSON libraries read in different ways is refused: a key that an object has twice,
NaN, half a character.
"""

import json
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import NoReturn

import polars as pl

from factlink.data.columns import cell_error, flat_list, scalar_text
from factlink.data.formats.text import open_text
from factlink.errors import InputError

Record = dict[str, object]
_ROWS_AT_ONCE = 50_000
_HALF = re.compile(r"\\u[dD][89a-fA-F]")
_WHOLE = re.compile(r"(-?\d+)\.0+")


class _UnclearError(ValueError):
    """What JSON libraries read in different ways, and what to write instead."""


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


def write_jsonl(table: pl.DataFrame, path: Path) -> None:
    """Write a table that `read_jsonl` reads as the same strings."""
    table.write_ndjson(path)


def unique_keys(pairs: list[tuple[str, object]]) -> Record:
    """For `json`: an object, refused if it has a key twice, for one of the two values would be lost."""
    record = dict(pairs)
    if len(record) < len(pairs):
        keys = [key for key, _ in pairs]
        key = next(key for key in keys if keys.count(key) > 1)
        raise _UnclearError(f"has the key '{key}' twice; keep one of them, or make it a list")
    return record


def _number(text: str) -> str:
    whole = _WHOLE.fullmatch(text)
    return whole[1] if whole else text


def _refuse_constant(name: str) -> NoReturn:
    raise _UnclearError(f"holds {name}, which is not JSON; write null for what is missing, or a string")


_DECODER = json.JSONDecoder(
    object_pairs_hook=unique_keys, parse_int=str, parse_float=_number, parse_constant=_refuse_constant
)


def _records(lines: Iterable[str], origin: str) -> Iterator[Record]:
    written = (line for line in lines if line.strip())
    for row, line in enumerate(written, start=1):
        yield _record(line, origin, row)


def _record(line: str, origin: str, row: int) -> Record:
    try:
        record = _DECODER.decode(line.strip())
    except _UnclearError as error:
        raise InputError(f"{origin} row {row}: the line {error}") from None
    except RecursionError:
        raise InputError(f"{origin} row {row}: lists or objects lie too deep in each other; write flat lists") from None
    except ValueError:
        record = None
    if not isinstance(record, dict):
        raise InputError(f"{origin} row {row}: '{line.strip()[:60]}' is no JSON object; write one {{...}} on each line")
    if _HALF.search(line):
        _refuse_half_characters(record, origin, row)
    return record


def _refuse_half_characters(record: Record, origin: str, row: int) -> None:
    """Surrogates come in pairs; one alone is no character, and UTF-8 has no bytes for it."""
    try:
        json.dumps(record, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        half = json.dumps(error.object[error.start])[1:-1]
        raise InputError(
            f"{origin} row {row}: {half} is half a character (a lone surrogate); "
            "write the whole character, or leave it out"
        ) from None


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
