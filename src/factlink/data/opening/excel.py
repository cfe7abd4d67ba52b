"""Sheets of a workbook (.xlsx, .xls, .ods) → tables of strings.

A sheet begins at its first row that holds something; a title above the names of columns is left out. Dates are
ISO 8601. Excel keeps 15 digits of a number: ids of more digits that are stored as numbers are rounded already, and
refused.
"""

import logging
from pathlib import Path
from typing import Any

import polars as pl

from factlink.data.columns import texts
from factlink.errors import InputError, require_extra

_LONG = r"^\d{16,}$"
_WIDE = 3  # columns from which on a first row of one cell is a title, not a header


def read_sheets(path: Path, origin: str) -> tuple[dict[str, pl.DataFrame], tuple[str, ...]]:
    """The tables in a workbook by sheet, empty sheets left out; and a sentence on each title that was."""
    require_extra(f"{origin} is a workbook: reading it", "excel", "fastexcel")
    import fastexcel

    logging.getLogger("fastexcel").setLevel(logging.ERROR)  # it warns on stderr of each column of mixed cells
    notes: list[str] = []
    try:
        book = fastexcel.read_excel(path)
        tables = {name: _table(book, name, origin, notes) for name in book.sheet_names}
    except fastexcel.FastExcelError as error:
        reason = str(error).partition("\n")[0]
        raise InputError(
            f"{origin} is not a complete workbook ({reason}); save it again, or save the sheet as CSV"
        ) from None
    return {name: table for name, table in tables.items() if table.height or table.width}, tuple(notes)


def _table(book: Any, sheet: str, origin: str, notes: list[str]) -> pl.DataFrame:
    cells = book.load_sheet(sheet, header_row=None, dtypes="string").to_polars()
    if not cells.width:
        return pl.DataFrame()
    rows = cells.select(pl.any_horizontal(pl.all().str.strip_chars() != "").fill_null(False)).to_series().arg_true()
    cells = cells[rows]
    cells = cells[[column.name for column in cells if column.null_count() < cells.height]]
    if not cells.height:
        return pl.DataFrame()
    titles = _titles(cells)
    notes += [f"sheet '{sheet}': the row '{title}' above the names of columns is left out" for title in titles]
    cells, rows = cells[len(titles) :], rows[len(titles) :]
    header = [(cell or "").strip() or f"column_{place}" for place, cell in enumerate(cells.row(0), 1)]
    for name in header:
        if header.count(name) > 1:
            raise InputError(
                f"{origin} sheet '{sheet}' has {header.count(name)} columns '{name}'; give each its own name"
            )
    table = cells.slice(1).rename(dict(zip(cells.columns, header, strict=True)))
    typed = book.load_sheet(sheet, header_row=int(rows[0])).to_polars()[rows[1:] - rows[0] - 1]
    return _with_types(table, typed, f"{origin} sheet '{sheet}'")


def _titles(cells: pl.DataFrame) -> list[str]:
    """What stands above the names of columns in a sheet of several: first rows with one cell each."""
    found: list[str] = []
    for row in cells.iter_rows():
        filled = [cell for cell in row if cell and cell.strip()]
        if len(filled) > 1 or cells.width < _WIDE:
            return found
        found += filled
    return []


def _with_types(table: pl.DataFrame, typed: pl.DataFrame, origin: str) -> pl.DataFrame:
    """Dates as dates; numbers that Excel has rounded are refused."""
    for name in [name for name in table.columns if name in typed.columns]:
        cells, dtype = table[name], typed[name].dtype
        if dtype.is_numeric() and cells.str.contains(_LONG).any():
            shown = cells.filter(cells.str.contains(_LONG))[0]
            raise InputError(
                f"{origin}: column '{name}' holds numbers of more than 15 digits ({shown}), which Excel rounds; "
                "export the data again with this column as text, or as CSV"
            )
        if dtype.is_temporal():
            table = table.with_columns(_dates(typed[name], origin).alias(name))
    return table


def _dates(column: pl.Series, origin: str) -> pl.Series:
    text = texts(column, origin)
    return text.str.strip_suffix("T00:00:00") if text.drop_nulls().str.ends_with("T00:00:00").all() else text
