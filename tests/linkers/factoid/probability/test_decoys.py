"""Decoys of a handful of users: who gives what, whom they are compared with, and what is kept of them."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from numpy.testing import assert_allclose

from factlink.candidates.pairs import gather_pairs
from factlink.evidence import ChannelWeight, EvidenceSource
from factlink.execution.workers import HERE
from factlink.linkers.factoid.channels.channel import Channel
from factlink.linkers.factoid.fit import FactoidFit
from factlink.linkers.factoid.probability.decoys import Breeder, Decoys
from factlink.linkers.factoid.settings import FactoidSettings, Steps
from factlink.types import NO_PAIRS, Attribute, Kind, Network

LEFT = ["Amy Tan", "Amy Tann", "Bo Lindqvist", "Bo Lindkvist", "Zeux"]
RIGHT = ["Amy Tan", "Bo Lindqvist", "Cay Ode"]


def called(name: str, names: list[str]) -> Network:
    attributes = {"name": Attribute(Kind.NAME, np.arange(len(names)), pl.Series(names))}
    return Network(name, pl.Series([f"{name}{row}" for row in range(len(names))]), attributes, {})


@pytest.fixture(scope="module")
def named() -> Breeder:
    """Left users 0 and 1, and 2 and 3, have nearly the same name; nobody is called like the last.

    Towns count as much as names: left users 1 and 3 live where right user 0 does.
    """
    left, right = called("left", LEFT), called("right", RIGHT)
    fit = FactoidFit(FactoidSettings(steps=Steps(readings=False)), left, right, NO_PAIRS, HERE)
    fit.read_names()
    lives = np.eye(3, dtype=np.float32)[[1, 0, 1, 0, 2]]
    fit.channels.append(
        Channel(ChannelWeight(EvidenceSource.ATTRIBUTE, "town", "town", 1.0, ""), lives, np.eye(3, dtype=np.float32))
    )
    names = fit.origins.names, fit.origins.name_weights
    return Breeder((left, right), *names, fit.channels, None, fit.pairs, (5, None))


@pytest.fixture
def nameless(named: Breeder) -> Breeder:
    """Candidates are given: left users 0 and 2 have two each, 4 has one."""
    pairs = gather_pairs(5, 3, [(np.array([0, 0, 2, 2, 4]), np.array([0, 2, 1, 2, 2]))])
    return replace(named, names=None, channels=(), pairs=pairs)


def bred(breeder: Breeder, side: int, n: int) -> Decoys:
    return breeder.breed(side, n, np.random.default_rng(0))


def test_users_of_small_networks_give_several_decoys_each(nameless: Breeder) -> None:
    many, few = bred(nameless, 0, 3_000), bred(nameless, 1, 3_000)
    assert many.donors.tolist() == np.repeat(np.arange(5), 60).tolist()  # 300 in all
    assert few.donors.tolist() == np.repeat(np.arange(3), 100).tolist()
    assert len(bred(nameless, 0, 12).donors) == 15  # three of each, for twelve are not to be had
    assert bred(nameless, 0, 2).donors.tolist() == sorted(set(bred(nameless, 0, 2).donors.tolist()))


def test_no_decoys_are_made_of_nobody(nameless: Breeder) -> None:
    left, right = (bred(nameless, side, 0) for side in (0, 1))
    assert (left.side, len(left), left.pairs.n_left, left.pairs.n_right, left.agreements) == (0, 0, 0, 3, ())
    assert (right.side, len(right), right.pairs.n_left, right.pairs.n_right) == (1, 0, 0, 5)
    assert len(left.pairs) == len(left.evidence) == 0


def test_a_decoy_has_the_candidates_of_its_donor(nameless: Breeder) -> None:
    left, right = (bred(nameless, side, 3_000) for side in (0, 1))
    met = {
        (int(left.donors[decoy]), int(other)) for decoy, other in zip(left.pairs.lefts, left.pairs.rights, strict=True)
    }
    assert met == {(0, 0), (0, 2), (2, 1), (2, 2), (4, 2)}
    assert len(left.pairs) == 60 * 5
    turned = {
        (int(right.donors[decoy]), int(other))
        for decoy, other in zip(right.pairs.lefts, right.pairs.rights, strict=True)
    }
    assert turned == {(0, 0), (1, 2), (2, 0), (2, 2), (2, 4)}
    assert (right.pairs.n_left, right.pairs.n_right) == (300, 5)


def test_names_are_crossed_with_the_nearest_of_another(named: Breeder) -> None:
    own = named._own(0)
    mates = named._mates(own, np.arange(5), 1, np.random.default_rng(0))
    assert mates.tolist() == [1, 0, 3, 2, -1]
    crossed = named._crossed(0, np.array([0, 3]), np.array([1, 2]), np.random.default_rng(0))
    assert crossed.texts.to_list() == ["Amy Tann", "Bo Lindqvist"]
    turned = named._crossed(1, np.array([2, 0]), np.array([1, 1]), np.random.default_rng(0))
    assert turned.texts.to_list() == ["Cay Lindqvist", "Amy Lindqvist"]
    assert turned.channel.right.shape[0] == 2
    assert turned.channel.left.shape[0] == 5


def test_the_nearest_namesake_is_nobody_who_gave_something(named: Breeder) -> None:
    own = named._own(0)
    alike = (own @ own.T).toarray()
    found = named._namesake(own, own[[0, 2, 4]], np.array([[0], [2], [4]]))
    assert_allclose(found, [alike[0, 1], alike[2, 3], 0], atol=1e-6)
    assert_allclose(named._namesake(own, own[[0]], np.array([[0, 1]])), np.sort(alike[0, 2:])[-1:], atol=1e-6)


def test_a_decoy_agrees_by_its_own_name_and_otherwise_as_its_donor(named: Breeder) -> None:
    decoys = bred(named, 0, 3_000)
    assert set(decoys.donors.tolist()) == {0, 1, 2, 3}  # nobody is called like the last
    chosen = (decoys.donors == 1) & (decoys.mates == 0)
    assert 0 < np.count_nonzero(chosen) < np.count_nonzero(decoys.donors == 1)  # one of the ten nearest
    place = np.flatnonzero(chosen[decoys.pairs.lefts] & (decoys.pairs.rights == 0))[0]
    users = gather_pairs(5, 3, [(np.array([0, 1]), np.array([0, 0]))])
    as_amy_tan = named.channels[0].products(users)[0]  # so "Amy Tann" crossed with "Amy Tan" is called
    assert_allclose([decoys.agreements[0][place], decoys.agreements[1][place]], [as_amy_tan, 1], rtol=1e-5)
    assert_allclose(decoys.evidence[place], (as_amy_tan + 1) / 2, rtol=1e-5)
    turned = bred(named, 1, 3_000)
    place = np.flatnonzero((turned.donors[turned.pairs.lefts] == 0) & (turned.pairs.rights == 3))[0]
    assert_allclose(turned.agreements[1][place], 1)
    place = np.flatnonzero((turned.donors[turned.pairs.lefts] == 0) & (turned.pairs.rights == 0))[0]
    assert_allclose(turned.agreements[1][place], 0)


def test_what_names_decide_is_made_once(named: Breeder) -> None:
    breeder = replace(named, litters={})
    first, again = bred(breeder, 0, 3_000), bred(breeder, 0, 3_000)
    kept = breeder.litters[0].crossed
    assert bred(breeder, 0, 3_000).mates.tolist() == first.mates.tolist() == again.mates.tolist()
    assert breeder.litters[0].crossed is kept
    assert first.agreements[0].tobytes() == again.agreements[0].tobytes()
    fresh = bred(replace(named, litters={}), 0, 3_000)
    assert fresh.agreements[0].tobytes() == first.agreements[0].tobytes()
