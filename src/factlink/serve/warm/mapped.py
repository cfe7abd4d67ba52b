"""Files that all workers of a service map, and that one of them makes."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

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
