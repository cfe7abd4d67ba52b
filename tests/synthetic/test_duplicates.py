"""One made-up network with several accounts per person: who they are, what they share, and what is banned."""

import numpy as np
import pytest

from factlink.errors import SettingError
from factlink.synthetic.dials import Dials, DuplicateDials, Population
from factlink.synthetic.duplicates import OneNetwork, ban_evasion, several_accounts
from factlink.types import Network


def _friends(network: Network, row: int) -> set[int]:
    follows = network.links["follows"]
    return {int(other) for other in follows.followees[follows.followers == row]}


def test_truth_has_every_pair_of_a_person_once() -> None:
    network = several_accounts(Dials(Population(people=2))).network
    truth = OneNetwork(network, np.array([4, 1, 4, 1, 4, 0])).truth()
    assert list(zip(truth.lefts.tolist(), truth.rights.tolist(), strict=True)) == [(0, 2), (0, 4), (1, 3), (2, 4)]


def test_a_tenth_of_the_people_have_two_or_three_accounts() -> None:
    world = several_accounts(Dials(Population(people=3_000), seed=3))
    counts = np.bincount(world.persons)
    assert len(counts) == 3_000
    assert 0.08 < (counts > 1).mean() < 0.12
    assert counts.max() == 3
    assert len(set(world.network.users)) == len(world.network)


def test_accounts_of_one_person_share_friends_and_others_hardly_do() -> None:
    world = several_accounts(Dials(Population(people=600), seed=4), DuplicateDials(friends=1.0, own=0.0, linked=0.0))
    truth = world.truth()
    firsts = [row for row in truth.lefts.tolist() if len(_friends(world.network, row)) > 3]
    partners = dict(zip(truth.lefts.tolist(), truth.rights.tolist(), strict=True))
    shares = [
        len(_friends(world.network, row) & _friends(world.network, partners[row])) / len(_friends(world.network, row))
        for row in firsts
    ]
    assert np.mean(shares) > 0.9


def test_who_evades_a_ban_is_not_linked_with_the_old_account_and_nobody_follows_that() -> None:
    world = ban_evasion(600, seed=5)
    truth, follows = world.truth(), world.network.links["follows"]
    assert np.bincount(world.persons).max() == 2
    ends = set(zip(follows.followers.tolist(), follows.followees.tolist(), strict=True))
    assert not any((a, b) in ends or (b, a) in ends for a, b in zip(truth.lefts, truth.rights, strict=True))
    followed = np.isin([truth.lefts, truth.rights], follows.followees)
    assert not followed.all(axis=0).any()


def test_the_same_dials_give_the_same_network() -> None:
    one, other = (several_accounts(Dials(Population(people=200), seed=6)) for _ in range(2))
    assert one.network.users.equals(other.network.users)
    assert (one.network.links["follows"].followees == other.network.links["follows"].followees).all()


def test_a_share_beyond_one_is_refused() -> None:
    with pytest.raises(SettingError, match=r"renamed=1\.5 must lie between 0 and 1"):
        DuplicateDials(renamed=1.5)
