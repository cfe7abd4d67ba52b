from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from factlink.matching.calibrate import Likelihoods
from factlink.matching.links import decide, link
from factlink.matching.pairs import gather_pairs
from factlink.types import DECISIONS, Floats, Ints, Network

LINK, UNKNOWN, NO_ACCOUNT = range(3)


def likely(table: Any, scores: Any = None) -> Likelihoods:
    table = np.array(table, np.float32)
    pairs = gather_pairs(*table.shape, [np.indices(table.shape).reshape(2, table.size)])
    scores = table if scores is None else np.array(scores, np.float32)
    return Likelihoods(pairs, scores.ravel(), table.ravel())


def test_the_three_outcomes() -> None:
    assert [str(decision) for decision in DECISIONS] == ["link", "unknown", "no account"]
    links = decide(likely([[0.98, 0.01], [0.02, 0.4], [0.0, 0.03]]), 0.9, one_to_one=True)
    assert_array_equal(links.decisions, [LINK, UNKNOWN, NO_ACCOUNT])
    assert_array_equal(links.rights, [0, 1, -1])
    assert_allclose(links.probabilities, [0.98, 0.4, 0], atol=1e-6)


def test_the_runner_up_and_by_how_much_it_loses() -> None:
    links = decide(likely([[0.7, 0.2, 0.05]]), 0.6, one_to_one=True)
    assert_array_equal(links.runners_up, [1])
    assert_allclose(links.margins, [0.5], atol=1e-6)


def test_a_tie_is_unknown_however_likely() -> None:
    links = decide(likely([[0.95, 0.95]], scores=[[3, 3]]), 0.9, one_to_one=False)
    assert_array_equal(links.decisions, [UNKNOWN])
    assert_array_equal(links.margins, [0])


def test_several_accounts_of_one_person() -> None:
    table = [[0.97], [0.96]]
    assert_array_equal(decide(likely(table), 0.9, one_to_one=False).decisions, [LINK, LINK])
    assert_array_equal(np.sort(decide(likely(table), 0.9, one_to_one=True).rights), [-1, 0])


def test_a_user_whose_choice_is_taken_gets_the_next() -> None:
    links = decide(likely([[0.6, 0.35], [0.55, 0.02]]), 0.5, one_to_one=True)
    assert_array_equal(links.rights, [1, 0])


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 1000))
def test_nobody_is_linked_twice(n_left: int, n_right: int, seed: int) -> None:
    table = np.random.default_rng(seed).random((n_left, n_right))
    links = decide(likely(table / table.sum()), 0.5, one_to_one=True)
    rights = links.rights[links.rights >= 0]
    assert len(np.unique(rights)) == len(rights)


@dataclass
class Table:
    matrix: Floats

    @property
    def left(self) -> Network:
        return Network("left", pl.Series([f"l{i}" for i in range(len(self.matrix))]), {}, {})

    @property
    def right(self) -> Network:
        return Network("right", pl.Series([f"r{i}" for i in range(self.matrix.shape[1])]), {}, {})

    def scores(self, rows: Ints) -> Floats:
        return self.matrix[rows]


def test_any_scorer_can_be_linked_whatever_its_range() -> None:
    n = 40
    matrix = np.random.default_rng(0).random((n, n)).astype(np.float32) + 5 * np.eye(n, dtype=np.float32)
    matrix[7] = matrix[7, 7] = 0.1
    for scale in (1, 100):
        links = link(Table(matrix * scale))
        linked = links.decisions == LINK
        assert linked.sum() == n - 1
        assert_array_equal(links.rights[linked], links.lefts[linked])
        assert not linked[7]
