"""Profiles of walks to anchors by hand, and anchors that grow from known pairs on a graph seen twice."""

import numpy as np
import polars as pl
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_matrix

from factlink.evidence import EvidenceSource
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.linkers.factoid.spreading import anchors
from factlink.linkers.factoid.spreading.anchors import Graphs, grow_anchors, walk_profiles
from factlink.types import Follows, Network, Pairs

N = 60
KNOWN = Pairs(np.arange(10), np.arange(10))


def graph(n: int, links: list[tuple[int, int]]) -> csr_matrix:
    table = np.zeros((n, n), np.float32)
    for one, other in links:
        table[one, other] = table[other, one] = 1
    return csr_matrix(table)


def test_walks_of_one_two_and_three_hops_count_alike_and_never_to_the_own_anchor() -> None:
    path = graph(4, [(0, 1), (1, 2), (2, 3)])
    half = np.sqrt(0.5)
    assert_allclose(walk_profiles(path, np.array([0])), [[0, 0, 0], [half, 0, half], [0, 1, 0], [0, 0, 1]], atol=1e-6)
    third = np.sqrt(1 / 3)
    both = walk_profiles(path, np.array([0, 3]))
    assert_allclose(both[1], [third, 0, 0, third, third, 0], atol=1e-6)
    assert_allclose(both[0], [0, 0, 0, 0, 0, 1], atol=1e-6)  # three hops to the other end


def test_an_anchor_with_many_links_ties_weakly_and_ties_count_by_their_roots() -> None:
    star = graph(6, [(0, 1), (0, 2), (2, 3), (2, 4), (2, 5)])  # 1 has one link, 2 has four
    one_hop = walk_profiles(star, np.array([1, 2]))[0, :2]
    assert_allclose(one_hop[0] / one_hop[1], np.sqrt(np.sqrt(4)), rtol=1e-5)


@pytest.fixture(scope="module")
def twice() -> Graphs:
    ends = np.random.default_rng(0).integers(0, N, (200, 2))
    links = graph(N, [(int(one), int(other)) for one, other in ends if one != other])
    return links, links


def test_anchors_grow_until_all_first_choices_are_anchors(twice: Graphs) -> None:
    found = grow_anchors(twice, KNOWN)
    assert len(found.anchors) > 50
    assert np.mean(found.anchors.lefts == found.anchors.rights) > 0.95
    assert found.left.shape == (N, 3 * len(found.anchors))
    assert (found.pairs.places(KNOWN.lefts, KNOWN.rights) >= 0).all()
    channel = found.channel(KNOWN, seed=0)
    assert channel.weighting.source is EvidenceSource.WALKS
    assert channel.weight > 0.4


def test_where_there_is_room_for_few_anchors_known_pairs_come_first_and_then_the_clearest(
    twice: Graphs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(anchors, "_ENTRIES", 3 * 2 * N * 15)
    found = grow_anchors(twice, KNOWN)
    assert len(found.anchors) == 15
    assert set(KNOWN.lefts.tolist()) < set(found.anchors.lefts.tolist())
    assert (found.anchors.lefts == found.anchors.rights).all()
    assert (np.diff(found.anchors.lefts) > 0).all()
    monkeypatch.setattr(anchors, "_ENTRIES", 0)
    assert len(grow_anchors(twice, KNOWN).anchors) == 10


def test_walks_to_anchors_explain_scores_where_there_is_nothing_else(twice: Graphs) -> None:
    ends = twice[0].nonzero()
    follows = Follows(*(side.astype(np.int64) for side in ends), np.ones(len(ends[0]), np.float32))
    left, right = (
        Network(name, pl.Series([f"{name}{row}" for row in range(N)]), {}, {"follows": follows}) for name in "lr"
    )
    scorer, rows = FactoidLinker().fit(left, right, KNOWN), np.arange(20, 30)
    parts = scorer.explain(rows, rows)
    sums = parts.group_by("pair").agg(pl.col("weight").sum()).sort("pair")["weight"].to_numpy()
    assert_allclose(sums, np.diag(scorer.scores(rows)[:, rows]), atol=1e-3)
    assert "walks to a pair" in parts["predicate"]
