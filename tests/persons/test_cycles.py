import numpy as np
import pytest

from factlink.persons.cycles import open_triangles
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
