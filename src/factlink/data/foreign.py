"""Frames of other libraries → polars, by what they can do; none of these libraries is imported."""

from collections.abc import Iterable
from typing import Any, Protocol, cast

import polars as pl

from factlink.errors import InputError


class _Pandas(Protocol):
    columns: Iterable[object]

    def __getitem__(self, column: object) -> Any: ...


def polars_frame(frame: object) -> pl.DataFrame:
    """The same table in polars; pandas works with and without pyarrow installed."""
    if isinstance(frame, pl.DataFrame):
        return frame
    if isinstance(frame, pl.LazyFrame):
        return frame.collect()
    if _is_pandas(frame):
        return _from_pandas(cast(_Pandas, frame))
    if hasattr(frame, "__arrow_c_stream__"):
        return pl.DataFrame(frame)
    raise InputError(f"a {type(frame).__name__} is no frame; give a polars, pandas or Arrow table")


def _is_pandas(frame: object) -> bool:
    return type(frame).__module__.split(".")[0] == "pandas" and hasattr(frame, "columns")


def _from_pandas(frame: _Pandas) -> pl.DataFrame:
    names = [str(name) for name in frame.columns]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"the frame has {names.count(name)} columns '{name}'; give each column its own name")
    return pl.DataFrame([_pandas_column(str(name), frame[name]) for name in frame.columns])


def _pandas_column(name: str, column: Any) -> pl.Series:
    """pandas keeps Python objects where it has no type, and marks what is missing in four ways."""
    cells = [None if missing else cell for cell, missing in zip(column.tolist(), column.isna(), strict=True)]
    try:
        return pl.Series(name, cells)
    except (TypeError, pl.exceptions.PolarsError):
        several = any(isinstance(cell, list | tuple) for cell in cells)
        return pl.Series(name, [_as_cell(cell, several) for cell in cells])


def _as_cell(cell: object, several: bool) -> object:
    if cell is None:
        return None
    if isinstance(cell, list | tuple):
        return [None if item is None else _text(item) for item in cell]
    return [_text(cell)] if several else _text(cell)


def _text(cell: object) -> str:
    return str(cell.isoformat()) if hasattr(cell, "isoformat") else str(cell)
