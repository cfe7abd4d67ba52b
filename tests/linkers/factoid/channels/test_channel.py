"""What one kind of evidence says of pairs."""

import numpy as np
import polars as pl
import pytest
from numpy.testing import assert_array_equal

from factlink.encoders.categories import CategoryEncoder
from factlink.encoders.texts import TextEncoder
from factlink.errors import InputError
from factlink.evidence import ChannelWeight, EvidenceSource
from factlink.linkers.factoid.channels.attributes import encoder_of
from factlink.linkers.factoid.channels.channel import Channel
from factlink.linkers.factoid.written.names import read_names
from factlink.types import Attribute, Kind, Network, Pairs


def named(network: str, /, **columns: list[str]) -> Network:
    n = len(next(iter(columns.values())))
    rows = np.arange(n)
    attributes = {column: Attribute(Kind.NAME, rows, pl.Series(names)) for column, names in columns.items()}
    return Network(network, pl.Series([f"{network}{row}" for row in rows]), attributes, {})


def test_a_product_below_the_least_says_nothing() -> None:
    left, right = np.eye(2, dtype=np.float32), np.array([[1, 0.5], [0.75, 0.25]], np.float32)
    every = Pairs(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]))
    channel = Channel(ChannelWeight(EvidenceSource.ATTRIBUTE, "a", "b", 1.0, ""), left, right, least=0.5)
    assert_array_equal(channel.products(every), [1, 0.75, 0.5, 0])


def test_names_belong_to_their_users_however_many_columns_either_network_has() -> None:
    left = named("left", name=["amy tan", "bob lee"])
    right = named("right", name=["bob lee", "cid ho", "amy tan"], nick=["bobby", "cidney", "amytan"])
    names = read_names(left, right, 16, 0)
    assert names is not None
    assert names.predicates == ("name", "name", "nick")
    assert (names.n_left_predicates, names.sizes) == (1, (2, 3))
    channel = names.channel(np.ones(3, np.float32))
    assert (channel.weighting.left, channel.weighting.right) == ("name", "name + nick")
    assert names.channel(np.array([1, 0, 1], np.float32)).weighting.right == "nick"
    every = Pairs(np.repeat(np.arange(2), 3), np.tile(np.arange(3), 2))
    products = channel.products(every).reshape(2, 3)
    assert products.argmax(axis=1).tolist() == [2, 0]
    assert (products.max(axis=1) > 0.5).all()


def test_a_name_column_is_weighed_without_the_others_of_its_network() -> None:
    people = ["amelia tanaka", "bartholomew lee", "cressida hoffmann", "dmitri volkov", "esperanza quintero"] * 4
    people = [f"{name} {row}{row}" for row, name in enumerate(people)]
    names = read_names(named("left", name=people), named("right", name=people, same=people, none=["x"] * 20), 64, 0)
    assert names is not None
    weights = names.weights(Pairs(np.arange(20), np.arange(20)), 0)
    assert weights[:3].tolist() == pytest.approx([1, 1, 1], abs=1e-3)
    assert weights[3] < 0.5


def test_what_compares_two_kinds() -> None:
    text, category, date = Kind.TEXT, Kind.CATEGORY, Kind.DATE
    assert isinstance(encoder_of(text, text, 0), TextEncoder)
    assert isinstance(encoder_of(category, category, 0, "no such folder"), CategoryEncoder)  # the model is for texts
    assert encoder_of(category, date, 0) is None
    with pytest.raises(InputError, match="no such folder"):
        encoder_of(text, text, 0, "no such folder")


def test_without_names_on_one_side_there_are_none() -> None:
    left, right = named("left", name=["amy"]), Network("right", pl.Series(["x"]), {}, {})
    assert read_names(left, right, 16, 0) is None
    assert read_names(right, left, 16, 0) is None
