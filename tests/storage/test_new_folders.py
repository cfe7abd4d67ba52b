"""Folders that are whole or not there."""

import errno
from pathlib import Path

import pytest

from factlink.errors import BusyError, InputError
from factlink.storage.durable import new_folder


def test_a_folder_takes_its_place_when_it_is_filled(tmp_path: Path) -> None:
    with new_folder(tmp_path / "net") as new:
        (new / "users").write_text("a")
        assert not (tmp_path / "net").exists()
    assert (tmp_path / "net" / "users").read_text() == "a"
    assert [each.name for each in tmp_path.iterdir()] == ["net"]


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    (tmp_path / "net").mkdir()
    with new_folder(tmp_path / "net") as new:
        (new / "users").write_text("a")
    assert (tmp_path / "net" / "users").read_text() == "a"


def test_nothing_is_left_of_a_folder_that_could_not_be_filled(tmp_path: Path) -> None:
    def fill() -> None:
        with new_folder(tmp_path / "net") as new:
            (new / "users").write_text("a")
            raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        fill()
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_said_with_the_place_and_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(descriptor: int, text: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.write", refuse)
    with pytest.raises(OSError, match="No space left on device") as refused, new_folder(tmp_path / "net"):
        pass
    assert refused.value.filename == str(tmp_path / "net.part" / "lock")
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_process_left_does_not_enter_the_folder(tmp_path: Path) -> None:
    (tmp_path / "net.part" / "net").mkdir(parents=True)
    (tmp_path / "net.part" / "net" / "links").write_text("of a killed one")
    with new_folder(tmp_path / "net") as new:
        (new / "users").write_text("a")
    assert [each.name for each in (tmp_path / "net").iterdir()] == ["users"]


def test_whatever_is_there_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("a")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    for taken in (tmp_path, tmp_path / "file", Path()):
        with pytest.raises(InputError, match=r"exists; name a new folder"), new_folder(taken):
            pass
    assert sorted(each.name for each in tmp_path.iterdir()) == ["file", "here"]


def test_a_folder_that_may_be_replaced_is_there_until_the_new_one_is_whole(tmp_path: Path) -> None:
    (tmp_path / "net").mkdir()
    (tmp_path / "net" / "users").write_text("old")
    with new_folder(tmp_path / "net", lambda path: None) as new:
        (new / "users").write_text("new")
        assert (tmp_path / "net" / "users").read_text() == "old"
    assert (tmp_path / "net" / "users").read_text() == "new"
    assert [each.name for each in tmp_path.iterdir()] == ["net"]


def test_one_process_at_a_time_fills_it(tmp_path: Path) -> None:
    with (
        new_folder(tmp_path / "net"),
        pytest.raises(BusyError, match=r"net is being written by"),
        new_folder(tmp_path / "net"),
    ):
        pass
