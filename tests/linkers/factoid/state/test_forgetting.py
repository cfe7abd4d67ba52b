"""The fitted state without one user, by hand: three left and two right users."""

from dataclasses import replace
from typing import cast

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_matrix

from factlink.decision.decoy_calibration import DecoyCalibration
from factlink.decision.pair_model import Curve, PairModel
from factlink.decision.soft_assignment import Assignment
from factlink.encoders.ngrams.spaces import GramSpace
from factlink.linkers.factoid.learned.raw_grams import RawGrams
from factlink.linkers.factoid.state.forgetting import state_without
from factlink.linkers.factoid.state.state import (
    FactoidState,
    LearnedNameState,
    LinkState,
    NameState,
    ProbabilityState,
    Voters,
)
from factlink.types import Floats, Pairs


def column(*values: float) -> Floats:
    return np.array(values, np.float32)


@pytest.fixture
def state() -> FactoidState:
    graphs = csr_matrix([[0, 1, 0], [1, 0, 2], [0, 2, 0]]), csr_matrix([[0, 5], [5, 0]])
    voters = Voters(Pairs(np.array([0, 1, 2]), np.array([1, 0, 1])), column(0.1, 0.2, 0.3))
    vectors = [np.eye(3, dtype=np.float16)[:2], np.eye(3, dtype=np.float16)[2:]], [2 * np.eye(2, 3, dtype=np.float16)]
    model = PairModel(0.0, (Curve((0.0,), (1.0,)),), Curve((0.0,), (1.0,)))
    totals, levels = (np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0])), (column(6, 7, 8), column(9, 10))
    return FactoidState(
        NameState(1.0, cast(GramSpace, None), ({}, {}), vectors),
        (),
        LinkState(graphs, ({}, {}), 1.0, column(0), 1.0, voters),
        Assignment(np.empty(0, np.float32), column(4, 5), column(1, 2, 3), 1.0, 1.0),
        ProbabilityState(model, ("names",), DecoyCalibration(), (0.5, 0.5), totals, levels),
    )


def test_a_left_user_leaves_everything_that_is_by_left_user(state: FactoidState) -> None:
    found = state_without(state, 0, 1)
    assert found.names is not None
    assert found.links is not None
    assert found.probability is not None
    assert_allclose(np.concatenate(found.names.vectors[0]), [[1, 0, 0], [0, 0, 1]])
    assert_allclose(np.concatenate(found.names.vectors[1]), [[2, 0, 0], [0, 2, 0]])
    assert found.links.neighbours[0].toarray().tolist() == [[0, 0], [0, 0]]
    assert found.links.neighbours[1].toarray().tolist() == [[0, 5], [5, 0]]
    assert found.links.voters.linked.lefts.tolist() == [0, 1]  # the last row moved up
    assert found.links.voters.linked.rights.tolist() == [1, 1]
    assert_allclose(found.links.voters.strengths, [0.1, 0.3])
    assert_allclose(found.assignment.left_scaling, [1, 3])
    assert_allclose(found.assignment.right_scaling, [4, 5])
    assert [each.tolist() for each in found.probability.totals] == [[1, 3], [4, 5]]
    assert [each.tolist() for each in found.probability.levels] == [[6, 8], [9, 10]]


def test_a_right_user_leaves_everything_that_is_by_right_user(state: FactoidState) -> None:
    found = state_without(state, 1, 0)
    assert found.names is not None
    assert found.links is not None
    assert found.probability is not None
    assert_allclose(np.concatenate(found.names.vectors[1]), [[0, 2, 0]])
    assert len(np.concatenate(found.names.vectors[0])) == 3
    assert found.links.neighbours[0].shape == (3, 3)
    assert found.links.neighbours[1].toarray().tolist() == [[0]]
    assert found.links.voters.linked.lefts.tolist() == [0, 2]
    assert found.links.voters.linked.rights.tolist() == [0, 0]
    assert_allclose(found.assignment.left_scaling, [1, 2, 3])
    assert_allclose(found.assignment.right_scaling, [5])
    assert [each.tolist() for each in found.probability.totals] == [[1, 2, 3], [5]]
    assert [each.tolist() for each in found.probability.levels] == [[6, 7, 8], [10]]


def test_what_is_not_there_stays_away(state: FactoidState) -> None:
    bare = FactoidState(None, (), None, state.assignment)
    found = state_without(bare, 0, 0)
    assert found.names is None
    assert found.links is None
    assert found.probability is None
    assert_allclose(found.assignment.left_scaling, [2, 3])


@pytest.mark.parametrize(("side", "expected"), [(0, [[1, 2], [5, 6]]), (1, [[1, 2], [3, 4], [5, 6]])])
def test_a_left_user_alone_has_an_expected_name(state: FactoidState, side: int, expected: list[list[int]]) -> None:
    names = [np.array([[1, 2]], np.float16), np.array([[3, 4], [5, 6]], np.float16)]
    learned = LearnedNameState(1.0, cast(RawGrams, None), np.zeros((1, 2), np.float16), names)
    found = state_without(replace(state, learned=learned), side, 1).learned
    assert found is not None
    assert np.concatenate(found.expected).tolist() == expected
    assert found.weight == 1.0
