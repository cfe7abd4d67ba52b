"""A pair whose names agree while the friends are separate is described on the review page, and nobody is accused."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from factlink.runs.folder.store import load_manifest, save_manifest
from tests.review.conftest import open_world
from tests.sealing import reseal

COLUMNS = ["left", "right", "kind", "predicate", "left_object", "right_object", "weight", "note"]
SENTENCE = "no friend of one is linked to a friend of the other"


def know(run: Path, friend: str, *, is_telling: bool) -> None:
    """c knows one linked user, y knows x, who is linked to b; and what the run notes as usual."""
    pl.DataFrame({"source": ["c"], "target": [friend]}).write_parquet(run / "left" / "links.parquet")
    pl.DataFrame({"source": ["x/?&#%"], "target": ["y"]}).write_parquet(run / "right" / "links.parquet")
    rows = [("c", "y", "name", "name", "Amy Tan", "Amy T.", 3.0, None)]
    pl.DataFrame(rows, COLUMNS, orient="row").write_parquet(run / "evidence.parquet")
    reseal(run)
    manifest = load_manifest(run)
    usual = {"agreement": 2.0, "overlap": 0.96, "is_telling": is_telling}
    manifest.notes["evidence"] = usual  # type: ignore[index]
    save_manifest(run, manifest)


@pytest.mark.parametrize(
    ("friend", "is_telling", "expected"), [("a", True, True), ("b", True, False), ("a", False, False)]
)
def test_separate_friends_are_described(run: Path, friend: str, is_telling: bool, expected: bool) -> None:
    """c's friend a is linked to w, whom y does not know; b is linked to x, whom y knows."""
    know(run, friend, is_telling=is_telling)
    world = open_world(run)
    pair: Any = world.get("/pair", left="c", right="y")["pair"]
    assert pair["has_separate_friends"] is expected
    page = world.client.get("/pair", params={"left": "c", "right": "y"}).text
    assert (SENTENCE in page) is expected
    assert "mpersonat" not in page


def test_an_older_run_says_nothing(run: Path) -> None:
    know(run, "a", is_telling=True)
    manifest = load_manifest(run)
    manifest.notes["evidence"] = {"agreement": 2.0, "friends": 2.0}  # type: ignore[index]
    save_manifest(run, manifest)
    pair: Any = open_world(run).get("/pair", left="c", right="y")["pair"]
    assert pair["has_separate_friends"] is False
