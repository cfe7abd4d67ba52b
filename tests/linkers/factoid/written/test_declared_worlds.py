"""Links that people declare, in worlds where names say nothing."""

import numpy as np
import polars as pl
import pytest

from factlink.linkers.factoid.linker import FactoidLinker
from factlink.linkers.factoid.settings import Steps
from factlink.types import Kind, Network
from tests.linkers.factoid.written.declared_world import N, network, words


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
    assert declared["note"].to_list() == [f"bio of left names @{right.attributes['username'].objects[0]}"]
    assert parts["weight"].sum() == pytest.approx(float(scorer.scores(np.array([0]))[0, 0]), abs=1e-3)
