"""Linking again: judged matches hold, judged non-matches never come back, and every change has a reason."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import polars as pl
import pytest

from factlink.cli.render.results import print_relinked
from factlink.data.sources.networks import read_network
from factlink.errors import RunError
from factlink.linkers.baselines.name import NameLinker
from factlink.linkers.settings import remake_linker, settings_of
from factlink.protocols import Scorer
from factlink.runs import relinking
from factlink.runs.folder.judgements import Judgements
from factlink.runs.folder.store import load_manifest, load_run
from factlink.runs.inputs import LinkRequest, reread_inputs
from factlink.runs.making import make_run
from factlink.runs.relinking import relink
from factlink.types import NO_PAIRS, Floats, Ints, Network, Pairs, Verdict

USERS = {
    "chirper": "id,name\na,Amy\nb,Ben\nc,Cid\nd,Dee\n",
    "facepage": "id,name\nw,Amy\nx,Ben\ny,Cid\nz,Dee\n",
}
FOLLOWS = "source,target\na,b\n"
SCORES = np.array([[9, 8, 0, 0], [0, 9, 8, 0], [0, 0, 9, 8], [0, 0, 8, 9]], np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class FixedScorer(Scorer):
    left: Network
    right: Network
    known: Pairs

    def scores(self, rows: Ints) -> Floats:
        return SCORES[rows]


@dataclass(frozen=True, slots=True)
class FixedLinker:
    """Scores that are written above."""

    name: ClassVar[str] = "fixed"
    supervised: ClassVar[bool] = False
    seen: ClassVar[list[list[tuple[int, int]]]] = []

    def fit(self, left: Network, right: Network, known: Pairs = NO_PAIRS) -> FixedScorer:
        self.seen.append(list(zip(known.lefts.tolist(), known.rights.tolist(), strict=True)))
        return FixedScorer(left, right, known)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in USERS.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "users.csv").write_text(text)
    (tmp_path / "chirper" / "links.csv").write_text(FOLLOWS)
    (tmp_path / "known.csv").write_text("left,right\nd,z\n")
    monkeypatch.setattr(relinking, "remake_linker", lambda name, settings: FixedLinker())
    monkeypatch.setattr(FixedLinker, "seen", [])
    order = LinkRequest(tmp_path / "chirper", tmp_path / "facepage", tmp_path / "run", tmp_path / "known.csv")
    make_run(order, FixedLinker())
    return tmp_path / "run"


def quiet(stage: str) -> None:
    pass


@pytest.mark.parametrize(("right", "changed"), [("w", 0), ("x", 2)])
def test_a_table_lists_changes_only_if_there_are_any(
    right: str, changed: int, run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Judgements(run).add("a", right, Verdict.MATCH, "ann")
    print_relinked(relink(run, run.parent / "again", overwrite=False, on_stage=quiet), as_json=False)
    printed = capsys.readouterr().out
    assert f"Judged: 1 matches, 0 non-matches. Links that changed: {changed}" in printed
    assert ("because" in printed) == (changed > 0)


def test_what_changed_and_why(run: Path) -> None:
    store = Judgements(run)
    store.add("a", "x", Verdict.MATCH, "ann")
    store.add("c", "y", Verdict.NON_MATCH, "ann")
    relinked = relink(run, run.with_name("again"), overwrite=False, on_stage=quiet)
    links = pl.read_parquet(run.with_name("again") / "links.parquet")
    assert links.filter(pl.col("left") == "a").select("right", "probability", "decision").row(0) == ("x", 1.0, "link")
    assert ("c", "y") not in links.select("left", "right").rows()
    assert links["right"].to_list().count("x") == 1
    reasons = dict(relinked.changes.select("left", "reason").rows())
    assert reasons["a"] == "judged a match"
    assert reasons.get("c", "the old pair was judged a non-match") == "the old pair was judged a non-match"
    assert (relinked.matches, relinked.refused) == (1, 1)


def test_matches_join_the_known_pairs_that_were_given_unless_refused(run: Path) -> None:
    store = Judgements(run)
    store.add("a", "w", Verdict.MATCH, "ann")
    relink(run, run.with_name("again"), overwrite=False, on_stage=quiet)
    store.add("d", "z", Verdict.NON_MATCH, "bob")
    relink(run, run.with_name("again"), overwrite=True, on_stage=quiet)
    assert FixedLinker.seen == [[(3, 3)], [(0, 0), (3, 3)], [(0, 0)]]


def test_the_new_run_keeps_names_and_judgements_and_can_be_linked_again(run: Path) -> None:
    Judgements(run).add("a", "x", Verdict.MATCH, "ann", "same dog")
    relink(run, run.with_name("again"), overwrite=False, on_stage=quiet)
    again = load_run(run.with_name("again"))
    assert (again.manifest.left.name, again.manifest.right.name) == ("chirper", "facepage")
    assert read_network(again.path / "left").links["follows"].followers.tolist() == [0]
    assert [said.note for said in Judgements(again.path).of_pair("a", "x")] == ["same dog"]
    assert relink(again.path, run.with_name("third"), overwrite=False, on_stage=quiet).changes.height == 0


def test_only_links_that_were_found_stay_because_they_were_there(run: Path) -> None:
    given = reread_inputs(run, load_manifest(run))
    links = pl.read_parquet(run / "links.parquet").with_columns(
        probability=pl.Series([0.7, 0.6, 0.8, 1.0], dtype=pl.Float32),
        decision=pl.Series(["link", "unknown", "link", "link"]),
        source=pl.Series(["found", "found", "judged", "known"]),
    )
    links.write_parquet(run / "links.parquet")
    inputs = relinking.judged_inputs(run, given, Judgements(run))
    assert inputs.earlier is not None
    rows = inputs.earlier.pairs.lefts.tolist(), inputs.earlier.pairs.rights.tolist()
    assert (rows, inputs.earlier.probabilities.tolist()) == (([0], [0]), [np.float32(0.7)])
    without = links.with_columns(probability=pl.lit(None, pl.Float32), left=pl.Series(["gone", "b", "c", "d"]))
    without.with_columns(source=pl.lit("found")).write_parquet(run / "links.parquet")  # by a linker without any
    inputs = relinking.judged_inputs(run, given, Judgements(run))
    assert inputs.earlier is not None
    assert inputs.earlier.pairs.lefts.tolist() == [2, 3]
    assert inputs.earlier.probabilities.tolist() == [1, 1]


def test_reasons_name_the_taker_and_the_judged_neighbours(run: Path) -> None:
    links = pl.read_parquet(run / "links.parquet")
    moved = links.with_columns(right=pl.Series(["x", "w", "w", "y"]))
    store = Judgements(run)
    store.add("a", "x", Verdict.MATCH, "ann")
    other = run.with_name("other")
    other.mkdir()
    moved.write_parquet(other / "links.parquet")
    network = read_network(run / "left")
    found = relinking._changes(run, other, store, network)
    assert found.rows() == [
        ("a", "w", "x", "judged a match"),
        ("b", "x", "w", "the old account was judged to be a's"),
        ("c", "y", "w", "score changed after your judgements"),
        ("d", "z", "y", "score changed after your judgements"),
    ]
    store.add("a", "w", Verdict.MATCH, "ann")
    store.withdraw_last("ann")
    store.add("a", "x", Verdict.UNKNOWN, "ann")
    store.add("a", "y", Verdict.MATCH, "ann")
    reasons = dict(relinking._changes(run, other, store, network).select("left", "reason").rows())
    assert reasons["b"] == "neighbours that were judged: 1"


def test_mistakes_are_named(run: Path) -> None:
    with pytest.raises(RunError, match="nobody has judged a pair of"):
        relink(run, run.with_name("again"), overwrite=False, on_stage=quiet)
    with pytest.raises(RunError, match="is the run itself; name another folder"):
        relink(run, run, overwrite=True, on_stage=quiet)


def test_a_linker_comes_back_from_its_manifest() -> None:
    linker = NameLinker(similarity="jaro-winkler", seed=7)
    assert remake_linker("name", settings_of(linker)) == linker
