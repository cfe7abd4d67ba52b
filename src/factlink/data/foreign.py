"""Frames of other libraries → polars, by what they can do; none of these libraries is imported."""

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, cast

import numpy as np
import polars as pl

from factlink.data.columns import texts
from factlink.data.formats.cells import cell_error
from factlink.errors import InputError


def is_frame(source: object) -> bool:
    """Whether `polars_frame` is meant for this: polars, pandas, and all that gives an Arrow stream."""
    return (
        isinstance(source, pl.DataFrame | pl.LazyFrame) or _is_pandas(source) or hasattr(source, "__arrow_c_stream__")
    )


def polars_frame(frame: object) -> pl.DataFrame:
    """The same table in polars; pandas works with and without pyarrow installed."""
    try:
        return _polars_frame(frame)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, OverflowError, UnicodeError) as error:
        reason = str(error).partition("\n")[0]
        raise InputError(f"the {type(frame).__name__} cannot be read ({reason}); give a polars frame") from None


def _polars_frame(frame: object) -> pl.DataFrame:
    if isinstance(frame, pl.DataFrame):
        return frame
    if isinstance(frame, pl.LazyFrame):
        return frame.collect()
    if _is_pandas(frame):
        return _from_pandas(frame)
    if hasattr(frame, "__arrow_c_stream__"):
        return pl.DataFrame(frame)
    raise InputError(f"a {type(frame).__name__} is not a DataFrame; give a polars, pandas or Arrow table")


def _is_pandas(frame: object) -> bool:
    return type(frame).__module__.split(".")[0] == "pandas" and hasattr(frame, "columns")


def _from_pandas(frame: Any) -> pl.DataFrame:
    if any(name is not None for name in frame.index.names):
        frame = frame.reset_index()
    names = [str(name) for name in frame.columns]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"the frame has {names.count(name)} columns '{name}'; give each column its own name")
    return pl.DataFrame({str(name): _pandas_column(str(name), frame[name]) for name in frame.columns})


def _pandas_column(name: str, column: Any) -> pl.Series:
    """pandas keeps Python objects where it has no type, and marks what is missing in four ways."""
    cells = [None if missing else cell for cell, missing in zip(column.tolist(), column.isna(), strict=True)]
    return series_of_cells(name, cells, "the frame")


def series_of_cells(name: str, cells: list[Any], origin: str) -> pl.Series:
    """Python objects as a column; text where they are of several types, or polars would change them."""
    sorts = {(type(cell), getattr(cell, "tzinfo", None)) for cell in cells if cell is not None}
    if len(sorts) <= 1 and not any(map(_must_be_text, cells)):
        return pl.Series(name, cells)
    cells = [cell.tolist() if isinstance(cell, np.ndarray) else cell for cell in cells]
    if not any(isinstance(cell, list | tuple) for cell in cells):
        return pl.Series(name, [_text(cell, name, row, origin) for row, cell in enumerate(cells, 1)], dtype=pl.String)
    lists = [cell if isinstance(cell, list | tuple) else [cell] for cell in cells]
    items = [[_text(item, name, row, origin) for item in cell] for row, cell in enumerate(lists, 1)]
    return pl.Series(name, items, dtype=pl.List(pl.String))


def _must_be_text(cell: object) -> bool:
    """What polars would round, wrap or not take in, as it does with 1 and 0.5 in two lists."""
    if isinstance(cell, int):
        return not -_MOST <= cell < _MOST
    return bool(getattr(cell, "nanosecond", 0)) or not isinstance(cell, _PLAIN)


def _text(cell: object, name: str, row: int, origin: str) -> str | None:
    """One cell of a column of many types, as `texts` would write a column of its type."""
    if type(cell).__name__ in ("NoneType", "NAType", "NaTType"):
        return None
    for what, types in _UNUSABLE.items():
        if isinstance(cell, types):
            raise cell_error(name, origin, row, cell, what)
    if isinstance(cell, int) and not isinstance(cell, bool):
        return str(int(cell))
    if getattr(cell, "nanosecond", 0):
        return cast(datetime, cell).isoformat()
    if not isinstance(cell, _PLAIN):
        raise cell_error(name, origin, row, cell, "an object")
    return cast(str | None, texts(pl.Series([cell]), origin)[0])


_MOST = 2**63
_PLAIN = (str, int, float, Decimal, date, time, timedelta, np.generic, type(None))
_UNUSABLE: Mapping[str, type | tuple[type, ...]] = {
    "a list of lists": (list, tuple),
    "a struct": dict,
    "bytes": (bytes, bytearray),
}
