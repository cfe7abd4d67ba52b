"""A run of the same files in another order and with other ids is the same run, in the order of its own files."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from factlink.data.files import write_network
from factlink.data.pairs import write_pairs
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.runs.adding import AddRequest, add_users
from factlink.runs.folder.states import load_state
from factlink.runs.folder.store import load_manifest, load_run
from factlink.runs.inputs import LinkRequest
from factlink.runs.making import make_run
from factlink.synthetic.dials import Dials, LinkDials, Population
from factlink.synthetic.worlds import World, twins
from factlink.types import Network, Pairs
from tests.canonical.shuffled import Shuffled, shuffle, shuffle_pairs


@pytest.fixture(scope="module")
def world() -> World:
    population = Population(people=150, presence=0.9, predicates=("username", "screen_name"))
    return twins(Dials(population, links=LinkDials(mean=10, kept=0.9, own=0.1), seed=4))


@pytest.fixture(scope="module")
def known(world: World) -> Pairs:
    """Enough for a second fit that is given half of them."""
    truth = world.truth("left", "right")
    return Pairs(truth.lefts[:102], truth.rights[:102])


@pytest.fixture(scope="module")
def moved(world: World) -> tuple[Shuffled, Shuffled]:
    left, right = world.networks
    return shuffle(left, 1), shuffle(right, 2)


def make(folder: Path, left: Network, right: Network, known: Pairs) -> Path:
    write_network(left, folder / "left")
    write_network(right, folder / "right")
    write_pairs(known, folder / "known.csv", left, right)
    make_run(
        LinkRequest(folder / "left", folder / "right", folder / "run", folder / "known.csv"), FactoidLinker(dim=64)
    )
    return folder / "run"


@pytest.fixture(scope="module")
def runs(
    world: World, known: Pairs, moved: tuple[Shuffled, Shuffled], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("order")
    left, right = world.networks
    shuffled = make(folder / "b", moved[0].network, moved[1].network, shuffle_pairs(known, *moved, 3))
    return make(folder / "a", left, right, known), shuffled


def renamed(frame: pl.DataFrame, world: World, moved: tuple[Shuffled, Shuffled]) -> pl.DataFrame:
    """A table of the second run with the ids of the first."""
    for column, side in (("left", 0), ("right", 1), ("runner_up", 1)):
        if column in frame.columns:
            old = world.networks[side].users.gather(moved[side].rows)
            frame = frame.with_columns(pl.col(column).replace(moved[side].network.users, old))
    return frame


def test_links_are_the_same_in_the_order_of_the_left_file(
    world: World, moved: tuple[Shuffled, Shuffled], runs: tuple[Path, Path]
) -> None:
    first, second = (load_run(run) for run in runs)
    assert first.links["left"].to_list() == world.networks[0].users.to_list()
    assert second.links["left"].to_list() == moved[0].network.users.to_list()
    assert renamed(second.links, world, moved).equals(first.links[moved[0].rows])
    assert first.links["decision"].n_unique() > 1
    assert "platt_scaling" in first.manifest.notes
    assert first.manifest.notes["platt_scaling"] == second.manifest.notes["platt_scaling"]


def test_candidates_are_the_same(moved: tuple[Shuffled, Shuffled], runs: tuple[Path, Path]) -> None:
    first, second = (load_run(run).candidates for run in runs)
    rights = np.where(second.rights < 0, -1, moved[1].rows[second.rights])
    assert rights.tolist() == first.rights[moved[0].rows].tolist()
    assert second.scores.tobytes() == first.scores[moved[0].rows].tobytes()


def test_evidence_is_the_same(world: World, moved: tuple[Shuffled, Shuffled], runs: tuple[Path, Path]) -> None:
    first, second = (pl.read_parquet(run / "evidence.parquet") for run in runs)
    columns = ["left", "right", "kind", "predicate", "weight"]
    tables = (renamed(table, world, moved).select(columns).sort(columns) for table in (first, second))
    before, after = tables
    assert after.drop("weight").equals(before.drop("weight"))
    assert np.allclose(after["weight"], before["weight"], atol=1e-4)


def test_what_is_kept_for_further_users_is_in_the_rows_of_the_files(
    moved: tuple[Shuffled, Shuffled], runs: tuple[Path, Path]
) -> None:
    first, second = (load_state(run, load_manifest(run)).arrays for run in runs)
    for side, shuffled in zip(("left", "right"), moved, strict=True):
        for array in ("vectors", "scaling"):
            name = f"{side}.{array}"
            assert np.array_equal(second[name], first[name][shuffled.rows])


def test_further_users_find_the_same_place(
    world: World, moved: tuple[Shuffled, Shuffled], runs: tuple[Path, Path], tmp_path: Path
) -> None:
    left = world.networks[0]
    predicates = "username", "screen_name"
    names = {p: left.attributes[p].objects[left.attributes[p].rows.tolist().index(5)] for p in predicates}
    outcomes = []
    for place, run in enumerate(runs):
        folder = tmp_path / str(place)
        folder.mkdir()
        users = world.networks[0].users if place == 0 else moved[0].network.users
        friend = users[7] if place == 0 else users[int(moved[0].places[7])]
        pl.DataFrame({"id": ["new"], **{p: [name] for p, name in names.items()}}).write_parquet(
            folder / "users.parquet"
        )
        pl.DataFrame({"source": ["new"], "target": [friend]}).write_parquet(folder / "links.parquet")
        outcomes.append(add_users(AddRequest(run, folder), lambda stage: None).outcomes.rename({"partner": "right"}))
    first, second = outcomes
    assert renamed(second, world, moved).drop("probability").equals(first.drop("probability"))
    assert np.allclose(second["probability"], first["probability"], atol=1e-5)
