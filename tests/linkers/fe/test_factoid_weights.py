"""How much a kind of attribute counts, measured by its agreement with names."""

import numpy as np
import polars as pl
import pytest

from factlink.linkers.fe.attributes import Attributes
from factlink.linkers.fe.factoid_weights import kind_qualities, weigh_factoids
from factlink.types import FactoidTable, Floats, Has, Kind, Objects

N = 40


def table() -> FactoidTable:
    """Two networks of N users; everybody has a name, a bio and a town of their own."""
    users = np.arange(2 * N)
    own = Has(users, users)
    objects = {
        p: Objects(kind, pl.Series([f"{p} {n:02}" for n in range(2 * N)]))
        for p, kind in (("name", Kind.NAME), ("bio", Kind.TEXT), ("town", Kind.LOCATION))
    }
    rows = {"left": users[:N], "right": users[N:]}
    return FactoidTable(2 * N, rows, objects, {"name": own, "bio": own, "town": own}, {})


def twice(seed: int, noise: float = 0.0) -> Floats:
    """N directions, each once on the left and, changed a little, once on the right."""
    random = np.random.default_rng(seed)
    rows = random.standard_normal((N, 32))
    both = np.concatenate([rows, rows + noise * random.standard_normal((N, 32))]).astype(np.float32)
    return both / np.linalg.norm(both, axis=1, keepdims=True)


def vectors() -> dict[str, Floats]:
    towns = np.random.default_rng(7).standard_normal((2 * N, 32)).astype(np.float32)
    return {"name": twice(1, 0.1), "bio": twice(2, 0.1), "town": towns}


def test_a_kind_that_agrees_with_names_counts_and_noise_does_not() -> None:
    found = kind_qualities(table(), vectors(), {}, seed=0)
    assert found[Kind.TEXT] == pytest.approx(1, abs=0.05)
    assert found[Kind.LOCATION] < 0.2
    assert Kind.NAME not in found


def test_weights_are_ones_of_names_and_qualities_of_the_rest() -> None:
    weights = weigh_factoids(table(), vectors(), Attributes(kinds=("name", "text", "location")), seed=0)
    assert set(weights) == {"bio", "town"}
    assert weights["bio"] == pytest.approx(np.ones(2 * N), abs=0.05)
    assert weigh_factoids(table(), vectors(), Attributes(weigh_kinds=False), seed=0) == {}


def test_without_names_nothing_is_measured() -> None:
    whole = table()
    nameless = FactoidTable(whole.n_rows, whole.rows, {p: whole.objects[p] for p in ("bio", "town")}, {}, {})
    assert kind_qualities(nameless, vectors(), {}, seed=0) == {}
