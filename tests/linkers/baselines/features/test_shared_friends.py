"""Friends that are held to be one person: by hand, and against a double loop."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from factlink.linkers.baselines.energy.matching_graph import edge_degrees, join_pairs
from factlink.linkers.baselines.features.shared_friends import FriendGraphs, friend_graphs
from factlink.types import NO_PAIRS, Ints, Pairs
from tests.linkers.pair_worlds import network


def graphs(left: list[tuple[int, int]], right: list[tuple[int, int]], n: int = 5) -> FriendGraphs:
    sides = [np.array(links, np.int64).reshape(-1, 2) for links in (left, right)]
    names: list[str | None] = [str(i) for i in range(n)]
    return friend_graphs(network("left", {"name": names}, sides[0]), network("right", {"name": names}, sides[1]))


def pairs(*of: tuple[int, int]) -> Pairs:
    ends: Ints = np.array(of, np.int64).reshape(-1, 2)
    return Pairs(ends[:, 0], ends[:, 1])


PATHS = graphs([(0, 1), (0, 2), (3, 1)], [(0, 1), (2, 0), (0, 3)])


def test_evidence_by_hand() -> None:
    """0 and 0 share friends (1, 1), degrees 2 and 1, and (2, 2), degrees 1 and 1; they have 2 and 3 friends."""
    rare, share = PATHS.evidence(pairs((0, 0)), pairs((1, 1), (2, 2), (3, 4)))[0]
    assert rare == pytest.approx(1 / np.log(3) + 1 / np.log(2))
    assert share == pytest.approx(2 / np.sqrt(6))


def test_no_links_between_friends_is_nought_and_no_friends_is_missing() -> None:
    values = PATHS.evidence(pairs((0, 0), (4, 0), (0, 4)), NO_PAIRS)
    assert values[0].tolist() == [0, 0]
    assert np.isnan(values[1:]).all()


def test_a_pair_is_no_evidence_for_itself() -> None:
    assert PATHS.evidence(pairs((1, 1)), pairs((1, 1)))[0].tolist() == [0, 0]


def test_pairs_with_two_shared_friends_are_suggested() -> None:
    links = pairs((1, 1), (2, 2))
    assert PATHS.suggest(links, most=10).lefts.tolist() == [0]
    assert PATHS.suggest(links, most=10).rights.tolist() == [0]
    assert len(PATHS.suggest(pairs((1, 1)), most=10)) == 0
    assert len(PATHS.suggest(links, most=0)) == 0


links_drawn = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=12)
pairs_drawn = st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=12)


@settings(max_examples=40, deadline=None)
@given(links_drawn, links_drawn, pairs_drawn)
def test_the_matching_graph_joins_pairs_whose_users_are_friends_on_both_sides(
    left: list[tuple[int, int]], right: list[tuple[int, int]], chosen: set[tuple[int, int]]
) -> None:
    some = sorted(chosen)
    friends = [{frozenset(link) for link in links if len(set(link)) == 2} for links in (left, right)]
    expected = [
        [i, j]
        for i, (u, v) in enumerate(some)
        for j, (x, y) in enumerate(some)
        if i < j and {u, x} in friends[0] and {v, y} in friends[1]
    ]
    edges = join_pairs(pairs(*some), graphs(left, right), np.zeros(len(some), np.float32), most=50)
    assert edges.tolist() == expected


def test_each_pair_keeps_its_strongest_edges() -> None:
    """Users 0 are friends of all others: pair (0, 0) could be joined to four pairs and keeps the two strongest."""
    star = graphs([(0, i) for i in range(1, 5)], [(0, i) for i in range(1, 5)])
    strengths = np.array([0.5, 0.1, 0.9, 0.3, 0.8], np.float32)
    edges = join_pairs(pairs((0, 0), (1, 1), (2, 2), (3, 3), (4, 4)), star, strengths, most=2)
    assert edges.tolist() == [[0, 2], [0, 4]]
    assert edge_degrees(edges, 5).tolist() == [2, 0, 1, 0, 1]
