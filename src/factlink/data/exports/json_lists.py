"""Long JSON lists, one element at a time: memory holds a megabyte of a file, not the file."""

import io
import json
import re
from collections.abc import Iterator
from typing import IO, Any

from factlink.data.exports.bundles import Bundle, opened
from factlink.errors import InputError

LARGEST_DOCUMENT = 64 * 2**20
"""Bytes of a document that is read whole; profiles have some thousands."""
_CHUNK = 2**20
_LONGEST_START = 200
_BETWEEN = re.compile(r"[\s,\[\]]*")
_DECODER = json.JSONDecoder()


def list_in(bundle: Bundle, name: str, key: str | None = None) -> Iterator[Any]:
    """The elements of the first list of a file, or of the list under `key` (a regular expression).

    Lists of lists, and lists one behind the other, are one list: pages of an answer are saved in both ways.
    """
    with opened(bundle, name) as file:
        text = io.TextIOWrapper(file, "utf-8-sig")
        yield from _elements(text, key, f"{bundle.shown}: {name}")


def document_in(bundle: Bundle, name: str) -> Any:
    """The whole value in a small file."""
    with opened(bundle, name) as file:
        data = file.read(LARGEST_DOCUMENT + 1)
    if len(data) > LARGEST_DOCUMENT:
        raise InputError(f"{bundle.shown}: {name} is larger than 64 MB; no such file of an export is")
    try:
        return json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise _cut_off(f"{bundle.shown}: {name}") from None


def value_at(value: Any, *keys: str | int) -> Any:
    """What stands at the end of some keys, None where anything on the way is missing or of another type."""
    for key in keys:
        if isinstance(key, str):
            value = value.get(key) if isinstance(value, dict) else None
        else:
            value = value[key] if isinstance(value, list) and key < len(value) else None
    return value


def text_at(value: Any, *keys: str | int) -> str | None:
    """The text at the end of some keys; blank text is none."""
    text = value_at(value, *keys)
    return text.strip() or None if isinstance(text, str) else None


def list_at(value: Any, *keys: str | int) -> list[Any]:
    """The list at the end of some keys; [] where there is none."""
    found = value_at(value, *keys)
    return found if isinstance(found, list) else []


def _elements(text: IO[str], key: str | None, origin: str) -> Iterator[Any]:
    buffer, position = _start(text, key, origin)
    depth = 1
    while True:
        between = _BETWEEN.match(buffer, position)
        if between is not None:
            position, depth = between.end(), depth + between[0].count("[") - between[0].count("]")
        if depth <= 0 and (key is not None or position < len(buffer)):
            return
        try:
            value, position = _DECODER.raw_decode(buffer, position)
        except (ValueError, RecursionError):
            chunk = text.read(_CHUNK)
            if not chunk and depth <= 0:
                return
            if not chunk or len(buffer) - position > LARGEST_DOCUMENT:
                raise _cut_off(origin) from None
            buffer, position = buffer[position:] + chunk, 0
        else:
            yield value


def _start(text: IO[str], key: str | None, origin: str) -> tuple[str, int]:
    """Some text, and where in it the list begins."""
    start = re.compile(r"\[" if key is None else rf'"(?:{key})"\s*:\s*\[')
    buffer = ""
    while chunk := text.read(_CHUNK):
        buffer = buffer[-_LONGEST_START:] + chunk
        found = start.search(buffer)
        if found:
            return buffer, found.end()
    what = "no list" if key is None else f"no list '{key}'"
    raise InputError(f"{origin} holds {what}; download the export again")


def _cut_off(origin: str) -> InputError:
    return InputError(f"{origin} is damaged or cut off (not JSON to its end); download the export again")
