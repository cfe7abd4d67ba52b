"""A run of pairs within one network: made, compared with the truth, explained, reported."""

import shutil
from pathlib import Path

import polars as pl
import pytest

import factlink as fl
from factlink.data.files import write_network
from factlink.errors import InputError, RunError
from factlink.linkers.factoid.within.linker import WithinLinker
from factlink.report.page import write_report
from factlink.runs.duplicates import evaluate_duplicates, find_duplicates
from factlink.runs.explaining import explain_run
from factlink.runs.folder.persons import read_persons
from factlink.runs.folder.store import load_run
from factlink.runs.forgetting.forget import forget
from factlink.runs.inputs import LinkRequest
from factlink.runs.relinking import relink
from factlink.runs.scoring import evaluate_run
from factlink.synthetic.dials import Dials, Population
from factlink.synthetic.duplicates import several_accounts


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("duplicates")
    world = several_accounts(Dials(Population(people=500), seed=31))
    write_network(world.network, folder / "network")
    truth, users = world.truth(), world.network.users
    turned = pl.DataFrame({"left": users.gather(truth.rights), "right": users.gather(truth.lefts)})
    turned.write_csv(folder / "truth.csv")
    find_duplicates(LinkRequest(folder / "network", folder / "network", folder / "run"), WithinLinker())
    return folder


def test_truth_may_name_the_two_in_any_order(place: Path) -> None:
    scores = evaluate_duplicates(place / "run", place / "truth.csv")
    assert scores.precision > 0.8
    assert scores.hits[1] > 0.8
    turned = pl.read_csv(place / "truth.csv").select(left="right", right="left")
    turned.write_csv(place / "turned.csv")
    assert evaluate_duplicates(place / "run", place / "turned.csv") == scores


def test_persons_hold_every_account_once(place: Path) -> None:
    persons, run = read_persons(place / "run"), load_run(place / "run")
    assert sorted(persons["user"]) == sorted(run.left.users)
    linked = run.links.filter(decision="link").row(0, named=True)
    numbers = dict(persons.select("user", "person").rows())
    assert numbers[linked["left"]] == numbers[linked["right"]]


def test_a_pair_is_explained_in_any_order(place: Path) -> None:
    pair = load_run(place / "run").links.filter(decision="link").row(0, named=True)
    one, other = (
        explain_run(place / "run", users, lambda seconds: None)[0]
        for users in ([pair["left"], pair["right"]], [pair["right"], pair["left"]])
    )
    assert one.probability == other.probability == pair["probability"]
    assert one.explanation.gap == pytest.approx(0, abs=1e-3)
    with pytest.raises(InputError, match="a user is not compared with itself"):
        explain_run(place / "run", [pair["left"], pair["left"]], lambda seconds: None)


def test_the_report_speaks_of_pairs(place: Path) -> None:
    write_report(place / "run", place / "report.html", None)
    assert "are held to be one person" in (place / "report.html").read_text("utf-8")


def test_what_needs_two_networks_says_so(place: Path) -> None:
    with pytest.raises(RunError, match="pairs within one network, which cannot be linked again yet"):
        relink(place / "run", place / "again", False, lambda stage: None)
    with pytest.raises(RunError, match="holds pairs within one network"):
        evaluate_run(place / "run", place / "truth.csv")


def test_python_makes_the_same_run(place: Path) -> None:
    result = fl.duplicates(place / "network")
    assert (result.run / "links.parquet").read_bytes() == (place / "run" / "links.parquet").read_bytes()
    assert "pairs of the" in repr(result)


def test_a_forgotten_account_leaves_both_sides_of_the_one_network(place: Path, tmp_path: Path) -> None:
    run = Path(shutil.copytree(place / "run", tmp_path / "run"))
    before = load_run(run)
    pair = before.links.filter(decision="link").row(0, named=True)
    forgotten = forget(run, pair["right"])
    assert [account.side for account in forgotten.accounts] == ["left", "right"]
    after = load_run(run)
    assert after.left.users.to_list() == after.right.users.to_list()
    assert pair["right"] not in after.left.users
    assert len(after.left) == len(before.left) - 1
    gone = (pl.col("left") == pair["right"]) | (pl.col("right") == pair["right"])
    assert after.links.select("left", "right").rows() == before.links.filter(~gone).select("left", "right").rows()
    assert pair["right"] not in read_persons(run)["user"]
