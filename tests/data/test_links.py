import re
from random import Random

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from factlink.data.links import LinkOrigin, ReadLinks, links_from_table, table_from_links
from factlink.errors import InputError
from factlink.types import Follows

USERS = pl.Series(["a", "b", "c"])
ORIGIN = LinkOrigin("network 'net': links.csv", "users.csv")

Line = tuple[str, str, str, float]
lines = st.lists(
    st.tuples(
        st.sampled_from("abc"), st.sampled_from("abc"), st.sampled_from(["follows", "likes"]), st.floats(0.01, 1e6)
    ),
    max_size=30,
)


def read(drop_dangling: bool = False, **columns: list[object]) -> ReadLinks:
    return links_from_table(pl.DataFrame(columns, strict=False), USERS, ORIGIN, drop_dangling)


def told(follows: Follows) -> list[tuple[int, int, float]]:
    return list(zip(follows.followers.tolist(), follows.followees.tolist(), follows.weights.tolist(), strict=True))


def refused(message: str, **columns: list[object]) -> None:
    with pytest.raises(InputError, match="^" + re.escape(message) + "$"):
        read(**columns)


def test_links_are_sorted_by_follower_and_followee() -> None:
    links = read(source=["c", "a", "b", "a"], target=["a", "c", "a", "b"])
    assert told(links.follows["follows"]) == [(0, 1, 1), (0, 2, 1), (1, 0, 1), (2, 0, 1)]


def test_predicates_are_sorted_and_default_to_follows() -> None:
    links = read(source=["a", "a", "b"], target=["b", "b", "a"], predicate=["likes", None, " "])
    assert list(links.follows) == ["follows", "likes"]
    assert told(links.follows["follows"]) == [(0, 1, 1), (1, 0, 1)]
    assert told(links.follows["likes"]) == [(0, 1, 1)]


def test_repeated_links_are_one_link() -> None:
    links = read(source=["a", "a", "b"], target=["b", "b", "a"])
    assert told(links.follows["follows"]) == [(0, 1, 1), (1, 0, 1)]
    assert links.repeated == 1


def test_weights_of_repeated_links_add_up() -> None:
    links = read(source=["a", "a", "b"], target=["b", "b", "a"], weight=["0.5", " 2", None])
    assert told(links.follows["follows"]) == [(0, 1, 2.5), (1, 0, 1)]
    assert links.follows["follows"].weights.dtype == np.float32


def test_sums_stay_finite() -> None:
    links = read(source=["a", "a"], target=["b", "b"], weight=[3e38, 3e38])
    assert np.isfinite(links.follows["follows"].weights).all()


def test_self_links_are_dropped_and_counted() -> None:
    links = read(source=["a", "b", "c"], target=["a", "b", "a"])
    assert told(links.follows["follows"]) == [(2, 0, 1)]
    assert links.self_links == 2


def test_only_self_links_leave_no_predicate() -> None:
    assert read(source=["a"], target=["a"]).follows == {}
    assert read(source=[], target=[]).follows == {}


def test_dangling_links_are_dropped_and_counted() -> None:
    links = read(drop_dangling=True, source=["a", "x", "x", "x"], target=["b", "a", "x", "b"])
    assert told(links.follows["follows"]) == [(0, 1, 1)]
    assert (links.dangling, links.self_links) == (3, 0)


def test_ids_are_strings() -> None:
    users = pl.Series(["1", "2"])
    table = pl.DataFrame({"source": [1.0, 2.0], "target": [2, 1]})
    assert len(links_from_table(table, users, ORIGIN, False).follows["follows"]) == 2


