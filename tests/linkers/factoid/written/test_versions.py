"""Readings of names in the default linker."""

import numpy as np
import polars as pl
import pytest

from factlink.linkers.factoid.linker import FactoidLinker
from factlink.linkers.factoid.names import read_names
from factlink.linkers.factoid.settings import Steps
from factlink.linkers.factoid.written.versions import PRICE, best_versions
from factlink.types import Attribute, Kind, Network, Pairs

OWN = [
    "魏雅凯", "浜田靖一", "김영주", "רחל אדטו", "نواف الموسوي", "Иванов Пётр", "Περδίκης Γιώργος", "Արմեն Կարապետյան",
    "Anna Bauer", "Tom Meyer",
]  # fmt: skip
LATIN = [
    "Wei Yakai", "HAMADA Seiichi", "KIM Young Joo", "Rachel Adatto", "Nawwaf Moussawi", "Petr Ivanov",
    "Giorgos Perdikis", "Armen Karapetyan", "Anna Bauer", "Tom Meyer",
]  # fmt: skip


def network(name: str, names: list[str]) -> Network:
    rows = np.arange(len(names))
    return Network(
        name, pl.Series([f"{name}{row}" for row in rows]), {"name": Attribute(Kind.NAME, rows, pl.Series(names))}, {}
    )


def test_names_in_ten_scripts_meet_their_latin_forms() -> None:
    left, right = network("left", OWN), network("right", LATIN[::-1])
    scorer = FactoidLinker().fit(left, right)
    assert scorer.candidates(1).rights[:, 0].tolist() == list(range(len(OWN)))[::-1]
    parts = scorer.explain(np.array([0]), np.array([9]))
    assert parts["left"][0] == "魏雅凯 read as Wei Yakai"
    assert parts["right"][0] == "Wei Yakai"
    assert parts["weight"].sum() == pytest.approx(float(scorer.scores(np.array([0]))[0, 9]), abs=1e-3)


def test_latin_names_alone_are_compared_as_before() -> None:
    left, right = network("left", ["annab", "tomm", "ulik"]), network("right", ["anna_b", "tom_m", "uli_k"])
    with_readings, without = (
        FactoidLinker(steps=Steps(readings=readings)).fit(left, right).scores(np.arange(3))
        for readings in (True, False)
    )
    assert with_readings.tolist() == without.tolist()


def test_the_best_pair_of_readings_counts_less_the_price_of_their_number() -> None:
    names = read_names(
        network("left", ["Tim Keller", "Amy Tan"]), network("right", ["Timothy Keller", "Amy Tan"]), 256, 0
    )
    assert names is not None
    channel = names.channel(np.ones(2, np.float32))
    assert channel.versions is not None
    pairs = np.array([0, 1]), np.array([0, 1])
    products, mine, theirs = best_versions(pairs, *channel.versions)
    assert channel.products(Pairs(*pairs)).tolist() == products.tolist()
    assert mine[0] >= 2
    assert theirs.tolist()[0] == 0
    assert products[0] == pytest.approx(1 - PRICE * np.log(2), abs=1e-4)
    assert products[1] > 0.9


def test_nicknames_meet_given_names() -> None:
    people = [
        ("Robert", "Bob"),
        ("William", "Bill"),
        ("Margaret", "Peggy"),
        ("Elizabeth", "Betty"),
        ("Richard", "Dick"),
    ]
    families = ["Keller", "Bauer", "Tanaka"]
    left = network("left", [f"{given} {family}" for family in families for given, _ in people])
    right = network("right", [f"{nick} {family}" for family in families for _, nick in people])
    found = FactoidLinker().fit(left, right).candidates(1).rights[:, 0]
    assert found.tolist() == list(range(15))
