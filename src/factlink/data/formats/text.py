"""UTF-8 files, and the error for those that are not."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from factlink.errors import InputError


@contextmanager
def open_text(path: Path, origin: str, newline: str | None = None) -> Iterator[TextIO]:
    """An open UTF-8 file, with or without a byte order mark; `newline` as in `open`."""
    try:
        with path.open(encoding="utf-8-sig", newline=newline) as file:
            yield file
    except UnicodeDecodeError:
        raise not_utf8(path, origin) from None


def read_text(path: Path, origin: str) -> str:
    """The text of a UTF-8 file, with line ends as '\\n'."""
    try:
        with open_text(path, origin) as file:
            return file.read()
    except OSError as error:
        raise unreadable(origin, error) from None


def unreadable(origin: str, error: OSError) -> InputError:
    """The error for a file that cannot be read."""
    reason = error.strerror or str(error).partition("\n")[0]
    return InputError(f"{origin} cannot be read ({reason}); check the path and its permissions")


def not_utf8(path: Path, origin: str) -> InputError:
    """The error for a file that is not UTF-8, with the line and the byte."""
    number, byte = _first_bad_line(path) or (1, b"")
    return InputError(f"{origin} line {number}: byte 0x{byte.hex()} is not UTF-8; save the file as UTF-8")


def is_utf8(path: Path) -> bool:
    """Whether every line is UTF-8."""
    return _first_bad_line(path) is None


def _first_bad_line(path: Path) -> tuple[int, bytes] | None:
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError as error:
                return number, line[error.start : error.start + 1]
    return None
