"""Files that all workers of a service map, and that one of them makes."""

import fcntl
import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO
from uuid import uuid4

import numpy as np
import numpy.typing as npt

from factlink.runs.folder.manifest import sha256
from factlink.storage.durable import PRIVATE_FOLDER, replaced_file


def mapped(file: Path) -> npt.NDArray[Any]:
    """An array on the disk: only what is asked for is read, and workers share it."""
    return np.asarray(np.load(file, mmap_mode="r", allow_pickle=False))


@contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """The first of several workers makes what is not there, and the others wait for it."""
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextmanager
def made_folder(place: Path) -> Iterator[Path]:
    """A folder beside `place` to fill; it is renamed on success and removed on failure."""
    part = place.with_name(f"{uuid4()}.part")
    part.mkdir(PRIVATE_FOLDER)
    try:
        yield part
        part.rename(place)
    except BaseException:
        remove(part)
        raise


def remove(place: Path) -> None:
    """Removes a file or a folder as far as that is possible."""
    if place.is_dir():
        shutil.rmtree(place, ignore_errors=True)
    else:
        place.unlink(missing_ok=True)


ACCOUNTS = "accounts-"
"""How folders with accounts that are being added begin."""


def keep_in_use(folder: Path) -> TextIO:
    """A file that says that the folder is in use, as long as it is open.

    What a process that was killed left there is removed by the next one, if no other is using the folder; so is what is
    not as it was written, to be made anew.
    """
    file = (folder / "in-use").open("w")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        for left_over in (*folder.glob(f"{ACCOUNTS}*"), *folder.glob("*.part")):
            remove(left_over)
        _remove_damaged(folder)
    except BlockingIOError:
        pass
    fcntl.flock(file, fcntl.LOCK_SH)
    return file


CHECKSUMS = "checksums.json"
_PASSING = "lock", "in-use", CHECKSUMS, ACCOUNTS, "measures-"  # how the names begin of what is not left to others


def note_checksums(folder: Path) -> None:
    """Notes what is in the folder, so that the next process can tell whether it is still the same."""
    with one_at_a_time(folder), replaced_file(folder / CHECKSUMS) as part:
        part.write_text(json.dumps({str(file.relative_to(folder)): sha256(file) for file in _lasting(folder)}), "utf-8")


def _lasting(folder: Path) -> list[Path]:
    """The files that one process leaves to the next."""
    tops = [top for top in folder.iterdir() if not top.name.startswith(_PASSING) and not top.name.endswith(".part")]
    return sorted(file for top in tops for file in (top.rglob("*") if top.is_dir() else [top]) if file.is_file())


def _remove_damaged(folder: Path) -> None:
    """Removes what nobody vouches for, whole folders of it."""
    try:
        noted = dict(json.loads((folder / CHECKSUMS).read_text("utf-8")))
    except (OSError, ValueError, TypeError, RecursionError):
        noted = {}
    there = {str(file.relative_to(folder)): sha256(file) for file in _lasting(folder)}
    changed = {name for name in noted.keys() | there.keys() if noted.get(name) != there.get(name)}
    tops = {Path(name).parts[0] for name in changed}
    for top in [each for each in folder.iterdir() if each.name in tops]:
        remove(top)
