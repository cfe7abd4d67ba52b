"""Decoys of one network: whom they are made of, and whom they are compared with."""

from functools import cache

import numpy as np
import polars as pl
import pytest
from numpy.testing import assert_allclose

from factlink.candidates.pairs import gather_pairs
from factlink.execution.workers import HERE
from factlink.linkers.factoid.within.decoys import Decoys, _candidates, _draw_donors, _friend_rows, breed
from factlink.linkers.factoid.within.fit import WithinFit
from factlink.linkers.factoid.within.friends import FriendRows, read_friends
from factlink.linkers.factoid.within.linker import WithinLinker
from factlink.synthetic.dials import Dials, Population
from factlink.synthetic.duplicates import several_accounts
from factlink.types import Follows, Network


def of_links(n: int, links: list[tuple[int, int]]) -> FriendRows:
    ends = np.array(links)
    follows = Follows(ends[:, 0], ends[:, 1], np.ones(len(ends), np.float32))
    network = Network("n", pl.Series([str(user) for user in range(n)]), {}, {"follows": follows})
    friends = read_friends(network)
    assert friends is not None
    return friends


def test_donors_are_others_who_share_friends_and_the_user_itself_where_there_are_too_few() -> None:
    friends = of_links(9, [(user, friend) for user in (0, 1, 2) for friend in (6, 7)] + [(3, 8)])
    donors = _draw_donors(friends, np.array([0, 3]), None, np.random.default_rng(0))
    assert donors.shape == (2, 5)
    assert set(donors[0].tolist()) == {0, 1, 2}  # 1 and 2, each once, and 0 for the rest
    assert np.count_nonzero(donors[0] == 0) == 3
    assert donors[1].tolist() == [3] * 5


def test_five_of_many_are_drawn_and_not_always_the_same() -> None:
    friends = of_links(14, [(user, 13) for user in range(12)])
    drawn = [_draw_donors(friends, np.array([0]), None, np.random.default_rng(seed))[0].tolist() for seed in range(8)]
    assert all(len(set(row)) == 5 and 0 not in row for row in drawn)
    assert len({tuple(row) for row in drawn}) > 1


def test_only_the_ten_who_share_the_most_friends_are_drawn() -> None:
    """User 0 has twelve friends; twelve others share one friend more each than the one before."""
    friends = of_links(32, [(0, 20 + f) for f in range(12)] + [(u, 20 + f) for u in range(1, 13) for f in range(u)])
    drawn = {
        int(user)
        for seed in range(30)
        for user in _draw_donors(friends, np.array([0]), None, np.random.default_rng(seed))[0]
    }
    assert drawn == set(range(3, 13))


def test_rows_of_friends_are_of_all_donors_and_then_without_each() -> None:
    friends = of_links(4, [(0, 2), (1, 3)])
    rows = _friend_rows(friends, np.array([[0, 1], [1, 1]]), salt=3)
    assert rows.shape == (6, 8)
    assert_allclose(rows[2].toarray(), friends.rows[1].toarray())  # the first decoy without its first donor
    assert_allclose(rows[4].toarray(), friends.rows[0].toarray())  # and without its second
    assert_allclose(rows[[1, 3, 5]].toarray(), friends.rows[[1, 1, 1]].toarray())


def test_decoys_meet_the_candidates_of_who_describes_them() -> None:
    pairs = gather_pairs(3, 5, [(np.array([0, 0, 2]), np.array([1, 4, 3]))])
    decoys, users = _candidates(pairs, np.array([2, 1, 0]))
    assert decoys.tolist() == [0, 2, 2]
    assert users.tolist() == [3, 1, 4]


@cache
def bred(n: int, links: bool) -> tuple[Decoys, int]:
    """Decoys of a small world, and how many users it has."""
    network = several_accounts(Dials(Population(people=120), seed=5)).network
    fit = WithinFit(WithinLinker(), network if links else Network("n", network.users, network.attributes, {}), HERE)
    breeder = fit.breeder(fit.names, fit.find_pairs())
    return breed(breeder, fit.sources.friends, fit.searches, n, np.random.default_rng(1)), len(network)


@pytest.mark.parametrize("links", [True, False])
def test_decoys_have_two_names_and_pairs_with_all_who_gave_names_and_friends(links: bool) -> None:
    decoys, n_users = bred(40, links)
    assert 30 < len(decoys) <= 40
    assert len(set(decoys.first.tolist())) == len(decoys)
    assert (decoys.first != decoys.mates).all()
    assert (decoys.pairs.n_left, decoys.pairs.n_right) == (len(decoys), n_users)
    rows = np.arange(len(decoys))
    for givers in (decoys.first, decoys.mates, *decoys.donors.T):
        met = decoys.pairs.places(rows, givers) >= 0
        assert (met == (givers != decoys.described)).all()
    assert (decoys.described[decoys.pairs.lefts] != decoys.pairs.rights).all()


def test_without_links_there_are_no_friends_and_one_user_describes_a_decoy() -> None:
    decoys, _ = bred(40, False)
    assert decoys.friends is None
    assert (decoys.described == decoys.first).all()
    assert (decoys.donors[:, 0] == decoys.first).all()


def test_there_are_no_more_decoys_than_users() -> None:
    decoys, n_users = bred(10_000, True)
    assert 0.8 * n_users < len(decoys) <= n_users
    assert decoys.friends is not None
    assert decoys.friends.shape[0] == 5 * len(decoys)
    assert np.mean(decoys.described != decoys.first) > 0.9
