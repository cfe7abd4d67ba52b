"""New users compete with who is there, and who is there stays."""

import numpy as np
import pytest

from factlink.candidates.pairs import gather_pairs
from factlink.decision.incremental import IncrementalAssignment, Standing, assign_incrementally, decide_arrival
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


def assigned_as(table: list[list[float]], shifts: list[float]) -> IncrementalAssignment:
    """New users (rows) and earlier ones (columns) with given probabilities; 0 for no candidate."""
    matrix = np.array(table, np.float32)
    pairs = gather_pairs(*matrix.shape, [np.nonzero(matrix)])
    found, nothing = matrix[np.nonzero(matrix)], np.zeros(0, np.float32)
    scores = np.log(found)
    return IncrementalAssignment(pairs, nothing, scores, found, nothing, nothing, np.array(shifts, np.float32))


def test_whose_favourite_is_taken_and_likelier_gets_the_best_who_is_free() -> None:
    assigned = assigned_as([[0.6, 0.3, 0.0], [0.0, 0.7, 0.4], [0.3, 0.4, 0.0], [0.0, 0.0, 0.0]], [0, 0, 0])
    arrival = decide_arrival(assigned, standing([True, False, False], [0.9, 0, 0]))
    assert arrival.links.rights.tolist() == [-1, 2, 1, -1]  # .4 and .4 of the two who are free, rather than .7 alone
    assert [DECISIONS[place].value for place in arrival.links.decisions] == [
        *["no account", "unknown", "unknown", "no account"],
    ]
    assert not len(arrival.doubted)


def test_an_earlier_link_is_as_likely_as_its_new_rivals_leave_it() -> None:
    """.8 becomes .4: as much as the first new user, which beats nobody, and less than the second."""
    half = float(np.log(np.float32(0.5)))
    for probability, doubted in ((0.39, []), (0.41, [0])):
        arrival = decide_arrival(assigned_as([[probability]], [half]), standing([True], [0.8]))
        assert arrival.doubted.tolist() == doubted
        assert arrival.before.tolist() == pytest.approx([0.4] * len(doubted))
        assert arrival.after.tolist() == pytest.approx([probability] * len(doubted))
        assert arrival.links.rights.tolist() == [0 if doubted else -1]


def test_rivals_of_several_links_are_named_each_with_its_own() -> None:
    table = [[0.9, 0.05, 0.0], [0.0, 0.0, 0.6], [0.0, 0.0, 0.7], [0.0, 0.95, 0.0]]
    arrival = decide_arrival(assigned_as(table, [0, 0, 0]), standing([True, False, True], [0.5, 0, 0.5]))
    assert (arrival.doubted.tolist(), arrival.rivals.tolist()) == ([0, 2], [0, 2])
    assert arrival.before.tolist() == [0.5, 0.5]
    assert arrival.after.tolist() == pytest.approx([0.9, 0.7])
    assert arrival.links.rights.tolist() == [0, 2, 2, 1]
    assert [DECISIONS[place].value for place in arrival.links.decisions] == ["unknown"] * 3 + ["link"]
    assert arrival.links.scores.tolist() == pytest.approx(np.log([0.9, 0.6, 0.7, 0.95]).tolist(), rel=1e-5)


def test_a_new_user_becomes_a_link_at_the_threshold_of_earlier_ones() -> None:
    bar = Standing(np.array([False]), np.zeros(1, np.float32), 0.75, 0.9, True)
    for probability, decision in ((0.75, Decision.LINK), (0.74, Decision.UNKNOWN), (0.05, Decision.NO_ACCOUNT)):
        arrival = decide_arrival(assigned_as([[probability]], [0]), bar)
        assert DECISIONS[arrival.links.decisions[0]] is decision


def test_a_chance_below_one_in_a_hundred_is_assigned_to_nobody() -> None:
    arrival = decide_arrival(assigned_as([[0.009], [0.011]], [0]), standing([False], [0]))
    assert arrival.links.probabilities.tolist() == pytest.approx([0, 0.011])


def test_competition_of_two_new_users_by_hand() -> None:
    """Both are as likely as not to be the same user: u = 1 / (1 + v) for each, v = 1 / (1 + 2u), so u = 1/√2."""
    assigned = assign_incrementally(
        pairs_of(2, 1, (0, 0), (1, 0)), np.full(2, 0.5, np.float32), np.zeros(1, np.float32), 1.0, HARD
    )
    assert assigned.new_scaling.tolist() == pytest.approx(np.log([0.7071, 0.7071]).tolist(), abs=1e-3)
    assert assigned.old_scaling[0] == pytest.approx(np.log(0.4142), abs=1e-3)
    assert assigned.probabilities.tolist() == pytest.approx([0.2929, 0.2929], abs=1e-3)


def test_more_weight_of_no_match_makes_all_pairs_less_likely() -> None:
    """With 2 for no match: u = 1 / (2 + v), v = 1 / (1 + u), so u² + 2u − 1 = u … u = (√3 − 1) / 2, v = √3 − 1."""
    assigned = assign_incrementally(
        pairs_of(1, 1, (0, 0)), np.array([0.5], np.float32), np.zeros(1, np.float32), 2.0, HARD
    )
    assert np.exp(assigned.new_scaling[0]) == pytest.approx(0.36603, abs=1e-4)
    assert np.exp(assigned.old_scaling[0]) == pytest.approx(0.73205, abs=1e-4)


def test_the_logarithms_of_shares_are_the_scores() -> None:
    assigned = assign_incrementally(
        pairs_of(1, 1, (0, 0)), np.array([0.5], np.float32), np.zeros(1, np.float32), 1.0, HARD
    )
    likely = assigned.likelihoods
    assert likely.scores.tolist() == pytest.approx([np.log(0.381966)], abs=1e-4)
    assert assigned.evidence.tolist() == [0.5]
