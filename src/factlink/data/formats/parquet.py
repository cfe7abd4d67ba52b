"""Parquet ⇄ table, also where the file is damaged.

Where a file lies about itself polars may panic: it raises, and also writes pages to stderr that say nothing to
people. They are held back while a file is read.
"""

import errno
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Lock
from typing import IO

import polars as pl

from factlink.data.formats.parquet_pages import refuse_false_pages
from factlink.errors import InputError

QUICKLY = 1
"""Level of zstd: files of our numbers and names are as small as at the usual 3, in half the time."""

_STDERR = 2
_one_at_a_time = Lock()


def read_parquet(path: Path, origin: str, n_rows: int | None = None) -> pl.DataFrame:
    """The table in a Parquet file, or its first rows."""
    refuse_false_pages(path, origin)
    with whole_parquet(origin):
        return pl.read_parquet(path, glob=False, hive_partitioning=False, n_rows=n_rows)


def write_parquet(table: pl.DataFrame, file: IO[bytes], group: int | None = None) -> None:
    """Write a table, with so many rows in a group; errors of the system are raised as they are."""
    try:
        table.write_parquet(file, compression_level=QUICKLY, row_group_size=group)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        found = re.search(r"\(os error (\d+)\)", str(error))
        number = int(found[1]) if found else errno.EIO
        raise OSError(number, os.strerror(number), file.name) from None


@contextmanager
def whole_parquet(origin: str) -> Iterator[None]:
    """Inside, a file that polars cannot read is refused."""
    try:
        with _without_panics():
            yield
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OverflowError, MemoryError, ValueError) as error:
        reason = str(error).partition("\n")[0]
        raise InputError(f"{origin} is not a complete Parquet file ({reason}); copy or write it again") from None


@contextmanager
def _without_panics() -> Iterator[None]:
    """Keeps back what is written to stderr meanwhile, and passes it on if nothing was raised."""
    with _one_at_a_time, ExitStack() as stack:
        try:
            held = stack.enter_context(tempfile.TemporaryFile())
            stderr = os.dup(_STDERR)
        except OSError:  # nothing to hold it back in, or no stderr
            yield
            return
        os.dup2(held.fileno(), _STDERR)
        try:
            yield
        finally:
            os.dup2(stderr, _STDERR)
            os.close(stderr)
        held.seek(0)
        if text := held.read():
            os.write(_STDERR, text)
