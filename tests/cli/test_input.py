"""What the command line says of its input: unread files, and paths that cannot be used."""

import json
import os
import sys
from pathlib import Path

import pytest

from factlink.cli.app import main
from tests.fuzz.harness import time_limit

UNREAD = "posts.csv is not read; a network is users.* and links.*: add what it holds to one of them, or move it away"


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, users in (("left", "id,name\n1,Amy Tan\n2,Bob Ray\n"), ("right", "id,name\na,amy tan\nb,bob ray\n")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "users.csv").write_text(users)
    (tmp_path / "left" / "posts.csv").write_text("by,post\n1,hello\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def called(words: list[str], monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(sys, "argv", ["factlink", *words])
    with pytest.raises(SystemExit) as stop:
        main()
    return int(stop.value.code or 0)


@pytest.mark.usefixtures("world")
def test_unread_files_are_printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    line = ["link", "left", "right", "-o", "run", "--linker", "name"]
    assert called(line, monkeypatch) == 0
    assert f"left: {UNREAD}\n" in capsys.readouterr().out
    assert called([*line, "--overwrite", "--json"], monkeypatch) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["left"]["unread"], printed["right"]["unread"]) == ([UNREAD], [])


def test_links_left_out_and_columns_of_links_that_nobody_reads_are_printed(
    world: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (world / "left" / "links.csv").write_text("source,target,since,[note]\n1,2,2019,x\n1,2,2020,y\n2,2,2021,z\n")
    assert called(["link", "left", "right", "-o", "run", "--linker", "name"], monkeypatch) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "links left out: 1 self-links, 1 repeated" in printed
    assert "columns of links not used: since, [note]" in printed


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["explain", "run\udcff", "1"],
            "factlink: 'run\\udcff' is not UTF-8; type it again, or rename the file\n",
        ),
        (
            ["plan", "left", "x" * 300],
            f"factlink: {'x' * 300} cannot be read (File name too long); check the path and its permissions\n",
        ),
        (
            ["judgements", "x" * 300],
            f"factlink: {'x' * 300}",
        ),
    ],
    ids=["not UTF-8", "a long network", "a long run"],
)
@pytest.mark.usefixtures("world")
def test_paths_that_cannot_be_used(
    words: list[str], message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert called(words, monkeypatch) == 2
    complaint = capsys.readouterr().err
    assert complaint.startswith(message)
    assert complaint.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        ["link", "pipe.csv", "right", "-o", "run"],
        ["link", "pipe", "right", "-o", "run"],
        ["link", "left", "right", "--known", "pipe.csv", "-o", "run"],
        ["link", "holding", "right", "-o", "run"],
        ["plan", "left", "pipe.parquet"],
        ["import", "pipe.db", "-o", "new"],
        ["bench", "pipe.toml"],
    ],
    ids=" ".join,
)
def test_a_pipe_is_refused_at_once_and_not_waited_for(
    words: list[str], world: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (world / "holding").mkdir()
    for name in ("pipe", "pipe.csv", "pipe.parquet", "pipe.db", "pipe.toml", "holding/users.csv"):
        os.mkfifo(world / name)
    with time_limit(20):
        assert called(words, monkeypatch) == 2
    assert "is a device or a pipe" in capsys.readouterr().err
