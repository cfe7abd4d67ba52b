"""Readings of names in the default linker."""

import numpy as np
import polars as pl
import pytest
from scipy.sparse import csr_matrix

from factlink.encoders.readings.sounds import NEAR, PLAIN
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.linkers.factoid.settings import Steps
from factlink.linkers.factoid.written.names import read_names
from factlink.linkers.factoid.written.versions import (
    PRICE,
    Versions,
    best_versions,
    compare_versions,
    nearest_to_versions,
    nearest_versions,
)
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


def test_what_names_count_changes_no_version() -> None:
    left, right = network("left", ["Tim Keller", "Amy Tan"]), network("right", ["Timothy Keller", "Amy Tan"])
    names = read_names(left, right, 256, 0)
    assert names is not None
    pairs = Pairs(np.array([0, 1]), np.array([0, 1]))
    whole, half = (names.channel(np.full(2, weight, np.float32)).products(pairs) for weight in (1, 0.5))
    assert half == pytest.approx(whole)


def versions(foreign: bool) -> Versions:
    """User 0 has a further spelling, user 2 a sound; rows are single letters."""
    rows = csr_matrix(np.eye(5, dtype=np.float32))
    places, families = np.array([0, 3, 1, 2, 4]), np.array([PLAIN, PLAIN, PLAIN, PLAIN, NEAR])
    flags = np.array([False, False, foreign])
    return Versions(rows, np.array([0, 2, 3, 5]), places, families, flags, np.array([0, -1]))


def test_versions_of_a_family_and_those_beyond_names_as_written() -> None:
    side = versions(foreign=True)
    for family, further, owners, places in (
        (PLAIN, False, [0, 0, 1, 2], [0, 3, 1, 2]),
        (PLAIN, True, [0], [3]),
        (NEAR, False, [2], [4]),
        (NEAR, True, [2], [4]),
    ):
        found = side.of_family(family, further)
        assert (found[0].tolist(), found[1].tolist()) == (owners, places)
    assert len(versions(foreign=False).of_family(NEAR, further=True)[0]) == 0
    assert len(versions(foreign=False).of_family(NEAR, further=False)[0]) == 1


def plain(letters: list[int], families: list[int]) -> Versions:
    """One version for each user, a single letter."""
    n = len(letters)
    rows = csr_matrix(np.eye(5, dtype=np.float32)[letters])
    return Versions(rows, np.arange(n + 1), np.arange(n), np.array(families), np.zeros(n, bool), np.empty(0, np.int64))


def test_users_meet_by_versions_other_than_names_as_written() -> None:
    """Left user 0 is read as right user 1 is written, and left user 2 sounds like right user 2."""
    right = plain([1, 3, 4], [PLAIN, PLAIN, NEAR])
    for one, other, turned in ((versions(True), right, False), (right, versions(True), True)):
        lefts, rights = nearest_versions(one, other, 3, None)
        met = set(zip(lefts.tolist(), rights.tolist(), strict=True))
        assert met == ({(1, 0), (2, 2)} if turned else {(0, 1), (2, 2)})


def test_a_user_meets_the_nearest_by_whichever_version() -> None:
    """Its third letter is shared by right users 0 and 2, its fourth, which says more, by right user 1."""
    rows = csr_matrix(np.diag(np.array([1, 1, 1, 0.5, 1], np.float32))[[0, 3, 4]])
    left = Versions(rows, np.array([0, 3]), np.arange(3), np.full(3, PLAIN), np.zeros(1, bool), np.array([-1, -1]))
    lefts, rights = nearest_versions(left, plain([3, 4, 3], [PLAIN] * 3), 2, None)
    assert (lefts.tolist(), rights.tolist()) == ([0, 0], [0, 1])


def test_only_one_side_looks_for_the_nearest_to_further_versions() -> None:
    """As above; users of whom further versions are asked for are those who may not be as written."""
    right = plain([1, 3, 4], [PLAIN, PLAIN, NEAR])
    for further, wanted in (((True, False), [(0, 1), (2, 2)]), ((False, True), [])):
        lefts, rights = nearest_to_versions(versions(True), right, further, (3, None))
        assert list(zip(lefts.tolist(), rights.tolist(), strict=True)) == wanted


def test_the_best_of_comparable_versions_counts_less_the_price_of_how_many_were_compared() -> None:
    """Spellings meet spellings and sounds sounds; sounds count only for names in another script."""
    right = plain([3, 2, 4], [PLAIN, PLAIN, NEAR])
    pairs = np.array([0, 2, 2, 1]), np.array([0, 1, 2, 0])
    products, mine, theirs = best_versions(pairs, versions(foreign=True), right)
    assert products == pytest.approx([1 - PRICE * np.log(2), 1, 1, 0])
    assert mine.tolist() == [3, 2, 4, 1]
    assert theirs.tolist() == [0, 1, 2, 0]
    assert compare_versions(pairs, versions(foreign=True), right).tolist() == products.tolist()


@pytest.mark.parametrize(("weight", "foreign"), [(0.5, True), (0.49, False), (0, False)])
def test_users_are_known_by_a_name_in_another_script_unless_a_latin_one_counts_more_than_twice(
    weight: float, foreign: bool
) -> None:
    own = network("left", ["魏雅凯"])
    nick = Attribute(Kind.NAME, np.array([0]), pl.Series(["Kai"]))
    left = Network("left", own.users, {**own.attributes, "nick": nick}, {})
    names = read_names(left, network("right", ["Wei Yakai"]), 256, 0)
    assert names is not None
    versions = names.channel(np.array([weight, 1, 1], np.float32)).versions
    assert versions is not None
    assert versions[0].foreign.tolist() == [foreign]
    assert versions[1].foreign.tolist() == [False]


def test_own_rows_are_held_once() -> None:
    names = read_names(network("left", ["Tim Keller", "Amy Tan"]), network("right", ["Timothy Keller"]), 256, 0)
    assert names is not None
    channel = names.channel(np.ones(2, np.float32))
    assert channel.versions is not None
    left, right = (versions.rows for versions in channel.versions)
    assert left.shape[0] > channel.left.shape[0] == 2
    assert channel.left.toarray().tolist() == left[:2].toarray().tolist()
    assert np.shares_memory(channel.left.data, left.data)
    assert np.shares_memory(channel.right.data, right.data)
