"""SEU: weights, kernel and scaling by hand, and worlds that names and links decide."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from factlink.errors import InputError, SettingError
from factlink.evaluation.metrics import evaluate
from factlink.linkers.baselines.alignment.seu import SeuLinker, relational_graphs, scale_kernel, sharp_kernel
from factlink.linkers.baselines.alignment.user_vectors import UserVectors
from factlink.types import Floats, Follows, Network
from factlink.vectors import unit_rows
from tests.linkers.baselines.alignment.worlds import half_named, nameless
from tests.linkers.pair_worlds import namesakes, network


def test_rare_predicates_weigh_more_and_links_count_both_ways() -> None:
    left = network("left", {"name": ["a", "b", "c"]})
    one, many = (np.array([0]), np.array([1])), (np.array([0, 1, 2]), np.array([1, 2, 0]))
    links = {"rare": Follows(*one, np.ones(1, np.float32)), "common": Follows(*many, np.ones(3, np.float32))}
    left = Network("left", left.users, left.attributes, links)
    right = network("right", {"name": ["a"]})
    graph = relational_graphs(left, right)[0].toarray()
    # 8 triples in both directions, 2 for each user; rare links weigh log 8, common ones log 8/3.
    assert graph[0, 1] == pytest.approx(np.log(8) + np.log(8 / 3))
    assert graph[1, 2] == graph[2, 1] == pytest.approx(np.log(8 / 3))
    assert graph[2, 2] == pytest.approx(np.log(2))


def unit(seed: int, n: int) -> Floats:
    return unit_rows(np.abs(np.random.default_rng(seed).normal(size=(n, 6))).astype(np.float32))


def test_a_kernel_lists_the_nearest_and_sums_everybody() -> None:
    vectors = UserVectors(unit(0, 12), unit(1, 9))
    kernel, whole = sharp_kernel(vectors, 2, 5.0), np.exp(5 * (vectors.lefts @ vectors.rights.T - 1))
    assert_allclose(kernel.left_sums, whole.sum(axis=1), rtol=1e-5)
    assert_allclose(kernel.right_sums, whole.sum(axis=0), rtol=1e-5)
    assert_allclose(np.exp(kernel.logs), whole[kernel.pairs.lefts, kernel.pairs.rights], rtol=1e-5)
    assert set(np.bincount(kernel.pairs.lefts)) >= {2}
    assert np.bincount(kernel.pairs.rights).min() >= 2


def test_scaling_of_a_kernel_that_lists_everybody_is_sinkhorn() -> None:
    vectors = UserVectors(unit(0, 12), unit(1, 9))
    lefts, rights = scale_kernel(sharp_kernel(vectors, 12, 5.0), rounds=50)
    whole = np.exp(5.0 * (vectors.lefts.astype(np.float64) @ vectors.rights.T - 1) + lefts[:, None] + rights)
    assert_allclose(whole.sum(axis=1), np.full(12, 1 / 12), rtol=1e-3)
    assert_allclose(whole.sum(axis=0), np.full(9, 1 / 9), rtol=1e-3)


def test_names_of_their_own_are_enough() -> None:
    world = namesakes(100, unique=1.0, degree=0)
    assert evaluate(SeuLinker().fit(world.left, world.right), world.truth).hits[1] == 1.0


def test_friends_tell_namesakes_apart() -> None:
    """Half share their name with one other, so names alone tie on them; nine links of ten are seen by both sides."""
    world, _, _ = half_named()
    assert evaluate(SeuLinker(hops=0).fit(world.left, world.right), world.truth).hits[1] == pytest.approx(0.5, abs=0.05)
    assert evaluate(SeuLinker().fit(world.left, world.right), world.truth).hits[1] >= 0.97


def test_known_pairs_come_first_and_are_enough_without_names() -> None:
    world, known, rest = half_named()
    scorer = SeuLinker().fit(nameless(world.left), nameless(world.right), known)
    assert evaluate(scorer, known).hits[1] == 1.0
    assert evaluate(scorer, rest).hits[1] >= 0.2


def test_it_says_what_it_lacks() -> None:
    world = namesakes(10, unique=1.0)
    with pytest.raises(InputError, match="linker 'seu' needs names in both networks"):
        SeuLinker().fit(nameless(world.left), world.right)
    with pytest.raises(SettingError, match="hops is -1"):
        SeuLinker(hops=-1)
