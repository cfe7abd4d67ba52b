import numpy as np
import polars as pl
import pytest

from factlink.persons.cycles import ask_first, open_triangles
from factlink.persons.ties import Accounts, Ties


def ties(*entries: tuple[int, int, float, bool]) -> Ties:
    firsts, seconds, probabilities, linked = zip(*entries, strict=True)
    return Ties(np.array(firsts), np.array(seconds), np.array(probabilities, np.float32), np.array(linked))


ACCOUNTS = Accounts.of_sizes([2, 2, 2], [(0, 1), (0, 2), (1, 2)])


def test_a_triangle_that_does_not_close_is_listed_with_its_weakest_link() -> None:
    found = open_triangles(ties((0, 2, 0.9, True), (2, 4, 0.7, True), (0, 4, 0.2, False)), ACCOUNTS)
    assert found.select("first", "middle", "third").rows() == [(0, 2, 4)]
    assert found.row(0)[3:] == pytest.approx((0.9, 0.7, 0.2, 0.7))


def test_a_triangle_that_closes_is_not() -> None:
    found = open_triangles(ties((0, 2, 0.9, True), (2, 4, 0.7, True), (0, 4, 0.6, True)), ACCOUNTS)
    assert found.height == 0


def test_the_weakest_comes_first() -> None:
    links = ties((0, 2, 0.9, True), (2, 4, 0.8, True), (1, 3, 0.6, True), (3, 5, 0.9, True))
    assert open_triangles(links, ACCOUNTS)["middle"].to_list() == [3, 2]


def test_a_link_to_somebody_else_leaves_two_triangles_open() -> None:
    links = ties((0, 2, 0.9, True), (2, 4, 0.8, True), (0, 5, 0.7, True))
    found = open_triangles(links, ACCOUNTS).select("first", "middle", "third").rows()
    assert found == [(2, 0, 5), (0, 2, 4)]


def test_networks_that_were_not_compared_make_no_triangle() -> None:
    accounts = Accounts.of_sizes([2, 2, 2], [(0, 1), (1, 2)])
    assert open_triangles(ties((0, 2, 0.9, True), (2, 4, 0.7, True)), accounts).height == 0


def test_a_link_that_is_the_weakest_of_two_triangles_is_asked_once() -> None:
    corners = ("first_network", "first", "middle_network", "middle", "third_network", "third")
    rows = [
        ("ant", "a", "bee", "b", "cat", "c", 0.9, 0.6, 0.1, 0.6),
        ("cat", "c", "bee", "b", "dog", "d", 0.6, 0.8, 0.0, 0.6),
        ("ant", "x", "bee", "y", "cat", "z", 0.5, 0.8, 0.0, 0.5),
    ]
    figures = ("first_probability", "third_probability", "probability", "weakest")
    asked = ask_first(pl.DataFrame(rows, schema=[*corners, *figures], orient="row"))
    assert asked.rows() == [("ant", "x", "bee", "y", 0.5, 1), ("bee", "b", "cat", "c", 0.6, 2)]


def test_nothing_is_asked_where_nothing_disagrees() -> None:
    corners = ("first_network", "first", "middle_network", "middle", "third_network", "third")
    figures = ("first_probability", "third_probability", "probability", "weakest")
    schema = dict.fromkeys(corners, pl.String) | dict.fromkeys(figures, pl.Float32)
    assert ask_first(pl.DataFrame(schema=schema)).height == 0
