"""The ways of reading a source, in the order in which they are asked."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from factlink.data import authors, databases, exports
from factlink.data.formats.text import unreadable
from factlink.data.graphs import files as graph_files
from factlink.data.layout import is_network_folder, usable_path
from factlink.data.opening.content import GRAPHS, PACKED, Content, content_of
from factlink.data.opening.unpacking import files_in_zip, unpacked, unpacked_folder
from factlink.data.protocol import Source
from factlink.data.sources import files, folders, objects
from factlink.errors import InputError
from factlink.plugins import IMPORTERS, load_plugin, plugins_of

WAYS: tuple[Source, ...] = (objects, databases, authors, exports, graph_files, files, folders)
"""Asked in this order; `folders` comes last and says what is wrong with a path that is nothing."""


def way_for(source: object) -> Source:
    """The way of reading a source; one that none recognises is refused."""
    if is_network_folder(source):
        return folders
    found = next((way for way in (*_plugin_ways(), *WAYS) if way.recognises(source)), None)
    if found is None or (found is folders and is_address(source)):
        raise InputError(
            f"'{without_password(str(source))}' is an address that is not read; download the file and give its path"
        )
    return found


def _plugin_ways() -> Iterator[Source]:
    """Ways of reading that other packages add; they are asked first."""
    for name in plugins_of(IMPORTERS):
        yield load_plugin(IMPORTERS, name, ("recognises", "read"))


@contextmanager
def unpacked_source(source: object, name: str) -> Iterator[tuple[object, Source]]:
    """The source and the way of reading it; an archive that no way knows is unpacked into a folder meanwhile."""
    if isinstance(source, str | os.PathLike) and not is_address(source):
        usable_path(source)
    way = way_for(source)
    if way is not files:
        yield source, way
        return
    path = Path(source)  # type: ignore[arg-type]
    origin = f"network '{name}': {path.name}"
    try:
        inside = _graph_in(path)
        if content_of(path, origin) is Content.ZIP and len(files_in_zip(path)) != 1:
            with unpacked_folder(path, origin) as folder:
                yield folder, way_for(folder)
        elif inside:
            with unpacked(path, content_of(path, origin), origin) as plain:
                yield plain, way_for(plain)
        else:
            yield source, way
    except OSError as error:
        raise unreadable(origin, error) from None


def is_address(source: object) -> bool:
    """Whether a source is an address like postgresql://… rather than a path."""
    return isinstance(source, str) and re.match(r"[A-Za-z][\w+.-]*://", source) is not None


def source_shown(source: object) -> str:
    """A source as messages and manifests name it."""
    return without_password(str(source)) if isinstance(source, str | os.PathLike) else f"a {type(source).__name__}"


def without_password(address: str) -> str:
    """An address without the user, the password and all parameters but `users` and `links`."""
    scheme, between, rest = address.partition("://")
    if not between:
        return address
    path, _, query = rest.partition("?")
    place, slash, name = path.partition("/")
    kept = "&".join(part for part in query.split("&") if part.startswith(("users=", "links=")))
    return f"{scheme}{between}{place.rpartition('@')[2]}{slash}{name}{'?' if kept else ''}{kept}"


def _graph_in(path: Path) -> bool:
    """Whether a packed file holds a graph, by its name."""
    names = [path.stem] if path.suffix.lower() in PACKED and path.suffix.lower() != ".zip" else files_in_zip(path)
    return len(names) == 1 and names[0].lower().endswith(GRAPHS)
