"""Judgements made elsewhere: all rows of a file are kept, or none."""

import json
import sqlite3
from pathlib import Path

import polars as pl
import pytest

from factlink.errors import InputError, RunError
from factlink.linkers.baselines.name import NameLinker
from factlink.runs.folder.judgements import Judgements
from factlink.runs.importing import Imported, import_judgements
from factlink.runs.inputs import LinkRequest
from factlink.runs.making import make_run
from factlink.types import Verdict
from tests.cli.test_app import run as run_command

SOUND = "left,right,verdict,reviewer,note\na,x,match,ann,same dog\nb,y,non-match,ann,\na,x,unknown,bob,\n"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    for name, text in {"chirper": "id,name\na,Amy\nb,Ben\n", "facepage": "id,name\nx,Amy\ny,Bob\n"}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "users.csv").write_text(text)
    make_run(LinkRequest(tmp_path / "chirper", tmp_path / "facepage", tmp_path / "run"), NameLinker())
    return tmp_path / "run"


def written(run: Path, text: str, name: str = "said.csv") -> Path:
    path = run.with_name(name)
    path.write_text(text)
    return path


def count(run: Path) -> int:
    path = run / "judgements.sqlite"
    if not path.exists():
        return 0
    with sqlite3.connect(path) as db:
        return int(db.execute("SELECT count(*) FROM judgement").fetchone()[0])


def test_a_file_is_kept_whole_and_a_second_time_adds_nothing(run: Path) -> None:
    said = written(run, SOUND)
    assert import_judgements(run, said, "carol") == Imported(3, 3)
    assert import_judgements(run, said, "carol") == Imported(3, 0)
    assert count(run) == 3
    kept = Judgements(run).of_pair("a", "x")
    assert [(each.reviewer, each.verdict.value, each.note) for each in kept] == [
        ("ann", "match", "same dog"),
        ("bob", "unknown", ""),
    ]


def test_without_the_column_the_judgements_are_the_named_reviewers(run: Path) -> None:
    table = pl.DataFrame({"left": ["a"], "right": ["x"], "verdict": ["match"]})
    table.write_parquet(run.with_name("said.parquet"))
    table.write_ndjson(run.with_name("said.jsonl"))
    assert import_judgements(run, run.with_name("said.parquet"), "carol") == Imported(1, 1)
    assert import_judgements(run, run.with_name("said.jsonl"), "dave") == Imported(1, 1)
    assert [each.reviewer for each in Judgements(run).of_pair("a", "x")] == ["carol", "dave"]


def test_what_a_reviewer_said_otherwise_is_overruled(run: Path) -> None:
    Judgements(run).add("a", "x", Verdict.NON_MATCH, "ann")
    Judgements(run).add("b", "y", Verdict.NON_MATCH, "ann")
    assert import_judgements(run, written(run, SOUND), "carol") == Imported(3, 2)
    assert Judgements(run).overall().select("left", "verdict").rows() == [("b", "non-match"), ("a", "unknown")]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("c,x,match,ann,", "row 2: left user 'c' is not in network 'chirper'; ids are matched exactly"),
        ("a,z,match,ann,", "row 2: right user 'z' is not in network 'facepage'"),
        (",x,match,ann,", "row 2: the left user is empty; name both users"),
        ("a,,match,ann,", "row 2: the right user is empty; name both users"),
        ("a,y,maybe,ann,", "row 2: no verdict is called 'maybe'; there are: match, unknown, non-match"),
        ("a,y,,ann,", "row 2: no verdict is called ''; there are: match, unknown, non-match"),
        ("a,y,match,,", "row 2: the reviewer's name has 0 characters; it needs 1 to 100"),
        (f"a,y,match,{'n' * 101},", "row 2: the reviewer's name has 101 characters; it needs 1 to 100"),
        (f"a,y,match,ann,{'n' * 10_001}", "row 2: the note has more than 10,000 characters"),
        ("a,x,match,ann,again", "row 2 repeats row 1 by reviewer 'ann'; drop one of them"),
        (
            "a,x,unknown,ann,",
            "row 2 says 'unknown' of 'a' and 'x', which contradicts 'match' in row 1 by reviewer 'ann'",
        ),
    ],
)
def test_one_bad_row_is_named_and_nothing_is_written(run: Path, row: str, said: str) -> None:
    path = written(run, f"left,right,verdict,reviewer,note\na,x,match,ann,\n{row}\nb,y,match,ann,\n")
    with pytest.raises(InputError, match=said):
        import_judgements(run, path, "carol")
    assert count(run) == 0


def test_a_file_that_lacks_what_it_needs(run: Path) -> None:
    with pytest.raises(InputError, match=r"no column 'verdict'; name what was said of each pair"):
        import_judgements(run, written(run, "left,right\na,x\n"), "carol")
    with pytest.raises(InputError, match=r"holds no judgements; give a left user"):
        import_judgements(run, written(run, "left,right,verdict\n"), "carol")
    with pytest.raises(InputError, match="there is no file"):
        import_judgements(run, run.with_name("absent.csv"), "carol")
    with pytest.raises(InputError, match="row 1: the reviewer's name has 0 characters"):
        import_judgements(run, written(run, "left,right,verdict\na,x,match\n"), " ")
    with pytest.raises(RunError, match="there is not a run folder"):
        import_judgements(run.with_name("absent"), written(run, SOUND), "carol")


def test_a_write_that_breaks_leaves_nothing(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from factlink.runs.folder import judgements

    calls: list[object] = []

    def failing(db: sqlite3.Connection, said: tuple[str, str, str, str, str], withdraws: int | None) -> int:
        calls.append(said)
        if len(calls) == 3:
            raise OSError("disk full")
        return insert(db, said, withdraws)

    insert = judgements._insert
    monkeypatch.setattr(judgements, "_insert", failing)
    with pytest.raises(OSError, match="disk full"):
        import_judgements(run, written(run, SOUND), "carol")
    assert count(run) == 0


def test_on_the_command_line(run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(run.parent)
    written(run, SOUND)
    capsys.readouterr()
    assert run_command("factlink judgements run --import said.csv", monkeypatch) == 0
    assert capsys.readouterr().out == "3 judgements, 3 of them new  said.csv\n"
    assert run_command("factlink judgements run --import said.csv --json", monkeypatch) == 0
    assert json.loads(capsys.readouterr().out) == {"judgements": 3, "new": 0, "file": "said.csv"}
    assert run_command("factlink judgements run --import said.csv --export out.csv", monkeypatch) == 2
    assert "--import and --export were both given" in capsys.readouterr().err
    written(run, SOUND.replace("non-match", "no"))
    assert run_command("factlink judgements run --import said.csv", monkeypatch) == 2
    assert capsys.readouterr().err == (
        "factlink: said.csv row 2: no verdict is called 'no'; there are: match, unknown, non-match\n"
    )
