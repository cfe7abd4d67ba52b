import numpy as np
import polars as pl
import pytest

from factlink.evidence import ChannelWeight, EvidenceSource
from factlink.linkers.factoid.channels.channel import Channel
from factlink.linkers.factoid.spreading.alignment import AlignedLinks, align_relations
from factlink.linkers.factoid.spreading.explanation import relation_notes, walk_parts
from factlink.linkers.factoid.spreading.matching import matching_of
from factlink.types import Network, Pairs
from tests.linkers.factoid.spreading.graphs import Links, relations

PAIR, FRIENDS = Pairs(np.array([0]), np.array([0])), Pairs(np.array([1]), np.array([1]))


def notes(left: Links, right: Links) -> list[str | None]:
    everybody = Pairs(np.arange(2), np.arange(2))
    lefts, rights = relations(2, left), relations(2, right)
    alignment = align_relations(lefts, rights, matching_of((2, 2), everybody, np.ones(2, np.float32)))
    return relation_notes(AlignedLinks(lefts, rights, alignment), PAIR, FRIENDS).to_list()


def test_the_predicates_that_link_both_to_a_pair_of_friends_are_named() -> None:
    assert notes({"birthPlace": [(0, 1)], "likes": []}, {"bornIn": [(0, 1)]}) == ["by birthPlace / bornIn"]
    assert notes({"knows": [(0, 1)], "likes": []}, {"knows": [(0, 1)]}) == ["by knows"]
    assert notes({"parent": [(0, 1)], "likes": []}, {"child": [(1, 0)]}) == ["by parent / child ←"]


def test_one_predicate_on_each_side_says_nothing() -> None:
    assert notes({"follows": [(0, 1)]}, {"follows": [(0, 1)]}) == [None]


def test_the_first_of_several_friends_says_how_many_are_met_by_the_same_predicates() -> None:
    links = [(0, 1), (0, 2), (0, 3)]
    lefts, rights = relations(4, {"birthPlace": links[:2], "likes": links[2:]}), relations(4, {"bornIn": links})
    everybody = Pairs(np.arange(4), np.arange(4))
    alignment = align_relations(lefts, rights, matching_of((4, 4), everybody, np.ones(4, np.float32)))
    friends = Pairs(np.array([3, 1, 2]), np.array([3, 1, 2]))
    notes = relation_notes(AlignedLinks(lefts, rights, alignment), Pairs(*2 * [np.zeros(3, np.int64)]), friends)
    first, second = "both are linked to 2 pairs by birthPlace / bornIn", "by birthPlace / bornIn"
    assert notes.to_list() == ["by likes / bornIn", first, second]


def test_an_anchor_counts_by_walks_of_all_lengths_and_the_best_eight_are_named() -> None:
    """Ten anchors, three hops: both users reach anchor 3 over one hop and over two, anchor 4 over three."""
    profiles = np.zeros((2, 30), np.float32)
    profiles[0, [3, 13, 24]] = 0.5, 0.5, 0.4
    profiles[1, 20:] = 0.1
    weighting = ChannelWeight(EvidenceSource.WALKS, "", "", 1.0, "")
    networks = tuple(Network(name, pl.Series([f"{name}{row}" for row in range(10)]), {}, {}) for name in "ab")
    anchors = Pairs(np.arange(10), np.arange(10)[::-1])
    rows = Pairs(np.arange(2), np.arange(2))
    parts = walk_parts(Channel(weighting, profiles, profiles), (networks[0], networks[1]), rows, anchors, 2.0)
    first, second = (parts.filter(pl.col("pair") == pair) for pair in (0, 1))
    assert first.select("left", "right", "predicate").rows() == [
        ("a3", "b6", "walks to a pair"),
        ("a4", "b5", "walks to a pair"),
    ]
    assert first["weight"].to_list() == pytest.approx([1.0, 0.32])
    assert second["predicate"].to_list() == ["walks to a pair"] * 8 + ["walks to other pairs"]
    assert second["weight"].to_list() == pytest.approx([0.02] * 8 + [0.04])


def test_walks_of_all_lengths_to_an_anchor_are_one_part() -> None:
    """Two anchors, three hops: anchor 0 in columns 0, 2 and 4."""
    users = pl.Series(["a", "b"])
    networks = Network("left", users, {}, {}), Network("right", users, {}, {})
    left = np.array([[0.5, 0.1, 0.5, 0.2, 0.5, 0], [0, 0, 0, 0, 0, 0]], np.float32)
    right = np.array([[0.2, 1, 0.4, 0, 0.6, 0], [0, 0, 0, 0, 0, 0]], np.float32)
    channel = Channel(ChannelWeight(EvidenceSource.WALKS, "", "", 1.0, ""), left, right)
    parts = walk_parts(channel, networks, PAIR, Pairs(np.array([0, 1]), np.array([1, 0])), 2.0)
    assert parts["weight"].to_list() == pytest.approx([1.2, 0.2])
    assert parts.select("left", "right").rows() == [("a", "b"), ("b", "a")]
