"""Small networks whose links are written out."""

import numpy as np
import polars as pl

from factlink.linkers.factoid.spreading.relations import Relations, read_relations
from factlink.types import Attribute, Follows, Kind, Network

Links = dict[str, list[tuple[int, int]]]


def follows(links: list[tuple[int, int]]) -> Follows:
    ends = np.array(links, np.int64).reshape(-1, 2)
    return Follows(ends[:, 0], ends[:, 1], np.ones(len(links), np.float32))


def relations(n_users: int, links: Links) -> Relations:
    return read_relations({predicate: follows(some) for predicate, some in links.items()}, n_users)


def network(name: str, names: list[str], links: Links) -> Network:
    named = [row for row, shown in enumerate(names) if shown]
    attribute = Attribute(
        Kind.NAME, np.array(named, np.int64), pl.Series([names[row] for row in named], dtype=pl.String)
    )
    users = pl.Series([f"{name}{row}" for row in range(len(names))], dtype=pl.String)
    return Network(name, users, {"name": attribute}, {p: follows(some) for p, some in links.items()})
