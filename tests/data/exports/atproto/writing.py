"""Repositories made by hand for tests: DAG-CBOR, blocks and CAR files, after the specifications."""

import hashlib
import struct
from collections.abc import Sequence

from factlink.data.exports.atproto.dag_cbor import Link


def cbor(value: object) -> bytes:  # noqa: PLR0911
    """The bytes of a value."""
    if value is None or isinstance(value, bool):
        return {None: b"\xf6", False: b"\xf4", True: b"\xf5"}[value]
    if isinstance(value, int):
        return _head(0, value) if value >= 0 else _head(1, -1 - value)
    if isinstance(value, float):
        return b"\xfb" + struct.pack(">d", value)
    if isinstance(value, bytes):
        return _head(2, len(value)) + value
    if isinstance(value, str):
        return _head(3, len(value.encode())) + value.encode()
    if isinstance(value, list):
        return _head(4, len(value)) + b"".join(map(cbor, value))
    if isinstance(value, Link):
        return _head(6, 42) + cbor(b"\0" + value.cid)
    assert isinstance(value, dict)
    return _head(5, len(value)) + b"".join(cbor(key) + cbor(item) for key, item in value.items())


def cid_of(data: bytes) -> bytes:
    """Version 1, DAG-CBOR, SHA-256."""
    return bytes([1, 0x71, 0x12, 32]) + hashlib.sha256(data).digest()


def car(root: bytes, blocks: Sequence[tuple[bytes, bytes]]) -> bytes:
    """A CAR file of blocks with their addresses."""
    header = cbor({"roots": [Link(root)], "version": 1})
    return b"".join(_varint(len(part)) + part for part in [header, *(cid + data for cid, data in blocks)])


def repository(did: str, records: dict[str, dict[str, object]]) -> list[tuple[bytes, bytes]]:
    """A commit, a tree of one node below an empty root, and its records, as blocks."""
    stored = [(cid_of(cbor(record)), cbor(record)) for record in records.values()]
    entries = [
        {"p": 0, "k": key.encode(), "v": Link(cid), "t": None} for key, (cid, _) in zip(records, stored, strict=True)
    ]
    leaf = cbor({"l": None, "e": entries})
    top = cbor({"l": Link(cid_of(leaf)), "e": []})
    commit = cbor({"did": did, "version": 3, "data": Link(cid_of(top)), "rev": "3k", "prev": None, "sig": b"\1\2"})
    return [(cid_of(block), block) for block in (commit, top, leaf)] + stored


def _head(major: int, number: int) -> bytes:
    if number < 24:
        return bytes([major << 5 | number])
    for minor, size in ((24, 1), (25, 2), (26, 4), (27, 8)):
        if number < 1 << (8 * size):
            return bytes([major << 5 | minor]) + number.to_bytes(size, "big")
    raise AssertionError(number)


def _varint(number: int) -> bytes:
    parts = []
    while number >= 128:
        parts.append(number & 127 | 128)
        number >>= 7
    return bytes([*parts, number])
