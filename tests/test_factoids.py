"""Factoids: the paper's own example, sharing, merging, and what must not change."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from factlink.errors import InputError, SettingError
from factlink.factoids import build_table, list_factoids
from factlink.types import Attribute, Follows, Ints, Kind, Network, Pairs


def ints(*values: int) -> Ints:
    return np.array(values, np.int32)


def network(
    name: str, users: list[str], names: list[str], follows: list[tuple[int, int]], kind: Kind = Kind.NAME
) -> Network:
    attribute = Attribute(kind, np.arange(len(names), dtype=np.int32), pl.Series(names, dtype=pl.String))
    ends = np.array(follows, np.int32).reshape(-1, 2)
    links = {"follows": Follows(ends[:, 0], ends[:, 1], np.ones(len(ends), np.float32))} if follows else {}
    return Network(name, pl.Series(users, dtype=pl.String), {"name": attribute}, links)


TWITTER = network(
    "twitter",
    ["1", "2", "3", "4", "5"],
    ["Amy Tan", "Desmond", "C L", "Joey Lim", "Nicole Tan"],
    [(0, 1), (1, 0), (0, 2), (2, 0), (2, 1), (3, 2), (4, 2)],
)
FACEBOOK = network(
    "facebook",
    ["6", "7", "8", "9"],
    ["Amy Tan", "Desmond Ng", "Cindy Lim", "Joey L"],
    [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1), (2, 3), (3, 2)],
)

TABLE_1 = """
1 has_name Amy Tan | 2 has_name Desmond | 3 has_name C L | 4 has_name Joey Lim | 5 has_name Nicole Tan
1 follows 2 | 2 follows 1 | 1 follows 3 | 3 follows 1 | 3 follows 2 | 4 follows 3 | 5 follows 3
6 has_name Amy Tan | 7 has_name Desmond Ng | 8 has_name Cindy Lim | 9 has_name Joey L
6 follows 7 | 7 follows 6 | 6 follows 8 | 8 follows 6 | 7 follows 8 | 8 follows 7 | 8 follows 9 | 9 follows 8
"""


def test_the_papers_table_1_comes_out_exactly() -> None:
    table = build_table([TWITTER, FACEBOOK])
    read = [f"{f.user} {f.predicate} {f.object}" for f in list_factoids(table, [TWITTER, FACEBOOK])]
    published = [factoid.strip() for line in TABLE_1.strip().splitlines() for factoid in line.split("|")]
    assert sorted(read) == sorted(published)


def test_equal_objects_are_shared_and_sorted() -> None:
    table = build_table([TWITTER, FACEBOOK])
    values = table.objects["name"].values.to_list()
    assert values == ["Amy Tan", "C L", "Cindy Lim", "Desmond", "Desmond Ng", "Joey L", "Joey Lim", "Nicole Tan"]
    has = table.has["name"]
    assert has.objects[has.users == 0].tolist() == has.objects[has.users == 5].tolist() == [0]


def test_spellings_that_differ_in_spaces_or_composition_are_one_object() -> None:
    left = network("a", ["x"], ["Zoë  Ng "], [])
    right = network("b", ["y"], ["Zoe\u0308 Ng"], [])
    assert build_table([left, right]).objects["name"].values.to_list() == ["Zoë Ng"]


def test_known_pairs_share_one_row_and_keep_every_factoid_once() -> None:
    table = build_table([TWITTER, FACEBOOK], {("twitter", "facebook"): Pairs(ints(0, 1), ints(0, 1))})
    assert table.n_rows == 7
    assert table.rows["twitter"].tolist() == [0, 1, 2, 3, 4]
    assert table.rows["facebook"].tolist() == [0, 1, 5, 6]
    read = [(f.user, f.predicate, f.object) for f in list_factoids(table, [TWITTER, FACEBOOK])]
    assert read.count(("1=6", "has_name", "Amy Tan")) == 1
    assert ("2=7", "has_name", "Desmond") in read
    assert ("2=7", "has_name", "Desmond Ng") in read
    follows = table.links["follows"]
    met = (follows.followers == 0) & (follows.followees == 1)
    assert follows.weights[met].tolist() == [2.0]


def test_a_person_with_two_accounts_on_one_side_is_one_row_without_a_loop() -> None:
    table = build_table([TWITTER, FACEBOOK], {("twitter", "facebook"): Pairs(ints(0, 1), ints(0, 0))})
    assert table.rows["twitter"][0] == table.rows["twitter"][1] == table.rows["facebook"][0]
    follows = table.links["follows"]
    assert not np.any(follows.followers == follows.followees)


def test_three_networks_meet_in_one_table() -> None:
    third = network("foursquare", ["a"], ["Amy T"], [])
    pairs = Pairs(ints(0), ints(0))
    table = build_table([TWITTER, FACEBOOK, third], {("twitter", "facebook"): pairs, ("facebook", "foursquare"): pairs})
    assert table.rows["twitter"][0] == table.rows["facebook"][0] == table.rows["foursquare"][0]
    assert table.n_rows == 8


def test_ignored_predicates_give_no_factoid() -> None:
    left, right = (network(name, ["1"], ["x"], [], Kind.IGNORE) for name in "ab")
    assert build_table([left, right]).has == {}


def test_a_predicate_of_two_kinds_is_refused() -> None:
    left, right = network("a", ["1"], ["x"], []), network("b", ["1"], ["x"], [], Kind.TEXT)
    with pytest.raises(SettingError, match=r"'name' is name in 'a', text in 'b'; set one kind for both \(--kind name="):
        build_table([left, right])


def test_networks_need_names_of_their_own() -> None:
    with pytest.raises(InputError, match="need names of their own, found twitter, twitter"):
        build_table([TWITTER, TWITTER])
    with pytest.raises(InputError, match="two or more networks, found 1"):
        build_table([TWITTER])


@given(st.permutations(range(5)))
def test_the_order_of_users_does_not_matter(order: list[int]) -> None:
    place = {row: new for new, row in enumerate(order)}
    moved = network(
        "twitter",
        [TWITTER.users[row] for row in order],
        [TWITTER.attributes["name"].objects[row] for row in order],
        [(place[int(a)], place[int(b)]) for a, b in zip(*ends(TWITTER), strict=True)],
    )
    assert read(moved) == read(TWITTER)


def ends(of: Network) -> tuple[Ints, Ints]:
    return of.links["follows"].followers, of.links["follows"].followees


def read(left: Network) -> set[tuple[str, str, str]]:
    table = build_table([left, FACEBOOK])
    return {(f.user, f.predicate, f.object) for f in list_factoids(table, [left, FACEBOOK])}
