"""Friends as rows: products by hand, decoys' rows, and links between two users."""

import numpy as np
import polars as pl

from factlink.linkers.factoid.within.friends import FriendRows, read_friends
from factlink.types import Follows, Network

LINKS = [(0, 2), (0, 3), (1, 2), (1, 3), (4, 2), (2, 4)]


def _network(links: list[tuple[int, int]] = LINKS) -> Network:
    ends = np.array(links).reshape(-1, 2)
    follows = Follows(ends[:, 0], ends[:, 1], np.ones(len(ends), np.float32))
    return Network("n", pl.Series(list("abcde")), {}, {"follows": follows})


def _rows() -> FriendRows:
    friends = read_friends(_network())
    assert friends is not None
    return friends


def test_rows_hold_followees_and_then_followers_by_their_rarity() -> None:
    rows = _rows().rows.toarray()
    assert rows.shape == (5, 10)
    assert np.allclose(rows[0], [0, 0, 0.693, 1.099, 0, 0, 0, 0, 0, 0], atol=1e-3)  # log(6/3), log(6/2)
    assert np.allclose(rows[2], [0, 0, 0, 0, 1.792, 1.099, 1.099, 0, 0, 1.792], atol=1e-3)  # log(6/1), log(6/2)


def test_products_are_cosines_that_short_rows_do_not_reach() -> None:
    friends = _rows()
    scaled = friends.scaled(friends.rows)
    square = 0.6931**2 + 1.0986**2
    assert np.isclose((scaled @ scaled.T).toarray()[0, 1], square / (square + friends.typical), atol=1e-3)


def test_a_row_of_one_donor_is_that_of_the_donor() -> None:
    friends = _rows()
    crossed = friends.crossed(np.array([[0, 0], [2, 2]]), salt=7)
    assert (crossed.toarray() == friends.rows[[0, 2]].toarray()).all()


def test_what_all_donors_have_always_stays() -> None:
    friends = _rows()
    assert (friends.crossed(np.array([[0, 1]] * 3), salt=1).toarray() == friends.rows[[0, 0, 0]].toarray()).all()


def test_links_between_two_count_half_for_each_direction() -> None:
    friends = _rows()
    strengths = friends.ties(friends.rows).strengths(np.array([0, 2, 0]), np.array([2, 4, 1]))
    assert strengths.tolist() == [0.5, 1.0, 0.0]


def test_without_links_there_are_no_rows() -> None:
    assert read_friends(_network([])) is None
