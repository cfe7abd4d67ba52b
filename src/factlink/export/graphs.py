"""Both networks as one graph with the links as edges, in GraphML or GEXF, for Gephi and its like.

A node is `left:ID` or `right:ID`. An edge of kind *link* joins the two networks and weighs its probability; the others
are the links that users have in their own network.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import polars as pl

from factlink.data.formats.html_text import REPLACEMENT
from factlink.explanations.user_names import pick_best
from factlink.runs.folder.listing import read_names
from factlink.runs.folder.manifest import Manifest
from factlink.types import Kind

LINK = "link"
NODE, EDGE = ("label", "network", "side", "user"), ("kind", "weight", "probability", "evidence")
NUMBERS = ("weight", "probability")
_AT_ONCE = 50_000
_FORBIDDEN = r"[\x00-\x08\x0B\x0C\x0E-\x1F\x{FFFE}\x{FFFF}]"
_ESCAPED = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """Nodes with id, NODE and what else users show; edges with source, target and EDGE."""

    nodes: pl.DataFrame
    edges: pl.DataFrame


def gather_graph(run: Path, manifest: Manifest, links: pl.DataFrame) -> Graph:
    """The networks of a run, joined by some of its links (rows of links.csv)."""
    names = {"left": manifest.left.name, "right": manifest.right.name}
    nodes = pl.concat([_nodes(run / side, side, name) for side, name in names.items()], how="diagonal")
    joined = links.select(
        source=pl.lit("left:") + pl.col("left"),
        target=pl.lit("right:") + pl.col("right"),
        kind=pl.lit(LINK),
        weight=pl.col("probability").fill_null(1.0),
        probability="probability",
        evidence="evidence",
    )
    return Graph(nodes, pl.concat([*(_edges(run / side, side) for side in names), joined], how="diagonal"))


def write_graphml(graph: Graph, file: IO[bytes]) -> None:
    """GraphML, all edges directed: of a link from the left network to the right one."""
    keys = {name: f"n{place}" for place, name in enumerate(graph.nodes.columns[1:])}
    edge_keys = {name: f"e{place}" for place, name in enumerate(EDGE)}
    _say(file, '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">')
    for what, known in (("node", keys), ("edge", edge_keys)):
        for name, key in known.items():
            _say(file, f'<key id="{key}" for="{what}" attr.name="{_text(name)}" attr.type="{_type(name, what)}"/>')
    _say(file, '<graph id="G" edgedefault="directed">')
    for part in graph.nodes.iter_slices(_AT_ONCE):
        _lines(part, pl.format('<node id="{}">', _cell("id")), _data(keys), pl.lit("</node>"), file)
    edge = pl.format('<edge source="{}" target="{}">', _cell("source"), _cell("target"))
    for part in graph.edges.iter_slices(_AT_ONCE):
        _lines(part, edge, _data(edge_keys), pl.lit("</edge>"), file)
    _say(file, "</graph>\n</graphml>")


def write_gexf(graph: Graph, file: IO[bytes]) -> None:
    """GEXF 1.3, all edges directed."""
    keys = {name: str(place) for place, name in enumerate(graph.nodes.columns[2:])}
    edge_keys = {name: str(place) for place, name in enumerate(EDGE) if name != "weight"}
    _say(file, '<?xml version="1.0" encoding="UTF-8"?>\n<gexf xmlns="http://gexf.net/1.3" version="1.3">')
    _say(file, '<meta><creator>factlink</creator></meta>\n<graph mode="static" defaultedgetype="directed">')
    for what, known in (("node", keys), ("edge", edge_keys)):
        _say(file, f'<attributes class="{what}">')
        for name, key in known.items():
            _say(file, f'<attribute id="{key}" title="{_text(name)}" type="{_type(name, what)}"/>')
        _say(file, "</attributes>")
    _say(file, "<nodes>")
    for part in graph.nodes.iter_slices(_AT_ONCE):
        head = pl.format('<node id="{}" label="{}"><attvalues>', _cell("id"), _cell("label"))
        _lines(part, head, _values(keys), pl.lit("</attvalues></node>"), file)
    _say(file, "</nodes>\n<edges>")
    edge = pl.format('<edge id="{}" source="{}" target="{}" weight="{}"><attvalues>', "number", *map(_cell, _ENDS))
    for part in graph.edges.with_row_index("number").iter_slices(_AT_ONCE):
        _lines(part, edge, _values(edge_keys), pl.lit("</attvalues></edge>"), file)
    _say(file, "</edges>\n</graph>\n</gexf>")


_ENDS = ("source", "target", "weight")


def _nodes(folder: Path, side: str, network: str) -> pl.DataFrame:
    """id, NODE, and the columns that users show, pictures left out; several objects are joined."""
    kinds = json.loads((folder / "kinds.json").read_text("utf-8"))
    shown = [predicate for predicate, kind in kinds.items() if kind not in (Kind.IMAGE, Kind.IGNORE)]
    table = pl.read_parquet(folder / "users.parquet", columns=["id", *shown])
    names = pick_best(read_names(folder), "user").rename({"name": "label"})
    table = table.join(names, left_on="id", right_on="user", how="left", maintain_order="left")
    objects = [_joined(table[predicate]).alias(_apart(predicate)) for predicate in shown]
    return table.select(
        pl.format("{}:{}", pl.lit(side), "id").alias("id"),
        pl.col("label").fill_null(pl.col("id")),
        network=pl.lit(network),
        side=pl.lit(side),
        user=pl.col("id"),
    ).with_columns(objects)


def _apart(predicate: str) -> str:
    """A column that is called like one of ours gets an underscore."""
    return f"{predicate}_" if predicate in (*NODE, "id") else predicate


def _joined(column: pl.Series) -> pl.Series:
    return column.list.join("; ") if isinstance(column.dtype, pl.List) else column.cast(pl.String)


def _edges(folder: Path, side: str) -> pl.DataFrame:
    path = folder / "links.parquet"
    if not path.exists():
        return pl.DataFrame(schema={"source": pl.String, "target": pl.String, "kind": pl.String, "weight": pl.Float64})
    ends = {end: pl.format("{}:{}", pl.lit(side), end) for end in ("source", "target")}
    table = pl.read_parquet(path)
    return table.select(**ends, kind="predicate", weight=pl.col("weight").cast(pl.Float64))


def _data(keys: Mapping[str, str]) -> Iterator[pl.Expr]:
    for name, key in keys.items():
        yield pl.format(f'<data key="{key}">{{}}</data>', _cell(name))


def _values(keys: Mapping[str, str]) -> Iterator[pl.Expr]:
    for name, key in keys.items():
        yield pl.format(f'<attvalue for="{key}" value="{{}}"/>', _cell(name))


def _lines(part: pl.DataFrame, head: pl.Expr, cells: Iterator[pl.Expr], tail: pl.Expr, file: IO[bytes]) -> None:
    """One element a row; an attribute that is null is left out."""
    lines = part.select(pl.concat_str([head, *cells, tail], ignore_nulls=True)).to_series()
    _say(file, "\n".join(lines))


def _cell(name: str) -> pl.Expr:
    """A column as text that XML can hold."""
    text = pl.col(name).cast(pl.String).str.replace_all(_FORBIDDEN, REPLACEMENT)
    for mark, escaped in _ESCAPED.items():
        text = text.str.replace_all(mark, escaped, literal=True)
    return text


def _text(name: str) -> str:
    return str(pl.DataFrame({"name": [name]}).select(_cell("name")).item())


def _type(name: str, what: str) -> str:
    return "double" if what == "edge" and name in NUMBERS else "string"


def _say(file: IO[bytes], text: str) -> None:
    file.write(f"{text}\n".encode())
