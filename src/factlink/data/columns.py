"""A column of anything → strings, and which rows own them.

Numbers are written as short as they can be (7.0 is '7'), dates and times as ISO 8601, truth as 'true' and 'false'.
Null, NaN, the empty and the blank string are missing values. Rows in messages count from 1.
"""

import numpy as np
import polars as pl

from factlink.data.formats.cells import cell_error, flat_list
from factlink.data.formats.exact_json import exact_value
from factlink.errors import InputError
from factlink.types import Ints

_EXACT_INTEGERS = 2.0**53


def texts(column: pl.Series, origin: str) -> pl.Series:
    """One string for each row, null where there is no value."""
    if _is_list(column.dtype):
        raise _unusable(column, origin, "a list")
    return _blank_to_null(_as_text(column, column, origin))


def values(column: pl.Series, origin: str) -> tuple[Ints, pl.Series]:
    """The values of all rows in file order, and the row of each; a row may own none or several."""
    rows = pl.arange(len(column), dtype=pl.Int32, eager=True)
    table = pl.DataFrame({"row": rows, "object": column})
    if not _is_list(column.dtype):
        table = table.with_columns(object=texts(column, origin)).drop_nulls("object")
    else:
        if isinstance(column.dtype, pl.Array):
            _refuse_objects(column, origin)
            table = table.cast({"object": pl.List(column.dtype.inner)})
        table = table.filter(pl.col("object").list.len() > 0).explode("object")
        table = table.with_columns(object=_blank_to_null(_as_text(table["object"], column, origin)))
        table = table.drop_nulls("object").unique(maintain_order=True, keep="first")
    return table["row"].to_numpy(), table["object"].alias("").rechunk()


def lists_in_cells(column: pl.Series, origin: str) -> pl.Series:
    """CSV has no lists: a cell that is a JSON list, like ["a", "b"], holds several values."""
    looks = column.str.contains(r"^\s*\[(?s:.)*\]\s*$").fill_null(False)
    if not looks.any():
        return column
    rows = looks.arg_true()
    decoded = [
        _decoded(cell, column.name, origin, row + 1) for row, cell in zip(rows, column.gather(rows), strict=True)
    ]
    if all(cell is None for cell in decoded):
        return column
    lists = pl.DataFrame({"row": rows, "list": pl.Series(decoded, dtype=pl.List(pl.String))})
    table = (
        pl.DataFrame({"cell": column}).with_row_index("row").join(lists, on="row", how="left", maintain_order="left")
    )
    return table.select(pl.coalesce("list", pl.concat_list("cell")).alias(column.name)).to_series()


def is_list_cell(text: str) -> bool:
    """Whether `lists_in_cells` would take this string apart."""
    return _json_list(text) is not None


def _decoded(cell: str, column: str, origin: str, row: int) -> list[str | None] | None:
    items = _json_list(cell)
    return None if items is None else flat_list(items, column, origin, row)


def _json_list(text: str) -> list[object] | None:
    if not text.strip().startswith("["):
        return None
    try:
        items = exact_value(text)
    except ValueError:
        return None
    return items if isinstance(items, list) else None


def _as_text(column: pl.Series, whole: pl.Series, origin: str) -> pl.Series:
    dtype = column.dtype
    if dtype.is_float():
        return _float_text(column)
    if isinstance(dtype, pl.Decimal):
        return column.cast(pl.String).str.replace(r"(\.\d*?)0+$", "$1").str.strip_suffix(".")
    if isinstance(dtype, pl.Datetime):
        return column.dt.to_string("%Y-%m-%dT%H:%M:%S%.f" + ("%:z" if dtype.time_zone else ""))
    if isinstance(dtype, pl.Time):
        return column.dt.to_string("%H:%M:%S%.f")
    if isinstance(dtype, pl.Duration):
        return column.dt.to_string("iso")
    what = _unusable_dtype(dtype)
    if what is not None:
        raise _unusable(whole, origin, "a list of lists" if _is_list(dtype) else what)
    return column.cast(pl.String)


def _float_text(column: pl.Series) -> pl.Series:
    number = pl.col("number")
    exact = (number == number.floor()) & (number.abs() < _EXACT_INTEGERS)
    text = pl.when(exact).then(number.cast(pl.Int64, strict=False).cast(pl.String)).otherwise(number.cast(pl.String))
    return pl.DataFrame({"number": column}).select(pl.when(number.is_not_nan()).then(text)).to_series()


def _blank_to_null(text: pl.Series) -> pl.Series:
    column = pl.col("text")
    return pl.DataFrame({"text": text}).select(pl.when(column.str.strip_chars() != "").then(column)).to_series()


def _refuse_objects(column: pl.Series, origin: str) -> None:
    """polars panics when it is to cast an array of them."""
    if "Object" in str(column.dtype):
        raise cell_error(column.name, origin, 1, column.dtype, "an object")


def _is_list(dtype: pl.DataType) -> bool:
    return isinstance(dtype, pl.List | pl.Array)


def _unusable_dtype(dtype: pl.DataType) -> str | None:
    if isinstance(dtype, pl.Struct):
        return "a struct"
    if isinstance(dtype, pl.Binary):
        return "bytes"
    if isinstance(dtype, pl.Object):
        return "an object"
    return "a list of lists" if _is_list(dtype) else None


def _unusable(column: pl.Series, origin: str, what: str) -> InputError:
    present = np.flatnonzero(column.is_not_null().to_numpy())
    row = int(present[0]) if len(present) else 0
    value = column[row] if len(column) else None
    shown = value.to_list() if isinstance(value, pl.Series) else value
    return cell_error(column.name, origin, row + 1, shown, what)
