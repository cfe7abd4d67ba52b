"""Declared links and readings of names in words."""

import numpy as np
import polars as pl
import pytest

from factlink.evidence import ChannelWeight, EvidenceSource
from factlink.linkers.factoid.written.declared import IN_TEXT, OWN_FIELD, Declared, DeclaredLinks
from factlink.linkers.factoid.written.explanation import explain_declared, explain_versions
from factlink.linkers.factoid.written.names import read_names
from factlink.linkers.factoid.written.versions import PRICE
from factlink.types import Attribute, Kind, Network, Pairs


def network(name: str, names: list[str]) -> Network:
    rows = np.arange(len(names))
    users = pl.Series([f"{name}{row}" for row in rows])
    return Network(name, users, {"name": Attribute(Kind.NAME, rows, pl.Series(names))}, {})


def declared_links(lefts: list[int], rights: list[int], ways: list[str], beliefs: list[float]) -> DeclaredLinks:
    declared = Declared(Pairs(np.array(lefts), np.array(rights)), pl.Series(ways), np.ones(len(ways)), pl.Series(ways))
    weighting = ChannelWeight(EvidenceSource.DECLARED, "", "", 1.0, "")
    return DeclaredLinks(weighting, declared, np.array(beliefs, np.float32))


def test_a_declared_link_weighs_what_it_is_believed_and_says_how_it_was_declared() -> None:
    links = declared_links([1, 2, 3], [0, 1, 1], [IN_TEXT, IN_TEXT, OWN_FIELD], [0.5, 0.25, 0.75])
    networks = network("left", ["Amy", "Bob", "Cat", "Dan"]), network("right", ["Dan T", "Bob K"])
    found = explain_declared(links, networks, (np.array([3, 0, 1]), np.array([1, 1, 0])))
    assert found["pair"].to_list() == [0, 2]
    assert found["weight"].to_list() == [0.75, 0.5]
    assert found["left"].to_list() == ["Dan (left3)", "Bob (left1)"]
    assert found["right"].to_list() == ["Bob K (right1)", "Dan T (right0)"]
    assert found["note"].to_list() == [OWN_FIELD, IN_TEXT]
    assert set(found["predicate"]) == {"declared link"}
    assert set(found["kind"]) == {Kind.HANDLE}


def test_nobody_declares_what_is_not_asked_about() -> None:
    networks = network("left", ["Amy", "Bob"]), network("right", ["Dan", "Bob"])
    found = explain_declared(declared_links([0], [0], [IN_TEXT], [1]), networks, (np.array([1]), np.array([1])))
    assert found.height == 0


def test_pairs_with_several_readings_are_told_by_the_reading_that_met() -> None:
    left = network("left", ["Tim Keller", "Xaq Quux"])
    right = network("right", ["Xaq Quux", "Timothy Keller", "timkeller"])
    names = read_names(left, right, 256, 0)
    assert names is not None
    versions = names.channel(np.ones(2, np.float32)).versions
    assert versions is not None
    pairs = np.array([0, 1, 0]), np.array([1, 0, 2])
    texts = names.written, names.shown(left, right)
    parts, read, _ = explain_versions(versions, texts, (left, right), pairs, 3.0)
    assert read.tolist() == [True, False, False]  # timkeller agrees with the name as it is written
    assert parts["pair"].to_list() == [0]
    assert parts["left"].to_list() == ["Tim Keller read as Timothy Keller"]
    assert parts["right"].to_list() == ["Timothy Keller"]
    assert parts["weight"][0] == pytest.approx(3 * (1 - PRICE * np.log(2)), abs=1e-3)
    assert set(parts["predicate"]) == {"names"}
