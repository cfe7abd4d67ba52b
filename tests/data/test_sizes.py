from pathlib import Path

import numpy as np
import polars as pl
import pytest

from factlink.data.files import write_network
from factlink.data.sizes import measure_size
from factlink.errors import InputError
from factlink.types import Attribute, Follows, Kind, Network


def network(n: int) -> Network:
    users = pl.Series([f"u{i}" for i in range(n)])
    names = Attribute(Kind.NAME, np.arange(n), pl.Series([f"name{i % 10}" for i in range(n)]))
    bios = Attribute(Kind.TEXT, np.arange(0, n, 2), pl.Series(["likes tea and long walks"] * len(range(0, n, 2))))
    follows = Follows(np.arange(n - 1), np.arange(1, n), np.ones(n - 1, np.float32))
    return Network("net", users, {"username": names, "bio": bios}, {"follows": follows})


@pytest.mark.parametrize("suffix", ["parquet", "csv", "jsonl"])
def test_a_small_network_is_counted_exactly(tmp_path: Path, suffix: str) -> None:
    write_network(network(50), tmp_path / "net", suffix)
    size = measure_size(tmp_path / "net")
    assert (size.name, size.users, size.links) == ("net", 50, 49)
    assert size.values == {Kind.NAME: 50, Kind.TEXT: 25}
    assert size.letters == {Kind.NAME: 250, Kind.TEXT: 600}


@pytest.mark.parametrize("suffix", ["parquet", "csv", "jsonl"])
def test_a_large_one_is_judged_by_its_first_rows(tmp_path: Path, suffix: str) -> None:
    write_network(network(6000), tmp_path / "net", suffix)
    size = measure_size(tmp_path / "net")
    assert size.users == pytest.approx(6000, rel=0.05)
    assert size.values[Kind.TEXT] == pytest.approx(3000, rel=0.05)


def test_kinds_can_be_set(tmp_path: Path) -> None:
    write_network(network(20), tmp_path / "net")
    assert measure_size(tmp_path / "net", {"bio": "ignore"}).values == {Kind.NAME: 20, Kind.IGNORE: 10}


def test_a_folder_without_users_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no users file"):
        measure_size(tmp_path)