@pytest.mark.parametrize(
    ("source", "target", "row", "end", "user"),
    [
        (["a", "b"], ["b", "u77"], 2, "followee", "u77"),
        (["a", "u7", "b"], ["b", "c", "x"], 2, "follower", "u7"),
        (["a", "b", "y"], ["b", "x", "a"], 2, "followee", "x"),
        (["y"], ["x"], 1, "follower", "y"),
    ],
)
def test_dangling_links(source: list[object], target: list[object], row: int, end: str, user: str) -> None:
    refused(
        f"network 'net': links.csv row {row}: {end} '{user}' is not in users.csv; "
        "add the user or drop the link (--drop-dangling)",
        source=source,
        target=target,
    )


def test_missing_ends() -> None:
    refused(
        "network 'net': links.csv row 2: the followee is empty; name both ends of the link, or drop it",
        source=["a", "b"],
        target=["b", ""],
    )


@pytest.mark.parametrize(("column", "purpose"), [("source", "followers"), ("target", "followees")])
def test_missing_columns(column: str, purpose: str) -> None:
    other = "target" if column == "source" else "source"
    columns: dict[str, list[object]] = {other: ["a"], "to": ["b"]}
    refused(
        f"network 'net': links.csv has no column '{column}'; name the {purpose} '{column}' "
        f"(columns found: '{other}', 'to')",
        **columns,
    )


@pytest.mark.parametrize(
    ("weight", "shown"),
    [(0.0, "0.0"), (-1.0, "-1.0"), (float("nan"), "nan"), (float("inf"), "inf"), (1e300, "1e+300"), (1e-60, "1e-60")],
)
def test_weights_that_are_not_positive(weight: float, shown: str) -> None:
    refused(
        f"network 'net': links.csv row 2: weight '{shown}' is not a positive number; "
        "give one above 0, or leave it empty for 1",
        source=["a", "b"],
        target=["b", "c"],
        weight=[1.0, weight],
    )


def test_weights_that_are_words() -> None:
    refused(
        "network 'net': links.csv row 1: weight 'strong' is not a positive number; "
        "give one above 0, or leave it empty for 1",
        source=["a"],
        target=["b"],
        weight=["strong"],
    )


@settings(deadline=None)
@given(lines, st.randoms())
def test_the_order_of_lines_does_not_matter(links: list[Line], random: Random) -> None:
    def follows(ordered: list[Line]) -> dict[str, tuple[bytes, bytes, bytes]]:
        schema = {"source": pl.String, "target": pl.String, "predicate": pl.String, "weight": pl.Float64}
        table = pl.DataFrame(ordered, schema=schema, orient="row")
        found = links_from_table(table, USERS, ORIGIN, False).follows
        return {
            name: (each.followers.tobytes(), each.followees.tobytes(), each.weights.tobytes())
            for name, each in found.items()
        }

    mixed = list(links)
    random.shuffle(mixed)
    assert follows(mixed) == follows(links)


@settings(deadline=None)
@given(lines)
def test_links_as_a_loop_would_merge_them(links: list[Line]) -> None:
    sums: dict[tuple[str, int, int], float] = {}
    for follower, followee, predicate, weight in links:
        if follower != followee:
            key = (predicate, "abc".index(follower), "abc".index(followee))
            sums[key] = sums.get(key, 0.0) + weight
    schema = {"source": pl.String, "target": pl.String, "predicate": pl.String, "weight": pl.Float64}
    found = links_from_table(pl.DataFrame(links, schema=schema, orient="row"), USERS, ORIGIN, False).follows
    merged = {(name, i, j): weight for name, each in found.items() for i, j, weight in told(each)}
    assert list(merged) == sorted(sums)
    assert merged == pytest.approx(sums, rel=1e-6)


def test_links_as_a_table() -> None:
    weights = np.array([1, 2.5], np.float32)
    follows = Follows(np.array([0, 2], np.int32), np.array([1, 0], np.int32), weights)
    assert table_from_links({"likes": follows}, USERS).rows() == [("a", "b", "likes", 1.0), ("c", "a", "likes", 2.5)]
    assert table_from_links({}, USERS).columns == ["source", "target", "predicate", "weight"]
