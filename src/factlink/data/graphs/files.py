"""Files of graphs: GraphML, GEXF and GML through networkx, Pajek by our own reader."""

import os
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

from factlink.data.formats.text import unreadable
from factlink.data.graphs.objects import read_graph
from factlink.data.graphs.pajek import read_pajek
from factlink.data.opening.content import GRAPHS
from factlink.data.opening.encodings import as_utf8
from factlink.data.protocol import Found, SourceOptions
from factlink.data.tables import require_file
from factlink.errors import InputError, require_extra

_NAMES = {".graphml": "GraphML", ".gexf": "GEXF", ".gml": "GML"}


def recognises(source: object) -> bool:
    """Whether the file's name ends as that of a graph."""
    return isinstance(source, str | os.PathLike) and Path(source).suffix.lower() in GRAPHS and Path(source).is_file()


def read(source: object, options: SourceOptions) -> Found:
    """The graph in a file."""
    path = Path(source)  # type: ignore[arg-type]
    origin, suffix = f"network '{options.name}': {path.name}", path.suffix.lower()
    require_file(path, origin)
    try:
        if suffix not in _NAMES:
            with as_utf8(path, origin, options.encoding) as text:
                return replace(read_pajek(text.path, path.name, origin), home=path.parent)
        return replace(read_graph(_graph(path, suffix, origin), path.name), home=path.parent)
    except OSError as error:
        raise unreadable(origin, error) from None


def _graph(path: Path, suffix: str, origin: str) -> Any:
    require_extra(f"{origin}: reading {_NAMES[suffix]}", "graphs", "networkx")
    import networkx as nx

    readers = {".graphml": nx.read_graphml, ".gexf": nx.read_gexf, ".gml": lambda file: nx.read_gml(file, label="id")}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return readers[suffix](path)
    except OSError:
        raise
    except Exception as error:
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise InputError(
            f"{origin} is not valid {_NAMES[suffix]} ({reason}); export it again, or as CSV with source and target"
        ) from None
