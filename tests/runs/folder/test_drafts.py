"""One writer at a time, the old run or the new one, and nothing of a killed run in another."""

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from factlink.errors import BusyError
from factlink.runs.folder.drafts import Draft, remove_leftovers, unfinished_run
from factlink.runs.folder.judgements import Judgements
from factlink.storage import durable
from factlink.types import Verdict
from tests.runs.folder.test_store import save

HOLDER = """
import sys, time
from pathlib import Path
from factlink.runs.folder.drafts import unfinished_run
with unfinished_run(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(600)
"""


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def holder(tmp_path: Path) -> subprocess.Popen[str]:
    """Another process that writes tmp_path / run."""
    process = subprocess.Popen([sys.executable, "-c", HOLDER, str(tmp_path / "run")], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_a_second_writer_is_told_who_holds_the_run(tmp_path: Path, holder: subprocess.Popen[str]) -> None:
    with pytest.raises(BusyError, match=rf"run is being written by process {holder.pid} since .*; wait until it is"):
        save(tmp_path / "run")
    remove_leftovers(tmp_path / "run")  # passes over what is being written
    assert (tmp_path / "run.part" / "run").is_dir()
    holder.kill()
    holder.communicate()
    save(tmp_path / "run")
    assert names(tmp_path) == ["run"]


def test_what_a_killed_writer_left_is_removed(tmp_path: Path, holder: subprocess.Popen[str]) -> None:
    holder.kill()
    holder.communicate()
    assert names(tmp_path) == ["run.part"]
    remove_leftovers(tmp_path / "run")
    assert names(tmp_path) == []


def test_work_is_continued_by_the_same_fit_alone(tmp_path: Path) -> None:
    found: list[list[str]] = []

    def fail(made_from: dict[str, int], file: str) -> None:
        with unfinished_run(tmp_path / "run") as draft:
            draft.resume(made_from)
            found.append(names(draft.work))
            (draft.work / file).touch()
            (draft.work / "encoded").mkdir(exist_ok=True)
            raise KeyboardInterrupt

    for seed, file in ((0, "checkpoint"), (0, "more"), (1, "checkpoint")):
        with pytest.raises(KeyboardInterrupt):
            fail({"seed": seed}, file)
    assert found == [
        ["made-from.json"],
        ["checkpoint", "encoded", "made-from.json"],
        ["encoded", "made-from.json"],
    ]
    save(tmp_path / "run")
    assert names(tmp_path) == ["run"]
    assert "checkpoint" not in names(tmp_path / "run")


def test_disks_that_cannot_exchange_two_folders_replace_runs_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(durable, "_exchange", lambda new, path: False)
    save(tmp_path / "run")
    Judgements(tmp_path / "run").add("a", "x", Verdict.MATCH, "ann")
    save(tmp_path / "run")
    assert Judgements(tmp_path / "run").pairs(Verdict.MATCH).rows() == [("a", "x")]
    assert names(tmp_path) == ["run"]


def test_the_old_run_comes_back_where_nothing_took_its_place(tmp_path: Path) -> None:
    save(tmp_path / "run")
    draft = Draft(tmp_path / "run", tmp_path / "run.part")
    draft.part.mkdir()
    draft.path.rename(draft.old)
    draft.recover()
    assert "manifest.json" in names(tmp_path / "run")


def test_who_waits_to_judge_writes_to_the_run_that_took_the_place(tmp_path: Path) -> None:
    save(tmp_path / "run")
    store = Judgements(tmp_path / "run")
    judging = threading.Thread(target=store.add, args=("a", "x", Verdict.MATCH, "ann"))
    real = durable.put_in_place

    def place_while_somebody_waits(new: Path, path: Path, old: Path) -> None:
        judging.start()
        judging.join(0.3)
        real(new, path, old)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("factlink.runs.folder.drafts.put_in_place", place_while_somebody_waits)
        save(tmp_path / "run")
    judging.join()
    assert store.pairs(Verdict.MATCH).rows() == [("a", "x")]


def test_a_run_behind_a_link_is_replaced_where_it_lies(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    save(tmp_path / "disk" / "run")
    (tmp_path / "run").symlink_to(tmp_path / "disk" / "run")
    save(tmp_path / "run")
    assert (tmp_path / "run").is_symlink()
    assert names(tmp_path) == ["disk", "run"]
    assert names(tmp_path / "disk") == ["run"]


def test_what_is_written_is_nobody_elses_business(tmp_path: Path) -> None:
    save(tmp_path / "run")
    assert stat.S_IMODE((tmp_path / "run").stat().st_mode) == 0o700
    with durable.replaced_file(tmp_path / "names.txt") as part:
        part.write_text("Amy Tan")
    assert stat.S_IMODE((tmp_path / "names.txt").stat().st_mode) == 0o600


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    path.chmod(0o640)

    def fail() -> None:
        with durable.replaced_file(path) as part:
            part.write_text("half")
            raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        fail()
    assert path.read_text() == "old"
    with durable.replaced_file(path) as part:
        part.write_text("new")
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert names(tmp_path) == ["file"]


def test_two_writers_of_one_file_do_not_mix(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with durable.replaced_file(path) as part:
        part.write_text("first")
        with pytest.raises(BusyError, match="file is being written by another process"), durable.replaced_file(path):
            pass
    assert path.read_text() == "first"


def test_places_for_no_file_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").touch()
    refused = {
        tmp_path: "is a folder; name a file",
        tmp_path / "pipe": "is a device or a pipe; name a file",
        Path(os.devnull): "is a device or a pipe; name a file",
        tmp_path / "file" / "below": "there is no folder",
        tmp_path / "nowhere" / "file": "there is no folder",
    }
    for path, sentence in refused.items():
        with pytest.raises(durable.InputError, match=sentence), durable.replaced_file(path):
            pass
    assert names(tmp_path) == ["file", "pipe"]


def test_the_same_arrays_give_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from factlink.storage.arrays import read_arrays, write_arrays

    arrays = {"a": np.arange(3), "b": np.ones((2, 2), np.float16)}
    write_arrays(tmp_path / "first", arrays)
    monkeypatch.setattr("time.localtime", lambda *_: (2040, 1, 2, 3, 4, 5, 0, 0, 0))
    write_arrays(tmp_path / "second", arrays)
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()
    found = read_arrays(tmp_path / "first")
    assert {name: array.tolist() for name, array in found.items()} == {"a": [0, 1, 2], "b": [[1, 1], [1, 1]]}
