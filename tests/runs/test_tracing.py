"""Tracing a run: the same vectors again, the paths of pairs, and the factoids that pushed them."""

import json
import sys
from pathlib import Path

import polars as pl
import pytest

from factlink.cli.app import main
from factlink.errors import InputError, RunError
from factlink.linkers.baselines.name import NameLinker
from factlink.linkers.settings import make_linker
from factlink.protocols import Linker
from factlink.runs.inputs import LinkRequest
from factlink.runs.making import make_run
from factlink.runs.tracing import trace_run

USERS = {
    "chirper": "id,name\na,Amy Tan\nb,Ben Lim\nc,Cid Ong\nboth,Dee Koh\n",
    "facepage": "id,name\nw,Amy Tan\nx,Ben Lim\ny,Cid Ong\nboth,Eve Seah\n",
}
LINKS = {"chirper": "source,target\na,b\nc,a\n", "facepage": "source,target\nw,x\ny,w\n"}
SMALL = {"training.dim": "64", "training.batch": "2", "links.weight": "0.5", "persons.rounds": "0"}


@pytest.fixture(scope="module")
def networks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("networks")
    for name, text in USERS.items():
        (folder / name).mkdir()
        (folder / name / "users.csv").write_text(text)
        (folder / name / "links.csv").write_text(LINKS[name])
    (folder / "known.csv").write_text("left,right\nb,x\n")
    return folder


def made(networks: Path, linker: Linker, name: str, known: bool = False) -> Path:
    order = LinkRequest(
        networks / "chirper", networks / "facepage", networks / name, networks / "known.csv" if known else None
    )
    make_run(order, linker)
    return networks / name


@pytest.fixture(scope="module")
def run(networks: Path) -> Path:
    return made(networks, make_linker("fe", SMALL), "run")


def quiet(stage: str) -> None:
    """Nobody listens."""


def test_a_user_brings_the_partner_along(run: Path) -> None:
    paths = trace_run(run, ["a"], 3, quiet).paths
    assert paths["user"].unique(maintain_order=True).to_list() == ["Amy Tan (chirper)", "Amy Tan (facepage)"]
    assert paths["pair"].unique().to_list() == ["Amy Tan (chirper) = Amy Tan (facepage)"]
    assert paths.filter(iteration=0).select(pl.col("x", "y").round(9)).n_unique() == 1  # all start at zero


def test_a_right_user_and_a_pair_asked_twice_are_one_pair(run: Path) -> None:
    paths = trace_run(run, ["w", "a"], 3, quiet).paths
    assert paths["pair"].unique().to_list() == ["Amy Tan (chirper) = Amy Tan (facepage)"]


def test_an_id_of_both_networks_is_both_users(run: Path) -> None:
    users = trace_run(run, ["both"], 3, quiet).paths["user"].unique().to_list()
    assert {"Dee Koh (chirper)", "Eve Seah (facepage)"} <= set(users)


def test_pushes_are_told_in_words(run: Path) -> None:
    pushes = trace_run(run, ["a"], 3, quiet).pushes
    said = {row[:3] for row in pushes.rows()}
    assert said == {
        ("Amy Tan (chirper)", "name", "Amy Tan"),
        ("Amy Tan (chirper)", "follows", "Ben Lim (b)"),
        ("Amy Tan (chirper)", "follows", "Cid Ong (c)"),  # c follows a, and links count both ways
        ("Amy Tan (facepage)", "name", "Amy Tan"),
        ("Amy Tan (facepage)", "follows", "Ben Lim (x)"),
        ("Amy Tan (facepage)", "follows", "Cid Ong (y)"),
    }
    own = pushes.filter(user="Amy Tan (chirper)")["moved"].to_list()
    assert own == sorted(own, reverse=True)
    assert trace_run(run, ["a"], 1, quiet).pushes.height == 2


def test_followees_that_move_are_told_so(networks: Path) -> None:
    moving = make_linker("fe", SMALL | {"links.move_followees": "yes", "links.both_directions": "no"})
    pushes = trace_run(made(networks, moving, "moving"), ["a"], 9, quiet).pushes
    assert ("Amy Tan (chirper)", "follows, as followee", "Cid Ong (c)") in {row[:3] for row in pushes.rows()}


def test_known_pairs_walk_together_and_are_named_by_both_ids(networks: Path) -> None:
    trace = trace_run(made(networks, make_linker("fe", SMALL), "known", known=True), ["b", "a"], 9, quiet)
    ends = trace.paths.filter(pl.col("pair") == "Ben Lim (chirper) = Ben Lim (facepage)")
    assert ends.group_by("iteration").agg(pl.struct(pl.col("x", "y").round(9)).n_unique())["x"].unique().to_list() == [
        1
    ]
    assert ("Amy Tan (chirper)", "follows", "Ben Lim (b) = Ben Lim (x)") in {row[:3] for row in trace.pushes.rows()}


def test_another_linker_has_no_trace(networks: Path) -> None:
    with pytest.raises(RunError, match=r"was made by linker 'name'; trace needs a run of --linker fe"):
        trace_run(made(networks, NameLinker(), "names"), ["a"], 3, quiet)


def test_an_unknown_user_is_named(run: Path) -> None:
    with pytest.raises(InputError, match="no user is called 'zoe' in network 'chirper' or 'facepage'"):
        trace_run(run, ["a", "zoe"], 3, quiet)


def test_every_iteration_of_a_short_training_is_on_the_path(run: Path) -> None:
    """One pass over 8 names in batches of 2, then two over 8 names and 8 directed links."""
    iterations = trace_run(run, ["a"], 3, quiet).paths["iteration"].unique().sort().to_list()
    assert iterations == list(range(4 + 2 * 4 + 1))


def test_the_command_draws_and_tells(
    run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("vl_convert", reason="the extra [report] is not installed")
    for ending, begins in ((".svg", b"<svg"), (".png", b"\x89PNG")):
        file = run / f"paths{ending}"
        assert command(f"factlink trace {run} a b -o {file}", monkeypatch) == 0
        assert file.read_bytes().startswith(begins)
    assert "Amy Tan" in capsys.readouterr().out
    assert command(f"factlink trace {run} a -o {run / 'paths.svg'} --json", monkeypatch) == 0
    assert list(json.loads(capsys.readouterr().out)) == ["file", "paths", "pushes"]


@pytest.mark.parametrize(
    ("words", "message"),
    [("a -o paths.gif", "paths.gif is neither .png nor .svg"), ("zoe -o paths.svg", "no user is called 'zoe'")],
)
def test_mistakes_are_one_sentence(
    run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: str, message: str
) -> None:
    pytest.importorskip("vl_convert", reason="the extra [report] is not installed")
    assert command(f"factlink trace {run} {words}", monkeypatch) == 2
    told = capsys.readouterr().err
    assert message in told
    assert told.count("\n") == 1


def command(line: str, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(sys, "argv", line.split())
    with pytest.raises(SystemExit) as stop:
        main()
    return int(stop.value.code or 0)
