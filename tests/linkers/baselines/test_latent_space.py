"""Gradients against finite differences, tangents, and solvers that go down."""

from functools import cache

import numpy as np
import pytest

from factlink.linkers.baselines.latent.latent_space import Maps, Problem, Triples
from factlink.linkers.baselines.latent.map_solvers import solve_apg, solve_cccp
from factlink.linkers.baselines.latent.profile_vectors import name_blocks, profile_vectors, walk_blocks
from factlink.linkers.baselines.ulink import nearest_points
from factlink.types import Floats
from tests.linkers.pair_worlds import network


@cache
def problem() -> Problem:
    rng = np.random.default_rng(0)
    left, right = (rng.normal(size=(n, 4)).astype(np.float32) for n in (6, 7))
    triples = Triples(np.array([0, 1, 2]), np.array([3, 1, 0]), rng.integers(4, 7, (3, 2)), rng.integers(3, 6, (3, 2)))
    return Problem(left, right, triples, push=2.0, penalty=0.1)


def maps(seed: int) -> Maps:
    rng = np.random.default_rng(seed)
    return Maps(*(rng.normal(size=(3, 4)).astype(np.float32) for _ in range(2)))


def test_the_objective_by_hand() -> None:
    """One pair at distance 1, an impostor of each side at distances 1 and 4: 1 + ½·2·(1² + 0)."""
    points = np.array([[0.0], [3.0]], np.float32), np.array([[1.0], [-1.0]], np.float32)
    triples = Triples(np.array([0]), np.array([0]), np.array([[1]]), np.array([[1]]))
    one = Maps(np.ones((1, 1), np.float32), np.ones((1, 1), np.float32))
    value, _ = Problem(*points, triples, push=2.0, penalty=0.0).smooth(one)
    assert value == pytest.approx(2.0)


@pytest.mark.parametrize("kind", ["smooth", "convex"])
def test_gradients_are_slopes(kind: str) -> None:
    def value(at: Maps) -> tuple[float, Maps]:
        return problem().smooth(at) if kind == "smooth" else problem().convex(at, maps(2))

    at, direction = maps(1), maps(3)
    at_value, gradient = value(at)
    step = 1e-3
    assert kind == "convex" or problem().smooth_value(at) == pytest.approx(at_value)
    rise = value(at.plus(direction, step))[0] - value(at.plus(direction, -step))[0]
    assert gradient.dot(direction) == pytest.approx(rise / (2 * step), rel=2e-2)


def test_the_convex_problem_touches_the_hinge_from_above() -> None:
    at, elsewhere = maps(1), maps(2)
    assert problem().convex(at, at)[0] <= problem().convex(at, elsewhere)[0]


@pytest.mark.parametrize("solve", [solve_apg, solve_cccp], ids=["apg", "cccp"])
def test_solvers_go_down(solve: object) -> None:
    def whole(at: Maps) -> float:
        return problem().smooth(at)[0] + problem().penalty * at.dot(at)

    found = solve(maps(1), lambda _: problem(), 60)  # type: ignore[operator]
    assert whole(found) < 0.3 * whole(maps(1))
    if solve is solve_apg:
        further = solve_apg(found, lambda _: problem(), 60)
        assert whole(further) <= whole(found) + 1e-5


def test_nearest_points_are_nearest_by_distance_not_by_product() -> None:
    left, right = np.array([[1.0, 0.0]], np.float32), np.array([[9.0, 0.0], [1.5, 0.0], [-1.0, 0.0]], np.float32)
    near = nearest_points(left, right, 2)
    assert near.rights.tolist() == [[1, 2]]
    assert near.scores.tolist() == [pytest.approx([-0.25, -4.0], abs=1e-5)]


LEFT = network("left", {"name": ["amy tan", "bob lee", None]}, np.array([[0, 1]]))
RIGHT = network("right", {"handle": ["boblee", "amytan"]}, np.array([[0, 1]]))


def test_vectors_of_names_meet_and_of_nobody_are_nought() -> None:
    blocks = name_blocks(LEFT, RIGHT, seed=0)
    assert [[side.shape for side in block] for block in blocks] == [[(3, 512), (2, 512)]]
    left, right = blocks[0]
    cosines = left @ right.T
    assert (cosines[0].argmax(), cosines[1].argmax()) == (1, 0)
    assert not left[2].any()


def test_several_shared_predicates_have_a_block_each_beside_all_names() -> None:
    both = {"username": ["amy", "bob"], "screen_name": ["Amy T", "Bob L"]}
    assert len(name_blocks(network("a", {**both}), network("b", {**both}), seed=0)) == 3
    assert name_blocks(network("a", {**both}), network("b", {"username": [None, None]}), seed=0) == []


def test_principal_directions_keep_distances_when_there_are_enough() -> None:
    rng = np.random.default_rng(0)
    left, right = (rng.normal(size=(n, 5)).astype(np.float32) for n in (8, 9))
    own = rng.normal(size=(8, 2)).astype(np.float32), rng.normal(size=(9, 2)).astype(np.float32)
    vectors = profile_vectors([(left, right)], [own], dim=50)
    assert (vectors.left.shape, vectors.right.shape, vectors.n_shared) == ((8, 7), (9, 7), 5)
    shared = vectors.left[:, :5], vectors.right[:, :5]
    np.testing.assert_allclose(_distances(*shared), _distances(left, right), atol=1e-4)
    np.testing.assert_array_equal(vectors.left[:, 5:], own[0])


def test_vectors_by_links_are_unit_and_need_links_on_both_sides() -> None:
    ((left, _),) = walk_blocks(LEFT, RIGHT, lambda side: np.full((len(side), 4), 3.0, np.float32))
    assert left.tolist() == [[0.5, 0.5, 0.5, 0.5]] * 3
    alone = network("alone", {"name": ["amy"]})
    assert walk_blocks(LEFT, alone, lambda side: np.ones((len(side), 4), np.float32)) == []


def _distances(left: Floats, right: Floats) -> Floats:
    return np.asarray(((left[:, None] - right[None]) ** 2).sum(axis=2))
