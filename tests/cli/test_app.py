"""The command line as its users meet it: what it prints, what it writes, how it fails."""

import json
import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
import typer.main

from factlink.cli.app import app, main
from factlink.runs.folder.judgements import Judgements
from factlink.types import Verdict

USERS = {
    "left": "id,name,bio\n1,Amy Tan,cats and code\n2,Desmond Ng,\n3,Joey Lim,runner\n",
    "right": "id,handle\na,desmond_ng\nb,amytan88\nc,joey.l\nd,zzz\n",
}
TRUTH = "left,right\n1,b\n2,a\n3,c\n"


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in USERS.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "users.csv").write_text(text)
    (tmp_path / "truth.csv").write_text(TRUTH)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(line: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """Runs one command line in this process; its exit code."""
    monkeypatch.setattr(sys, "argv", line.split())
    with pytest.raises(SystemExit) as stop:
        main()
    return int(stop.value.code or 0)


def test_link_then_evaluate(world: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("factlink link left right -o run --linker name", monkeypatch) == 0
    shown = capsys.readouterr().out
    for expected in ("left: 3 users, 0 links", "name says 'bio'", "Most probable links", "amytan88", "run  run"):
        assert expected in shown
    assert run("factlink evaluate run truth.csv --json", monkeypatch) == 0
    metrics = json.loads(capsys.readouterr().out)
    ranking = ["n", "hr@1", "hr@2", "hr@3", "hr@4", "hr@5", "hr@10", "hr@30", "mrr", "recall@precision90"]
    outcome = ["absent", "known", "judged", "links", "coverage"]
    rates = ["false_links", "expected_false_links", "calibration_error"]
    assert list(metrics) == ranking + outcome + rates
    assert (metrics["n"], metrics["hr@1"], metrics["mrr"]) == (3, 1.0, 1.0)
    assert run("factlink evaluate run truth.csv", monkeypatch) == 0
    assert "3 left users with a partner" in capsys.readouterr().out


def test_links_are_there_for_other_tools(world: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("factlink link left right -o run --linker name --json", monkeypatch)
    links = pl.read_parquet(world / "run" / "links.parquet")
    assert links.columns == ["left", "right", "score", "probability", "decision", "runner_up", "margin", "source"]
    assert dict(zip(links["left"], links["right"], strict=True)) == {"1": "b", "2": "a", "3": "c"}


def test_json_is_all_that_json_prints(
    world: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run("factlink link left right -o run --linker name --set similarity=jaro-winkler --seed 7 --json", monkeypatch)
    out, err = capsys.readouterr()
    printed = json.loads(out)
    assert err == ""
    assert printed["settings"] == {"similarity": "jaro-winkler", "seed": 7}
    assert printed["left"]["kinds"] == {"name": "name", "bio": "text"}
    assert sum(printed["outcomes"].values()) == 3


@pytest.mark.parametrize(
    "linker", [f"name --set similarity={kind}" for kind in ("ngrams", "vectors", "jaro-winkler-vectors")]
)
def test_the_same_seed_gives_the_same_bytes(world: Path, monkeypatch: pytest.MonkeyPatch, linker: str) -> None:
    for out in ("one", "two"):
        run(f"factlink link left right -o {out} --linker {linker} --json", monkeypatch)
    for file in ("links.parquet", "candidates.parquet"):
        assert (world / "one" / file).read_bytes() == (world / "two" / file).read_bytes()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("link left nowhere -o run", "there is no folder or file nowhere; check the path"),
        ("link left left -o run", "'left' and 'left' are the same folder; give two different networks"),
        ("link left right -o run --linker u-link", "no linker is called 'u-link'; there are: "),
        ("link left right -o run --linker name --set similarity=soundex", "no name similarity is called 'soundex'"),
        ("link left right -o run --linker name --set similarity", "--set takes KEY=VALUE, found 'similarity'"),
        ("link left right -o run --kind bio=colour", "'colour'"),
        ("link left right -o run --kind size=text", "'size'"),
        ("link left right -o run --known truth.txt", "truth.txt"),
        ("link left right -o truth.csv", "truth.csv exists and is not a run; name another folder"),
        ("evaluate run truth.csv", "there is not a run folder run; make one with: factlink link LEFT RIGHT -o run"),
        ("demo -o left", "left exists and is not a demo; name another folder with -o"),
    ],
)
def test_a_mistake_is_one_sentence_and_writes_nothing(
    world: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], line: str, message: str
) -> None:
    assert run(f"factlink {line}", monkeypatch) == 2
    out, err = capsys.readouterr()
    assert message in err
    assert out == ""
    assert err.count("\n") == 1
    assert sorted(path.name for path in world.iterdir()) == ["left", "right", "truth.csv"]


def test_a_truth_with_unknown_users_is_named(
    world: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run("factlink link left right -o run --linker name --json", monkeypatch)
    (world / "wrong.csv").write_text("left,right\n1,b\n9,a\n")
    assert run("factlink evaluate run wrong.csv", monkeypatch) == 2
    assert "wrong.csv row 2: left user '9' is not in network 'left'" in capsys.readouterr().err


def test_judge_export_and_link_again(
    world: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run("factlink link left right -o run --linker name --json", monkeypatch)
    capsys.readouterr()
    assert run("factlink judgements run", monkeypatch) == 0
    assert "no judgements" in capsys.readouterr().out
    store = Judgements(world / "run")
    store.add("3", "d", Verdict.MATCH, "ann")
    store.add("1", "b", Verdict.NON_MATCH, "ann")
    store.add("1", "b", Verdict.NON_MATCH, "bob")
    assert run("factlink judgements run --export known.csv", monkeypatch) == 0
    assert (world / "known.csv").read_text() == "left,right\n3,d\n"
    assert run("factlink judgements run --export non.csv --verdict non-match --json", monkeypatch) == 0
    assert (world / "non.csv").read_text() == "left,right\n1,b\n"
    capsys.readouterr()
    assert run("factlink judgements run --json", monkeypatch) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["reviewers"]["ann"] == {"match": 1, "unknown": 0, "non-match": 1}
    assert shown["agreements"] == [{"first": "ann", "second": "bob", "pairs": 1, "agreed": 1, "kappa": None}]
    assert run("factlink judgements run", monkeypatch) == 0
    assert "Cohen's kappa not defined" in capsys.readouterr().out
    assert run("factlink relink run -o again --json", monkeypatch) == 0
    changed = json.loads(capsys.readouterr().out)["changed"]
    assert {"left": "3", "old": "c", "new": "d", "reason": "judged a match"} in changed
    assert run("factlink relink run -o again --overwrite", monkeypatch) == 0
    assert "the old pair was judged" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("judgements run --export known.csv", "no pair of run is judged 'match' now; judge some with: factlink review"),
        (
            "judgements run --export known.csv --verdict maybe",
            "no verdict is called 'maybe'; there are: match, unknown",
        ),
        ("judgements left", "left is not a run (it has no manifest.json)"),
        ("relink run -o again", "nobody has judged a pair of run; judge some with: factlink review run"),
        ("review nowhere --no-browser", "there is not a run folder nowhere"),
        ("review run --no-browser --port 99999", "port 99999 cannot be used"),
        (f"review run --no-browser --reviewer {'a' * 101}", "a reviewer needs a name of 1 to 100 characters"),
    ],
)
def test_a_mistake_with_judgements_is_one_sentence(
    world: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], line: str, message: str
) -> None:
    run("factlink link left right -o run --linker name --json", monkeypatch)
    capsys.readouterr()
    assert run(f"factlink {line}", monkeypatch) == 2
    out, err = capsys.readouterr()
    assert message in err
    assert (out, err.count("\n")) == ("", 1)


