"""A graph of networkx or igraph in memory → tables. Neither library is imported."""

from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl

from factlink.data.foreign import series_of_cells
from factlink.data.formats.exact_json import UnclearError
from factlink.data.formats.nesting import flat_record
from factlink.data.frames import Tables
from factlink.data.protocol import Found
from factlink.errors import InputError

Record = Mapping[str, Any]
_DRAWING = ("viz", "graphics")
"""Attributes that say how a program draws a node."""


def is_graph(source: object) -> bool:
    """Whether this is a graph of networkx or igraph."""
    return _is_networkx(source) or _is_igraph(source)


def read_graph(graph: Any, name: str = "the graph") -> Found:
    """The nodes and edges of a graph; an undirected edge is a link in each direction."""
    if _is_networkx(graph):
        return found_in(graph.nodes(data=True), graph.edges(data=True), graph.is_directed(), name)
    names = graph.vs["name"] if "name" in graph.vs.attributes() else list(range(graph.vcount()))
    nodes = [(names[vertex.index], vertex.attributes()) for vertex in graph.vs]
    edges = [(names[edge.source], names[edge.target], edge.attributes()) for edge in graph.es]
    return found_in(nodes, edges, graph.is_directed(), name)


def found_in(
    nodes: Iterable[tuple[object, Record]], edges: Iterable[tuple[object, object, Record]], directed: bool, name: str
) -> Found:
    """Nodes with their attributes and edges with theirs, as tables."""
    users = [{"id": node, **_attributes(attributes)} for node, attributes in nodes]
    links = [{"source": start, "target": end, **_edge(attributes)} for start, end, attributes in edges]
    notes = [f"a graph of {len(users):,} nodes and {len(links):,} edges"]
    if links and not directed:
        notes.append("it is undirected: each edge is a link in both directions")
        links += [{**link, "source": link["target"], "target": link["source"]} for link in links]
    drawn = sorted({key for user in users for key in user if key in _DRAWING})
    if drawn:
        notes.append(f"how nodes are drawn ({', '.join(drawn)}) is left out")
    users = [{key: value for key, value in user.items() if key not in _DRAWING} for user in users]
    tables = Tables(_table(users, name), _table(links, name) if links else None, name, f"the edges of {name}")
    return Found(tables, tuple(notes))


def _attributes(attributes: Record) -> dict[str, Any]:
    """Attributes of a node; one that is called like the column of ids gets another name."""
    return {("id_" if key == "id" else str(key)): value for key, value in attributes.items()}


def _edge(attributes: Record) -> dict[str, Any]:
    return {(f"{key}_" if key in ("source", "target", "id") else str(key)): value for key, value in attributes.items()}


def _table(records: list[dict[str, Any]], name: str) -> pl.DataFrame:
    try:
        flat = [flat_record(record) for record in records]
    except UnclearError as error:
        raise InputError(f"{name}: a node {error}") from None
    keys = dict.fromkeys(key for record in flat for key in record)
    return pl.DataFrame([series_of_cells(key, [_cell(record.get(key)) for record in flat], name) for key in keys])


def _cell(value: object) -> object:
    """Sets and tuples are lists; what cannot be a value is its text."""
    if isinstance(value, set | frozenset):
        return sorted(map(str, value))
    return list(value) if isinstance(value, tuple) else value


def _is_networkx(source: object) -> bool:
    return type(source).__module__.split(".")[0] == "networkx" and hasattr(source, "nodes") and hasattr(source, "edges")


def _is_igraph(source: object) -> bool:
    return type(source).__module__.split(".")[0] == "igraph" and hasattr(source, "vs") and hasattr(source, "es")
