"""DAG-CBOR, the strict form of CBOR (RFC 8949) in which repositories of the AT Protocol keep records.

Lengths are definite, keys of maps are text, floats have 64 bits, and the only tag is 42: a link to another block.
"""

import struct
from dataclasses import dataclass

_DEEPEST = 64
_CONSTANTS = {20: False, 21: True, 22: None}


@dataclass(frozen=True, slots=True)
class Link:
    """The address of another block (CID)."""

    cid: bytes


def decode(data: bytes) -> object:
    """The value in a block; `ValueError` if it is not DAG-CBOR."""
    try:
        value, end = _value(data, 0, 0)
    except (IndexError, struct.error, UnicodeDecodeError):
        raise ValueError("a value is cut off or not text") from None
    if end != len(data):
        raise ValueError("there is something behind the value")
    return value


def _value(data: bytes, start: int, depth: int) -> tuple[object, int]:
    if depth > _DEEPEST:
        raise ValueError("values lie too deep in each other")
    major, minor = data[start] >> 5, data[start] & 31
    if major == 7:
        return _constant(data, start, minor)
    number, start = _number(data, start + 1, minor)
    if major in (0, 1):
        return (number if major == 0 else -1 - number), start
    if major in (2, 3):
        return _text_or_bytes(data, start, number, major == 3)
    if major == 6:
        return _link(data, start, number, depth)
    if number > len(data):
        raise ValueError("a list is longer than the block")
    return _list(data, start, number, depth) if major == 4 else _map(data, start, number, depth)


def _number(data: bytes, start: int, minor: int) -> tuple[int, int]:
    if minor < 24:
        return minor, start
    if minor > 27:
        raise ValueError("a length is not definite")
    size = 1 << (minor - 24)
    if start + size > len(data):
        raise IndexError
    return int.from_bytes(data[start : start + size], "big"), start + size


def _constant(data: bytes, start: int, minor: int) -> tuple[object, int]:
    if minor == 27:
        return struct.unpack_from(">d", data, start + 1)[0], start + 9
    if minor not in _CONSTANTS:
        raise ValueError("a value is of a kind that is not allowed")
    return _CONSTANTS[minor], start + 1


def _text_or_bytes(data: bytes, start: int, size: int, is_text: bool) -> tuple[str | bytes, int]:
    end = start + size
    if end > len(data):
        raise IndexError
    part = data[start:end]
    return (part.decode("utf-8") if is_text else part), end


def _list(data: bytes, start: int, count: int, depth: int) -> tuple[list[object], int]:
    items = []
    for _ in range(count):
        item, start = _value(data, start, depth + 1)
        items.append(item)
    return items, start


def _map(data: bytes, start: int, count: int, depth: int) -> tuple[dict[str, object], int]:
    items: dict[str, object] = {}
    for _ in range(count):
        key, start = _value(data, start, depth + 1)
        if not isinstance(key, str):
            raise ValueError("a key is not text")
        items[key], start = _value(data, start, depth + 1)
    return items, start


def _link(data: bytes, start: int, tag: int, depth: int) -> tuple[Link, int]:
    cid, start = _value(data, start, depth + 1)
    if tag != 42 or not isinstance(cid, bytes) or not cid.startswith(b"\0"):
        raise ValueError("a tag is not that of a link")
    return Link(cid[1:]), start
