"""What each name column counts."""

import numpy as np
import polars as pl
import pytest

from factlink.linkers.factoid.written.names import Names, read_names
from factlink.types import Attribute, Kind, Network, Pairs

N_LEFT, N_RIGHT, FIRST = 30, 50, 20
"""Left user i is right user FIRST + i."""


def words(n: int, seed: int) -> list[str]:
    letters = np.random.default_rng(seed).integers(97, 123, (n, 10)).astype(np.uint8)
    return [row.tobytes().decode() for row in letters]


def column(rows: range, objects: list[str]) -> Attribute:
    return Attribute(Kind.NAME, np.array(rows), pl.Series([objects[row] for row in rows]))


@pytest.fixture(scope="module")
def names() -> Names:
    """Left users have their name, a third of them as nick too, and noise; right ones their name and noise."""
    right_names = words(N_RIGHT, 1)
    left_names = right_names[FIRST:]
    attributes = {
        "name": column(range(N_LEFT), left_names),
        "nick": column(range(10), left_names),
        "noise": column(range(N_LEFT), words(N_LEFT, 2)),
    }
    left = Network("left", pl.Series([f"l{i}" for i in range(N_LEFT)]), attributes, {})
    attributes = {"name": column(range(N_RIGHT), right_names), "noise": column(range(5, N_RIGHT), words(N_RIGHT, 3))}
    right = Network("right", pl.Series([f"r{i}" for i in range(N_RIGHT)]), attributes, {})
    found = read_names(left, right, 256, 0)
    assert found is not None
    return found


def test_a_column_is_weighed_among_those_who_have_it(names: Names) -> None:
    weights = names.weights(Pairs(np.arange(N_LEFT), FIRST + np.arange(N_LEFT)), 0)
    name, nick, noise, right_name, right_noise = weights.tolist()
    assert max(weights) == 1
    assert min(name, nick, right_name) > 0.9
    assert max(noise, right_noise) < 0.2


def test_where_no_pair_is_confident_all_columns_count_alike(names: Names) -> None:
    assert names.weights(Pairs(np.empty(0, np.int64), np.empty(0, np.int64)), 0).tolist() == [1] * 5


def test_columns_that_count_nothing_are_not_named(names: Names) -> None:
    weights = np.array([1, 0.5, 0, 0, 0.25], np.float32)
    channel = names.channel(weights)
    assert (channel.weighting.left, channel.weighting.right) == ("name + nick", "noise")
    assert (channel.left.shape[0], channel.right.shape[0]) == (N_LEFT, N_RIGHT)
    described = [(each.left, each.right, each.weight) for each in names.channel_weights(weights)]
    assert described == [
        ("name", "", 1.0),
        ("nick", "", 0.5),
        ("noise", "", 0.0),
        ("", "name", 0.0),
        ("", "noise", 0.25),
    ]
