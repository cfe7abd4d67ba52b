"""Networks in the order of their content: the same network, whatever its rows and ids were."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from factlink.canonical.colours import Crossing
from factlink.canonical.hashes import hash_contents, hash_strings
from factlink.canonical.networks import in_canonical_order
from factlink.canonical.orders import Canonical, Orders, RowOrder
from factlink.types import Attribute, Candidates, Follows, Kind, Links, Network, Pairs
from tests.canonical.shuffled import shuffle, shuffle_pairs

Content = tuple[object, ...]


def network(
    names: Sequence[str], links: Sequence[tuple[int, int]] = (), ids: str = "abcdefghijklmnop", kind: Kind = Kind.NAME
) -> Network:
    """Users with a name each, none for an empty one."""
    rows = np.array([row for row, name in enumerate(names) if name], np.int32)
    objects = pl.Series([name for name in names if name], dtype=pl.String)
    followers, followees = (np.array([link[end] for link in links], np.int32) for end in (0, 1))
    follows = {"follows": Follows(followers, followees, np.ones(len(links), np.float32))} if links else {}
    users = pl.Series(list(ids[: len(names)]), dtype=pl.String)
    return Network("people", users, {"name": Attribute(kind, rows, objects)}, follows)


def order(of: Network, known: Sequence[Crossing] = ()) -> Canonical:
    (canonical,) = in_canonical_order([of], known)
    return canonical


def content(of: Network) -> Content:
    """All but the ids."""
    attributes = [(p, a.kind, a.rows.tolist(), a.objects.to_list()) for p, a in of.attributes.items()]
    links = [(p, *(x.tolist() for x in (f.followers, f.followees, f.weights))) for p, f in of.links.items()]
    return tuple(attributes), tuple(links)


@st.composite
def networks(draw: st.DrawFn) -> Network:
    """Up to nine users with few different names, or none, and any links."""
    names = draw(st.lists(st.sampled_from(["", "", "amy", "bob"]), min_size=1, max_size=9))
    rows = st.integers(0, len(names) - 1)
    links = draw(st.sets(st.tuples(rows, rows), max_size=14))
    return network(names, sorted((a, b) for a, b in links if a != b))


@given(networks(), st.integers(0, 1000))
def test_rows_links_and_ids_do_not_show(given_network: Network, seed: int) -> None:
    assert content(order(shuffle(given_network, seed).network)) == content(order(given_network))


@given(networks(), networks(), st.integers(0, 1000))
def test_known_pairs_tell_users_apart_that_nothing_else_does(left: Network, right: Network, seed: int) -> None:
    n_known = min(2, len(left), len(right))
    known = Pairs(np.arange(n_known), np.arange(n_known))
    moved = shuffle(left, seed), shuffle(right, seed + 1)
    seen = []
    for sides, pairs in (
        ((left, right), known),
        ((moved[0].network, moved[1].network), shuffle_pairs(known, *moved, seed)),
    ):
        lefts, rights = in_canonical_order(sides, [Crossing(0, 1, pairs)])
        inner = Orders(lefts.order, rights.order).pairs(pairs)
        seen.append((content(lefts), content(rights), inner.lefts.tolist(), inner.rights.tolist()))
    assert seen[0] == seen[1]


@given(networks(), st.integers(0, 1000))
def test_with_the_same_ids_even_the_ids_come_in_one_order(given_network: Network, seed: int) -> None:
    moved = shuffle(given_network, seed)
    ids = given_network.users.gather(moved.rows)
    renamed = Network("people", ids, moved.network.attributes, moved.network.links)
    assert order(renamed).users.to_list() == order(given_network).users.to_list()


def test_row_i_in_order_is_the_user_that_the_order_says() -> None:
    given_network = network(["bob", "amy", "cat", ""], [(0, 2), (1, 0)])
    canonical = order(given_network)
    assert canonical.users.to_list() == given_network.users.gather(canonical.order.rows).to_list()
    assert canonical.order.rows[canonical.order.places].tolist() == [0, 1, 2, 3]
    named = canonical.attributes["name"]
    owners = canonical.users.gather(named.rows)
    assert dict(zip(owners, named.objects, strict=True)) == {"a": "bob", "b": "amy", "c": "cat"}
    follows = canonical.links["follows"]
    ends = zip(canonical.users.gather(follows.followers), canonical.users.gather(follows.followees), strict=True)
    assert sorted(ends) == [("a", "c"), ("b", "a")]


def test_users_whom_nothing_but_an_id_distinguishes_are_named() -> None:
    """Two called amy whom nobody follows, two called bob of whom the second follows cat."""
    canonical = order(network(["amy", "bob", "amy", "bob", "cat"], [(3, 4)]))
    assert sorted(canonical.users.filter(canonical.alike)) == ["a", "c"]
    assert not order(network(["amy", "bob"])).alike.any()
    left, right = network(["amy", "amy"]), network(["bob"])
    known = Crossing(0, 1, Pairs(np.array([1]), np.array([0])))
    assert [each.alike.any() for each in in_canonical_order([left, right])] == [True, False]
    assert [each.alike.any() for each in in_canonical_order([left, right], [known])] == [False, False]


def test_equal_families_are_numbered_as_a_whole() -> None:
    """Three nameless pairs: whichever follower comes first, the one he follows is the first of those followed."""
    families = network([""] * 6, [(0, 3), (1, 4), (2, 5)])
    expected = order(families).links["follows"].followees.tolist()
    for seed in range(6):
        assert order(shuffle(families, seed).network).links["follows"].followees.tolist() == expected


def test_values_of_one_user_and_columns_are_sorted() -> None:
    rows, objects = np.array([0, 0, 1], np.int32), pl.Series(["b", "a", "c"])
    given_network = Network(
        "people",
        pl.Series(["x", "y"]),
        {p: Attribute(Kind.NAME, rows, objects) for p in ("screen_name", "alias")},
        {},
    )
    canonical = order(given_network)
    assert list(canonical.attributes) == ["alias", "screen_name"]
    assert sorted(canonical.attributes["alias"].objects.to_list()[:3]) == ["a", "b", "c"]
    both = canonical.attributes["alias"].objects.to_list()
    assert both.index("a") + 1 == both.index("b")


def test_links_that_are_there_twice_come_by_weight() -> None:
    ends = np.zeros(3, np.int32), np.ones(3, np.int32)
    weighed = [
        Network("n", pl.Series(["a", "b"]), {}, {"follows": Follows(*ends, np.array(weights, np.float32))})
        for weights in ([3, 1, 2], [2, 3, 1])
    ]
    assert [order(each).links["follows"].weights.tolist() for each in weighed] == [[1, 2, 3]] * 2


def test_ignored_columns_are_no_content() -> None:
    plain, numbered = network(["amy", "amy"]), network(["1", "2"], kind=Kind.IGNORE)
    assert hash_contents(plain)[0] == hash_contents(plain)[1]
    assert hash_contents(numbered).tolist() == [0, 0]


def test_pictures_are_known_by_their_bytes_and_not_by_their_paths(tmp_path: Path) -> None:
    for name, picture in (("1", b"cat"), ("2", b"dog"), ("3", b"cat")):
        (tmp_path / name).write_bytes(picture)
    paths = [str(tmp_path / name) for name in ("1", "2", "3", "none")]
    cat, dog, other_cat, missing = hash_contents(network(paths, kind=Kind.IMAGE)).tolist()
    assert cat == other_cat
    assert len({cat, dog, missing}) == 3


def test_hashes_are_the_same_for_ever() -> None:
    """FNV-1a of 'a' is af63dc4c8601ec8c; what follows is splitmix64's finaliser."""
    hashes = [f"{value:016x}" for value in hash_strings(pl.Series(["", "a", "ä"]))]
    assert hashes == ["c3817c016ba4ff30", "5f29c2aadd9b8527", "9f520a0861a56b8a"]


