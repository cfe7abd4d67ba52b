"""All links for the page, as the bytes of links.csv; of very many those that are most in doubt."""

import io
from pathlib import Path

import polars as pl

from factlink.data.formats.delimited import write_csv
from factlink.runs.folder.listing import LISTING, list_links
from factlink.runs.folder.store import LINKS

MOST = 100_000
"""Rows that a page holds: some 5 MB."""


def read_listing(run: Path, most: int = MOST) -> bytes:
    """The links of a run as CSV; those of runs that have no links.csv are listed anew."""
    height = int(pl.scan_parquet(run / LINKS).select(pl.len()).collect().item())
    if height <= most and (run / LISTING).exists():
        return (run / LISTING).read_bytes()
    rows, content = list_links(run), io.BytesIO()
    if height > most:
        doubt = (rows["probability"].fill_null(0.5) - 0.5).abs()
        rows = rows[doubt.arg_sort().head(most).sort()]
    write_csv(rows, content)
    return content.getvalue()
