"""Rows of CSV under a header that may stand below some lines of notes."""

import csv
import io
from collections.abc import Iterator, Mapping
from itertools import islice

from factlink.data.exports.bundles import Bundle, opened
from factlink.errors import InputError

MOST_NOTES = 20
"""Lines before the header."""


def rows_in(bundle: Bundle, name: str, first: str) -> Iterator[Mapping[str, str]]:
    """The rows below the header that begins with `first`, each by column; blank lines are not rows."""
    origin = f"{bundle.shown}: {name}"
    with opened(bundle, name) as file:
        lines = csv.reader(io.TextIOWrapper(file, "utf-8-sig", newline=""))
        try:
            header = _header(lines, first)
            if header is None:
                raise InputError(f"{origin} has no header that begins with '{first}'; download the export again")
            for cells in lines:
                if any(cell.strip() for cell in cells):
                    yield dict(zip(header, (cell.strip() for cell in cells), strict=False))
        except csv.Error as error:
            raise InputError(f"{origin} is damaged ({error}); download the export again") from None


def _header(lines: Iterator[list[str]], first: str) -> list[str] | None:
    for cells in islice(lines, MOST_NOTES):
        if cells and cells[0].strip().lower() == first.lower():
            return [cell.strip() for cell in cells]
    return None
