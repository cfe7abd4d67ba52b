"""Evidence is kept of links and of the best candidates."""

from pathlib import Path

import polars as pl

from factlink.linkers.factoid.linker import FactoidLinker
from factlink.runs.folder.store import load_run
from factlink.runs.inputs import LinkRequest
from factlink.runs.making import make_run

NAMES = ["amy tan", "amy tam", "amy tang", "amy tant"]


def test_every_candidate_of_a_small_run_has_its_evidence_kept(tmp_path: Path) -> None:
    for side in ("left", "right"):
        (tmp_path / side).mkdir()
        users = pl.DataFrame({"id": [f"{side}{row}" for row in range(4)], "name": NAMES})
        users.write_csv(tmp_path / side / "users.csv")
    made = make_run(LinkRequest(tmp_path / "left", tmp_path / "right", tmp_path / "run"), FactoidLinker())
    assert (load_run(tmp_path / "run").candidates.rights >= 0).all()
    kept = pl.read_parquet(tmp_path / "run" / "evidence.parquet").select("left", "right").unique()
    assert kept.height == 16
    assert made.manifest.notes["evidence"]["candidates"] == 4
