"""A file of any kind → its tables, with notes on what was found in it."""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from factlink.data.formats.delimited import SEPARATORS, Dialect, read_csv
from factlink.data.formats.nesting import flat_frame
from factlink.data.formats.parquet import read_parquet
from factlink.data.formats.text import open_text, unreadable
from factlink.data.opening.content import Content, content_of
from factlink.data.opening.datasets import parts_of, read_dataset
from factlink.data.opening.documents import read_json
from factlink.data.opening.encodings import as_utf8
from factlink.data.opening.excel import read_sheets
from factlink.data.opening.separators import layout_of
from factlink.data.opening.unpacking import unpacked
from factlink.data.opening.words import read_words
from factlink.data.tables import require_file, understood

_PACKED = (Content.GZIP, Content.ZSTD, Content.BZIP2, Content.XZ, Content.ZIP)


@dataclass(frozen=True, slots=True)
class Opening:
    """What a person says of a file that is guessed otherwise."""

    encoding: str | None = None
    header: bool | None = None


AS_FOUND = Opening()


@dataclass(frozen=True, slots=True, eq=False)
class Opened:
    """The tables of a file by sheet or key, one under '' where it is one table; and what was found."""

    tables: Mapping[str, pl.DataFrame]
    notes: tuple[str, ...] = ()
    is_text: bool = False  # whether its cells are text, in which a list is written like ["a", "b"]


def open_tables(path: Path, origin: str, opening: Opening = AS_FOUND) -> Opened:
    """The tables in a file, or in a folder of Parquet files; `origin` opens every message."""
    try:
        if path.is_dir() and parts_of(path):
            table = read_dataset(path, origin)
            return Opened({"": flat_frame(table)}, (f"{len(parts_of(path))} Parquet files are one table",))
        require_file(path, origin)
        with understood(origin):
            return _opened(path, origin, opening)
    except OSError as error:
        raise unreadable(origin, error) from None


def _opened(path: Path, origin: str, opening: Opening) -> Opened:
    content = content_of(path, origin)
    if content in _PACKED:
        with unpacked(path, content, origin) as plain:
            return _opened(plain, origin, opening)
    if content is Content.PARQUET:
        return Opened({"": flat_frame(read_parquet(path, origin))})
    if content is Content.BOOK:
        tables, notes = read_sheets(path, origin)
        return Opened(tables, _misnamed(path, (".xlsx", ".xlsm", ".xls", ".ods"), "a workbook") + notes)
    with as_utf8(path, origin, opening.encoding) as text:
        notes = () if text.was == "utf-8" else (f"read as {text.was}",)
        if content is Content.JSON:
            return Opened(read_json(text.path, origin), notes)
        opened = _delimited(text.path, origin, opening)
        return Opened(opened.tables, notes + opened.notes, opened.is_text)


def _delimited(path: Path, origin: str, opening: Opening) -> Opened:
    layout = layout_of(path, origin, opening.header)
    if layout.separator is None:
        table = read_words(path, origin, has_header=layout.has_header)
        notes: tuple[str, ...] = ("an edge list of words",)
    else:
        with _without_first(path, origin, layout.skipped) as body:
            table = read_csv(body, origin, dialect=Dialect(layout.separator, layout.has_header))
        notes = () if layout.separator == "," else (f"columns are separated by {SEPARATORS[layout.separator]}",)
        if layout.skipped:
            notes += (f"the first {'line is' if layout.skipped == 1 else f'{layout.skipped} lines are'} not data",)
    if not layout.has_header:
        notes += ("the first line is data, not a header",)
    return Opened({"": table}, notes, is_text=True)


@contextmanager
def _without_first(path: Path, origin: str, lines: int) -> Iterator[Path]:
    """The file, or a copy of it without its first lines that hold something."""
    if not lines:
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="factlink-") as folder, open_text(path, origin, newline="") as file:
        copy = Path(folder) / path.name
        left = lines
        with copy.open("w", encoding="utf-8", newline="") as new:
            for line in file:
                if left:
                    left -= bool(line.strip())
                else:
                    new.write(line)
        yield copy


def _misnamed(path: Path, suffixes: tuple[str, ...], what: str) -> tuple[str, ...]:
    return () if path.suffix.lower() in suffixes else (f"the file is {what} in spite of its name",)
