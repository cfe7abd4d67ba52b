"""Worlds with a known answer, and the congress set, for tests of linkers."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from factlink.types import Attribute, Follows, Ints, Kind, Network, Pairs

DATA = Path(os.environ.get("FACTLINK_DATA", Path(__file__).parents[3] / "shared" / "data"))
NAME_COLUMNS = ("name", "first", "last", "nickname", "display_name")


@dataclass(frozen=True)
class World:
    left: Network
    right: Network
    truth: Pairs


def names_of(rows: Ints, objects: list[str]) -> Attribute:
    return Attribute(Kind.NAME, rows, pl.Series(objects, dtype=pl.String))


def network(name: str, columns: Mapping[str, list[str | None]], links: Ints | None = None) -> Network:
    """A network from name columns (None is missing) and (n, 2) links."""
    attributes = {}
    for predicate, values in columns.items():
        there = [row for row, value in enumerate(values) if value is not None]
        attributes[predicate] = names_of(np.array(there, np.int64), [v for v in values if v is not None])
    n = len(next(iter(columns.values())))
    users = pl.Series([f"{name}{row}" for row in range(n)])
    ends = np.empty((0, 2), np.int64) if links is None else links
    follows = Follows(ends[:, 0], ends[:, 1], np.ones(len(ends), np.float32))
    return Network(name, users, attributes, {"follows": follows} if len(follows) else {})


def split(truth: Pairs, share: float, seed: int = 0) -> tuple[Pairs, Pairs]:
    """Known pairs, and the rest to test on; a person's accounts stay on one side."""
    lefts = np.unique(truth.lefts)
    chosen = np.random.default_rng(seed).permutation(lefts)[: round(share * len(lefts))]
    known = np.isin(truth.lefts, chosen)
    return Pairs(truth.lefts[known], truth.rights[known]), Pairs(truth.lefts[~known], truth.rights[~known])


def congress() -> World:
    """The 117th US Congress: roster and Twitter accounts."""
    place = DATA / "congress"
    if not place.exists():
        pytest.skip(f"the congress data is not at {place}; set FACTLINK_DATA")
    left, right = (_read(place / name) for name in ("official", "twitter"))
    truth = pl.read_parquet(place / "truth.parquet")
    return World(left, right, Pairs(left.rows_of(truth["left"]), right.rows_of(truth["right"])))


def _read(folder: Path) -> Network:
    users = pl.read_parquet(folder / "users.parquet")
    links = pl.read_parquet(folder / "links.parquet")
    read = network(folder.name, {c: users[c].to_list() for c in NAME_COLUMNS if c in users.columns})
    read = Network(folder.name, users["id"], read.attributes, {})
    ends = [read.rows_of(links[column]) for column in ("source", "target")]
    return Network(
        folder.name, users["id"], read.attributes, {"follows": Follows(*ends, np.ones(len(links), np.float32))}
    )
