"""Text in any usual encoding → UTF-8.

UTF-8 and UTF-16 are known by their bytes. Anything else is taken as Windows-1252 (Latin-1 with the quotes and dashes
of Windows) if it looks like the languages that are written in it; what does not is refused: to guess wrong here would
damage every name.
"""

import codecs
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from factlink.data.formats.text import not_utf8
from factlink.errors import InputError

_BLOCK = 1 << 20
_MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
WESTERN = "cp1252"
_HIGH = re.compile(rb"[\x80-\xff]+")
_UTF8 = re.compile(rb"[\xc3-\xf4][\x80-\xbf]+")
_UNUSED = re.compile(rb"[\x81\x8d\x8f\x90\x9d\xff\x00-\x08\x0e-\x1a]")
_RARE = re.compile(rb"[\xa1-\xa9\xac\xae\xb0-\xb3\xb5-\xb9\xbc-\xbe\xd7\xf7]")
SHOWN = {
    WESTERN: "Windows-1252 (Latin-1)",
    "utf-16": "UTF-16",
    "utf-16-le": "UTF-16",
    "utf-16-be": "UTF-16",
    "utf-32": "UTF-32",
}


@dataclass(frozen=True, slots=True)
class Utf8File:
    """A file in UTF-8, and the encoding it had."""

    path: Path
    was: str


@contextmanager
def as_utf8(path: Path, origin: str, encoding: str | None = None) -> Iterator[Utf8File]:
    """The file itself if it is UTF-8, and else a copy that is."""
    found = _known(encoding) if encoding else _encoding_of(path, origin)
    if found in ("utf-8", "utf-8-sig"):
        yield Utf8File(path, "utf-8")
        return
    with TemporaryDirectory(prefix="factlink-") as folder:
        copy = Path(folder) / path.name
        _convert(path, copy, found, origin)
        yield Utf8File(copy, SHOWN.get(found, found))


def _known(encoding: str) -> str:
    try:
        return codecs.lookup(encoding).name
    except (LookupError, ValueError):
        raise InputError(
            f"no encoding is called '{encoding}'; there are: utf-8, utf-16, cp1252, cp1251, shift_jis, gbk, big5 …"
        ) from None


def _encoding_of(path: Path, origin: str) -> str:
    with path.open("rb") as file:
        start = file.read(_BLOCK)
    for mark, encoding in _MARKS.items():
        if start.startswith(mark):
            return encoding
    if wide := _wide(start):
        return wide
    if _is_utf8(path):
        return "utf-8"
    if _is_western(path):
        return WESTERN
    damaged = not_utf8(path, origin)
    raise InputError(f"{damaged}, or say what it is in: --encoding NAME (cp1252, cp1251, shift_jis, gbk, …)")


def _wide(start: bytes) -> str | None:
    """UTF-16 without a mark: every other byte of plain letters is 0."""
    even, odd = start[::2], start[1::2]
    if len(odd) < 4:
        return None
    if odd.count(0) >= 0.9 * len(odd) and not even.count(0):
        return "utf-16-le"
    return "utf-16-be" if even.count(0) >= 0.9 * len(even) and not odd.count(0) else None


def _is_utf8(path: Path) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    with path.open("rb") as file:
        try:
            while block := file.read(_BLOCK):
                decoder.decode(block)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return False
    return True


def _is_western(path: Path) -> bool:
    """Whether accented letters stand alone among plain ones, as in French or Spanish.

    In UTF-8 that is damaged, in Cyrillic, Chinese or Japanese they come in runs; none of these may be mistaken.
    """
    letters = runs = rare = 0
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            if _UNUSED.search(block) or _UTF8.search(block):
                return False
            for found in _HIGH.finditer(block):
                letters += 1
                runs += len(found[0]) > 2
                rare += bool(_RARE.search(found[0]))
    return runs <= 0.05 * letters and rare <= 0.3 * letters


def _convert(path: Path, copy: Path, encoding: str, origin: str) -> None:
    try:
        with path.open(encoding=encoding, newline="") as file, copy.open("w", encoding="utf-8", newline="") as new:
            while block := file.read(_BLOCK):
                new.write(block.removeprefix("\ufeff") if not new.tell() else block)
    except (UnicodeError, LookupError) as error:
        reason, found = getattr(error, "reason", str(error)), SHOWN.get(encoding, encoding)
        raise InputError(
            f"{origin} is not valid {found} ({reason}); save it as UTF-8, or set another with --encoding NAME"
        ) from None
