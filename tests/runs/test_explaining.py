"""`factlink explain` as its users meet it."""

import json
import sys
from pathlib import Path

import polars as pl
import pytest

from factlink.cli.app import main
from factlink.runs.explaining import explain_run
from tests.sealing import reseal

USERS = {
    "left": "id,name,bio\n1,Amy Tan,cats and code\n2,Desmond Ng,\n3,Joey Lim,runner\nx,Xenia,\n",
    "right": "id,handle\na,desmond_ng\nb,amytan88\nc,joey.l\nd,zzz\nx,xenia_x\n",
}


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    for name, text in USERS.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "users.csv").write_text(text)
    monkeypatch.chdir(tmp_path)
    assert ask("link left right -o run --linker name --json", monkeypatch) == 0
    capsys.readouterr()
    return tmp_path / "run"


def ask(line: str, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(sys, "argv", ["factlink", *line.split()])
    with pytest.raises(SystemExit) as stop:
        main()
    return int(stop.value.code or 0)


def test_a_run_keeps_evidence_in_the_order_of_left_users(run: Path) -> None:
    evidence = pl.read_parquet(run / "evidence.parquet")
    assert evidence.columns == [
        "left", "right", "kind", "predicate", "left_object", "right_object", "weight", "note",
    ]  # fmt: skip
    assert evidence["left"].unique(maintain_order=True).to_list() == ["1", "2", "3", "x"]
    amy = evidence.filter(left="1", right="b").row(0, named=True)
    assert (amy["left_object"], amy["right_object"]) == ("Amy Tan", "amytan88")
    kept = json.loads((run / "manifest.json").read_text())["notes"]["evidence"]
    assert (kept["pairs"], kept["of"], kept["candidates"]) == (4, 4, 5)


def test_two_users_in_either_order(
    run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ask("explain run 1 b --json", monkeypatch) == 0
    forth = json.loads(capsys.readouterr().out)
    assert ask("explain run b 1 --json", monkeypatch) == 0
    assert json.loads(capsys.readouterr().out) == forth
    assert forth[0]["names"] == ["Amy Tan", "amytan88"]
    assert forth[0]["parts"][0]["predicate"] == "name · handle"
    assert forth[0]["gap"] == pytest.approx(0, abs=1e-5)


def test_a_chart_for_people(run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert ask("explain run 1", monkeypatch) == 0
    shown = capsys.readouterr().out
    for expected in ("Amy Tan (1) – amytan88 (b)", "█", "Amy Tan ↔ amytan88", "score ", "candidate 1"):
        assert expected in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_a_right_user_is_explained_by_whose_candidate_it_is(
    run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ask("explain run c --json", monkeypatch) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found[0]["left"], found[0]["right"]) == ("3", "c")


def test_one_user_is_explained_by_all_candidates_best_first(run: Path) -> None:
    """As they are listed: who has fewer than others has no more than that."""
    rights = pl.read_parquet(run / "right" / "users.parquet")["id"]
    listed, scores = pl.read_parquet(run / "candidates.parquet").row(0)
    assert listed[-1] == -1
    found = explain_run(run, ["1"], lambda seconds: None)
    assert [each.explanation.right for each in found] == [rights[row] for row in listed[:-1]]
    assert [each.rank for each in found] == [1, 2, 3, 4]
    assert [each.explanation.score for each in found] == pytest.approx(scores[:-1])


def test_what_became_of_a_pair_is_that_of_its_link(run: Path) -> None:
    links = pl.read_parquet(run / "links.parquet").drop_nulls("right")
    assert links.height > 2
    for link in links.filter(pl.col("left") != "x").iter_rows(named=True):
        [pair] = explain_run(run, [link["left"], link["right"]], lambda seconds: None)
        assert (pair.decision, pair.probability) == (link["decision"], link["probability"])
        assert pair.explanation.score == pytest.approx(link["score"])


def test_a_pair_without_kept_evidence_is_fitted_again(run: Path) -> None:
    told: list[float] = []
    kept = explain_run(run, ["1", "b"], told.append)
    assert told == []
    (run / "evidence.parquet").unlink()
    reseal(run)
    again = explain_run(run, ["1", "b"], told.append)
    assert again[0].explanation.total == pytest.approx(kept[0].explanation.total, abs=1e-6)
    assert told == [json.loads((run / "manifest.json").read_text())["seconds"]["fitting"]]
    reseal(run, {"seconds": {}})
    never = explain_run(run, ["2", "d"], told.append)[0]
    assert told[1:] == [0]  # nobody knows
    assert (never.explanation.score, never.rank, never.decision) == (None, None, None)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "explain run nobody",
            "no user is called 'nobody' in network 'left' or 'right'; give an id, a name or a part of a name",
        ),
        ("explain run 1 2", "'1' and '2' are users of one network; name one of either"),
        ("explain run 1 b c", "explain takes one or two users, got 3"),
        ("explain nowhere 1", "there is not a run folder nowhere"),
        ("explain run d", "'d' has no candidate in run; name a second user to compare with"),
    ],
)
def test_a_mistake_is_one_sentence(
    run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], line: str, message: str
) -> None:
    assert ask(line, monkeypatch) == 2
    out, err = capsys.readouterr()
    assert message in err
    assert (out, err.count("\n")) == ("", 1)
