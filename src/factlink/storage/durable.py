"""Atomic writes of files and folders, whenever the process dies; and one writer at a time.

What is new is written beside its place, flushed to the disk and then renamed. What holds a lock lets go of it when
its process ends, however it ends.
"""

import ctypes
import errno
import json
import os
import shutil
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from factlink.errors import BusyError, InputError, os_error_at
from factlink.storage import locks

PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700
"""Modes of created files: they hold personal data."""

_ATTEMPTS = 100  # to lock a file that others make and remove
_NO_EXCHANGE = (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP)


@contextmanager
def replaced_file(path: Path) -> Iterator[Path]:
    """A file beside `path` to write to; it is renamed on success and removed on failure.

    A system error that names no file names this one.
    """
    path = Path(os.path.realpath(path))
    check_replaceable(path)
    part = path.with_name(f".{path.name}.part")
    held = _open_locked(part, f"{path} is being written")
    try:
        os.ftruncate(held.descriptor, 0)
        if path.exists() and hasattr(os, "fchmod"):
            os.fchmod(held.descriptor, stat.S_IMODE(path.stat().st_mode))
        yield part
        os.fsync(held.descriptor)
        held.close_to_rename()
        os.replace(part, path)
        sync(path.parent)
    except BaseException as error:
        held.close_to_rename()
        part.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise os_error_at(path, error) from None
        raise
    finally:
        held.close()


def check_replaceable(path: Path) -> None:
    """Refuses a place where no file can be put: a folder, a device, a pipe, or one in no folder."""
    if path.is_dir():
        raise InputError(f"{path} is a folder; name a file")
    if path.exists() and not path.is_file():
        raise InputError(f"{path} is a device or a pipe; name a file")
    if not path.parent.is_dir():
        raise InputError(f"{path} cannot be written, for there is no folder {path.parent}; make it, or name another")


@contextmanager
def locked_folder(folder: Path, what: str) -> Iterator[None]:
    """Inside, only this process works in the folder; an empty folder is removed afterwards.

    `what` begins the sentence that others are refused with, like "RUN is being written".
    """
    lock = folder / "lock"
    held = _open_locked(lock, what)
    try:
        _name_holder(lock, held.descriptor)
        yield
    finally:
        held.close_to_rename()
        lock.unlink(missing_ok=True)
        held.close()
        with suppress(OSError):  # not empty
            folder.rmdir()


def _name_holder(lock: Path, descriptor: int) -> None:
    """Writes into a lock who holds it; a system error names the lock."""
    holder = {"process": os.getpid(), "since": datetime.now(UTC).isoformat(timespec="seconds")}
    try:
        os.ftruncate(descriptor, 0)
        os.write(descriptor, json.dumps(holder).encode())
    except OSError as error:
        raise os_error_at(lock, error) from None


def check_new(path: Path) -> None:
    """Refuses a place that holds something, and the folder that one works in."""
    if path.exists() and (not path.is_dir() or any(path.iterdir()) or path.samefile(Path.cwd())):
        raise InputError(f"{path} exists; name a new folder")


@contextmanager
def new_folder(path: Path, check: Callable[[Path], None] = check_new) -> Iterator[Path]:
    """A folder beside `path` to fill; it is renamed on success and removed on failure.

    The check refuses what may not be replaced; one writer at a time asks it.
    """
    home = Path(os.path.realpath(path))
    part = home.with_name(f"{home.name}.part")
    new, old = part / home.name, part / "old"
    with locked_folder(part, f"{path} is being written"):
        check(path)
        try:
            remove_tree(new)
            new.mkdir(PRIVATE_FOLDER)
            yield new
            sync_tree(new)
            put_in_place(new, home, old)
            remove_tree(old)
        finally:
            remove_tree(new)


def sync(path: Path) -> None:
    """Flushes a file, or the names in a folder, to the disk."""
    if locks.KEEPS_OPEN_FILES and path.is_dir():
        return  # Windows keeps names by itself
    descriptor = os.open(path, os.O_RDWR if locks.KEEPS_OPEN_FILES else os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:  # some file systems cannot flush a folder
        if error.errno != errno.EINVAL:
            raise
    finally:
        os.close(descriptor)


def sync_tree(folder: Path) -> None:
    """Flushes a folder with everything in it."""
    for parent, _, files in os.walk(folder):
        for name in files:
            sync(Path(parent, name))
        sync(Path(parent))


def put_in_place(new: Path, path: Path, old: Path) -> None:
    """Gives a folder the name `path`; a folder that had it is called `old` or `new` then, for the caller to remove."""
    if not path.exists() or (path.is_dir() and not any(path.iterdir())):
        if locks.KEEPS_OPEN_FILES and path.exists():
            path.rmdir()
        os.rename(new, path)
    elif not _exchange(new, path):
        os.rename(path, old)
        os.rename(new, path)
    sync(path.parent)


def remove_tree(folder: Path) -> None:
    """Removes a folder, if there is one; a failure is raised."""
    if folder.exists():
        shutil.rmtree(folder)


def link_or_copy(file: Path, there: Path) -> None:
    """A second name of the same file where the disk allows that, else a copy."""
    try:
        os.link(file, there)
    except OSError:
        shutil.copy2(file, there)


def _exchange(first: Path, second: Path) -> bool:
    """Swaps two names in one step; False where the system or the disk cannot."""
    if locks.KEEPS_OPEN_FILES:
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    names = os.fsencode(first), os.fsencode(second)
    if sys.platform == "darwin":
        failed = libc.renamex_np(*names, 2)  # RENAME_SWAP
    elif hasattr(libc, "renameat2"):
        failed = libc.renameat2(-100, names[0], -100, names[1], 2)  # AT_FDCWD, RENAME_EXCHANGE
    else:
        return False
    if failed and (number := ctypes.get_errno()) not in _NO_EXCHANGE:
        raise OSError(number, os.strerror(number), str(second))
    return not failed


@dataclass(slots=True)
class _Held:
    """An open file that this process has locked."""

    descriptor: int
    is_open: bool = True

    def close_to_rename(self) -> None:
        """Closes it where the name of an open file cannot be changed."""
        if locks.KEEPS_OPEN_FILES:
            self.close()

    def close(self) -> None:
        """Closes it, once."""
        if self.is_open:
            self.is_open = False
            os.close(self.descriptor)


def _open_locked(path: Path, what: str) -> _Held:
    """The file of that name, held by nobody else."""
    for attempt in range(_ATTEMPTS):
        path.parent.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), PRIVATE_FILE)
        except FileNotFoundError:
            if attempt == _ATTEMPTS - 1:
                raise
            continue  # whoever held it has just removed the folder
        try:
            is_held = not locks.lock(descriptor)
            if not is_held and _is_still(path, descriptor):
                return _Held(descriptor)
        except BaseException:
            os.close(descriptor)
            raise
        if is_held:
            raise BusyError(f"{what} by {_holder(descriptor)}; wait until it is done, or stop it")
        os.close(descriptor)  # whoever held it has renamed or removed the file: this one has the name no longer
    raise BusyError(f"{what} by other processes, one after another; try again")


def _is_still(path: Path, descriptor: int) -> bool:
    with suppress(FileNotFoundError):
        return os.path.samestat(os.stat(path), os.fstat(descriptor))
    return False


def _holder(descriptor: int) -> str:
    try:
        os.lseek(descriptor, 0, os.SEEK_SET)
        holder = json.loads(os.read(descriptor, 1_000))
        return f"process {holder['process']} since {holder['since']}"
    except (ValueError, KeyError, TypeError):
        return "another process"
    finally:
        os.close(descriptor)
