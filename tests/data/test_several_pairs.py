"""Pairs of any two of several networks."""

from pathlib import Path

import polars as pl
import pytest

from factlink.data.several_pairs import read_several_pairs
from factlink.errors import InputError
from factlink.types import Network

NETWORKS = [
    Network(name, pl.Series(users), {}, {}) for name, users in (("a", ["1", "x"]), ("b", ["2", "x"]), ("c", ["3"]))
]


def read(tmp_path: Path, columns: dict[str, list[str | None]]) -> dict[tuple[int, int], list[tuple[int, int]]]:
    pl.DataFrame(columns).write_csv(tmp_path / "pairs.csv")
    found = read_several_pairs(tmp_path / "pairs.csv", NETWORKS)
    return {places: list(zip(p.lefts.tolist(), p.rights.tolist(), strict=True)) for places, p in found.items()}


def test_ids_tell_the_networks_in_either_order(tmp_path: Path) -> None:
    found = read(tmp_path, {"left": ["1", "3", "2", "2"], "right": ["2", "1", "3", "1"]})
    assert found == {(0, 1): [(0, 0)], (0, 2): [(0, 0)], (1, 2): [(0, 0)]}


def test_columns_tell_the_networks_where_ids_do_not(tmp_path: Path) -> None:
    columns = {"left": ["x"], "right": ["x"], "left_network": ["b"], "right_network": ["a"]}
    assert read(tmp_path, columns) == {(0, 1): [(1, 1)]}
    with pytest.raises(InputError, match="row 1: left 'x' is in networks a and b; say which pair"):
        read(tmp_path, {"left": ["x"], "right": ["3"]})


def test_persons(tmp_path: Path) -> None:
    columns = {"person": ["p", "p", "p", "q"], "network": ["a", "c", "b", "a"], "user": ["1", "3", "x", "x"]}
    assert read(tmp_path, columns) == {(0, 1): [(0, 1)], (0, 2): [(0, 0)], (1, 2): [(1, 0)]}


def test_a_user_without_an_account_makes_no_pair(tmp_path: Path) -> None:
    assert read(tmp_path, {"left": ["1", "1"], "right": ["2", None]}) == {(0, 1): [(0, 0)]}


def test_mistakes_are_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="row 1: right '9' is in none of the networks a, b, c"):
        read(tmp_path, {"left": ["1"], "right": ["9"]})
    with pytest.raises(InputError, match="a pair of two users of network 'a'"):
        read(
            tmp_path,
            {"left": ["1"], "right": ["x"], "left_network": ["a"], "right_network": ["a"]},
        )
    with pytest.raises(InputError, match="holds no pair of two networks"):
        read(tmp_path, {"person": ["p", "q"], "network": ["a", "b"], "user": ["1", "2"]})
