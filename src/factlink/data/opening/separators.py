"""Which mark separates the cells of a text file, and whether its first line is a header."""

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, takewhile
from pathlib import Path

from factlink.data.formats.delimited import SEPARATORS
from factlink.data.formats.text import open_text

BY_SUFFIX = {".tsv": "\t", ".tab": "\t", ".psv": "|"}
_SAMPLE = 200
_DIRECTIVE = re.compile(r"sep=(.)")
_NUMBER = re.compile(r"\s*-?\d+(?:\.\d+)?\s*")
_COMMENT = ("#", "%")


@dataclass(frozen=True, slots=True)
class Layout:
    """How the lines of a text file are to be read."""

    separator: str | None  # None: words on lines, whatever white space is between
    has_header: bool
    skipped: int = 0  # lines before the header that are not part of the table


def layout_of(path: Path, origin: str, header: bool | None) -> Layout:
    """What the first lines say."""
    with open_text(path, origin, newline="") as file:
        lines = [line for line in islice(file, _SAMPLE) if line.strip()]
    if lines and (directive := _DIRECTIVE.fullmatch(lines[0].strip("\r\n"))):
        return Layout(directive[1], header is not False, 1)
    comments = len(list(takewhile(lambda line: line.startswith(_COMMENT), lines)))
    body = lines[comments:]
    separator = _separator(body, path.suffix.lower())
    if comments and len({len(row) for row in cells_of(lines[comments - 1 : comments + 1], separator)}) == 1:
        comments, body = (comments - 1, lines[comments - 1 :]) if separator else (comments, body)
    return Layout(separator, _has_header(body, separator, header), 0 if separator is None else comments)


def cells_of(lines: Sequence[str], separator: str | None) -> list[list[str]]:
    """The cells of some lines; none of a line that is not complete."""
    if separator is None:
        return [line.split() for line in lines]
    try:
        return [row for row in csv.reader(lines, delimiter=separator) if row]
    except csv.Error:
        return [line.rstrip("\r\n").split(separator) for line in lines]


def _separator(lines: Sequence[str], suffix: str) -> str | None:
    """The mark that cuts the header into most cells and the rows into as many; commas where nothing does."""
    expected = BY_SUFFIX.get(suffix)
    if not lines or (expected and expected in lines[0]):
        return expected or ","
    best, best_fit = "", (0.0, 0)
    for mark in SEPARATORS:
        rows = cells_of(lines, mark)
        width = len(rows[0]) if rows else 1
        share = sum(len(row) == width for row in rows) / max(1, len(rows))
        if width > 1 and (not best or (share >= 0.8 and (share, width) > best_fit)):
            best, best_fit = mark, (share, width)
    if best not in (",", ";") and _are_words(lines, suffix):
        return None
    return best or expected or ","


def _are_words(lines: Sequence[str], suffix: str) -> bool:
    """Whether every line is two or three words, or two and a dictionary: an edge list."""
    rows = [line.partition("{")[0].split() for line in lines if not line.startswith(_COMMENT)]
    if {len(row) for row in rows} - {2, 3} or '"' in lines[0]:
        return False
    return suffix not in (".csv", ".tsv", ".tab", ".psv") or all(
        _NUMBER.fullmatch(cell) for row in rows for cell in row
    )


def _has_header(lines: Sequence[str], separator: str | None, stated: bool | None) -> bool:
    """A first line that holds numbers where the lines below hold numbers too is not a header, unless it says `id`."""
    if stated is not None:
        return stated
    rows = cells_of(lines, separator)
    if rows and not {"id", "source", "target"}.isdisjoint(rows[0]):
        return True
    if len(rows) < 2:
        return not (rows and all(map(_NUMBER.fullmatch, rows[0])))
    for place, cell in enumerate(rows[0]):
        below = [row[place] for row in rows[1:] if len(row) > place and row[place].strip()]
        if _NUMBER.fullmatch(cell) and below and all(map(_NUMBER.fullmatch, below)):
            return False
    return True
