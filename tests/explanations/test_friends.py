"""Links whose names agree while their friends are separate: counted by hand, and in a world without impersonators."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from factlink.decision.decisions import link
from factlink.explanations.explain import explain, measure_links
from factlink.explanations.friends import LinkedFriends, Yardstick, add_linked_friends, measure_usual
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.synthetic.worlds import Dials, LinkDials, Population, twins


def links(*ends: str) -> pl.LazyFrame:
    return pl.DataFrame([tuple(pair) for pair in ends], ["source", "target"], orient="row").lazy()


def test_linked_friends_by_hand() -> None:
    """a and b know c, d and e; W and X know Y, Z and V: c is linked to Y, d to Z, e to nobody, V to nobody."""
    left, right = links("ac", "ca", "ad", "ea", "bd", "ab"), links("WY", "YW", "XZ", "WV", "XY", "VX")
    linked = pl.DataFrame({"left": ["a", "c", "d"], "right": ["W", "Y", "Z"]})
    pairs = pl.DataFrame({"left": ["a", "b", "b", "e"], "right": ["W", "X", "W", "Q"], "note": [1, 2, 3, 4]})
    found = add_linked_friends(pairs, linked, left, right)
    assert found.columns == ["left", "right", "note", "left_friends", "right_friends", "shared"]
    assert found.rows() == [
        ("a", "W", 1, 2, 1, 1),  # c, d; Y; c is linked to Y
        ("b", "X", 2, 2, 2, 1),  # d, a; Y, Z; d is linked to Z
        ("b", "W", 3, 2, 1, 0),  # d is linked to Z, a to W itself
        ("e", "Q", 4, 1, 0, 0),
    ]


def table(*rows: tuple[float, int, int, int], times: int = 1) -> pl.DataFrame:
    columns = ["agreement", "left_friends", "right_friends", "shared"]
    return pl.DataFrame(list(rows) * times, columns, orient="row")


HONEST = ((1.0, 10, 10, 8), (2.0, 10, 10, 8), (3.0, 10, 10, 8), (4.0, 10, 10, 8))


def test_separate_friends_are_telling_where_the_best_links_have_more_than_twice_as_many() -> None:
    """Of 43 links three are separate in the best quarter, and by chance none: 3 > 2 · 1."""
    copied = [(4.0, 10, 10, 0)] * 3
    usual = measure_usual(table(*HONEST, times=10).vstack(table(*copied)))
    assert usual == Yardstick(4.0, pytest.approx(320 / 430), is_telling=True)
    assert not measure_usual(table(*HONEST, times=10).vstack(table(*copied[:2]))).is_telling
    common = table(*HONEST, times=10).vstack(table(*copied)).vstack(table((1.0, 10, 10, 0), times=2))
    assert not measure_usual(common).is_telling  # 1 + 13 · 2 / 32 by chance: people have separate friends here


def test_few_friends_say_nothing() -> None:
    lonely = table(*HONEST, times=10).vstack(table(*[(4.0, 10, 1, 0)] * 9))
    assert not measure_usual(lonely).is_telling


def test_without_friends_in_common_nothing_is_usual() -> None:
    assert measure_usual(table(*[(4.0, 10, 10, 0)] * 5)) == Yardstick()
    assert measure_usual(table((4.0, 10, 10, 0)).clear()) == Yardstick()


@pytest.mark.parametrize(
    ("agreement", "friends", "expected"),
    [
        (3.0, LinkedFriends(5, 9, 0), True),
        (2.0, LinkedFriends(9, 5, 0), True),
        (3.0, LinkedFriends(4, 9, 0), False),  # ½⁴ is more than .05
        (3.0, LinkedFriends(5, 9, 1), False),
        (1.9, LinkedFriends(5, 9, 0), False),
    ],
)
def test_what_stands_out_by_hand(agreement: float, friends: LinkedFriends, expected: bool) -> None:
    usual = Yardstick(2.0, 0.5, is_telling=True)
    assert usual.stands_out(agreement, friends) is expected
    assert not replace(usual, is_telling=False).stands_out(agreement, friends)


def test_a_run_made_before_notes_nothing() -> None:
    assert Yardstick.noted({"evidence": {"agreement": 2.0, "friends": 1.0}}) == Yardstick()
    assert Yardstick.noted({}) == Yardstick()
    kept = {"agreement": 2.0, "overlap": 0.5, "is_telling": True}
    assert Yardstick.noted({"evidence": kept}) == Yardstick(2.0, 0.5, is_telling=True)


def test_nothing_is_telling_where_nobody_is_impersonated() -> None:
    world = twins(Dials(Population(people=400), links=LinkDials(mean=14), seed=11))
    scorer = FactoidLinker().fit(*world.networks)
    found = link(scorer)
    usual = measure_links(scorer, found, explain(scorer, found))
    assert 0.3 < usual.overlap < 0.8
    assert usual.agreement > 0
    assert not usual.is_telling
    assert np.isfinite(usual.agreement)
