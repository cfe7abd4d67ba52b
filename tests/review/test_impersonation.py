"""A pair that contradicts itself is marked on the review page."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from factlink.review.desk import Desk
from factlink.runs.store import load_manifest, save_manifest
from tests.review.conftest import open_world

COLUMNS = ["left", "right", "kind", "predicate", "left_object", "right_object", "weight", "note"]


@pytest.mark.parametrize(("friends", "expected"), [(-1.0, True), (1.5, False)])
def test_names_that_agree_among_strangers_are_marked(
    run: Path, monkeypatch: pytest.MonkeyPatch, friends: float, expected: bool
) -> None:
    rows = [
        ("a", "w", "name", "name", "Amy Tan", "Amy T.", 3.0, None),
        ("a", "w", "friends", "linked friends", "Ben", "Benny", friends, "9 and 8 neighbours"),
    ]
    pl.DataFrame(rows, COLUMNS, orient="row").write_parquet(run / "evidence.parquet")
    manifest = load_manifest(run)
    manifest.notes["evidence"] = {"agreement": 2.0, "friends": 2.0}  # type: ignore[index]
    save_manifest(run, manifest)
    monkeypatch.setattr(
        "factlink.review.accounts.Neighbours.counts", lambda self: np.full(len(self.starts) - 1, 9, np.int64)
    )
    assert Desk(run).manifest.notes["evidence"]["friends"] == 2.0
    world = open_world(run)
    pair: Any = world.get("/pair", left="a", right="w")["pair"]
    assert pair["possible_impersonation"] is expected
    page = world.client.get("/pair", params={"left": "a", "right": "w"}).text
    assert ("Possible impersonation" in page) is expected
    assert "9 and 8 neighbours" in page
