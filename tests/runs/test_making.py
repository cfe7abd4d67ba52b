"""What a run says of itself in its manifest, by hand."""

from pathlib import Path

import polars as pl
import pytest

from factlink.decision.decisions import DecisionRule
from factlink.decision.platt import PlattScaling
from factlink.linkers.baselines.name import NameLinker
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.runs import making
from factlink.runs.folder.store import load_manifest
from factlink.runs.inputs import LinkRequest
from factlink.runs.making import make_run

LEFT = ["amelia tanaka", "bartholomew lee", "cressida hoffmann", "dmitri volkov"]
RIGHT = ["bartholomew lee", "amelia tanaka", "cressida hoffmann", "cressida hoffmann", "zoe xu"]


@pytest.fixture
def request_(tmp_path: Path) -> LinkRequest:
    for side, names in (("left", LEFT), ("right", RIGHT)):
        (tmp_path / side).mkdir()
        ids = [f"{side}{row}" for row in range(len(names))]
        pl.DataFrame({"id": ids, "name": names}).write_csv(tmp_path / side / "users.csv")
    links = pl.DataFrame({"source": ["left0", "left1", "left2"], "target": ["left1", "left2", "left0"]})
    links.write_csv(tmp_path / "left" / "links.csv")
    pl.DataFrame({"left": ["left0"], "right": ["right1"]}).write_csv(tmp_path / "known.csv")
    return LinkRequest(tmp_path / "left", tmp_path / "right", tmp_path / "run")


def test_the_manifest_counts_what_was_read_and_what_was_found(request_: LinkRequest) -> None:
    stages: list[str] = []
    made = make_run(request_, NameLinker(), stages.append, rule=DecisionRule(precision=0.6))
    manifest = load_manifest(request_.out)
    assert (manifest.linker, manifest.known_pairs) == ("name", 0)
    assert (manifest.left.users, manifest.left.links, manifest.left.kinds) == (4, 3, {"name": "name"})
    assert (manifest.right.users, manifest.right.links, manifest.right.name) == (5, 0, "right")
    assert set(manifest.left.checksums) == {"users.csv", "links.csv"}
    assert set(manifest.seconds) == {"reading", "fitting", "calibrating", "matching", "saving", "explaining"}
    notes = manifest.notes
    assert notes["decision_rule"]["precision"] == 0.6
    assert notes["links"] == {"known": 0, "judged": 0, "found": made.links.count_links()["found"]}
    tied = pl.read_parquet(request_.out / "links.parquet").filter(margin=0)["left"].to_list()
    assert notes["ties"] == len(tied) < 4
    assert "left2" in tied  # two are called cressida hoffmann
    assert (notes["half"], "platt_scaling" in notes, "search" in notes) == (False, False, False)
    assert not (request_.out / "known.parquet").exists()


def test_known_pairs_a_correction_and_the_search_are_noted_where_there_are_any(
    request_: LinkRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    corrected = PlattScaling(slope=0.5, intercept=0.25)
    monkeypatch.setattr(making, "calibrate_fit", lambda *asked: corrected)
    given = LinkRequest(request_.left, request_.right, request_.out, known=request_.out.with_name("known.csv"))
    make_run(given, FactoidLinker())
    manifest = load_manifest(request_.out)
    assert manifest.known_pairs == 1
    assert manifest.notes["links"]["known"] == 1
    assert manifest.notes["platt_scaling"] == {"slope": 0.5, "intercept": 0.25}
    assert "search" in manifest.notes
    assert pl.read_parquet(request_.out / "known.parquet").rows() == [("left0", "right1")]
    assert {weight["source"] for weight in manifest.notes["channel_weights"]} >= {"names"}
