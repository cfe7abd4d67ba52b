"""Files of graphs become networks; labels that repeat are no trouble."""

import gzip
from pathlib import Path

import networkx as nx
import pytest

from factlink.data.sources.networks import read_network, read_networks
from factlink.errors import InputError, MissingExtraError
from factlink.types import Network

PAJEK = '*Vertices 3\n1 "Ann Lee" 0.1 0.2\n2 "Ann Lee"\n*Arcs\n1 2 3\n*Edges\n2 3\n*Arcslist\n3 1\n'


def ends(network: Network) -> list[tuple[int, int, float]]:
    follows = network.links["follows"]
    return list(zip(follows.followers.tolist(), follows.followees.tolist(), follows.weights.tolist(), strict=True))


@pytest.fixture
def graph() -> nx.DiGraph:
    graph = nx.DiGraph()
    graph.add_node("u1", name="Ann Lee", followers=9007199254740993)
    graph.add_node("u2", name="René")
    graph.add_edge("u1", "u2", weight=2.0)
    return graph


@pytest.mark.parametrize("suffix", ["graphml", "gexf", "graphml.gz"])
def test_what_networkx_writes(tmp_path: Path, graph: nx.DiGraph, suffix: str) -> None:
    path = tmp_path / f"net.{suffix}"
    {"graphml": nx.write_graphml, "gexf": nx.write_gexf, "graphml.gz": nx.write_graphml}[suffix](graph, path)
    network = read_network(path)
    assert network.name == "net"
    assert network.users.to_list() == ["u1", "u2"]
    assert network.attributes["name"].objects.to_list() == ["Ann Lee", "René"]
    assert network.attributes["followers"].objects.to_list() == ["9007199254740993"]
    assert ends(network) == [(0, 1, 2.0)]


def test_gml_keeps_ids_and_labels(tmp_path: Path) -> None:
    path = tmp_path / "net.gml"
    path.write_text('graph [ node [ id 7 label "Ann" ] node [ id 8 label "Ann" ] edge [ source 7 target 8 ] ]')
    network = read_network(path)
    assert network.users.to_list() == ["7", "8"]
    assert network.attributes["label"].objects.to_list() == ["Ann", "Ann"]
    assert ends(network) == [(0, 1, 1.0), (1, 0, 1.0)]


def test_pajek(tmp_path: Path) -> None:
    path = tmp_path / "net.net"
    path.write_text(PAJEK)
    reading = read_networks([path])[0]
    assert reading.network.users.to_list() == ["1", "2", "3"]
    assert reading.network.attributes["label"].rows.tolist() == [0, 1]
    assert ends(reading.network) == [(0, 1, 3.0), (1, 2, 1.0), (2, 0, 1.0), (2, 1, 1.0)]
    assert reading.notes == (
        "a graph of 3 nodes and 4 edges",
        "1 edges are undirected: each is a link in both directions",
    )


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("a.net", "*Vertices 1\n1 x\n*Arcs\none two\n", r"line 4: 'one two' is not a line of \*Arcs; write a number"),
        ("a.net", "1 2\n", r"has no \*Vertices; a Pajek file begins with a line like \*Vertices 3"),
        (
            "a.graphml",
            "<graphml><node></graphml>",
            r"is not valid GraphML \(.*\); export it again, or as CSV with source",
        ),
        ("a.gml", "graph [ node [ id", r"is not valid GML \(.*\); export it again, or as CSV with source and target"),
        ("a.gexf", "<x/>", r"is not valid GEXF \(.*\); export it again, or as CSV with source and target"),
    ],
)
def test_damaged_graphs(tmp_path: Path, name: str, content: str, problem: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=rf"^network 'a': {name} {problem}"):
        read_network(tmp_path / name)


def test_without_networkx(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.gml").write_text("graph [ ]")
    monkeypatch.setattr("factlink.errors.find_spec", lambda module: None)
    with pytest.raises(
        MissingExtraError, match=r"a.gml: reading GML needs networkx; pip install 'factlink\[graphs\]'$"
    ):
        read_network(tmp_path / "a.gml")


def test_a_packed_pajek_file(tmp_path: Path) -> None:
    (tmp_path / "a.net.gz").write_bytes(gzip.compress(PAJEK.encode()))
    assert len(read_network(tmp_path / "a.net.gz")) == 3
