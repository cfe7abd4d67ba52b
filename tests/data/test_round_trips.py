"""network → folder → network, and network → frames → network, are the identity."""

import tempfile
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from factlink.data.files import write_network
from factlink.data.frames import frames_from_network, network_from_frames
from factlink.data.sources.networks import read_network
from factlink.types import Attribute, Follows, Kind, Network

awkward = st.sampled_from(
    [
        "a,b",
        'say "hi"',
        "two\nlines",
        "cr\r\nlf",
        "🧑‍🚀",
        "[1, 2]",
        '["x"]',
        "{}",
        "[",
        "007",
        "1.0",
        " x ",
        "null",
        "'",
        "é",
        "e\u0301",
        "\\",
        "#",
    ]
)
characters = st.characters(exclude_categories=["Cs"])
words = (awkward | st.text(characters, min_size=1, max_size=6)).filter(lambda word: word.strip() != "")
kinds = st.sampled_from([kind for kind in Kind if kind is not Kind.IMAGE])


@st.composite
def attributes(draw: st.DrawFn, n: int) -> Attribute:
    several = draw(st.sampled_from([1, 3]))
    owned = draw(st.lists(st.lists(words, max_size=several, unique=True), min_size=n, max_size=n))
    rows = [row for row, objects in enumerate(owned) for _ in objects]
    objects = [word for objects in owned for word in objects]
    return Attribute(draw(kinds), np.array(rows, np.int32), pl.Series(objects, dtype=pl.String))


@st.composite
def follows(draw: st.DrawFn, n: int) -> Follows:
    ends = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda pair: pair[0] != pair[1])
    pairs = sorted(draw(st.lists(ends, min_size=1, max_size=6, unique=True)))
    weights = draw(st.lists(st.floats(2.0**-60, 2.0**60, width=32), min_size=len(pairs), max_size=len(pairs)))
    followers, followees = np.array(pairs, np.int32).T
    return Follows(followers, followees, np.array(weights, np.float32))


@st.composite
def networks(draw: st.DrawFn) -> Network:
    users = draw(st.lists(words, min_size=1, max_size=5, unique=True))
    predicates = draw(st.lists(words.filter(lambda word: word != "id"), max_size=3, unique=True))
    linked = draw(st.lists(words, max_size=2, unique=True)) if len(users) > 1 else []
    return Network(
        "net",
        pl.Series(users, dtype=pl.String),
        {predicate: draw(attributes(len(users))) for predicate in predicates},
        {predicate: draw(follows(len(users))) for predicate in sorted(linked)},
    )


def told(network: Network) -> object:
    """Everything in a network, in plain types."""
    return (
        network.name,
        network.users.to_list(),
        [(p, a.kind, a.rows.tolist(), a.objects.to_list()) for p, a in network.attributes.items()],
        [(p, f.followers.tolist(), f.followees.tolist(), f.weights.tolist()) for p, f in network.links.items()],
    )


@pytest.mark.parametrize("format", ["parquet", "csv", "jsonl"])
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(network=networks())
def test_folders(format: str, network: Network) -> None:  # noqa: A002
    with tempfile.TemporaryDirectory() as place:
        write_network(network, Path(place) / "net", format)
        assert told(read_network(Path(place) / "net")) == told(network)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(network=networks())
def test_frames(network: Network) -> None:
    users, links = frames_from_network(network)
    set_kinds = {predicate: attribute.kind for predicate, attribute in network.attributes.items()}
    assert told(network_from_frames("net", users, links, kinds=set_kinds)) == told(network)


@pytest.mark.parametrize("format", ["parquet", "csv", "jsonl"])
def test_the_same_network_gives_the_same_bytes(tmp_path: Path, format: str) -> None:  # noqa: A002
    users = pl.DataFrame({"id": ["a", "b"], "name": [["Ann", "A"], ["Bob"]]})
    network = network_from_frames("net", users, pl.DataFrame({"source": ["a"], "target": ["b"]}))
    for place in ("one", "two"):
        write_network(network, tmp_path / place, format)
    for file in (tmp_path / "one").iterdir():
        assert file.read_bytes() == (tmp_path / "two" / file.name).read_bytes()
