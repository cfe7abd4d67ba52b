"""Dates from any ISO 8601 form, as far as they are known."""

from collections.abc import Sequence

import polars as pl

_DATE = r"(?P<year>\d{4})(?:-?(?P<month>0[1-9]|1[0-2])(?:-?(?P<day>0[1-9]|[12]\d|3[01]))?)?"
_TIME = r"(?:[T ][\d:.,]+ ?(?:Z|[+-]\d{2}(?::?\d{2})?)?)?"
_ISO = f"^{_DATE}{_TIME}$"


def parse_dates(objects: Sequence[str] | pl.Series) -> pl.DataFrame:
    """Columns year, month, day; null from where a date is not known on, or where it is none.

    Reads 1950-07-15, 19500715, 1950-07, 1950, and any of them with a time. A day or month `00`, as Wikidata writes
    what it does not know, counts as unknown.
    """
    text = pl.Series("object", objects, dtype=pl.String).str.strip_chars().str.strip_prefix("+")
    known = text.str.replace(r"^(\d{4})-00.*$", "$1").str.replace(r"^(\d{4}-\d{2})-00.*$", "$1")
    parts = known.str.extract_groups(_ISO).struct.unnest()
    return parts.with_columns(pl.all().cast(pl.Int32, strict=False))
