"""Frames and graphs in memory: polars, pandas, Arrow and DuckDB; networkx and igraph."""

import os

import polars as pl

from factlink.data.foreign import is_frame, polars_frame
from factlink.data.frames import Tables
from factlink.data.graphs.objects import is_graph, read_graph
from factlink.data.protocol import Found, SourceOptions
from factlink.data.sources.choosing import is_edge_list
from factlink.errors import InputError


def recognises(source: object) -> bool:
    """Whether the source is anything but a path or an address."""
    return not isinstance(source, str | os.PathLike)


def read(source: object, options: SourceOptions) -> Found:
    """The users and the links in a frame, in two frames or in a graph."""
    if is_graph(source):
        return read_graph(source)
    if isinstance(source, tuple) and len(source) == 2 and all(map(is_frame, source)):
        users, links = map(polars_frame, source)
        return Found(Tables(users, links))
    if not is_frame(source):
        raise InputError(
            f"expected a DataFrame, a folder, a file, a graph or a Network, got a {type(source).__name__}; "
            "give the users as a frame, and links as a second one: (users, links)"
        )
    table = polars_frame(source)
    if is_edge_list(table, options):
        return Found(Tables(pl.DataFrame(), table, "", "the frame"))
    return Found(Tables(table, None, "the frame"))
