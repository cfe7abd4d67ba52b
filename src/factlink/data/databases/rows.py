"""Rows as Python database packages give them → columns, some thousands of rows at a time."""

from collections.abc import Sequence
from typing import Any, Protocol

import polars as pl

from factlink.data.columns import texts
from factlink.data.foreign import series_of_cells
from factlink.errors import InputError

ROWS_AT_ONCE = 50_000


class Cursor(Protocol):
    """The part of a cursor that is needed (PEP 249)."""

    @property
    def description(self) -> Sequence[Sequence[Any]] | None:
        """The columns, each beginning with its name."""
        ...

    def fetchmany(self, size: int) -> Sequence[Sequence[Any]]:
        """The next rows; none at the end."""
        ...


def frame_from_rows(cursor: Cursor, origin: str) -> pl.DataFrame:
    """All rows of a cursor; a column of several types is text."""
    names = column_names([column[0] for column in cursor.description or ()], origin)
    parts: dict[str, list[pl.Series]] = {name: [] for name in names}
    while rows := cursor.fetchmany(ROWS_AT_ONCE):
        for name, cells in zip(names, zip(*rows, strict=True), strict=True):
            parts[name].append(series_of_cells(name, list(cells), origin))
    return pl.DataFrame({name: _joined(name, columns, origin) for name, columns in parts.items()})


def column_names(names: Sequence[str], origin: str) -> list[str]:
    """The names, refused where two columns share one."""
    for name in names:
        if list(names).count(name) > 1:
            raise InputError(f"{origin} gives two columns '{name}'; name one of them otherwise (AS …)")
    if not names:
        raise InputError(f"{origin} gives no rows; write a query that does, like SELECT … FROM …")
    return list(names)


def _joined(name: str, parts: list[pl.Series], origin: str) -> pl.Series:
    filled = [part for part in parts if part.dtype != pl.Null]
    types = {part.dtype for part in filled}
    if len(types) > 1:
        filled = [texts(part, origin).alias(name) for part in filled]
        parts = [part if part.dtype == pl.Null else texts(part, origin).alias(name) for part in parts]
    dtype = filled[0].dtype if filled else pl.String()
    return pl.concat([pl.Series(name, [], dtype=dtype), *(part.cast(dtype) for part in parts)])
