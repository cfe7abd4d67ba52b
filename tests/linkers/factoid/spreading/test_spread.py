"""Spreading, step by step on two small networks."""

import numpy as np
import polars as pl
import pytest

from factlink.candidates.pairs import gather_pairs
from factlink.execution.workers import HERE
from factlink.linkers.factoid.spreading.matching import Choice, matching_of
from factlink.linkers.factoid.spreading.spread import Spreading, Start
from factlink.types import NO_PAIRS, Floats, Network, Pairs
from tests.linkers.factoid.spreading.graphs import relations

LEFT = np.eye(3, dtype=np.float32)
RIGHT = LEFT[[1, 0, 2]]


def spreading(margins: list[float]) -> Spreading:
    """Three users each; the first of them are chosen pairs with these margins."""
    left, right = (Network(name, pl.Series([f"{name}{row}" for row in range(3)]), {}, {}) for name in ("a", "b"))
    rows, evidence = np.arange(3), np.ones(3, np.float32)
    start = Start(left, right, gather_pairs(3, 3, [(rows, rows)]), evidence, NO_PAIRS, Pairs(rows, rows), evidence)
    none = relations(3, {})
    found = Spreading(start, None, (none, none), matching_of((3, 3), Pairs(rows, rows), evidence), 0, HERE)
    some = np.arange(len(margins))
    values: Floats = np.array(margins, np.float32)
    found.choice = Choice(Pairs(some, some), values, values)
    return found


def test_pairs_that_leave_the_second_best_far_behind_are_confident() -> None:
    found = spreading([1.5, 1.4, np.inf])
    assert found.confident().pairs.lefts.tolist() == [0, 2]


def test_users_in_no_confident_pair_look_for_others() -> None:
    """Left user 1 is nearest to right user 0, who is taken."""
    lefts, rights = spreading([2.0, 0.1]).search(LEFT, RIGHT)
    assert set(zip(lefts.tolist(), rights.tolist(), strict=True)) == {(1, 1), (1, 2), (2, 1), (2, 2)}


@pytest.mark.parametrize(("margins", "searches"), [([2.0, 2.0, 2.0], True), ([0.1], False)])
def test_nobody_looks_where_all_are_confident_or_there_are_too_many(margins: list[float], searches: bool) -> None:
    found = spreading(margins)
    assert found.searches
    found.searches = searches
    lefts, rights = found.search(LEFT, RIGHT)
    assert (len(lefts), len(rights)) == (0, 0)
