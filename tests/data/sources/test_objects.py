"""Frames and graphs in memory become networks."""

import duckdb
import networkx as nx
import polars as pl
import pyarrow as pa
import pytest

from factlink.data.sources.networks import read_network, read_networks
from factlink.errors import InputError, SettingError
from factlink.types import Kind, Network

USERS = pl.DataFrame({"uid": [1, 2], "name": ["Ann", "Bob"]})
LINKS = pl.DataFrame({"src": [1], "dst": [2]})


def check(network: Network) -> None:
    assert network.users.to_list() == ["1", "2"]
    assert network.attributes["name"].objects.to_list() == ["Ann", "Bob"]
    assert network.links["follows"].followers.tolist() == [0]
    assert network.links["follows"].followees.tolist() == [1]


def test_polars_pandas_and_arrow() -> None:
    check(read_network(USERS, LINKS))
    check(read_network((USERS, LINKS)))
    check(read_network(USERS.lazy(), LINKS.lazy()))
    check(read_network(USERS.to_pandas(), LINKS.to_pandas()))
    check(read_network(USERS.to_arrow(), LINKS.to_arrow()))


def test_an_arrow_stream_is_read_through_the_capsule() -> None:
    class Stream:
        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            return USERS.to_arrow().__arrow_c_stream__(requested_schema)

    check(read_network(Stream(), LINKS))
    arrow = LINKS.to_arrow()
    edges = read_network(pa.RecordBatchReader.from_batches(arrow.schema, arrow.to_batches()))
    assert edges.users.to_list() == ["1", "2"]
    assert edges.attributes == {}


def test_a_relation_of_duckdb() -> None:
    with duckdb.connect() as connection:
        users = connection.sql(
            "SELECT * FROM (VALUES (1, 'Ann', ['x', 'y']), (2, 'Bob', [])) AS t(user_id, name, tags)"
        )
        network = read_network(users, connection.sql("SELECT 1 AS follower, 2 AS followee"))
    check(network)
    assert network.attributes["tags"].objects.to_list() == ["x", "y"]


def test_the_index_of_a_pandas_frame_is_a_column_if_it_has_a_name() -> None:
    check(read_network(USERS.to_pandas().set_index("uid"), LINKS))


def test_structs_become_columns_and_lists_stay() -> None:
    users = pl.DataFrame(
        {"id": ["a"], "home": [{"city": "Oslo", "at": {"zip": "1"}}], "jobs": [[{"as": "cook"}, {"as": "poet"}]]}
    )
    attributes = read_network(users).attributes
    assert {name: held.objects.to_list() for name, held in attributes.items()} == {
        "home.city": ["Oslo"],
        "home.at.zip": ["1"],
        "jobs.as": ["cook", "poet"],
    }


def test_columns_by_role_and_kinds() -> None:
    network = read_network(USERS, columns={"id": "name"}, kinds={"uid": "ignore"}, name="people")
    assert network.name == "people"
    assert network.users.to_list() == ["Ann", "Bob"]
    assert network.attributes["uid"].kind is Kind.IGNORE
    assert network.attributes["name"].objects.to_list() == ["Ann", "Bob"]


def test_two_frames_have_different_names() -> None:
    assert [reading.network.name for reading in read_networks([USERS, USERS.clone()])] == ["left", "right"]


def test_a_network_is_taken_as_it_is() -> None:
    network = read_network(USERS, LINKS)
    assert read_network(network) is network


def test_networkx() -> None:
    graph = nx.DiGraph()
    graph.add_node("a", name="Ann", tags=("x", "y"), home={"city": "Oslo"}, age=7.0)
    graph.add_node(2, name="Bob")
    graph.add_edge("a", 2, weight=2.5)
    network = read_network(graph)
    assert network.users.to_list() == ["a", "2"]
    assert {name: held.objects.to_list() for name, held in network.attributes.items()} == {
        "name": ["Ann", "Bob"],
        "tags": ["x", "y"],
        "home.city": ["Oslo"],
        "age": ["7"],
    }
    assert network.links["follows"].weights.tolist() == [2.5]


def test_an_undirected_graph_has_links_in_both_directions() -> None:
    reading = read_networks([nx.path_graph(3)])[0]
    follows = reading.network.links["follows"]
    assert list(zip(follows.followers.tolist(), follows.followees.tolist(), strict=True)) == [
        (0, 1),
        (1, 0),
        (1, 2),
        (2, 1),
    ]
    assert reading.notes == (
        "a graph of 3 nodes and 2 edges",
        "it is undirected: each edge is a link in both directions",
    )


class _Element:
    def __init__(self, index: int, held: dict[str, object], ends: tuple[int, int] = (0, 0)) -> None:
        self.index, self._held, (self.source, self.target) = index, held, ends

    def attributes(self) -> dict[str, object]:
        return self._held


class _Vertices(list[_Element]):
    def attributes(self) -> list[str]:
        return list(self[0].attributes())

    def __getitem__(self, key: object) -> object:  # type: ignore[override]
        return [one.attributes()[key] for one in self] if isinstance(key, str) else super().__getitem__(key)  # type: ignore[index]


class Graph:
    """The part of igraph.Graph that is used: igraph itself cannot be among our packages (GPL)."""

    vs = _Vertices([_Element(0, {"name": "ann", "bio": "likes tea"}), _Element(1, {"name": "bob", "bio": None})])
    es = (_Element(0, {"weight": 3.0}, (1, 0)),)

    def is_directed(self) -> bool:
        return True

    def vcount(self) -> int:
        return 2


Graph.__module__ = "igraph"


def test_igraph() -> None:
    network = read_network(Graph())
    assert network.users.to_list() == ["ann", "bob"]
    assert network.attributes["bio"].objects.to_list() == ["likes tea"]
    assert network.attributes["name"].objects.to_list() == ["ann", "bob"]
    follows = network.links["follows"]
    assert (follows.followers.tolist(), follows.followees.tolist(), follows.weights.tolist()) == ([1], [0], [3.0])


@pytest.mark.parametrize("source", [[1, 2], {"users": USERS}, None, 7], ids=["list", "dict", "None", "int"])
def test_what_is_no_source(source: object) -> None:
    what = type(source).__name__
    with pytest.raises(
        InputError, match=f"^expected a DataFrame, a folder, a file, a graph or a Network, got a {what};"
    ):
        read_network(source)


def test_what_are_no_links() -> None:
    with pytest.raises(InputError, match=r"^expected links as a DataFrame or a file, got a int; give one of them$"):
        read_network(USERS, 3)
    with pytest.raises(SettingError, match=r"^no role of a column is called 'ids'; there are: id, source, target$"):
        read_network(USERS, columns={"ids": "uid"})


def test_an_address_that_is_not_read() -> None:
    with pytest.raises(InputError, match=r"^'ftp://x.org/users.csv' is an address that is not read; download the file"):
        read_network("ftp://amy:secret@x.org/users.csv")


def test_the_same_source_twice() -> None:
    with pytest.raises(InputError, match=r"are the same source; give two different networks$"):
        read_networks([USERS, USERS])
