"""One pair and its neighbours in both networks, placed for drawing: linked neighbours stand above each other."""

from pathlib import Path
from typing import Any

import polars as pl

from factlink.explanations.user_names import pick_best
from factlink.runs.folder.listing import read_names
from factlink.runs.folder.manifest import Manifest
from factlink.runs.folder.store import read_links
from factlink.types import Decision

LINKED, OTHERS = 10, 3
"""Neighbours that are drawn: linked to each other, and others on either side."""
HEIGHTS = {"left": (2.0, 1.0), "right": (-1.0, 0.0)}
"""Of the user and of its neighbours, by side."""

Values = dict[str, Any]


def gather_neighbourhood(run: Path, manifest: Manifest, left: str, right: str) -> tuple[list[Values], list[Values]]:
    """Nodes (user, name, network, side, x, y) and edges (kind, x, y, x2, y2)."""
    pairs = read_links(run).filter(decision=Decision.LINK.value).select("left", "right")
    mine, theirs = _neighbours(run / "left", left), _neighbours(run / "right", right)
    met = pairs.filter(pl.col("left").is_in(mine.implode()), pl.col("right").is_in(theirs.implode())).head(LINKED)
    rows = [(a, b) for a, b in met.rows()]
    rows += [(user, None) for user in mine.filter(~mine.is_in(met["left"].implode())).head(OTHERS)]
    rows += [(None, user) for user in theirs.filter(~theirs.is_in(met["right"].implode())).head(OTHERS)]
    middle = (len(rows) - 1) / 2
    names = {side: _names(run / side, [pair, *users]) for side, pair, users in _sides(left, right, rows)}
    networks = {"left": manifest.left.name, "right": manifest.right.name}
    nodes, edges = [], []
    for side, pair, users in _sides(left, right, rows):
        top, low = HEIGHTS[side]
        places = [(pair, middle, top), *((user, float(x), low) for x, user in enumerate(users) if user)]
        for user, x, y in places:
            called = names[side].get(user, user)
            nodes.append({"user": user, "name": called, "network": networks[side], "side": side, "x": x, "y": y})
        edges += [{"kind": "follows", "x": middle, "y": top, "x2": x, "y2": y} for _, x, y in places[1:]]
    (_, high), (_, deep) = HEIGHTS["left"], HEIGHTS["right"]
    edges += [{"kind": "link", "x": x, "y": high, "x2": x, "y2": deep} for x, (a, b) in enumerate(rows) if a and b]
    if pairs.filter(left=left, right=right).height:
        edges.append({"kind": "link", "x": middle, "y": HEIGHTS["left"][0], "x2": middle, "y2": HEIGHTS["right"][0]})
    return nodes, edges


def _sides(left: str, right: str, rows: list[tuple[Any, Any]]) -> list[tuple[str, str, list[Any]]]:
    return [("left", left, [row[0] for row in rows]), ("right", right, [row[1] for row in rows])]


def _neighbours(folder: Path, user: str) -> pl.Series:
    """Who follows a user or is followed, sorted."""
    path = folder / "links.parquet"
    if not path.exists():
        return pl.Series("user", [], dtype=pl.String)
    links = pl.scan_parquet(path)
    there = links.filter(pl.col("source") == user).select(user="target")
    back = links.filter(pl.col("target") == user).select(user="source")
    return pl.concat([there, back]).unique().sort("user").collect()["user"]


def _names(folder: Path, users: list[Any]) -> dict[str, str]:
    asked = pl.DataFrame({"user": [user for user in users if user]}, schema={"user": pl.String})
    named = read_names(folder).join(asked, on="user", how="semi")
    return dict(pick_best(named, "user").select("user", "name").rows())
