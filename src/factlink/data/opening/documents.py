"""JSON documents → tables: a list of objects, an object of such lists, or an object on each line.

Values come exactly as `formats.jsonl` reads them. Objects in objects become columns (`nesting`).
"""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from factlink.data.formats.exact_json import UnclearError, exact_value
from factlink.data.formats.jsonl import read_jsonl, table_of_records
from factlink.data.formats.nesting import flat_record
from factlink.data.formats.text import open_text, read_text
from factlink.errors import InputError

_WRITE = 'write a list of objects like [{"id": 1, "name": "Ann"}], or one object on each line'
Record = dict[str, object]


def read_json(path: Path, origin: str) -> dict[str, pl.DataFrame]:
    """The tables in a JSON file, by the keys that hold them; one under '' where the file is one list."""
    if not _is_one_value(path, origin):
        return {"": read_jsonl(path, origin)}
    try:
        value = exact_value(read_text(path, origin))
    except UnclearError as error:
        raise InputError(f"{origin}: the file {error}") from None
    except ValueError as error:
        raise InputError(f"{origin} is not valid JSON ({error}); {_WRITE}") from None
    return {name: _table(name, records, origin) for name, records in _lists_in(value, origin).items()}


def _is_one_value(path: Path, origin: str) -> bool:
    """Whether the file is one value rather than one on each line."""
    text_start = _first_line(path, origin)
    if not text_start.startswith("{"):
        return text_start.startswith("[")
    if path.suffix.lower() in (".jsonl", ".ndjson"):
        return text_start == "{"
    try:
        exact_value(text_start)
    except UnclearError:
        return False
    except ValueError:
        return True
    return not _has_more_lines(path, origin)


def _first_line(path: Path, origin: str) -> str:
    with open_text(path, origin) as file:
        return next((line.strip() for line in file if line.strip()), "")


def _has_more_lines(path: Path, origin: str) -> bool:
    with open_text(path, origin) as file:
        return sum(1 for line in file if line.strip()) > 1


def _lists_in(value: object, origin: str) -> dict[str, list[Record]]:
    if isinstance(value, list):
        return {"": _records(value, "", origin)}
    if not isinstance(value, dict):
        raise InputError(f"{origin} holds {str(value)[:60]!r}; {_WRITE}")
    lists = {name: item for name, item in value.items() if _is_table(item)}
    if lists:
        return {name: _records(item, name, origin) for name, item in lists.items()}
    inner = [item for item in value.values() if isinstance(item, dict)]
    if len(inner) == 1 and any(_is_table(item) for item in inner[0].values()):
        return _lists_in(inner[0], origin)
    if inner and len(inner) == len(value) and len(value) > 1:
        name = "key" if any("id" in item for item in inner) else "id"
        return {"": [{name: key, **item} for key, item in zip(value, inner, strict=True)]}
    return {"": [value]}


def _is_table(item: object) -> bool:
    return isinstance(item, list) and bool(item) and all(isinstance(record, dict) for record in item)


def _records(items: Sequence[object], name: str, origin: str) -> list[Record]:
    where = f" in '{name}'" if name else ""
    if items and all(isinstance(item, list) for item in items):
        return _rows_with_header([item for item in items if isinstance(item, list)], f"{origin}{where}")
    for row, item in enumerate(items, 1):
        if not isinstance(item, dict):
            raise InputError(f"{origin} row {row}{where}: {str(item)[:60]!r} is not a JSON object; {_WRITE}")
    return [item for item in items if isinstance(item, dict)]


def _rows_with_header(rows: list[list[object]], origin: str) -> list[Record]:
    """Lists of cells, the first of which may name the columns."""
    width = len(rows[0])
    for row, cells in enumerate(rows, 1):
        if len(cells) != width:
            raise InputError(f"{origin} list {row}: {len(cells)} cells where the first list has {width}; {_WRITE}")
    named = all(isinstance(cell, str) and not cell.lstrip("-").isdigit() for cell in rows[0])
    names = [str(cell) for cell in rows[0]] if named else [f"column_{place}" for place in range(1, width + 1)]
    return [dict(zip(names, row, strict=True)) for row in (rows[1:] if named else rows)]


def _table(name: str, records: list[Record], origin: str) -> pl.DataFrame:
    where = f"{origin} ({name})" if name else origin
    flat = []
    for row, record in enumerate(records, 1):
        try:
            flat.append(flat_record(record))
        except UnclearError as error:
            raise InputError(f"{where} row {row}: the object {error}") from None
    return table_of_records(flat, where)
