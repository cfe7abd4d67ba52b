"""Least energies against trying every decision, and triads of three networks."""

from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from factlink.linkers.baselines.energy.least_energy import Energy, find_triads, minimise
from factlink.linkers.baselines.energy.max_margin import DecidedPairs, Weights, learn_weights
from factlink.types import Floats, Pairs

NO_EDGES = np.empty((0, 2), np.int64)
NOTHING = np.empty(0, np.float32)


def floats(*values: float) -> Floats:
    return np.array(values, np.float32)


def energy_of(energy: Energy, decisions: tuple[int, ...]) -> float:
    y = decisions
    total = float(sum(cost * yes for cost, yes in zip(energy.costs, y, strict=True)))
    for (i, j), together, apart in zip(energy.edges, energy.together, energy.apart, strict=True):
        total -= together * (y[i] == y[j] == 1) + apart * (y[i] == y[j] == 0)
    return total + energy.violation * sum(y[a] + y[b] + y[c] == 2 for a, b, c in energy.triads)


def least(energy: Energy) -> float:
    return min(energy_of(energy, decisions) for decisions in product((0, 1), repeat=len(energy.costs)))


def test_a_pair_alone_is_decided_by_its_cost() -> None:
    found = minimise(Energy(floats(-2, 3), NO_EDGES, NOTHING, NOTHING))
    assert found.decisions.tolist() == [True, False]
    assert found.margins.tolist() == [2, -3]
    assert found.dual == -2


def test_a_sure_pair_lifts_its_neighbour() -> None:
    """Together they cost −2 + .5 − 1 = −2.5, the first alone −2."""
    energy = Energy(floats(-2, 0.5), np.array([[0, 1]]), floats(1), floats(0))
    found = minimise(energy)
    assert found.decisions.tolist() == [True, True]
    assert found.dual == pytest.approx(-2.5)
    assert found.margins[1] == pytest.approx(0.5)


numbers = st.floats(-2, 2).map(lambda value: round(value, 2))


@settings(max_examples=60, deadline=None)
@given(st.lists(numbers, min_size=4, max_size=4), st.lists(st.tuples(numbers, numbers), min_size=3, max_size=3))
def test_chains_are_solved_where_the_decisions_are_clear(
    costs: list[float], rewards: list[tuple[float, float]]
) -> None:
    edges = np.array([[0, 1], [1, 2], [2, 3]])
    together, apart = (np.abs(floats(*column)) for column in zip(*rewards, strict=True))
    energy = Energy(floats(*costs), edges, together, apart)
    found = minimise(energy, rounds=400)
    assert found.dual <= least(energy) + 1e-4
    assume(np.abs(found.margins).min() > 0.2)  # nearer to a tie the steps may end before the last decision
    assert energy_of(energy, tuple(int(d) for d in found.decisions)) <= least(energy) + 0.1


def test_triads_are_closed_pairs_of_three_networks() -> None:
    first, second = Pairs(np.array([0, 1]), np.array([5, 6])), Pairs(np.array([5, 6, 6]), np.array([8, 8, 9]))
    across = Pairs(np.array([0, 1, 1]), np.array([8, 9, 7]))
    assert find_triads(first, second, across).tolist() == [[0, 2, 5], [1, 4, 6]]


def test_two_sure_pairs_of_a_triad_carry_the_third() -> None:
    """u = v and v = z are sure, u = z costs 1: breaking transitivity would cost 5."""
    energy = Energy(floats(-3, -3, 1), NO_EDGES, NOTHING, NOTHING, np.array([[0, 1, 2]]), violation=5.0)
    found = minimise(energy)
    assert found.decisions.tolist() == [True, True, True]
    assert found.dual == pytest.approx(-5)
    assert found.margins[2] == pytest.approx(2)  # without the third, only one of the two is worth a yes: −3, not −5
    without = Energy(floats(-3, -3, 1), NO_EDGES, NOTHING, NOTHING)
    assert minimise(without).decisions.tolist() == [True, True, False]


def test_three_networks_with_edges_and_triads_together() -> None:
    """The third pair of each triad is carried by transitivity, and the pair joined to it by their friends."""
    costs = floats(-3, -3, 1, 0.5)
    energy = Energy(costs, np.array([[2, 3]]), floats(2), floats(0), np.array([[0, 1, 2]]), violation=5.0)
    found = minimise(energy, rounds=300)
    assert least(energy) == pytest.approx(-6.5)
    assert found.decisions.tolist() == [True, True, True, True]


def decided(seed: int, n: int = 400) -> DecidedPairs:
    """A tenth are matches, their first column 2 higher; every match is joined to the next one."""
    rng = np.random.default_rng(seed)
    matches = np.arange(n) < n // 10
    values = rng.normal(size=(n, 3)).astype(np.float32)
    values[matches, 0] += 2
    edges = np.stack([np.arange(n // 10 - 1), np.arange(1, n // 10)], axis=1)
    return DecidedPairs(values, matches, edges, np.full(len(edges), 0.5, np.float32))


def test_learning_finds_the_column_that_tells_and_the_edges_that_join() -> None:
    weights = learn_weights(decided(0), importance=10, rounds=100)
    assert weights.values[0] > 5 * np.abs(weights.values[1:]).max()
    assert weights.together > 0
    assert min(weights.together, weights.apart, weights.violation) >= 0


def test_learned_weights_decide_other_pairs() -> None:
    """A column 2 apart misleads one in six at best; edges between matches leave few of them wrong."""
    weights = learn_weights(decided(0), importance=10, rounds=100)
    unseen = decided(1)
    found = minimise(weights.energy(unseen))
    right = found.decisions == unseen.matches
    assert right[unseen.matches].mean() > 0.9
    assert right.mean() > 0.8


def test_weights_of_triads_are_learned_where_there_are_triads() -> None:
    """In every true triad two pairs look sure and the third does not: only transitivity can say yes to it."""
    values = np.tile(floats(2, 2, -1), 30)[:, None]
    triads = np.arange(90).reshape(30, 3)
    random_negatives = floats(*(-1 - 0.01 * np.arange(90)))[:, None]
    pairs = DecidedPairs(np.concatenate([values, random_negatives]), np.arange(180) < 90, NO_EDGES, NOTHING, triads)
    weights = learn_weights(pairs, importance=10, rounds=100)
    assert weights.violation > 0


def test_the_energy_of_weights_by_hand() -> None:
    pairs = DecidedPairs(floats(1, 2)[:, None], np.array([True, False]), np.array([[0, 1]]), floats(0.5))
    energy = Weights(floats(3), -1.0, 2.0, 4.0, 0.0).energy(pairs)
    assert energy.costs.tolist() == [-2, -5]
    assert (energy.together.tolist(), energy.apart.tolist()) == ([1.0], [2.0])
