"""Target: frames of cells of any type, given to Python; the bytes of a case only choose which."""

import math
import random
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import numpy as np
import pandas as pd
import polars as pl

from factlink.data.frames import network_from_frames
from factlink.errors import InputError

from .files import check_written, scratch
from .harness import Target

CELLS: tuple[Callable[[random.Random], Any], ...] = (
    *(
        lambda rng: f"u{rng.randrange(9)}",
        lambda rng: rng.choice(["007", "1.0", "", " ", "=1", "two\nlines", "a\0", "é"]),
    ),
    *(lambda rng: rng.choice([0, 1, -1, 2**53 + 1, 2**63, -(2**63) - 1, 2**64, 2**127, 10**60]), lambda rng: True),
    *(lambda rng: rng.choice([0.5, 7.0, 1e300, 9007199254740993.0, 0.1 + 0.2, -0.0]), lambda rng: False),
    *(lambda rng: None, lambda rng: math.nan, lambda rng: math.inf, lambda rng: pd.NA, lambda rng: pd.NaT),
    *(lambda rng: Decimal("1.10"), lambda rng: Decimal("1e30"), lambda rng: date(1980, 1, 2)),
    *(lambda rng: datetime(1980, 1, 2, 3), lambda rng: datetime(2020, 1, 1, tzinfo=UTC), lambda rng: time(1, 2)),
    *(lambda rng: pd.Timestamp("2020-01-01T00:00:00.123456789"), lambda rng: timedelta(seconds=3)),
    *(lambda rng: np.int64(5), lambda rng: np.float32(0.1), lambda rng: np.str_("np"), lambda rng: np.bool_(True)),
    *(lambda rng: b"bytes", lambda rng: {"a": 1}, lambda rng: UUID(int=1), lambda rng: {"a"}, lambda rng: object()),
    *(lambda rng: ["a", "b"], lambda rng: [1, 0.5], lambda rng: [], lambda rng: [["a"]], lambda rng: ("t", None)),
    *(lambda rng: np.array([1.5, 2.0]), lambda rng: [2**53 + 1], lambda rng: [0.5, math.nan], lambda rng: "\ud800"),
)
TYPES = (
    pl.Int8,
    pl.UInt64,
    pl.Int128,
    pl.Float32,
    pl.Float64,
    pl.String,
    pl.Date,
    pl.Datetime("ns"),
    pl.Time,
    pl.Boolean,
)


def frame_target() -> Target:
    """Frames of pandas and polars."""
    return Target("frames", [b"0", b"1", b"2", b"3"], _run)


def _run(data: bytes) -> None:
    rng = random.Random(data)
    columns = _columns(rng)
    frame = _frame(columns, rng)
    network = network_from_frames("net", frame)
    if isinstance(frame, pd.DataFrame):
        for name in columns:
            _check_column(frame[name].tolist(), network.users.to_list() if name == "id" else _owned(network, name))
    with scratch() as place:
        check_written(network, place, len(columns["id"]) + len(columns))


def _columns(rng: random.Random) -> dict[str, list[Any]]:
    height = rng.randrange(1, 5)
    columns = {name: _column(rng, height) for name in ("id", "name", "", "x")[: rng.randrange(1, 5)]}
    return columns if rng.random() < 0.3 else {**columns, "id": list(range(2**53, 2**53 + height))}


def _column(rng: random.Random, height: int) -> list[Any]:
    kinds = [rng.choice(CELLS) for _ in range(rng.choice((1, 1, 1, 2, 3)))]
    return [rng.choice(kinds)(rng) for _ in range(height)]


def _frame(columns: dict[str, list[Any]], rng: random.Random) -> pl.DataFrame | pd.DataFrame:
    """A frame with these cells, in types that the library chooses or that it is given."""
    try:
        if rng.random() < 0.7:
            return pd.DataFrame(columns, dtype=object if rng.random() < 0.5 else None)
        made = {name: pl.Series(name, cells, strict=False) for name, cells in columns.items()}
        return pl.DataFrame({name: _cast(column, rng) for name, column in made.items()})
    except (pl.exceptions.PolarsError, TypeError, ValueError, OverflowError, AttributeError):
        raise InputError("no frame can be made of these") from None


def _cast(column: pl.Series, rng: random.Random) -> pl.Series:
    return column.cast(rng.choice(TYPES), strict=False) if rng.random() < 0.4 else column


def _owned(network: Any, name: str) -> list[Any]:
    owned: list[list[str]] = [[] for _ in range(len(network))]
    attribute = network.attributes[name]
    for row, value in zip(attribute.rows.tolist(), attribute.objects.to_list(), strict=True):
        owned[row].append(value)
    return owned


def _check_column(cells: list[Any], found: list[Any]) -> None:
    for cell, owned in zip(cells, found, strict=True):
        wanted = [item for item in _items(cell) if not _is_missing(item)]
        texts = [owned] if isinstance(owned, str) else owned
        distinct = list(dict.fromkeys(map(_key, wanted)))
        assert len(texts) == len(distinct), (cell, texts)
        for item, text in zip(distinct, texts, strict=True):
            assert _is_told(item[1], text), (cell, text)


def _key(item: Any) -> tuple[str, Any]:
    """Items that are the same text are one value."""
    if isinstance(item, bool | np.bool_):
        return str(item).lower(), item
    number = isinstance(item, int | float | np.number)
    return (str(Decimal(str(item)).normalize()) if number else str(item)), item


def _items(cell: Any) -> list[Any]:
    if isinstance(cell, list | tuple | np.ndarray):
        return list(cell)
    return [cell]


def _is_missing(item: Any) -> bool:
    if item is None or item is pd.NA or item is pd.NaT or (isinstance(item, float) and math.isnan(item)):
        return True
    return isinstance(item, str) and not item.strip()


def _is_told(item: Any, text: str) -> bool:
    """Whether the text says what the cell says, by rules simpler than those that made it."""
    for types, says in SAYINGS.items():
        if isinstance(item, types):
            return says(item, text)
    return text == str(item)


SAYINGS: dict[tuple[type, ...], Callable[[Any, str], bool]] = {
    (bool, np.bool_): lambda item, text: text == str(item).lower(),
    (float, np.floating): lambda item, text: type(item)(float(text)) == item,
    (int, np.integer, Decimal): lambda item, text: Decimal(text) == Decimal(str(item)),
    (datetime,): lambda item, text: pd.Timestamp(text) == pd.Timestamp(item),
    (date,): lambda item, text: text[:10] == item.isoformat(),
    (timedelta,): lambda item, text: pd.Timedelta(text) == pd.Timedelta(item),
    (time,): lambda item, text: time.fromisoformat(text) == item,
}
