"""Links that people declare, in worlds where names say nothing."""

import numpy as np
import polars as pl
import pytest

from factlink.linkers.factoid.linker import FactoidLinker
from factlink.linkers.factoid.settings import Steps
from factlink.linkers.factoid.written.declared import (
    IN_TEXT,
    MUTUAL,
    OWN_FIELD,
    SAME_SITE,
    believe,
    find_declared,
    learn_trust,
)
from factlink.types import NO_PAIRS, Attribute, Kind, Network, Pairs

N = 60


def words(n: int, seed: int) -> list[str]:
    letters = np.random.default_rng(seed).integers(97, 123, (n, 10)).astype(np.uint8)
    return [row.tobytes().decode() for row in letters]


def network(name: str, handles: list[str], columns: dict[str, tuple[Kind, dict[int, str]]]) -> Network:
    attributes = {"username": Attribute(Kind.NAME, np.arange(len(handles)), pl.Series(handles))}
    for predicate, (kind, said) in columns.items():
        attributes[predicate] = Attribute(kind, np.array(sorted(said)), pl.Series([said[row] for row in sorted(said)]))
    return Network(name, pl.Series([f"{name}{row}" for row in range(len(handles))]), attributes, {})


def test_ways_to_declare_a_link() -> None:
    left = network(
        "left",
        ["amy", "bob", "cat", "dan"],
        {
            "bio": (Kind.TEXT, {0: "right: @amy_r", 1: "hi @bob_r"}),
            "site": (Kind.URL, {2: "https://cat.example.org/"}),
            "elsewhere": (Kind.HANDLE, {3: "dan_r"}),
        },
    )
    right = network(
        "right",
        ["amy_r", "bob_r", "cat_r", "dan_r"],
        {"bio": (Kind.TEXT, {0: "left: @amy"}), "site": (Kind.URL, {2: "http://www.cat.example.org"})},
    )
    declared = find_declared(left, right)
    pairs = zip(declared.pairs.lefts.tolist(), declared.pairs.rights.tolist(), strict=True)
    found = dict(zip(pairs, declared.ways, strict=True))
    assert found == {(0, 0): MUTUAL, (1, 1): IN_TEXT, (2, 2): SAME_SITE, (3, 3): OWN_FIELD}
    assert declared.shares.tolist() == [1, 1, 1, 1]


def test_a_claim_that_many_make_is_shared_out() -> None:
    left = network("left", words(4, 1), {"bio": (Kind.TEXT, dict.fromkeys(range(4), "fan of @star"))})
    declared = find_declared(left, network("right", ["star", "moon"], {}))
    assert declared.shares.tolist() == [0.25] * 4


def test_a_claim_about_another_common_network_is_none() -> None:
    left = network("left", ["amy"], {"bio": (Kind.TEXT, {0: "IG: amy_r"})})
    assert len(find_declared(left, network("twitter", ["amy_r"], {}))) == 0
    assert len(find_declared(left, network("instagram", ["amy_r"], {}))) == 1


def test_trust_falls_where_claims_contradict_names() -> None:
    bios = {row: f"right: @r{(row + 1) % N}" for row in range(N)}
    left = network("left", words(N, 1), {"bio": (Kind.TEXT, bios)})
    declared = find_declared(left, network("right", [f"r{row}" for row in range(N)], {}))
    agree, differ = Pairs(np.arange(N), (np.arange(N) + 1) % N), Pairs(np.arange(N), np.arange(N))
    assert learn_trust(declared, (N, N), NO_PAIRS)[OWN_FIELD] == pytest.approx(0.95)
    assert learn_trust(declared, (N, N), agree)[OWN_FIELD] == pytest.approx(69.5 / 70)
    assert learn_trust(declared, (N, N), differ)[OWN_FIELD] == pytest.approx(9.5 / 70)
    assert believe(declared, (N, N), differ).beliefs[0] == pytest.approx(9.5 / 70 / 2)


def world(claims: dict[int, int]) -> tuple[Network, Network]:
    """Left user i has the name of right user i, but for the first ten; `claims` are in bios."""
    names = words(N, 3)
    bios = {row: f"see right: @{names[other]}" for row, other in claims.items()}
    return network("left", [*words(10, 4), *names[10:]], {"bio": (Kind.TEXT, bios)}), network("right", names, {})


def test_users_without_a_common_name_are_linked_by_what_they_declare() -> None:
    left, right = world({row: row for row in range(10)})
    assert FactoidLinker().fit(left, right).candidates(1).rights[:, 0].tolist() == list(range(N))
    masked = FactoidLinker(steps=Steps(declared=False)).fit(left, right).candidates(1).rights[:10, 0]
    assert (masked == np.arange(10)).sum() < 5


def test_false_claims_about_a_celebrity_do_no_harm() -> None:
    left, right = world(dict.fromkeys(range(20, 32), 50))
    with_claims = FactoidLinker().fit(left, right).candidates(1).rights[10:, 0]
    assert with_claims.tolist() == list(range(10, N))


def test_a_declared_link_is_explained() -> None:
    left, right = world({row: row for row in range(10)})
    scorer = FactoidLinker().fit(left, right)
    parts = scorer.explain(np.array([0]), np.array([0]))
    declared = parts.filter(pl.col("predicate") == "declared link")
    assert declared["note"].to_list() == [OWN_FIELD]
    assert parts["weight"].sum() == pytest.approx(float(scorer.scores(np.array([0]))[0, 0]), abs=1e-3)
