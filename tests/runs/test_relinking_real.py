"""Judging a real run and linking it again makes the rest of it better."""

import os
from pathlib import Path

import numpy as np
import pytest

from factlink.data.pairs import read_pairs
from factlink.evaluation.metrics import evaluate_candidates
from factlink.linkers.baselines.name import NameLinker
from factlink.review.view_models import ViewModels
from factlink.runs.folder.judgements import Judgements
from factlink.runs.folder.store import load_run
from factlink.runs.inputs import LinkRequest
from factlink.runs.making import make_run
from factlink.runs.relinking import relink
from factlink.types import Pairs, Verdict

DATA = Path(os.environ.get("FACTLINK_DATA", Path(__file__).parents[3] / "shared" / "data")) / "congress"
JUDGED = 100


@pytest.mark.skipif(not DATA.exists(), reason="needs the networks 'congress' (FACTLINK_DATA)")
def test_a_hundred_judgements_lift_the_hit_rate_of_everybody_else(tmp_path: Path) -> None:
    first, again = tmp_path / "first", tmp_path / "again"
    make_run(LinkRequest(DATA / "official", DATA / "twitter", first), NameLinker("jaro-winkler"))
    run = load_run(first)
    truth = read_pairs(DATA / "truth.parquet", run.left, run.right)
    true = set(zip(truth.lefts.tolist(), truth.rights.tolist(), strict=True))
    pairings = ViewModels(first).queue.pairings
    places = pairings.order[:JUDGED]
    for left, right in zip(pairings.lefts[places].tolist(), pairings.rights[places].tolist(), strict=True):
        verdict = Verdict.MATCH if (left, right) in true else Verdict.NON_MATCH
        Judgements(first).add(run.left.users[left], run.right.users[right], verdict, "ann")
    relink(first, again, overwrite=False, on_stage=lambda stage: None)
    rest = np.flatnonzero(~np.isin(truth.lefts, pairings.lefts[places]))
    held_out = Pairs(truth.lefts[rest], truth.rights[rest])
    before, after = (
        evaluate_candidates(load_run(path).candidates, len(run.right), held_out).hits[1] for path in (first, again)
    )
    assert before > 0.6
    assert after > before + 0.005