def test_results_come_back_in_the_rows_as_given() -> None:
    orders = Orders(RowOrder.of(np.array([2, 0, 1])), RowOrder.of(np.array([1, 0])))
    found = orders.candidates(Candidates(np.array([[0, 1], [1, -1], [-1, -1]]), np.array([[5, 4], [3, 2], [1, 0]])))
    assert found.rights.tolist() == [[0, -1], [-1, -1], [1, 0]]
    assert found.scores.tolist() == [[3, 2], [1, 0], [5, 4]]
    scores = np.array([0.5, 0.25, 0.125], np.float32)
    links = orders.links(
        Links(np.arange(3), np.array([0, 1, -1]), scores, scores, np.array([0, 1, 2]), np.array([1, -1, -1]), scores)
    )
    assert links.lefts.tolist() == [0, 1, 2]
    assert links.rights.tolist() == [0, -1, 1]
    assert links.runners_up.tolist() == [-1, -1, 0]
    assert links.decisions.tolist() == [1, 2, 0]
    assert links.scores.tolist() == links.margins.tolist() == [0.25, 0.125, 0.5]
    inner = orders.pairs(Pairs(np.array([0, 2]), np.array([1, 0])))
    assert (inner.lefts.tolist(), inner.rights.tolist()) == ([0, 1], [1, 0])
    again = orders.back.pairs(inner)
    assert (again.lefts.tolist(), again.rights.tolist()) == ([0, 2], [1, 0])
