"""New users compete with who is there, and who is there stays."""

import numpy as np
import pytest

from factlink.candidates.pairs import gather_pairs
from factlink.decision.incremental import Standing, assign_incrementally, decide_arrival
from factlink.decision.soft_assignment import SoftAssignment
from factlink.types import DECISIONS, Decision

HARD = SoftAssignment(temperature=0.1, no_match=0.5)


def pairs_of(n_new: int, n_old: int, *pairs: tuple[int, int]):  # noqa: ANN201
    new, old = np.array(pairs).T
    return gather_pairs(n_new, n_old, [(new, old)])


def standing(linked: list[bool], probabilities: list[float]) -> Standing:
    return Standing(np.array(linked), np.array(probabilities, np.float32), 0.5, 0.9, True)


def test_a_single_pair_weighs_its_odds_against_no_match() -> None:
    assigned = assign_incrementally(
        pairs_of(1, 1, (0, 0)), np.array([0.5], np.float32), np.zeros(1, np.float32), 1.0, HARD
    )
    # odds 1: u = 1 / (1 + v), v = 1 / (1 + u), so u = v = 0.618…, and u·v = 0.382
    assert assigned.probabilities[0] == pytest.approx(0.381966, abs=1e-5)
    assert assigned.shifts[0] == pytest.approx(np.log(0.618034), abs=1e-5)


def test_whoever_has_a_strong_partner_pulls_less() -> None:
    scaling = np.array([0.0, -5.0], np.float32)
    assigned = assign_incrementally(
        pairs_of(1, 2, (0, 0), (0, 1)), np.array([0.7, 0.7], np.float32), scaling, 1.0, HARD
    )
    assert assigned.probabilities[0] > 10 * assigned.probabilities[1]


def test_joining_changes_nobody_who_has_no_new_candidate() -> None:
    assigned = assign_incrementally(
        pairs_of(1, 3, (0, 1)), np.array([0.9], np.float32), np.zeros(3, np.float32), 1.0, HARD
    )
    assert assigned.shifts[[0, 2]].tolist() == [0.0, 0.0]
    assert assigned.shifts[1] < 0


def test_the_free_are_linked_and_the_taken_contested() -> None:
    pairs = pairs_of(2, 2, (0, 0), (1, 1))
    assigned = assign_incrementally(pairs, np.array([1.0, 1.0], np.float32), np.zeros(2, np.float32), 1.0, HARD)
    arrival = decide_arrival(assigned, standing([False, True], [0.0, 0.6]))
    decisions = [DECISIONS[place] for place in arrival.links.decisions]
    assert decisions == [Decision.LINK, Decision.UNKNOWN]
    assert arrival.links.rights.tolist() == [0, 1]
    assert (arrival.doubted.tolist(), arrival.rivals.tolist()) == ([1], [1])
    assert arrival.before[0] < 0.6 < arrival.after[0]


def test_a_weaker_rival_raises_no_doubt() -> None:
    assigned = assign_incrementally(
        pairs_of(1, 1, (0, 0)), np.array([0.4], np.float32), np.full(1, -4, np.float32), 1.0, HARD
    )
    arrival = decide_arrival(assigned, standing([True], [0.98]))
    assert not len(arrival.doubted)
    assert arrival.links.rights.tolist() == [-1]


def test_of_two_rivals_the_stronger_is_named() -> None:
    pairs = pairs_of(2, 1, (0, 0), (1, 0))
    assigned = assign_incrementally(pairs, np.array([0.9, 0.95], np.float32), np.zeros(1, np.float32), 1.0, HARD)
    arrival = decide_arrival(assigned, standing([True], [0.1]))
    assert (arrival.doubted.tolist(), arrival.rivals.tolist()) == ([0], [1])


def test_where_people_have_several_accounts_nobody_competes() -> None:
    several = SoftAssignment(temperature=0.1, no_match=0.5, one_to_one=False)
    assigned = assign_incrementally(
        pairs_of(1, 1, (0, 0)), np.array([1.0], np.float32), np.zeros(1, np.float32), 1.0, several
    )
    arrival = decide_arrival(assigned, Standing(np.array([True]), np.ones(1, np.float32), 0.5, 0.9, False))
    assert arrival.links.rights.tolist() == [0]
    assert not len(arrival.doubted)
    assert assigned.shifts.tolist() == [0.0]
