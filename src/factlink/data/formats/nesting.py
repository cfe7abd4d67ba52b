"""Objects in objects → columns: {"a": {"b": 1}} is a column 'a.b'; lists stay lists.

A list of objects becomes a list for each of their keys: [{"name": "x"}, {"name": "y"}] is a column with both names.
"""

from collections.abc import Iterator, Mapping

import polars as pl

from factlink.data.formats.exact_json import UnclearError

BETWEEN = "."


def flat_record(record: Mapping[str, object]) -> dict[str, object]:
    """The record without objects in it; `UnclearError` if two values would be in one column."""
    if not any(isinstance(value, dict | list) for value in record.values()):
        return dict(record)
    flat: dict[str, object] = {}
    for name, value in _leaves(record, ""):
        if name in flat:
            raise UnclearError(f"has two values for '{name}', one of them in an object; rename one of the keys")
        flat[name] = value
    return flat


def flat_frame(table: pl.DataFrame) -> pl.DataFrame:
    """The table with a column for each field of its structs, and a list of values for lists of structs."""
    while nested := [column.name for column in table if _is_struct(column.dtype)]:
        columns = []
        for column in table:
            columns.extend(_fields(column) if column.name in nested else [column])
        names = [column.name for column in columns]
        if len(set(names)) < len(names):
            return table
        table = pl.DataFrame(columns)
    return table


def _leaves(record: Mapping[str, object], path: str) -> Iterator[tuple[str, object]]:
    for key, value in record.items():
        name = f"{path}{key}"
        if isinstance(value, dict):
            yield from _leaves(value, f"{name}{BETWEEN}")
        elif isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
            yield from _lists(value, name)
        else:
            yield name, value


def _lists(records: list[dict[str, object]], path: str) -> Iterator[tuple[str, object]]:
    flat = [dict(_leaves(record, f"{path}{BETWEEN}")) for record in records]
    for name in dict.fromkeys(name for record in flat for name in record):
        found = [record[name] for record in flat if record.get(name) is not None]
        yield name, [item for value in found for item in (value if isinstance(value, list) else [value])]


def _is_struct(dtype: pl.DataType) -> bool:
    return isinstance(dtype, pl.Struct) or (isinstance(dtype, pl.List) and isinstance(dtype.inner, pl.Struct))


def _fields(column: pl.Series) -> list[pl.Series]:
    if isinstance(column.dtype, pl.Struct):
        return [
            column.struct.field(field.name).alias(f"{column.name}{BETWEEN}{field.name}")
            for field in column.dtype.fields
        ]
    inner = column.dtype.inner  # type: ignore[attr-defined]
    return [
        column.to_frame()
        .select(pl.col(column.name).list.eval(pl.element().struct.field(field.name).drop_nulls()))
        .to_series()
        .alias(f"{column.name}{BETWEEN}{field.name}")
        for field in inner.fields
    ]
