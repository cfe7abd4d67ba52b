"""Right accounts added later, in runs that keep fewer candidates than there are now."""

from pathlib import Path

import polars as pl
import pytest

from factlink.linkers.factoid.linker import FactoidLinker
from factlink.runs.adding import AddRequest, add_users
from factlink.runs.folder.store import load_run
from factlink.runs.inputs import LinkRequest
from factlink.runs.making import make_run

AMY, BOB = ("amy tan", "amytan"), ("bob lee", "boblee")


def write_users(folder: Path, *users: tuple[str, str]) -> None:
    folder.mkdir()
    rows = {"id": [nick for _, nick in users], "name": [name for name, _ in users], "nick": [nick for _, nick in users]}
    pl.DataFrame(rows).write_csv(folder / "users.csv")


@pytest.fixture
def run(tmp_path: Path) -> Path:
    write_users(tmp_path / "left", AMY, BOB)
    write_users(tmp_path / "right", BOB)
    write_users(tmp_path / "new", AMY)
    make_run(LinkRequest(tmp_path / "left", tmp_path / "right", tmp_path / "run"), FactoidLinker())
    return tmp_path / "run"


def test_whoever_gains_the_only_candidate_that_is_kept_has_no_runner_up(run: Path) -> None:
    before = load_run(run)
    assert before.candidates.rights.shape == (2, 1)
    add_users(AddRequest(run, run.with_name("new"), "right"), lambda stage: None)
    after = load_run(run)
    amy, bob = after.links.sort("left").rows(named=True)
    assert (amy["right"], amy["runner_up"], amy["margin"]) == ("amytan", None, float("inf"))
    assert amy["probability"] > 0.5
    assert after.candidates.rights.tolist() == [[1], [0]]
    assert bob == before.links.sort("left").row(1, named=True)