def test_without_the_extra_review_says_what_to_install(
    world: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("factlink.errors.find_spec", lambda name: None)
    assert run("factlink review run", monkeypatch) == 2
    assert "factlink review needs starlette, uvicorn, jinja2; pip install 'factlink[review]'" in capsys.readouterr().err


def test_the_demo_needs_nothing_and_says_where_the_result_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for _ in range(2):  # a second demo replaces the first
        assert run("factlink demo --people 120", monkeypatch) == 0
    assert "The result is in demo/run." in capsys.readouterr().out
    assert (tmp_path / "demo" / "run" / "links.parquet").exists()


def test_the_version_and_help_come_without_heavy_imports() -> None:
    heavy = "{'numpy', 'polars', 'scipy', 'numba', 'sklearn', 'faiss'} & set(sys.modules)"
    code = f"import sys, factlink.cli.app; sys.exit(str({heavy}) if {heavy} else 0)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_waiting_threads_take_no_processor_time_unless_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["factlink", "--version"])
    for given, wanted in ((None, "passive"), ("active", "active")):
        monkeypatch.delenv("OMP_WAIT_POLICY", raising=False)
        if given:
            monkeypatch.setenv("OMP_WAIT_POLICY", given)
        with pytest.raises(SystemExit, match="0"):
            main()
        assert os.environ["OMP_WAIT_POLICY"] == wanted


def test_python_dash_m_is_the_same_program() -> None:
    done = subprocess.run([sys.executable, "-m", "factlink", "--help"], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    for command in ("link", "evaluate", "demo"):
        assert command in done.stdout


def test_hidden_partners_are_known_to_have_no_account(
    world: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("factlink hide left right truth.csv -o open --share 0.34", monkeypatch) == 0
    assert "The partners of 1 left users are hidden; 2 are still there" in capsys.readouterr().out
    assert run("factlink link left open/right -o run --linker name --json", monkeypatch) == 0
    capsys.readouterr()
    assert run("factlink evaluate run open/truth.parquet --json", monkeypatch) == 0
    scores = json.loads(capsys.readouterr().out)
    assert (scores["n"], scores["absent"]) == (2, 1)
    assert run("factlink evaluate run open/truth.parquet", monkeypatch) == 0
    assert "2 left users with a partner, 1 without an account there" in " ".join(capsys.readouterr().out.split())
    assert run("factlink hide left right truth.csv -o open", monkeypatch) == 2
    assert "open exists; name a new folder" in capsys.readouterr().err


def test_who_had_no_account_before_has_none_after_hiding(
    world: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first, *others = (world / "truth.csv").read_text().splitlines()[1:]
    (world / "truth.csv").write_text("\n".join(["left,right", first.split(",")[0] + ",", *others]))
    assert run("factlink hide left right truth.csv -o open --share 0.5 --json", monkeypatch) == 0
    assert json.loads(capsys.readouterr().out)["hidden"] == 1
    truth = pl.read_parquet(world / "open/truth.parquet")
    assert truth.filter(pl.col("right").is_null()).height == 2


def test_ties_are_counted_and_stay_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    names = {"left": ["amy tan", "bob kern"], "right": ["amy tan", "amy tan", "bob kern"]}
    for side, held in names.items():
        (tmp_path / side).mkdir()
        rows = [f"{side}{number},{name}" for number, name in enumerate(held)]
        (tmp_path / side / "users.csv").write_text("\n".join(["id,name", *rows]))
    assert run("factlink link left right -o run --linker name", monkeypatch) == 0
    assert "1 users have two equally good candidates" in " ".join(capsys.readouterr().out.split())
    links = pl.read_parquet("run/links.parquet")
    assert links.filter(pl.col("left") == "left0")["decision"].to_list() == ["unknown"]


def test_no_command_has_two_options_of_one_name() -> None:
    for name, command in typer.main.get_command(app).commands.items():  # type: ignore[attr-defined]
        names = [option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)]
        assert len(names) == len(set(names)), f"{name}: {sorted(names)}"
