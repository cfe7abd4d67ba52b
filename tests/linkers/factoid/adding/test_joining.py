"""New users compete with each other and with all who were there first, on either side, by hand."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from factlink.candidates.pairs import gather_pairs
from factlink.decision.decoy_calibration import DecoyCalibration
from factlink.decision.pair_model import Curve, PairModel
from factlink.linkers.factoid.adding.joining import Weighed, join_competition, with_joined
from factlink.linkers.factoid.state.state import ProbabilityState
from factlink.types import Floats

SIDES = pytest.mark.parametrize("side", [0, 1])
NOBODY = np.empty(0)


def turned(side: int, mine: object, other: object) -> tuple:
    """Left and right, where the new users are of a side."""
    return (mine, other) if side == 0 else (other, mine)


def state(side: int, totals: list[float], levels: list[float]) -> ProbabilityState:
    """Evidence and gap count as they are, names too; half of the new users' side have no partner, of others a quarter.

    Totals and levels are those of the other side.
    """
    model = PairModel(0.0, (Curve((0.0,), (1.0,)), Curve((0.0,), (9.0,))), Curve((0.0,), (1.0,)))
    levels_of = turned(side, NOBODY.astype(np.float32), np.array(levels, np.float32))
    totals_of = turned(side, NOBODY, np.array(totals))
    keys = ("names", "handles made from names")
    return ProbabilityState(model, keys, DecoyCalibration(), turned(side, 0.5, 0.25), totals_of, levels_of)


EVIDENCE = np.array([1.0, 0.5], np.float32)


def one_new_user() -> Weighed:
    """Beside two of the other side; it has no part in handles."""
    pairs = gather_pairs(1, 2, [(np.zeros(2, int), np.arange(2))])
    return Weighed(pairs, EVIDENCE, {"names": EVIDENCE})


def weights_by_hand() -> Floats:
    """Odds of evidence and gap to the level, times what everybody else leaves free of the two."""
    return np.asarray(np.exp([1.0 + 0.8, 0.5 + 0.5]) / np.array([0.25 + 0.75, 0.25]))


@SIDES
def test_a_new_user_competes_with_those_who_were_there_first(side: int) -> None:
    weights = weights_by_hand()
    found = join_competition(state(side, [0.75, 0.0], [0.2, 0.0]), side, one_new_user())
    assert_allclose(np.exp(found.log_odds), weights / (0.5 + weights[::-1]), rtol=2e-3)


@SIDES
def test_who_joined_competes_with_all_who_come_later(side: int) -> None:
    before = state(side, [0.75, 0.0], [0.2, 0.0])
    after, weights = with_joined(before, side, one_new_user()), weights_by_hand()
    assert_allclose(after.totals[side], [weights.sum()], rtol=1e-3)
    odds = np.exp([1.0 + 0.8, 0.5 + 0.5])
    assert_allclose(after.totals[1 - side], [0.75, 0.0] + odds / (0.5 + weights[::-1]), rtol=2e-3)
    assert_allclose(after.levels[side], [1.5 / 9])
    assert_allclose(after.levels[1 - side], [0.2, 0.0])
