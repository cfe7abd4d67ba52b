"""How large a network is, from file headers and the first rows where it is in our own form, else as read."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import polars as pl

from factlink.data.files import stored_kinds, users_table
from factlink.data.formats.parquet import whole_parquet
from factlink.data.formats.text import unreadable
from factlink.data.frames import ReadOptions, Tables, reading_from_tables
from factlink.data.kinds import NO_KINDS
from factlink.data.layout import files_in, files_of, tables_called, usable_path
from factlink.data.sources.networks import distinct_names
from factlink.data.tables import require_file
from factlink.errors import InputError
from factlink.types import Kind, Network

SAMPLE = 2000
"""First rows that are looked at for the kinds of columns and the length of what they hold."""


@dataclass(frozen=True, slots=True)
class Size:
    """What there is to work on; values and letters by kind are estimates from the first rows."""

    name: str
    users: int
    links: int
    values: Mapping[Kind, int]
    letters: Mapping[Kind, int]
    file_bytes: int


def is_measurable(source: object) -> bool:
    """Whether the source is a folder in our own form, whose size is known without reading it."""
    if not isinstance(source, str | os.PathLike) or not usable_path(source).is_dir():
        return False
    users, links = (tables_called(Path(source), stem) for stem in ("users", "links"))
    try:
        files = files_of(Path(source), "")
        if [files.users] != users or files.links not in (None, *links) or not users[0].is_file():
            return False
        return "id" in users_table(users[0], users[0].name, 1).columns
    except (InputError, OSError):
        return False


def size_of(network: Network) -> Size:
    """The size of a network that was read."""
    values, letters = dict.fromkeys(Kind, 0), dict.fromkeys(Kind, 0)
    for attribute in network.attributes.values():
        values[attribute.kind] += len(attribute.rows)
        letters[attribute.kind] += int(attribute.objects.str.len_chars().sum())
    links = sum(map(len, network.links.values()))
    return Size(
        network.name,
        len(network),
        links,
        {kind: count for kind, count in values.items() if count},
        {kind: count for kind, count in letters.items() if count},
        sum(letters.values()) + 16 * (links + len(network)),
    )


def measure_size(path: Path, kinds: Mapping[str, Kind | str] = NO_KINDS) -> Size:
    """The size of the network in a folder of our own form."""
    name = distinct_names([path])[0]
    users_file, links_file = files_in(usable_path(path), name)
    sample = users_table(users_file, f"network '{name}': {users_file.name}", SAMPLE)
    users = _rows_in(users_file)
    stated = {**stored_kinds(path, name), **kinds}
    here = {predicate: kind for predicate, kind in stated.items() if predicate in sample.columns}
    network = reading_from_tables(name, Tables(sample, users_name=users_file.name), ReadOptions(here, False)).network
    scale = users / max(1, len(network))
    values, letters = dict.fromkeys(Kind, 0.0), dict.fromkeys(Kind, 0.0)
    for attribute in network.attributes.values():
        values[attribute.kind] += scale * len(attribute.rows)
        letters[attribute.kind] += scale * float(attribute.objects.str.len_chars().sum())
    files = [file for file in (users_file, links_file) if file is not None]
    return Size(
        name,
        users,
        0 if links_file is None else _rows_in(links_file),
        {kind: round(count) for kind, count in values.items() if count},
        {kind: round(count) for kind, count in letters.items() if count},
        sum(file.stat().st_size for file in files),
    )


def _rows_in(file: Path) -> int:
    """The number of rows: exact for Parquet, for text estimated from the length of the first lines."""
    if file.suffix == ".parquet":
        with whole_parquet(str(file)):
            return int(pl.scan_parquet(file, glob=False, hive_partitioning=False).select(pl.len()).collect().item())
    lines = _first_lines(file)
    heading = 1 if file.suffix == ".csv" else 0
    if len(lines) <= SAMPLE:
        return max(0, len(lines) - heading)
    body = lines[heading:]
    return round(file.stat().st_size * len(body) / sum(map(len, body)))


def _first_lines(file: Path) -> list[bytes]:
    require_file(file, str(file))
    try:
        with file.open("rb") as stream:
            return list(islice(stream, SAMPLE + 1))
    except OSError as error:
        raise unreadable(str(file), error) from None
