"""A scorer that was fitted in another order answers in rows as given."""

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.testing import assert_array_equal

from factlink.candidates.reordered import Reordered, ReorderedSpace, as_given
from factlink.canonical.orders import Orders, RowOrder
from factlink.decision.likelihoods import estimate_likelihoods
from factlink.evidence import PARTS
from factlink.protocols import Placer
from factlink.types import Floats, Ints, Network

LEFT, RIGHT = (Network(side, pl.Series([f"{side}{row}" for row in range(3)]), {}, {}) for side in "lr")
ORDERS = Orders(RowOrder.of(np.array([2, 0, 1])), RowOrder.of(np.array([1, 2, 0])))


@dataclass(frozen=True)
class Scores:
    left: Network = LEFT
    right: Network = RIGHT

    def scores(self, rows: Ints) -> Floats:
        return np.arange(9, dtype=np.float32).reshape(3, 3)[rows]


@dataclass(frozen=True)
class Explained(Scores):
    def explain(self, lefts: Ints, rights: Ints) -> pl.DataFrame:
        return pl.DataFrame({"left": lefts, "right": rights})


@dataclass(frozen=True)
class Space(Scores):
    def place(self, lefts: Ints, rights: Ints) -> tuple[Floats, Floats]:
        return np.eye(3, dtype=np.float32)[lefts], 2 * np.eye(3, dtype=np.float32)[rights]


def test_only_a_scorer_with_vectors_has_them_in_another_order() -> None:
    plain, space = (as_given(scorer, LEFT, RIGHT, ORDERS) for scorer in (Scores(), Space()))
    assert type(plain) is Reordered
    assert not isinstance(plain, Placer)
    assert isinstance(space, ReorderedSpace)
    left, right = space.place(np.array([2, 0]), np.array([1]))
    assert_array_equal(left, [[1, 0, 0], [0, 1, 0]])  # row 2 was fitted first, row 0 second
    assert_array_equal(right, [[2, 0, 0]])


def test_likelihoods_come_back_in_rows_as_given_whether_candidates_are_there_or_not() -> None:
    scorer = as_given(Scores(), LEFT, RIGHT, ORDERS)
    likely = estimate_likelihoods(scorer)
    assert_array_equal(likely.scores.reshape(3, 3), scorer.scores(np.arange(3)))
    again = estimate_likelihoods(scorer, found=scorer.candidates(3))
    assert_array_equal(again.probabilities, likely.probabilities)
    best = estimate_likelihoods(scorer, found=scorer.candidates(1))
    assert_array_equal(best.pairs.rights, scorer.scores(np.arange(3)).argmax(axis=1))


def test_explanations_are_asked_for_in_the_order_of_the_fit_and_are_none_where_there_are_none() -> None:
    asked = as_given(Explained(), LEFT, RIGHT, ORDERS).explain(np.array([2, 0]), np.array([1, 2]))
    assert asked.rows() == [(0, 0), (1, 1)]
    none = as_given(Scores(), LEFT, RIGHT, ORDERS).explain(np.array([2, 0]), np.array([1, 2]))
    assert (none.height, none.columns) == (0, list(PARTS))


def test_scores_come_back_in_rows_as_given() -> None:
    assert_array_equal(as_given(Scores(), LEFT, RIGHT, ORDERS).scores(np.array([2])), [[2, 0, 1]])
