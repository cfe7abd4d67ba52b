"""Links as an Excel workbook: text stays text, whatever it looks like."""

from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import polars as pl

from factlink.errors import SettingError, require_extra

MOST_ROWS, LONGEST_CELL = 1_048_575, 32_767
"""Limits of the format: rows below the header, and characters of a cell."""
WIDTHS = {"evidence": 60, "probability": 12, "decision": 12}
USUAL_WIDTH = 24
_ROWS_AT_ONCE = 10_000


def check_sheet(n_rows: int) -> None:
    """Refuses what no sheet holds, before any work is done."""
    require_extra("an Excel file", "excel", "xlsxwriter")
    if n_rows > MOST_ROWS:
        raise SettingError(
            f"an Excel sheet holds {MOST_ROWS:,} rows, and there are {n_rows:,}; "
            "choose some with --decision link or --min-probability, or write a .csv or .parquet"
        )


def write_sheet(table: pl.DataFrame, file: Path, created: datetime) -> None:
    """One sheet with a fixed header and a filter; no cell is computed, and no address becomes a link."""
    import xlsxwriter

    check_sheet(table.height)
    content = BytesIO()
    with xlsxwriter.Workbook(content, {"in_memory": True, **{f"strings_to_{what}": False for what in _NEVER}}) as book:
        book.set_properties({"created": created.replace(tzinfo=None), "title": "Links found by factlink"})
        sheet = book.add_worksheet("links")
        sheet.freeze_panes(1, 0)
        sheet.autofilter(0, 0, max(1, table.height), table.width - 1)
        bold, share = book.add_format({"bold": True}), book.add_format({"num_format": "0.000"})
        for place, name in enumerate(table.columns):
            sheet.set_column(place, place, WIDTHS.get(name, USUAL_WIDTH))
            sheet.write_string(0, place, name, bold)
        _write_rows(sheet, table, share)
    file.write_bytes(content.getbuffer())


_NEVER = ("formulas", "urls", "numbers")


def _write_rows(sheet: Any, table: pl.DataFrame, share: Any) -> None:
    row = 0
    for part in table.iter_slices(_ROWS_AT_ONCE):
        for cells in part.iter_rows():
            row += 1
            for place, cell in enumerate(cells):
                if isinstance(cell, str):
                    sheet.write_string(
                        row, place, cell if len(cell) <= LONGEST_CELL else f"{cell[: LONGEST_CELL - 1]}…"
                    )
                elif cell is not None:
                    sheet.write_number(row, place, cell, share)
