"""One result for all tests: two small networks that a person could link."""

from pathlib import Path

import pytest

import factlink as fl
from factlink.data.pairs import write_pairs
from factlink.synthetic.dials import Dials, Population
from factlink.synthetic.worlds import World, twins


@pytest.fixture(scope="session")
def world() -> World:
    return twins(Dials(Population(people=80, networks=("old", "new")), seed=5))


@pytest.fixture(scope="session")
def result(world: World) -> fl.Result:
    left, right = world.networks
    return fl.link(left, right)


@pytest.fixture(scope="session")
def truth(world: World, tmp_path_factory: pytest.TempPathFactory) -> Path:
    left, right = world.networks
    path = tmp_path_factory.mktemp("truth") / "truth.csv"
    write_pairs(world.truth("old", "new"), path, left, right)
    return path
