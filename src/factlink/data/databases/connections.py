"""What every database can do, and its errors in one sentence without the password."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Protocol, cast

import polars as pl

from factlink.data.databases.urls import DatabaseUrl
from factlink.errors import InputError

_CONVERSION = (pl.exceptions.PolarsError, pl.exceptions.PanicException)


class Connection(Protocol):
    """An open database; closed by `close`."""

    mark: str  # the quotation mark of names

    def begin(self) -> None:
        """Start the one transaction of this connection: all tables are those of one moment."""
        ...

    def tables(self) -> list[str]:
        """The tables and views that can be read, as `users=` takes them."""
        ...

    def read(self, query: str) -> pl.DataFrame:
        """The rows of a query, fetched in batches."""
        ...

    def write(self, table: str, frame: pl.DataFrame) -> None:
        """A new table with these rows, whole or not at all."""
        ...

    def drop(self, table: str) -> None:
        """Remove a table."""
        ...

    def close(self) -> None:
        """Let go of the database; what was not written whole is not there."""
        ...


class Driver(Protocol):
    """A module that serves one database."""

    def connect(self, url: DatabaseUrl, writing: bool) -> Connection:
        """An open database; one that is not for writing refuses every change."""
        ...

    def errors(self) -> tuple[type[BaseException], ...]:
        """What the database's own package raises."""
        ...


@contextmanager
def connected(url: DatabaseUrl, writing: bool = False) -> Iterator[Connection]:
    """An open database, read in one transaction; whatever it raises is an `InputError`."""
    driver = cast(Driver, import_module(f"factlink.data.databases.{url.system}"))
    cannot = f"{url.shown()} cannot be opened", "check the address, and that the database runs"
    with explained(url, driver, *cannot):
        connection = driver.connect(url, writing)
    try:
        with explained(url, driver, *cannot):
            connection.begin()
        with explained(url, driver, url.shown(), "check the table" if writing else "check the query"):
            yield connection
    finally:
        connection.close()


@contextmanager
def explained(url: DatabaseUrl, driver: Driver, what: str, advice: str) -> Iterator[None]:
    """Inside, what a database or the conversion of its columns raises is said in one sentence."""
    expected: tuple[type[BaseException], ...] = (*driver.errors(), OSError, *_CONVERSION)
    try:
        yield
    except expected as error:
        raise InputError(f"{what}: {url.without_password(reason_of(error))}; {advice}") from None


def reason_of(error: BaseException) -> str:
    """The first line of what went wrong, without the driver's own preface."""
    text = str(error.args[-1] if len(error.args) > 1 else error)
    if "ERROR:" in text or "FATAL:" in text:
        text = re.split(r"ERROR:|FATAL:", text, maxsplit=1)[1]
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[0].removeprefix("IO: [libpq] ").rstrip(".;") if lines else type(error).__name__
