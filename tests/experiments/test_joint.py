"""Experiments on three networks or more."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from factlink.data.files import write_network
from factlink.data.pairs import write_pairs
from factlink.errors import FactlinkError
from factlink.experiments.benchmark import run_experiment, save_results
from factlink.experiments.experiment import read_experiment
from factlink.experiments.joint import JointDataset
from factlink.linkers.settings import make_linker
from factlink.protocols import Joint
from factlink.synthetic.dials import Dials, LinkDials, NameDials, Population
from factlink.synthetic.worlds import twins
from factlink.types import Network, Pairs

from .bench_world import write_experiment

NETWORKS = "one", "two", "three"
DATA = '[data]\nnetworks = ["one", "two", "three"]\ntruth = ["first.csv", "second.csv"]\n'
COSNET = '[[rows]]\ntitle = "COSNET"\nlinker = "cosnet"\n'
NAME = '[[rows]]\ntitle = "Name"\nlinker = "name"\nalone = true\n'


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """60 people in three networks, most of whom keep their names and friends; truth of two pairs of networks."""
    folder = tmp_path_factory.mktemp("joint")
    population = Population(people=60, networks=NETWORKS, presence=0.95, predicates=("username",) * 3)
    links = LinkDials(mean=8, kept=0.9, own=0.1)
    world = twins(Dials(population, NameDials(same=0.6, hidden=0.0), links=links, seed=5))
    for network in world.networks:
        write_network(network, folder / network.name, "csv")
    one, two, three = world.networks
    write_pairs(world.whole_truth("one", "two"), folder / "first.csv", one, two)
    write_pairs(world.whole_truth("two", "three"), folder / "second.csv", two, three)
    return folder


def users(name: str, n: int) -> Network:
    return Network(name, pl.Series([f"{name}{row}" for row in range(n)]), {}, {})


def pairs(*rows: tuple[int, int]) -> Pairs:
    ends = np.array(rows, np.int64).reshape(-1, 2)
    return Pairs(ends[:, 0], ends[:, 1])


def listed(found: Pairs) -> list[tuple[int, int]]:
    return list(zip(found.lefts.tolist(), found.rights.tolist(), strict=True))


def test_folds_divide_persons_and_known_ones_are_pairs_of_all_their_accounts() -> None:
    truths = {(0, 1): pairs((0, 0), (1, 1), (2, 2), (3, 3)), (1, 2): pairs((0, 3), (1, 2), (2, 1), (3, 0))}
    dataset = JointDataset([users("a", 4), users("b", 5), users("c", 4)], truths)
    folds = dataset.folds(2)
    assert sorted(pair for fold in folds for pair in listed(fold.tested[0, 1])) == [(0, 0), (1, 1), (2, 2), (3, 3)]
    for fold in folds:
        tested = {left for left, _ in listed(fold.tested[0, 1])}
        assert len(tested) == 2
        assert {left for left, _ in listed(fold.tested[1, 2])} == tested
        assert listed(fold.known[0, 1]) == [(row, row) for row in range(4) if row not in tested]
        assert listed(fold.known[0, 2]) == [(row, 3 - row) for row in range(4) if row not in tested]
    (whole,) = dataset.folds(1)
    assert whole.known == {}
    assert whole.tested == truths
    with pytest.raises(FactlinkError, match="the truth names 4 people, too few for 5 folds; lower folds"):
        dataset.folds(5)


def test_a_table_of_three_networks_has_rows_alone_and_together(home: Path) -> None:
    experiment = read_experiment(write_experiment(home, NAME, COSNET, top="folds = 2\n", data=DATA))
    results = run_experiment(experiment, home / "out")
    name, cosnet = results.lines
    n_tested = sum(pl.read_csv(home / file)["left"].n_unique() for file in ("first.csv", "second.csv"))
    assert results.n_tested == n_tested
    assert name.figures["hr@1"].mean > 0.5
    assert cosnet.figures["hr@1"].mean > 0.5
    save_results(results, home / "out")
    data = json.loads((home / "out" / "results.json").read_text())["data"]
    folder = home.name
    assert data["networks"] == f"{folder}/one, {folder}/two, {folder}/three"
    assert data["truth"] == f"{folder}/first.csv, {folder}/second.csv"


@pytest.mark.parametrize(
    ("row", "data", "sentence"),
    [
        (NAME.replace("alone = true\n", ""), DATA, "linker 'name' links two networks at a time; give its row alone"),
        (
            NAME,
            DATA.replace(', "three"', ""),
            "networks names 2 folders; it takes three or more, and truth at least one",
        ),
        (NAME, DATA.replace('"second.csv"', '"third.csv"'), "third.csv is not there; name the folder"),
        (NAME, DATA + 'known = "first.csv"\n', r"\[data\] has no key 'known'; there are: networks, truth"),
    ],
)
def test_mistakes_are_one_sentence(home: Path, row: str, data: str, sentence: str) -> None:
    with pytest.raises(FactlinkError, match=sentence):
        run_experiment(read_experiment(write_experiment(home, row, data=data)), home / "wrong")


def test_cosnet_needs_known_pairs_of_every_pair_of_networks(home: Path) -> None:
    linker = make_linker("cosnet", {})
    assert isinstance(linker, Joint)
    networks = [users("a", 4), users("b", 5), users("c", 4)]
    with pytest.raises(FactlinkError, match="known"):
        linker.fit_several(networks, [(0, 1), (1, 2)], {(0, 1): pairs((0, 0))}, lambda progress: None)
