"""Where a report may go, and what becomes of it if it cannot: one sentence, and nothing left over."""

import errno
import json
import os
import resource
import stat
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import polars as pl
import pytest

from factlink.cli.app import main
from factlink.data.formats.html_text import forbidden_in
from factlink.errors import BusyError, InputError
from factlink.report.page import write_report
from factlink.runs.folder.store import MANIFEST
from tests.report.test_report import read
from tests.review.conftest import make_run_folder, rename_user
from tests.sealing import reseal

SCRIPT = "</title></text></script><script>alert('owned')</script><img src=x onerror=alert(1)>"
HOSTILE = f"\0\x0c\x1b\ufffe\U0010ffff{SCRIPT}'\"><!--{{{{7*7}}}}"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    (tmp_path / "world").mkdir()
    return make_run_folder(tmp_path / "world")


def test_a_report_is_private_and_alone_in_its_folder(run: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    for _ in range(2):
        write_report(run, tmp_path / "out" / "report.html", None)
        assert [path.name for path in (tmp_path / "out").iterdir()] == ["report.html"]
        assert stat.S_IMODE((tmp_path / "out" / "report.html").stat().st_mode) == 0o600


@contextmanager
def small_disk() -> Iterator[None]:
    """Inside, no file grows beyond a kilobyte."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_without_room_the_old_report_stays(run: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    file = tmp_path / "out" / "report.html"
    file.write_text("the old one")
    with small_disk(), pytest.raises(InputError, match=r"report\.html cannot be written \(File too large\); make room"):
        write_report(run, file, None)
    assert [path.name for path in file.parent.iterdir()] == ["report.html"]
    assert file.read_text() == "the old one"


def test_what_two_processes_write_at_once_is_written_by_one(run: Path, tmp_path: Path) -> None:
    from factlink.storage.durable import replaced_file

    with replaced_file(tmp_path / "report.html") as part:
        part.write_text("first")
        with pytest.raises(BusyError, match=r"report\.html is being written by another process"):
            write_report(run, tmp_path / "report.html", None)
    assert (tmp_path / "report.html").read_text() == "first"


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("/dev/null", "/dev/null is a device or a pipe; name a file"),
        ("/dev/full", "/dev/full is a device or a pipe; name a file"),
        ("{there}/pipe", "pipe is a device or a pipe; name a file"),
        ("{there}", "is a folder; name a file"),
        ("{there}/file/report.html", "cannot be written, for there is no folder"),
        ("{there}/nowhere/report.html", "cannot be written, for there is no folder"),
        ("{there}/" + "n" * 300, "cannot be written (File name too long)"),
    ],
)
def test_a_place_for_no_file_is_one_sentence(
    run: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    place: str,
    message: str,
) -> None:
    there = tmp_path / "there"
    there.mkdir()
    os.mkfifo(there / "pipe")
    (there / "file").write_text("kept")
    before = sorted(there.iterdir())
    monkeypatch.setattr(sys, "argv", ["factlink", "report", str(run), "-o", place.format(there=there)])
    with pytest.raises(SystemExit) as stop:
        main()
    out, err = capsys.readouterr()
    assert (stop.value.code, out, err.count("\n")) == (2, "", 1)
    assert message in err
    assert sorted(there.iterdir()) == before
    assert (there / "file").read_text() == "kept"


def test_a_folder_that_may_not_be_written_to_is_one_sentence(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever runs the tests as root may write everywhere, so the refusal is made up."""
    real, asked = os.open, []

    def refuse(path: str | Path, *rest: int, **more: int) -> int:
        if Path(path).parent != tmp_path:
            return real(path, *rest, **more)
        asked.append(path)
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(InputError, match=r"report\.html cannot be written \(Permission denied\); make room or name"):
        write_report(run, tmp_path / "report.html", None)
    assert len(asked) == 1


def test_a_pipe_that_nobody_reads_does_not_hold_up(run: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    refused: list[str] = []

    def write() -> None:
        try:
            write_report(run, tmp_path / "pipe", None)
        except InputError as error:
            refused.append(str(error))

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    writer.join(60)
    assert [sentence.endswith("is a device or a pipe; name a file") for sentence in refused] == [True]


def test_nothing_that_html_forbids_reaches_the_page_from_anywhere(run: Path, tmp_path: Path) -> None:
    """Users, names, evidence, columns, networks, settings, files and stages are all called something hostile."""
    rename_user(run, "left", "a", f"a{HOSTILE}")
    for side in ("left", "right"):
        users = pl.read_parquet(run / side / "users.parquet")
        users.with_columns(name=pl.col("name") + HOSTILE).write_parquet(run / side / "users.parquet")
    rows = [(f"a{HOSTILE}", "w", "name", HOSTILE, HOSTILE, HOSTILE, 0.5, HOSTILE)]
    columns = ["left", "right", "kind", "predicate", "left_object", "right_object", "weight", "note"]
    pl.DataFrame(rows, columns, orient="row").write_parquet(run / "evidence.parquet")
    manifest = json.loads((run / MANIFEST).read_text("utf-8"))
    manifest["settings"] = {HOSTILE: {HOSTILE: HOSTILE}}
    manifest["seconds"] = {HOSTILE: 1.5, "\ud800": 2.5}
    manifest["notes"] = {
        "channel_weights": [{"left": HOSTILE, "right": "\ud800", "weight": 1.0, "reason": HOSTILE}],
        "decision_rule": {HOSTILE: 1},
    }
    for side in ("left", "right"):
        manifest[side] |= {
            "name": f"{side}{HOSTILE}\ud800",
            "path": HOSTILE,
            "kinds": {HOSTILE: "name"},
            "checksums": {HOSTILE: "0"},
        }
    reseal(run, manifest)
    write_report(run, tmp_path / "report.html", None)
    page = (tmp_path / "report.html").read_text("utf-8")
    assert forbidden_in(page) is None
    reader = read(page)
    assert (reader.scripts, reader.handlers, reader.images) == (3, 0, 0)
    assert "<script>alert" not in page
    assert page.count("{{7*7}}") > 10
