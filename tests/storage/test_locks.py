"""One holder of a file at a time, with fcntl and without it."""

import errno
import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from factlink.storage import locks


def opened(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT)


def windows_locks(monkeypatch: pytest.MonkeyPatch) -> dict[int, int]:
    """No fcntl, and an msvcrt that locks a byte of a file at a time; what is locked, by inode."""
    held: dict[int, int] = {}

    def locking(descriptor: int, mode: int, count: int) -> None:
        file, byte = os.fstat(descriptor).st_ino, os.lseek(descriptor, 0, os.SEEK_CUR)
        assert (mode, count) == (2, 1)
        if file in held:
            raise PermissionError(errno.EACCES, "Permission denied")
        held[file] = byte

    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(locking=locking, LK_NBLCK=2))
    return held


def test_a_file_is_locked_once(tmp_path: Path) -> None:
    first, second = opened(tmp_path / "lock"), opened(tmp_path / "lock")
    assert locks.lock(first)
    assert not locks.lock(second)
    os.close(first)
    assert locks.lock(second)
    os.close(second)


def test_without_fcntl_a_byte_behind_the_content_is_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held = windows_locks(monkeypatch)
    first, second = opened(tmp_path / "lock"), opened(tmp_path / "lock")
    assert locks.lock(first)
    assert not locks.lock(second)
    assert list(held.values()) == [2_147_483_646]
    os.write(first, b"who holds it")
    assert (tmp_path / "lock").read_bytes() == b"who holds it"
    os.close(first)
    os.close(second)


def test_another_error_than_a_held_lock_is_raised(tmp_path: Path) -> None:
    file = opened(tmp_path / "lock")
    os.close(file)
    with pytest.raises(OSError, match="Bad file descriptor"):
        locks.lock(file)
