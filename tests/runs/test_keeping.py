"""Evidence is kept of links and of the best candidates."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from factlink.candidates.top_k import best_of_block
from factlink.decision.decisions import link
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.runs import keeping
from factlink.runs.folder.store import load_run
from factlink.runs.inputs import LinkRequest
from factlink.runs.keeping import keep_evidence, keep_vectors
from factlink.runs.making import make_run
from factlink.types import Floats, Ints
from tests.candidates.test_top_k import TableScorer

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


class Placed(TableScorer):
    """Users whose vectors are their rows."""

    def place(self, lefts: Ints, rights: Ints) -> tuple[Floats, Floats]:
        return lefts[:, None].astype(np.float32), rights[:, None].astype(np.float32)


SURE = Placed((np.eye(60) * 20).astype(np.float32) + np.random.default_rng(0).random((60, 60)).astype(np.float32))


@pytest.mark.parametrize(
    ("best", "most", "kept"),
    [(5, 1_000, 5), (5, 180, 3), (5, 179, 2), (2, 1_000, 2), (100, 100_000, 7)],  # 7 candidates are there
)
def test_the_evidence_of_so_many_candidates_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, best: int, most: int, kept: int
) -> None:
    monkeypatch.setattr(keeping, "BEST", best)
    monkeypatch.setattr(keeping, "MOST_PAIRS", most)
    links, candidates = link(SURE), best_of_block(SURE.table, 7)
    noted = keep_evidence(SURE, links, candidates, tmp_path)
    assert (noted["pairs"], noted["of"], noted["candidates"]) == (60, 60, kept)


def test_users_without_a_partner_have_no_evidence_to_keep(tmp_path: Path) -> None:
    links = link(SURE)
    fewer = replace(links, rights=np.where(links.lefts == 5, -1, links.rights))
    noted = keep_evidence(SURE, fewer, best_of_block(SURE.table, 7), tmp_path)
    assert (noted["pairs"], noted["of"]) == (59, 59)


@pytest.mark.parametrize(("most", "wanted"), [(500, list(range(60))), (30, list(range(0, 60, 2))), (25, None)])
def test_vectors_of_some_links_are_kept_evenly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int, wanted: list[int] | None
) -> None:
    """Every second of 60 where 25 may be kept, too, and the last of them are left out."""
    monkeypatch.setattr(keeping, "MAPPED", most)
    keep_vectors(SURE, link(SURE), tmp_path)
    [file] = tmp_path.iterdir()
    stored = np.load(file)
    wanted = list(range(0, 50, 2)) if wanted is None else wanted
    for name in stored.files:
        assert stored[name].ravel().tolist() == wanted
