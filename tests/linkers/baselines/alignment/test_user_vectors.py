"""Vectors of names and positions, by hand."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from factlink.linkers.baselines.alignment.user_vectors import (
    UserVectors,
    friends_graph,
    join_vectors,
    name_vectors,
    near_pairs,
    positions,
)
from factlink.types import NO_PAIRS, Pairs
from tests.linkers.pair_worlds import network as named
from tests.linkers.worlds import network


def test_names_are_compared_by_letter_pairs_inside_words() -> None:
    # an+na and an: 1/√2; words apart share nothing with their joint: "a b" has no pair at all.
    vectors = name_vectors(named("left", {"name": ["Ann", "a b"]}), named("right", {"name": ["AN", "Änn"]}))
    assert vectors is not None
    assert_allclose(vectors.lefts @ vectors.rights.T, [[np.sqrt(0.5), 1], [0, 0]], atol=1e-6)


def test_without_names_on_both_sides_there_are_no_vectors() -> None:
    assert name_vectors(named("left", {"name": ["ann"]}), named("right", {"name": [None]})) is None


def test_positions_are_shares_of_walks_that_end_at_known_pairs() -> None:
    # 0–1–2 with known ends: the middle is as far from either, an end is nearer to itself.
    graph = friends_graph(network("left", 3, np.array([[0, 1], [1, 2]])))
    vectors = positions(graph, graph, Pairs(np.array([0, 2]), np.array([0, 2])), restart=0.5)
    assert vectors is not None
    assert_allclose(vectors.lefts[1], [np.sqrt(0.5), np.sqrt(0.5)], rtol=1e-4)
    # r₀ = (½·r₁ + ½·e₀): an end has 7/12 of its own walks and 1/12 of the other's, for the middle has 1/6 of each.
    assert vectors.lefts[0, 0] / vectors.lefts[0, 1] == pytest.approx(7, rel=1e-3)
    assert positions(graph, graph, NO_PAIRS, restart=0.5) is None


def test_the_nearest_both_ways_are_listed_and_known_pairs_too() -> None:
    one = np.eye(3, dtype=np.float32)
    pairs = near_pairs([UserVectors(one, one)], 1, Pairs(np.array([0]), np.array([2])))
    assert list(zip(pairs.lefts.tolist(), pairs.rights.tolist(), strict=True)) == [(0, 0), (0, 2), (1, 1), (2, 2)]


def test_joined_vectors_have_the_mean_of_the_cosines() -> None:
    same = UserVectors(np.array([[1, 0]], np.float32), np.array([[1, 0]], np.float32))
    apart = UserVectors(np.array([[1, 0]], np.float32), np.array([[0, 1]], np.float32))
    both = join_vectors([same, apart])
    assert (both.lefts @ both.rights.T).item() == pytest.approx(0.5)
    assert same.mean_cosine() == 1
