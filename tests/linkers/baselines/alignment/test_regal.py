"""REGAL: degrees and landmarks by hand, and what a copy of a network allows."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from factlink.errors import InputError, SettingError
from factlink.evaluation.metrics import evaluate
from factlink.linkers.baselines.alignment.regal import RegalLinker, degree_counts, landmark_vectors
from factlink.linkers.baselines.alignment.user_vectors import friends_graph
from factlink.types import Ints
from tests.linkers.pair_worlds import namesakes
from tests.linkers.worlds import communities, network


def path() -> Ints:
    return np.array([[0, 1, 2], [1, 2, 3]])


def test_degrees_are_counted_by_hop() -> None:
    # 0–1–2–3: ends have degree 1 (bin 0), the middle 2 (bin 1). User 0 sees itself, then 1, then 2.
    counts = degree_counts(friends_graph(network("left", 4, path())), 2, 0.1)
    assert_allclose(counts[0], [1, 0.1 + 0.01])
    assert_allclose(counts[1], [0.1 + 0.01, 1 + 0.1])


def test_vectors_of_landmarks_reproduce_similarities() -> None:
    random = np.random.default_rng(0)
    points = random.normal(size=(20, 2))
    alike = np.exp(-((points[:, None] - points) ** 2).sum(axis=2))
    vectors = landmark_vectors(alike, np.arange(20))  # every user a landmark: nothing is approximated
    assert_allclose(vectors @ vectors.T, alike, atol=1e-3)


def test_a_copy_of_a_network_is_found_by_degrees_alone() -> None:
    """Everyone's surroundings are those of its copy; a few users have equal ones by chance."""
    world = communities(kept=1.0)
    assert evaluate(RegalLinker().fit(world.left, world.right), world.truth).hits[1] >= 0.9


def test_a_network_that_lost_links_is_not() -> None:
    world = communities(kept=0.85)
    assert evaluate(RegalLinker().fit(world.left, world.right), world.truth).hits[1] <= 0.2


def test_names_help() -> None:
    world = namesakes(100, unique=1.0)
    with_names, without = (
        evaluate(RegalLinker(name_weight=weight).fit(world.left, world.right), world.truth).mrr for weight in (5.0, 0.0)
    )
    assert with_names > without + 0.3


def test_it_says_what_it_lacks() -> None:
    world = namesakes(10, unique=1.0, degree=0)
    with pytest.raises(InputError, match="linker 'regal' learns from links and network 'left' has none"):
        RegalLinker().fit(world.left, world.right)
    with pytest.raises(SettingError, match="landmarks is 0"):
        RegalLinker(landmarks=0)
