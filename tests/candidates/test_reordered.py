"""A scorer that was fitted in another order answers in rows as given."""

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.testing import assert_array_equal

from factlink.candidates.reordered import Reordered
from factlink.canonical.orders import Orders, RowOrder
from factlink.decision.likelihoods import estimate_likelihoods
from factlink.evidence import PARTS
from factlink.protocols import FittedState, Scorer
from factlink.types import Floats, Ints, Network

LEFT, RIGHT = (Network(side, pl.Series([f"{side}{row}" for row in range(3)]), {}, {}) for side in "lr")
ORDERS = Orders(RowOrder.of(np.array([2, 0, 1])), RowOrder.of(np.array([1, 2, 0])))


@dataclass(frozen=True)
class Scores(Scorer):
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


@dataclass(frozen=True)
class Kept(Scores):
    def keep_state(self) -> FittedState:
        return FittedState({}, {"rows": "as given"})


def test_a_scorer_keeps_its_vectors_and_its_state_in_another_order() -> None:
    placed = Reordered(Space(), LEFT, RIGHT, ORDERS).place(np.array([2, 0]), np.array([1]))
    assert placed is not None
    assert_array_equal(placed[0], [[1, 0, 0], [0, 1, 0]])  # row 2 was fitted first, row 0 second
    assert_array_equal(placed[1], [[2, 0, 0]])
    state = Reordered(Kept(), LEFT, RIGHT, ORDERS).keep_state()
    assert state is not None
    assert state.words == {"rows": "as given"}


def test_what_a_scorer_does_not_know_nobody_knows_in_another_order() -> None:
    plain = Reordered(Scores(), LEFT, RIGHT, ORDERS)
    assert plain.place(np.array([0]), np.array([0])) is None
    assert plain.keep_state() is None


def test_likelihoods_come_back_in_rows_as_given_whether_candidates_are_there_or_not() -> None:
    scorer = Reordered(Scores(), LEFT, RIGHT, ORDERS)
    likely = estimate_likelihoods(scorer)
    assert_array_equal(likely.scores.reshape(3, 3), scorer.scores(np.arange(3)))
    again = estimate_likelihoods(scorer, found=scorer.candidates(3))
    assert_array_equal(again.probabilities, likely.probabilities)
    best = estimate_likelihoods(scorer, found=scorer.candidates(1))
    assert_array_equal(best.pairs.rights, scorer.scores(np.arange(3)).argmax(axis=1))


def test_explanations_are_asked_for_in_the_order_of_the_fit_and_are_none_where_there_are_none() -> None:
    asked = Reordered(Explained(), LEFT, RIGHT, ORDERS).explain(np.array([2, 0]), np.array([1, 2]))
    assert asked.rows() == [(0, 0), (1, 1)]
    none = Reordered(Scores(), LEFT, RIGHT, ORDERS).explain(np.array([2, 0]), np.array([1, 2]))
    assert (none.height, none.columns) == (0, list(PARTS))


def test_scores_come_back_in_rows_as_given() -> None:
    assert_array_equal(Reordered(Scores(), LEFT, RIGHT, ORDERS).scores(np.array([2])), [[2, 0, 1]])
