"""The page headers of a Parquet file, checked before anything relies on them.

A damaged header may declare 2⁶⁴ values, or a negative number; polars allocates memory for them, and the process
ends there. Only such headers are refused here: polars detects every other damage.

The headers are written in Thrift's compact protocol. Numbers in comments are those of parquet.thrift.
"""

import mmap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from factlink.errors import InputError

MAGIC = b"PAR1"
_STOP, _TRUE, _FALSE, _BYTE, _DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT = 0, 1, 2, 3, 7, 8, 9, 10, 11, 12
_DEEPEST = 30
Struct = Mapping[int, Any]  # by field number


def refuse_false_pages(path: Path, origin: str) -> None:
    """Refuse a file with a page whose number of values cannot be."""
    with path.open("rb") as file:
        if file.seek(0, 2) < 12:
            return
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            for chunk in _chunks(data):
                for page in _pages(data, chunk):
                    _refuse_false(page, chunk, origin)


@dataclass(slots=True)
class _Reader:
    """Thrift's compact protocol; damage is an IndexError or a ValueError."""

    data: mmap.mmap
    place: int
    depth: int = field(default=0)

    def struct(self) -> Struct:
        """The fields of one struct; those of no use here are read over."""
        self.depth += 1
        if self.depth > _DEEPEST:
            raise ValueError("too deep")
        fields: dict[int, Any] = {}
        number = 0
        while (head := self.byte()) & 0x0F != _STOP:
            number = number + (head >> 4) if head >> 4 else self.signed()
            fields[number] = self.value(head & 0x0F)
        self.depth -= 1
        return fields

    def value(self, kind: int) -> Any:
        if kind in (_TRUE, _FALSE):
            return kind == _TRUE
        if kind == _BYTE:
            return self.byte()
        if kind < _DOUBLE:
            return self.signed()
        if kind in (_DOUBLE, _BINARY):
            return self.skip(8 if kind == _DOUBLE else self.unsigned())
        if kind in (_LIST, _SET):
            return self.items()
        if kind == _STRUCT:
            return self.struct()
        raise ValueError("a map or nothing known")

    def items(self) -> list[Any]:
        head = self.byte()
        count = self.unsigned() if head >> 4 == 15 else head >> 4
        kind = head & 0x0F
        if kind in (_TRUE, _FALSE):
            return [self.byte() for _ in range(count)]
        return [self.value(kind) for _ in range(count)]

    def byte(self) -> int:
        self.place += 1
        return self.data[self.place - 1]

    def unsigned(self) -> int:
        result = shift = 0
        while (byte := self.byte()) & 0x80:
            result |= (byte & 0x7F) << shift
            shift += 7
            if shift > 63:
                raise ValueError("too long a number")
        return result | byte << shift

    def signed(self) -> int:
        number = self.unsigned() & 0xFFFF_FFFF_FFFF_FFFF
        return (number >> 1) ^ -(number & 1)

    def skip(self, count: int) -> None:
        if count > len(self.data) - self.place:
            raise ValueError("beyond the end")
        self.place += count


def _chunks(data: mmap.mmap) -> Iterator[Struct]:
    """The metadata of every column of every row group, as far as they can be read."""
    end = len(data) - 8
    size = int.from_bytes(data[end : end + 4], "little")
    if data[end + 4 :] != MAGIC or size > end:
        return
    try:
        footer = _Reader(data, end - size).struct()
        for group in footer.get(4, []):  # row_groups
            yield from (column[3] for column in group[1] if 1 not in column)  # meta_data of those in this file
    except (IndexError, ValueError, KeyError, TypeError, AttributeError):
        return


def _pages(data: mmap.mmap, chunk: Struct) -> Iterator[Struct]:
    """The headers of a column's pages, as far as they can be read."""
    try:
        place, left = min(chunk[9], chunk.get(11) or chunk[9]), chunk[5]  # first page, num_values
        while left > 0 and 0 <= place < len(data):
            reader = _Reader(data, place)
            page = reader.struct()
            yield page
            left -= next((page[kind][1] for kind in (5, 8) if kind in page), 0)
            place = reader.place + max(0, page[3])  # compressed_page_size
    except (IndexError, ValueError, KeyError, TypeError, AttributeError):
        return


def _refuse_false(page: Struct, chunk: Struct, origin: str) -> None:
    most = {5: chunk[5], 8: chunk[5], 7: page.get(2)}  # data, data v2: those of the column; dictionary: its bytes
    for kind, limit in most.items():
        header = page.get(kind)
        values = header.get(1) if isinstance(header, Mapping) else None
        if isinstance(values, int) and isinstance(limit, int) and not 0 <= values <= limit:
            raise InputError(
                f"{origin} is not a complete Parquet file (a page of {values} values in a column of {limit}); "
                "copy or write it again"
            )
