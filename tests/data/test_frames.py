import sys
from datetime import datetime

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from factlink.data.frames import frames_from_network, network_from_frames
from factlink.errors import InputError, SettingError
from factlink.types import Kind, Network

USERS = {"id": [1, 2, 3], "name": ["Ann", None, "Cid"], "tags": [["a", "b"], [], ["c"]]}
LINKS = {"source": [3, 1], "target": [1, 2], "weight": [2.0, 1.0]}


def told(network: Network) -> dict[str, list[tuple[int, str]]]:
    return {
        predicate: list(zip(attribute.rows.tolist(), attribute.objects.to_list(), strict=True))
        for predicate, attribute in network.attributes.items()
    }


def check(network: Network) -> None:
    assert network.users.to_list() == ["1", "2", "3"]
    assert told(network) == {"name": [(0, "Ann"), (2, "Cid")], "tags": [(0, "a"), (0, "b"), (2, "c")]}
    assert network.links["follows"].followers.tolist() == [0, 2]
    assert network.links["follows"].weights.tolist() == [1, 2]


@pytest.mark.parametrize(
    "make",
    [pl.DataFrame, pl.LazyFrame, pd.DataFrame, pa.table, lambda data: pd.DataFrame(data).convert_dtypes()],
    ids=["polars", "lazy", "pandas", "arrow", "pandas with its own types"],
)
def test_frames_of_every_library(make: type) -> None:
    check(network_from_frames("net", make(USERS), make(LINKS)))


def test_pandas_without_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    with pd.option_context("mode.string_storage", "python"):  # what pandas holds strings in where there is no pyarrow
        users, links = pd.DataFrame(USERS), pd.DataFrame(LINKS)
    for module in [name for name in sys.modules if name.split(".")[0] == "pyarrow"]:
        monkeypatch.setitem(sys.modules, module, None)
    check(network_from_frames("net", users, links))


def test_what_pandas_calls_missing() -> None:
    users = pd.DataFrame(
        {
            "id": [1.0, 2.0, 3.0],
            "name": ["Ann", float("nan"), pd.NA],
            "born": [datetime(1980, 1, 2), pd.NaT, None],
            "mixed": ["x", 7, None],
            "lists": [["a", 1], "b", None],
            "age": [30, None, 41],
        }
    )
    network = network_from_frames("net", users)
    assert network.users.to_list() == ["1", "2", "3"]
    assert told(network) == {
        "name": [(0, "Ann")],
        "born": [(0, "1980-01-02T00:00:00")],
        "mixed": [(0, "x"), (1, "7")],
        "lists": [(0, "a"), (0, "1"), (1, "b")],
        "age": [(0, "30"), (2, "41")],
    }


def test_pandas_columns_of_one_name() -> None:
    users = pd.DataFrame([[1, 2, 3]], columns=["id", "x", "x"])
    with pytest.raises(InputError, match="the frame has 2 columns 'x'; give each column its own name"):
        network_from_frames("net", users)


def test_what_is_no_frame() -> None:
    with pytest.raises(InputError, match="a list is not a DataFrame; give a polars, pandas or Arrow table"):
        network_from_frames("net", [1, 2])


def test_messages_name_the_network_and_the_frame() -> None:
    users = pl.DataFrame({"id": ["a", "b"]})
    with pytest.raises(InputError, match=r"network 'net': links row 1: followee 'x' is not in users; add the user"):
        network_from_frames("net", users, pl.DataFrame({"source": ["a"], "target": ["x"]}))
    with pytest.raises(InputError, match="network 'net': users row 2: the id is empty; give every user an id"):
        network_from_frames("net", pl.DataFrame({"id": ["a", None]}))
    with pytest.raises(InputError, match="network 'net': users holds no users; give a column 'id'"):
        network_from_frames("net", pl.DataFrame())


def test_kinds_and_dangling_links_are_chosen() -> None:
    users = pl.DataFrame({"id": ["a", "b"], "x": ["u", "v"]})
    links = pl.DataFrame({"source": ["a", "a"], "target": ["b", "c"]})
    network = network_from_frames("net", users, links, kinds={"x": "text"}, drop_dangling=True)
    assert network.attributes["x"].kind is Kind.TEXT
    assert len(network.links["follows"]) == 1
    with pytest.raises(
        SettingError, match="a kind is set for 'y', which is not a column of network 'net'; there are: x"
    ):
        network_from_frames("net", users, kinds={"y": "text"})


def test_network_as_frames() -> None:
    users, links = frames_from_network(network_from_frames("net", pl.DataFrame(USERS), pl.DataFrame(LINKS)))
    assert users.rows() == [("1", "Ann", ["a", "b"]), ("2", None, None), ("3", "Cid", ["c"])]
    assert links.rows() == [("1", "2", "follows", 1.0), ("3", "1", "follows", 2.0)]
