"""Atomic writes where open files keep their names, as on Windows, and a link without fcntl and resource."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from factlink.errors import BusyError
from factlink.storage import durable, locks
from tests.storage.test_locks import windows_locks


@pytest.fixture(autouse=True)
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuses what Windows refuses: names of open files, opening folders, renaming onto a folder."""
    held = windows_locks(monkeypatch)
    monkeypatch.setattr(locks, "KEEPS_OPEN_FILES", True)
    before = {name: getattr(os, name) for name in ("replace", "rename", "unlink", "open", "close")}
    opened: dict[int, str] = {}

    def open_file(path: Path, flags: int, mode: int = 0o777) -> int:
        if os.path.isdir(path):
            raise PermissionError(13, "Permission denied", str(path))
        descriptor = int(before["open"](path, flags, mode))
        opened[descriptor] = str(path)
        return descriptor

    def close(descriptor: int) -> None:
        held.pop(os.fstat(descriptor).st_ino, None)
        before["close"](descriptor)
        del opened[descriptor]

    def refuse_open(path: Path) -> None:
        if str(path) in opened.values():
            raise PermissionError(13, "The process cannot access the file because it is being used", str(path))

    def replace(old: Path, new: Path) -> None:
        refuse_open(old)
        before["replace"](old, new)

    def rename(old: Path, new: Path) -> None:
        if os.path.exists(new):
            raise FileExistsError(17, "Cannot create a file when that file already exists", str(new))
        before["rename"](old, new)

    def unlink(path: Path) -> None:
        refuse_open(path)
        before["unlink"](path)

    for name, call in {
        "open": open_file,
        "close": close,
        "replace": replace,
        "rename": rename,
        "unlink": unlink,
    }.items():
        monkeypatch.setattr(os, name, call)


def test_a_file_is_replaced_and_a_failure_leaves_the_old_one(tmp_path: Path) -> None:
    file = tmp_path / "links.csv"
    with durable.replaced_file(file) as part:
        part.write_text("old")
    with durable.replaced_file(file) as part:
        part.write_text("new")
    with pytest.raises(FileNotFoundError), durable.replaced_file(file) as part:
        part.with_name("nowhere").read_text()
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("links.csv", "new")]


def test_a_folder_has_one_writer_and_is_free_afterwards(tmp_path: Path) -> None:
    folder = tmp_path / "run.part"
    with durable.locked_folder(folder, "run is being written"):
        again = durable.locked_folder(folder, "run is being written")
        with pytest.raises(BusyError, match=f"run is being written by process {os.getpid()} since"), again:
            pass
        (folder / "file").write_text("x")
    with durable.locked_folder(folder, "run is being written"):
        assert (folder / "file").read_text() == "x"
    assert [path.name for path in folder.iterdir()] == ["file"]


def test_a_folder_is_put_in_place_of_none_of_an_empty_one_and_of_an_old_one(tmp_path: Path) -> None:
    place, old = tmp_path / "run", tmp_path / "old"
    for said in ("first", "second", "third"):
        new = tmp_path / "new"
        new.mkdir()
        (new / "file").write_text(said)
        if said == "second":
            (place / "file").unlink()
        durable.sync_tree(new)
        durable.put_in_place(new, place, old)
        assert (place / "file").read_text() == said
    assert (old / "file").read_text() == "second"


LINKS = """
import subprocess, sys, types  # subprocess takes a system with msvcrt for Windows
import polars as pl, psutil  # which know this system
locking = lambda descriptor, mode, count: None
sys.modules.update(fcntl=None, resource=None, msvcrt=types.SimpleNamespace(locking=locking, LK_NBLCK=2))
import factlink as fl
from factlink.execution.memory import address_space, peak_memory_bytes
names = ["Amy Tan", "Bob Lee", "Cleo Ray"]
left, right = (pl.DataFrame({"id": list(ids), "name": names}) for ids in ("abc", "xyz"))
found = fl.link(left, right)
print(found.links["right"].to_list(), address_space(), peak_memory_bytes() > 10**7)
"""


def test_networks_are_linked_without_fcntl_and_resource(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    done = subprocess.run([sys.executable, "-c", LINKS], capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("['x', 'y', 'z'] inf True\n", 0), done.stderr
