"""Files that all workers of a service map, and that one of them makes."""

import fcntl
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import numpy as np
import numpy.typing as npt


def mapped(file: Path) -> npt.NDArray[Any]:
    """An array on the disk: only what is asked for is read, and workers share it."""
    return np.asarray(np.load(file, mmap_mode="r", allow_pickle=False))


@contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """The first of several workers makes what is not there, and the others wait for it."""
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


ACCOUNTS = "accounts-"
"""How folders with accounts that are being added begin."""


def keep_in_use(folder: Path) -> TextIO:
    """A file that says that the folder is in use, as long as it is open.

    What a process that was killed left there is removed by the next one, if no other is using the folder.
    """
    file = (folder / "in-use").open("w")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        for left_over in (*folder.glob(f"{ACCOUNTS}*"), *folder.glob("*.part")):
            shutil.rmtree(left_over, ignore_errors=True)
    except BlockingIOError:
        pass
    fcntl.flock(file, fcntl.LOCK_SH)
    return file
