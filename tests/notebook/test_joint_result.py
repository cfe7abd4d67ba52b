"""`fl.link` of three networks or more."""

from pathlib import Path

import polars as pl
import pytest

import factlink as fl
from factlink.notebook.joint_result import JointResult
from factlink.runs.folder.several import load_several
from factlink.synthetic.worlds import Dials, LinkDials, Population, World, twins


@pytest.fixture(scope="module")
def world() -> World:
    population = Population(people=70, networks=("ant", "bee", "cat"), predicates=("username", "screen_name"))
    return twins(Dials(population=population, links=LinkDials(mean=0)))


@pytest.fixture(scope="module")
def result(world: World) -> JointResult:
    return fl.link(*world.networks)


def test_persons_of_three_networks(result: JointResult, world: World) -> None:
    assert result.persons.columns == ["person", "network", "user", "name", "probability"]
    assert result.persons.height == sum(map(len, world.networks))
    assert result.persons["person"].n_unique() < 0.6 * result.persons.height
    assert [network.name for network in result.networks] == ["ant", "bee", "cat"]
    assert "persons of ant, bee, cat by number of accounts" in repr(result)


def test_two_of_the_networks(result: JointResult, world: World) -> None:
    part = result.pair("bee", "cat")
    assert part.links.height == len(world.network("bee"))
    assert part.scorer.left.name == "bee"
    linked = part.links.filter(decision="link").row(0, named=True)
    assert part.explain(linked["left"], linked["right"]).probability == pytest.approx(linked["probability"], abs=1e-5)


def test_saved_and_evaluated(result: JointResult, world: World, tmp_path: Path) -> None:
    result.save(tmp_path / "run")
    assert load_several(tmp_path / "run").names == ["ant", "bee", "cat"]
    truth = world.whole_truth("ant", "bee")
    left, right = world.network("ant"), world.network("bee")
    frame = pl.DataFrame({"left": left.users.gather(truth.lefts), "right": right.users.gather(truth.rights)})
    scores = result.evaluate(frame)
    assert list(scores.pairs) == [("ant", "bee")]
    assert scores.persons.f1 > 0.7


def test_fe_links_three_networks(world: World) -> None:
    persons = fl.link(*world.networks, linker="fe", pairs=["ant:bee", "bee:cat"]).persons
    assert persons.height == sum(map(len, world.networks))


def test_two_networks_have_persons_too(world: World) -> None:
    result = fl.link(world.network("ant"), world.network("bee"))
    linked = result.links.filter(decision="link").height
    together = result.persons.group_by("person").len().filter(pl.col("len") == 2).height
    assert together == linked
