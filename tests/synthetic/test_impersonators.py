"""Made-up impersonators: a copied profile, other friends, and a truth that says so."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from factlink.errors import SettingError
from factlink.synthetic.worlds import Dials, Population, World, twins
from factlink.types import Network

PEOPLE = Population(people=3_000, presence=0.8, impersonated=0.1)


@pytest.fixture(scope="module")
def world() -> World:
    return twins(Dials(PEOPLE, seed=6))


def shown(network: Network, predicate: str) -> list[str | None]:
    values: list[str | None] = [None] * len(network)
    attribute = network.attributes[predicate]
    for row, value in zip(attribute.rows, attribute.objects, strict=True):
        values[row] = value
    return values


def friends(network: Network, row: int) -> set[int]:
    follows = network.links["follows"]
    ends = follows.followees[follows.followers == row], follows.followers[follows.followees == row]
    return set(np.concatenate(ends).tolist())


def test_a_tenth_of_those_who_can_be_copied_are(world: World) -> None:
    """Somebody is copied into one network of two, if the other shows them: four times out of five."""
    pairs = world.impersonations("left", "right")
    assert len(pairs) == sum(int((copied >= 0).sum()) for copied in world.copied)
    assert len(pairs) == pytest.approx(3_000 * 0.1 * 0.8, rel=0.15)
    for copied in world.copied:
        assert (copied >= 0).sum() == pytest.approx(120, rel=0.25)


def test_who_is_honest_shows_what_they_show_without_impersonators(world: World) -> None:
    honest = twins(Dials(replace(PEOPLE, impersonated=0.0), seed=6))
    assert all((copied == -1).all() for copied in honest.copied)
    for mine, theirs, copied in zip(world.networks, honest.networks, world.copied, strict=True):
        assert set(mine.users.filter(copied < 0)) == set(theirs.users)
        names = dict(zip(mine.users, shown(mine, "username"), strict=True))
        assert all(names[u] == name for u, name in zip(theirs.users, shown(theirs, "username"), strict=True))
    assert len(world.truth("left", "right")) == len(honest.truth("left", "right"))


def test_profiles_are_copied_and_friends_are_not(world: World) -> None:
    left, right = world.networks
    pairs = world.impersonations("left", "right")
    truth = world.truth("left", "right")
    partner = dict(zip(truth.lefts.tolist(), truth.rights.tolist(), strict=True))
    rows = list(zip(pairs.lefts.tolist(), pairs.rights.tolist(), strict=True))
    for predicate in ("screen_name", "bio"):
        mine, theirs = shown(left, predicate), shown(right, predicate)
        assert all(mine[a] == theirs[b] for a, b in rows)
    mine, theirs = shown(left, "username"), shown(right, "username")
    assert np.mean([mine[a] == theirs[b] for a, b in rows]) > 0.6  # the others found it taken
    assert left.attributes["username"].objects.n_unique() == len(left)
    common = [len({partner.get(f) for f in friends(left, a)} & friends(right, b)) for a, b in rows]
    usual = [len({partner.get(f) for f in friends(left, a)} & friends(right, b)) for a, b in partner.items()]
    assert np.mean(common) < 0.1 * np.mean(usual)
    assert np.mean([len(friends(right, b)) for _, b in rows]) > 8


def test_impersonators_are_nobodys_partner_and_stand_anywhere(world: World) -> None:
    truth = world.whole_truth("left", "right")
    assert (world.copied[0][truth.lefts] == -1).all()
    assert (world.copied[1][truth.rights] == -1).all()
    for network, persons, copied in zip(world.networks, world.persons, world.copied, strict=True):
        assert len(np.unique(persons)) == len(network) == len(copied)
        assert (persons[copied >= 0] >= 3_000).all()
        places = np.flatnonzero(copied >= 0) / len(network)
        assert 0.4 < places.mean() < 0.6
        follows = network.links["follows"]
        assert (follows.followers != follows.followees).all()
        assert (np.diff(network.attributes["bio"].rows) > 0).all()


def test_three_networks_copy_from_each_other() -> None:
    three = twins(Dials(Population(people=600, networks=("a", "b", "c"), impersonated=0.2), seed=1))
    found = [len(three.impersonations(*names)) for names in (("a", "b"), ("b", "c"), ("a", "c"))]
    assert min(found) > 40
    there, back = three.impersonations("a", "b"), three.impersonations("b", "a")
    assert sorted(zip(there.lefts, there.rights, strict=True)) == sorted(zip(back.rights, back.lefts, strict=True))


def test_pictures_are_copied_into_the_impersonators_network(tmp_path: Path) -> None:
    made = twins(Dials(Population(people=30, impersonated=0.9), seed=2), pictures=tmp_path)
    for network, copied in zip(made.networks, made.copied, strict=True):
        files = shown(network, "picture")
        mine = [Path(file) for file, victim in zip(files, copied, strict=True) if victim >= 0 and file is not None]
        assert len(mine) > 5
        assert all(file.is_file() and file.parent == tmp_path / network.name for file in mine)


def test_without_links_or_names_there_are_copies_all_the_same() -> None:
    bare = twins(Dials(Population(people=60, predicates=("bio",), impersonated=0.5), seed=3))
    assert len(bare.impersonations("left", "right")) > 10


def test_the_share_is_one() -> None:
    with pytest.raises(SettingError, match=r"impersonated=1\.5 must lie between 0 and 1"):
        Population(impersonated=1.5)
