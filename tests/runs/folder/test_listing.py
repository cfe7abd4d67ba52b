"""links.csv: what people open first."""

import json
from pathlib import Path

import polars as pl
import pytest

from factlink.data.tables import read_table
from factlink.errors import RunError
from factlink.linkers.settings import make_linker
from factlink.runs.adding import AddRequest, add_users
from factlink.runs.folder.friends import count_linked_friends, with_linked_friends
from factlink.runs.folder.judgements import Judgements
from factlink.runs.folder.listing import COLUMNS, LISTING
from factlink.runs.folder.store import load_run, read_links
from factlink.runs.inputs import LinkRequest
from factlink.runs.making import make_run
from factlink.runs.relinking import relink
from factlink.types import Verdict

USERS = {"id": ["1", "2", "3"], "name": ["Ann Lee", "=2+5", "Cid Moe"]}


@pytest.fixture
def run(tmp_path: Path) -> Path:
    for side in ("left", "right"):
        (tmp_path / side).mkdir()
        users = pl.DataFrame(USERS).with_columns(pl.col("id") + side[0])
        users.write_parquet(tmp_path / side / "users.parquet")
        links = pl.DataFrame({"source": ["1", "2"], "target": ["2", "3"]}).select(pl.all() + side[0])
        links.write_parquet(tmp_path / side / "links.parquet")
    make_run(LinkRequest(tmp_path / "left", tmp_path / "right", tmp_path / "run"), make_linker("factoid", {}))
    return tmp_path / "run"


def test_a_run_lists_its_links_for_people(run: Path) -> None:
    listed = read_table(run / LISTING, LISTING)
    assert tuple(listed.columns) == COLUMNS
    first = listed.row(0, named=True)
    assert (first["left"], first["left_name"], first["right"], first["right_name"]) == (
        "1l",
        "Ann Lee",
        "1r",
        "Ann Lee",
    )
    assert first["decision"] == "link"
    assert first["evidence"].startswith("same rare name; 1 linked friend")


def test_no_cell_is_computed_by_a_spreadsheet(run: Path) -> None:
    lines = (run / LISTING).read_text("utf-8").splitlines()
    assert not [cell for line in lines for cell in line.split(",") if cell.startswith(("=", "+", "-", "@"))]
    assert "'=2+5" in (run / LISTING).read_text("utf-8")


def test_the_listing_has_a_checksum(run: Path) -> None:
    assert LISTING in json.loads((run / "manifest.json").read_text("utf-8"))["files"]
    with (run / LISTING).open("a") as file:
        file.write("x")
    with pytest.raises(RunError, match=r"links\.csv is not what was written"):
        load_run(run)
    assert (run / LISTING).stat().st_mode & 0o777 == 0o600


def test_added_users_are_listed(run: Path, tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    pl.DataFrame({"id": ["4l"], "name": ["Dee Fox"]}).write_parquet(tmp_path / "new" / "users.parquet")
    add_users(AddRequest(run, tmp_path / "new"), lambda _: None)
    listed = read_table(run / LISTING, LISTING)
    assert listed["left"].to_list() == ["1l", "2l", "3l", "4l"]
    assert listed["left_name"][3] == "Dee Fox"


def test_a_judged_match_says_so_after_relinking(run: Path, tmp_path: Path) -> None:
    Judgements(run).add("1l", "1r", Verdict.MATCH, "ann")
    relink(run, tmp_path / "again", overwrite=False, on_stage=lambda _: None)
    assert read_table(tmp_path / "again" / LISTING, LISTING)["evidence"][0].startswith("judged a match; same rare name")


def test_friends_are_counted_as_for_single_pairs(run: Path) -> None:
    links = read_links(run)
    assert count_linked_friends(run, links).equals(with_linked_friends(run, links))
    assert count_linked_friends(run, links)["shared"].to_list() == [1, 2, 1]
