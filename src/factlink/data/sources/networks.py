"""Any source → `Network`, called by users of the library; several at once under different names."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from factlink.data.foreign import is_frame, polars_frame
from factlink.data.frames import Reading, ReadOptions, Tables, reading_from_tables, refuse_unused_kinds
from factlink.data.kinds import NO_KINDS, Guess
from factlink.data.layout import usable_path
from factlink.data.links import ReadLinks
from factlink.data.opening.content import stem_of
from factlink.data.pictures import with_resolved_pictures
from factlink.data.protocol import NO_COLUMNS, ROLES, Found, SourceOptions
from factlink.data.sources.assembly import assemble
from factlink.data.sources.files import open_file
from factlink.data.sources.registry import is_address, unpacked_source, without_password
from factlink.errors import InputError, SettingError
from factlink.types import Kind, Network

NO_OPTIONS = SourceOptions()


def read_network(
    source: object,
    links: object | None = None,
    *,
    name: str | None = None,
    columns: Mapping[str, str] = NO_COLUMNS,
    kinds: Mapping[str, Kind | str] = NO_KINDS,
    drop_dangling: bool = False,
) -> Network:
    """The network in a folder, a file, a database, a frame or a graph, called like the source unless a name is given.

    `links` is a file or a frame of links. `columns` names columns by their roles: {"id": "uid", "source": "from"}.
    """
    options = SourceOptions(columns=columns, links=links)
    called = name or (distinct_names([source])[0] if isinstance(source, str | os.PathLike | Network) else "network")
    reading = read_source(source, called, options, ReadOptions(kinds, drop_dangling))
    refuse_unused_kinds(kinds, [reading])
    return reading.network


def read_networks(
    sources: Sequence[object],
    *,
    kinds: Mapping[str, Kind | str] = NO_KINDS,
    drop_dangling: bool = False,
    options: Sequence[SourceOptions] | None = None,
) -> list[Reading]:
    """Different networks under different names, with how each was read; a kind may be meant for one of them only."""
    check_distinct(sources)
    each = options or [NO_OPTIONS] * len(sources)
    readings = [
        read_source(source, name, said, ReadOptions(kinds, drop_dangling))
        for source, name, said in zip(sources, distinct_names(sources), each, strict=True)
    ]
    refuse_unused_kinds(kinds, readings)
    return readings


def read_source(source: object, name: str, said: SourceOptions, options: ReadOptions) -> Reading:
    """One network, with everything that was understood of its source."""
    if isinstance(source, Network):
        guesses = {predicate: Guess(attribute.kind, "set") for predicate, attribute in source.attributes.items()}
        return Reading(source if source.name == name else replace(source, name=name), guesses, ReadLinks(source.links))
    found = found_in(source, replace(said, name=name))
    kinds = {column: kind for column, kind in found.kinds.items() if column in found.tables.users.columns}
    reading = reading_from_tables(name, found.tables, ReadOptions({**kinds, **options.kinds}, options.drop_dangling))
    if found.home is not None:
        reading = replace(reading, network=with_resolved_pictures(reading.network, found.home))
    return replace(reading, unread=found.unread, notes=found.notes)


def found_in(source: object, options: SourceOptions) -> Found:
    """What a source holds, with its columns in their roles."""
    for role in options.columns:
        if role not in ROLES:
            raise SettingError(f"no role of a column is called '{role}'; there are: {', '.join(ROLES)}")
    with unpacked_source(source, options.name) as (place, way):
        found = way.read(place, options)
        if place is not source:
            found = replace(found, home=None, notes=(f"unpacked from {Path(str(source)).name}", *found.notes))
    return assemble(_with_links(found, options), options)


def _with_links(found: Found, options: SourceOptions) -> Found:
    """With the links that a person named, in place of those that the source holds."""
    if options.links is None:
        return found
    links, name, notes = _links(options.links, options)
    if found.tables.links is not None:
        notes += ("its own links are not read, since others are given",)
    tables = Tables(found.tables.users, links, found.tables.users_name, name)
    return replace(found, tables=tables, notes=found.notes + notes)


def _links(links: object, options: SourceOptions) -> tuple[pl.DataFrame, str, tuple[str, ...]]:
    if is_frame(links):
        return polars_frame(links), "the links", ()
    if not isinstance(links, str | os.PathLike):
        raise InputError(f"expected links as a DataFrame or a file, got a {type(links).__name__}; give one of them")
    path = Path(links)
    opened = open_file(path, f"network '{options.name}': {path.name}", options)
    if len(opened.tables) > 1:
        there = ", ".join(f"'{table}'" for table in opened.tables)
        raise InputError(f"{path} holds several tables ({there}); save the one with the links as a file of its own")
    table = next(iter(opened.tables.values()), pl.DataFrame())
    return table, path.name, tuple(f"{path.name}: {note}" for note in opened.notes)


def check_distinct(sources: Sequence[object]) -> None:
    """Refuse two networks that are the same folder or file, however it is spelt or linked to."""
    seen: dict[object, object] = {}
    for source in sources:
        place: object = id(source)
        if isinstance(source, str | os.PathLike):
            place = source if is_address(source) else Path(os.path.realpath(usable_path(source)))
        if place in seen:
            shown = [without_password(str(one)) for one in (seen[place], source)]
            what = "folder" if isinstance(place, Path) and place.is_dir() else "source"
            raise InputError(f"'{shown[0]}' and '{shown[1]}' are the same {what}; give two different networks")
        seen[place] = source


def distinct_names(sources: Sequence[object]) -> list[str]:
    """The names of folders and files, each with as many parent folders as it takes to make them distinct."""
    parts = [_parts(source, place) for place, source in enumerate(sources)]
    deepest = max((len(part) for part in parts), default=1)
    for depth in range(1, deepest + 1):
        names = [Path(*part[-depth:]).as_posix() for part in parts]
        if len(set(names)) == len(names):
            return names
    return [f"{name} ({place})" for place, name in enumerate(names, 1)] if parts else []


def _parts(source: object, place: int) -> tuple[str, ...]:
    if isinstance(source, Network):
        return (source.name,)
    if not isinstance(source, str | os.PathLike):
        return (("left", "right")[place] if place < 2 else f"network {place + 1}",)
    if is_address(source):
        name = without_password(str(source)).partition("?")[0].rstrip("/").rpartition("/")[2]
        return (name or "database",)
    path = Path(os.path.abspath(usable_path(source)))
    if not path.exists():
        path = Path(str(path).partition("?")[0])  # a database file with parameters
    return (*path.parts[:-1], stem_of(path.name)) if path.is_file() else path.parts
