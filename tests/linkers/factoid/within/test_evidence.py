"""Columns of evidence within one network, by hand on a handful of users."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from numpy.testing import assert_allclose

from factlink.candidates.pairs import gather_pairs
from factlink.execution.workers import HERE, Workers
from factlink.linkers.factoid.within.decoys import Decoys
from factlink.linkers.factoid.within.evidence import (
    FRIENDS,
    GAP,
    LINKED,
    NAMES,
    NOT_LINKED,
    Columns,
    Sources,
    add_decoy_gaps,
    add_gaps,
)
from factlink.linkers.factoid.within.fit import WithinFit, both_ways
from factlink.linkers.factoid.within.linker import WithinLinker
from factlink.types import Attribute, Floats, Follows, Kind, Network, Pairs

CALLED = ["Amy Tan", "Amy Tan", "Bo Lindqvist", "Cay Ode"]
FOLLOWED = [(0, 2), (2, 0), (1, 2), (0, 3), (1, 3)]


def column(*values: float) -> Floats:
    return np.array(values, np.float32)


@pytest.fixture(scope="module")
def sources() -> Sources:
    ends = np.array(FOLLOWED)
    network = Network(
        "n",
        pl.Series(list("abcd")),
        {
            "name": Attribute(Kind.NAME, np.arange(4), pl.Series(CALLED)),
            "town": Attribute(Kind.CATEGORY, np.arange(4), pl.Series(["Oslo", "Rome", "Oslo", "Rome"])),
        },
        {"follows": Follows(ends[:, 0], ends[:, 1], np.ones(len(ends), np.float32))},
    )
    return WithinFit(WithinLinker(), network, HERE).sources


def test_channels_are_neither_gaps_nor_links_between_the_two() -> None:
    every = Columns({title: column(1) for title in (NAMES, FRIENDS, LINKED, NOT_LINKED, "bio", GAP + NAMES)})
    assert list(every.channels) == [NAMES, FRIENDS, "bio"]
    assert every.some(np.array([False])).values["bio"].tolist() == []


def test_pairs_in_both_directions_are_compared_once(sources: Sources, monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = both_ways(4, [(np.array([0, 2, 0]), np.array([1, 1, 3]))])
    wanted, compared, compare = sources.of_pairs(pairs), list[int](), Sources.of_pairs

    def count(mine: Sources, some: Pairs, workers: Workers = HERE) -> Columns:
        compared.append(len(some))
        return compare(mine, some, workers)

    monkeypatch.setattr(Sources, "of_pairs", count)
    found = sources.of_both_ways(pairs)
    assert compared == [3]
    assert list(found.values) == list(wanted.values)
    for title, values in wanted.values.items():
        assert found.values[title].tolist() == values.tolist()


def test_users_are_compared_by_names_friends_links_and_attributes(sources: Sources) -> None:
    found = sources.of_pairs(Pairs(np.array([0, 0, 2, 1, 2]), np.array([1, 2, 0, 2, 3]))).values
    assert list(found) == [NAMES, FRIENDS, LINKED, NOT_LINKED, "town"]
    assert found[NAMES][0] > 0.9  # the same name
    assert found[NAMES][4] < 0.1  # names that share hardly a letter
    assert found[LINKED].tolist() == [0, 1, 1, 0.5, 0]
    assert found[NOT_LINKED].tolist() == [1, 0, 0, 0.5, 1]
    assert found[FRIENDS][0] > 0.25
    assert found[FRIENDS][1:4].tolist() == [0, 0, 0]  # none follows whom the other follows
    assert (found["town"][[0, 3]] < 0).all()
    assert (found["town"][[1, 2]] > 0).all()


def decoys(sources: Sources) -> Decoys:
    """One decoy called as 0 and 2, with the friends of 0 and 1 and the town of 3, and its pairs with all four."""
    assert sources.named is not None
    assert sources.friends is not None
    named = replace(sources.named, left=sources.named.left[[3]], versions=None)
    friends = sources.friends.rows[[0, 1, 2]]  # of all donors, without the first, without the second
    pairs = gather_pairs(1, 4, [(np.zeros(4, int), np.arange(4))])
    return Decoys(np.array([0]), np.array([2]), np.array([[0, 1]]), np.array([3]), named, friends, pairs)


def test_a_decoy_pairs_with_who_gave_names_as_these_do_with_each_other(sources: Sources) -> None:
    assert sources.named is not None
    plain = replace(sources, named=replace(sources.named, versions=None))
    found = plain.of_decoys(decoys(sources)).values[NAMES]
    assert found[0] == found[2] == plain.of_pairs(Pairs(np.array([0]), np.array([2]))).values[NAMES][0]
    assert found[1] < 0.1
    assert found[3] > 0.99  # to all others it is called as user 3 here


def test_a_decoy_pairs_with_who_gave_friends_without_what_was_given(sources: Sources) -> None:
    made = decoys(sources)
    assert made.friend_rows.tolist() == [1, 2, 0, 0]
    found = sources.of_decoys(made).values
    users = sources.of_pairs(Pairs(np.array([1, 2, 0, 0]), np.arange(4))).values
    assert_allclose(found[FRIENDS], users[FRIENDS], rtol=1e-5)
    assert found[LINKED].tolist() == users[LINKED].tolist()
    assert (found["town"] == sources.of_pairs(Pairs(np.full(4, 3), np.arange(4))).values["town"]).all()


def test_everybody_who_gave_something_is_a_giver(sources: Sources) -> None:
    assert [givers.tolist() for givers in decoys(sources).givers] == [[0], [2], [3], [0], [1]]


def test_gaps_are_measured_from_the_better_rivals_of_the_two_by_hand() -> None:
    pairs = both_ways(3, [(np.array([0, 0, 1]), np.array([1, 2, 2]))])
    values = {(0, 1): 0.9, (0, 2): 0.45, (1, 2): 0.0}
    names = column(*(values[min(pair), max(pair)] for pair in zip(pairs.lefts, pairs.rights, strict=True)))
    columns, rivals = add_gaps(pairs, Columns({NAMES: names, "bio": names}))
    assert list(columns.values) == [NAMES, "bio", GAP + NAMES]
    # a level is a ninth of the only other pair: .45 for user 0 without 1, .9 without 2
    gaps = {(0, 1): 0.9 - 0.05, (0, 2): 0.45 - 0.1, (1, 2): 0.0 - 0.1}
    expected = [gaps[min(pair), max(pair)] for pair in zip(pairs.lefts, pairs.rights, strict=True)]
    assert_allclose(columns.values[GAP + NAMES], expected, atol=1e-6)
    assert_allclose(rivals[NAMES].mean, [1.35 / 9, 0.9 / 9, 0.45 / 9], rtol=1e-5)


def test_the_gap_of_a_decoy_leaves_out_its_donors_of_names(sources: Sources) -> None:
    pairs = both_ways(4, [(np.array([0, 1, 1]), np.array([1, 2, 3]))])
    values = {(0, 1): 0.9, (1, 2): 0.45, (1, 3): 0.18}
    names = column(*(values[min(pair), max(pair)] for pair in zip(pairs.lefts, pairs.rights, strict=True)))
    _, rivals = add_gaps(pairs, Columns({NAMES: names}))
    made = decoys(sources)
    found = add_decoy_gaps(made, Columns({NAMES: column(0.3, 0.6, 0.0, 0.0)}), rivals).values[GAP + NAMES]
    # user 0 has a pair of .9 with 1; the decoy's best other is .3 for the pair of .6, where user 1 is left with .18
    assert_allclose(found, [0.3 - 0.9 / 9, 0.6 - 0.3 / 9, 0.0 - 0.9 / 9, 0.0 - 0.9 / 9], atol=1e-6)
