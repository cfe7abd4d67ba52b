"""Repositories of the AT Protocol as CAR files (version 1) → their records.

A file is a header and blocks, each with its length and its address (CID). One block is the commit; others are nodes of
a tree that lists the records by their addresses; the rest are the records. Blocks are read one after the other, in any
order, so memory holds the addresses and the records that are asked for.
"""

import hashlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import IO

from factlink.data.exports.atproto.dag_cbor import Link, decode

LARGEST_BLOCK = 4 * 2**20
"""Bytes; the protocol allows records of one megabyte."""
_CID_SIZE = 36
_SHA_256_OF_CBOR = bytes([1, 0x71, 0x12, 32])
_SHA_256 = bytes([0x12, 32])


class DamagedError(ValueError):
    """What is wrong with a file."""


@dataclass(slots=True)
class Repository:
    """What a repository holds of some types of records."""

    did: str | None = None  # whose it is
    records: dict[bytes, dict[str, object]] = field(default_factory=dict)  # by address
    n_missing: int = 0  # records and nodes that the tree names and the file lacks


def read_repository(file: IO[bytes], types: Collection[str]) -> Repository:
    """The records of some types; `DamagedError` where the file is not a whole CAR file."""
    found = Repository()
    present: set[bytes] = set()
    listed: set[bytes] = set()
    for cid, data in _blocks(file):
        present.add(cid)
        value = _decoded(data) if cid.startswith(_SHA_256_OF_CBOR) else None
        if not isinstance(value, dict):
            continue
        if value.get("$type") in types:
            found.records[cid] = value
        elif isinstance(value.get("did"), str) and isinstance(value.get("data"), Link):
            found.did = str(value["did"])
            listed.update(_links([value["data"]]))
        elif isinstance(value.get("e"), list) and "l" in value:
            listed.update(_links([value["l"], *(part for entry in value["e"] for part in _parts(entry))]))
    if found.did is None:
        raise DamagedError("it has no commit, which says whose it is")
    found.records = {cid: record for cid, record in found.records.items() if cid in listed}
    found.n_missing = len(listed - present)
    return found


def _blocks(file: IO[bytes]) -> Iterator[tuple[bytes, bytes]]:
    header = _section(file)
    start = _decoded(header) if header is not None else None
    if not isinstance(start, dict) or start.get("version") != 1:
        raise DamagedError("it does not begin as CAR files of version 1 do")
    while (section := _section(file)) is not None:
        size = _CID_SIZE if section[:1] == b"\1" else len(_SHA_256) + 32
        cid, data = section[:size], section[size:]
        if len(cid) < size or hashlib.sha256(data).digest() != cid[-32:]:
            raise DamagedError("a block is not what its address says")
        yield cid, data


def _section(file: IO[bytes]) -> bytes | None:
    """The next length and as many bytes; None at the end."""
    size = _length(file)
    if size is None:
        return None
    if size > LARGEST_BLOCK:
        raise DamagedError(f"a block has {size:,} bytes, more than any record may have")
    data = file.read(size)
    if len(data) < size:
        raise DamagedError("it is cut off")
    return data


def _length(file: IO[bytes]) -> int | None:
    """LEB128: seven bits a byte, the lowest first."""
    number = shift = 0
    while byte := file.read(1):
        number |= (byte[0] & 127) << shift
        shift += 7
        if byte[0] < 128:
            return number
        if shift > 63:
            raise DamagedError("the length of a block makes no sense")
    if shift:
        raise DamagedError("it is cut off")
    return None


def _decoded(data: bytes) -> object:
    try:
        return decode(data)
    except ValueError as error:
        raise DamagedError(f"a block is not DAG-CBOR: {error}") from None


def _parts(entry: object) -> list[object]:
    return [entry.get("v"), entry.get("t")] if isinstance(entry, dict) else []


def _links(parts: list[object]) -> list[bytes]:
    return [part.cid for part in parts if isinstance(part, Link)]
