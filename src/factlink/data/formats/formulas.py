"""Cells that a spreadsheet would compute: '=1+1', '@ann', '-5'.

A column of strings in which any cell could start a formula is written guarded: an apostrophe is put before its header
and before every cell that holds something, and the header ends in MARK. Reading takes the guard off again, and only
from columns that are marked so, so that what is read is what was written and other files keep their apostrophes.
"""

import polars as pl

from factlink.errors import InputError

GUARD, MARK = "'", " (after ')"
_STARTS = r"^[=+\-@\t\r\n＝＋－＠]"


def with_guards(table: pl.DataFrame) -> pl.DataFrame:
    """The table with guards on the columns that need them."""
    columns = [_guarded(column) if _needs_guard(column) else column for column in table]
    return pl.DataFrame({column.name: column for column in columns})


def without_guards(table: pl.DataFrame, origin: str) -> pl.DataFrame:
    """The table as it was before `with_guards`."""
    columns = [_unguarded(column, origin) if _is_marked(column.name) else column for column in table]
    names = [column.name for column in columns]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"{origin} has {names.count(name)} columns '{name}'; give each column its own name")
    return pl.DataFrame({column.name: column for column in columns})


def _needs_guard(column: pl.Series) -> bool:
    if column.dtype != pl.String:
        return False
    names = pl.Series([column.name])
    return _is_marked(column.name) or any(bool(cells.str.contains(_STARTS).any()) for cells in (names, column))


def _is_marked(name: str) -> bool:
    return name.startswith(GUARD) and name.endswith(MARK) and len(name) >= len(GUARD + MARK)


def _guarded(column: pl.Series) -> pl.Series:
    cell = pl.col("cell")
    guarded = pl.when(cell != "").then(pl.lit(GUARD) + cell)
    cells = pl.DataFrame({"cell": column}).select(guarded).to_series()
    return cells.alias(f"{GUARD}{column.name}{MARK}")


def _unguarded(column: pl.Series, origin: str) -> pl.Series:
    bare = (~column.str.starts_with(GUARD) & (column != "")).fill_null(False).arg_true()
    if len(bare):
        raise InputError(
            f"{origin} row {bare[0] + 1}: '{column[bare[0]]}' does not start with {GUARD} as the other cells of "
            f'column "{column.name}" do; put {GUARD} before it'
        )
    return column.str.strip_prefix(GUARD).alias(column.name[len(GUARD) : -len(MARK)])
