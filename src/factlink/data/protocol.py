"""What every way of reading a network has in common: `recognises` a source, `read` it as tables with notes.

A source is what a person gives: a folder, a file, an address, a frame, a graph. `data.sources` holds the list of ways,
asks them in order, and does for all of them alike what comes after: names columns, resolves the ends of links, guesses
kinds and builds the `Network`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from factlink.data.frames import Tables
from factlink.types import Kind

NO_COLUMNS: Mapping[str, str] = MappingProxyType({})
ROLES = ("id", "source", "target")
"""Columns that a person may name: the ids of users, and the followers and followees of links."""


@dataclass(frozen=True, slots=True)
class SourceOptions:
    """What a person says of a source that is guessed otherwise."""

    name: str = "network"  # opens messages, like "network 'twitter': users.csv"
    columns: Mapping[str, str] = field(default_factory=lambda: NO_COLUMNS)  # by role, see ROLES
    links: object | None = None  # a file or a frame of links, if the source does not hold them
    encoding: str | None = None
    sheet: str | None = None
    header: bool | None = None  # whether the first line names the columns
    side: str = ""  # 'left' or 'right' where a command takes two networks

    @property
    def says_anything(self) -> bool:
        """Whether anything is set that would be guessed otherwise."""
        set_values = (self.links, self.encoding, self.sheet, self.header)
        return bool(self.columns) or any(value is not None for value in set_values)

    def flag(self, option: str, value: str = "COLUMN") -> str:
        """How a person sets an option of this source, like --id COLUMN, or --id left=COLUMN where there are two."""
        return f"--{option} {self.side}={value}" if self.side else f"--{option} {value}"


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What a source holds, before its columns have roles and kinds."""

    tables: Tables
    notes: tuple[str, ...] = ()  # a sentence each: what was understood; what was left out, how much of it and why
    unread: tuple[str, ...] = ()  # a sentence on each file that looks like a part of the network and is not read
    home: Path | None = None  # the folder that relative paths of pictures start from
    kinds: Mapping[str, Kind] = field(default_factory=dict)  # that the source itself states, by column
    lists_in_cells: bool = False  # whether a cell of the users like ["a", "b"] holds several values, as in CSV


class Source(Protocol):
    """One way of reading networks; a module with these two functions is one."""

    def recognises(self, source: object) -> bool:
        """Whether `read` is meant for this source: a quick look that raises nothing and imports nothing heavy."""
        ...

    def read(self, source: object, options: SourceOptions) -> Found:
        """What the source holds; `InputError` in one sentence where it cannot be read."""
        ...
