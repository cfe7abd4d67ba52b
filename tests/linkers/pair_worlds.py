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


LETTERS = list("abcdefghijklmnopqrstuvwxyz")


def random_names(n: int, rng: np.random.Generator, length: int = 8) -> list[str]:
    """Names that share nothing but chance."""
    return ["".join(word) for word in rng.choice(LETTERS, size=(n, length))]


def random_links(n: int, degree: int, rng: np.random.Generator) -> Ints:
    """About n·degree/2 links between different users."""
    ends = rng.integers(n, size=(n * degree // 2, 2))
    return ends[ends[:, 0] != ends[:, 1]]


def shown_twice(columns: Mapping[str, list[str | None]], links: Ints, kept: float, rng: np.random.Generator) -> World:
    """One population in two networks, the right one in another order, each showing its own share of the links."""
    n = len(next(iter(columns.values())))
    place = rng.permutation(n)  # of person i among the right rows
    person = np.argsort(place)
    left = network("left", columns, links[rng.random(len(links)) < kept])
    seen = links[rng.random(len(links)) < kept]
    right = network("right", {c: [values[i] for i in person] for c, values in columns.items()}, place[seen])
    return World(left, right, Pairs(np.arange(n), place))


def namesakes(n: int, unique: float, seed: int = 0, degree: int = 12, kept: float = 0.9) -> World:
    """Some people have names of their own; the others share each name with one more person. Links tell who is who."""
    rng = np.random.default_rng(seed)
    n_unique = round(unique * n)
    shared = random_names((n - n_unique) // 2, rng)
    names: list[str | None] = [*random_names(n_unique, rng), *shared, *shared]
    return shown_twice({"username": names}, random_links(n, degree, rng), kept, rng)


def decoys(n: int, seed: int = 0) -> World:
    """Screen names tell who is who in four of five; usernames are those of another person, in four of five as well."""
    rng = np.random.default_rng(seed)
    screen: list[str | None] = [*random_names(n, rng)]
    user: list[str | None] = [*random_names(n, rng)]
    world = shown_twice({"username": user, "screen_name": screen}, np.empty((0, 2), np.int64), 1.0, rng)
    wrong = np.roll(np.arange(n), 1)
    place = world.truth.rights
    users, screens = list(random_names(n, rng)), list(random_names(n, rng))
    for i in np.flatnonzero(rng.random(n) < 0.8):
        users[place[wrong[i]]] = str(user[i])
    for i in np.flatnonzero(rng.random(n) < 0.8):
        screens[place[i]] = str(screen[i])
    return World(world.left, network("right", {"username": [*users], "screen_name": [*screens]}), world.truth)
