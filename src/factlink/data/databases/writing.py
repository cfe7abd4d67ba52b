"""A frame → a new table of a database."""

import polars as pl
import polars.selectors as cs

from factlink.data.databases.connections import connected
from factlink.data.databases.reading import require_packages
from factlink.data.databases.urls import parse_url
from factlink.errors import InputError


def write_table(url: object, table: str, frame: pl.DataFrame, *, replace: bool = False) -> None:
    """Write a frame as a table, whole or not at all; one that exists is refused unless it may be replaced."""
    address = parse_url(url)
    require_packages(address)
    storable = frame.cast({cs.categorical() | cs.enum(): pl.String, cs.unsigned_integer(): pl.Int64})
    with connected(address, writing=True) as connection:
        if table in connection.tables():
            if not replace:
                raise InputError(f"{address.shown()} already has a table '{table}'; name another one, or drop it first")
            connection.drop(table)
        connection.write(table, storable)
