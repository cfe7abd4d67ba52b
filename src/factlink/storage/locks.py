"""A lock on an open file that its process loses when it ends, however it ends: by fcntl, or by msvcrt on Windows."""

import errno
import os
from importlib import import_module
from typing import Any

KEEPS_OPEN_FILES = os.name == "nt"
"""Whether the system refuses to rename or to remove a file that is open, and to open a folder: Windows."""

_LOCKED_BYTE = 2**31 - 2  # far behind what a file holds: on Windows nobody else can read what is locked
_HELD = (errno.EACCES, errno.EAGAIN, errno.EDEADLK, 36)  # 36: EDEADLOCK of Windows


def _system_locks() -> Any:
    """The module that locks here."""
    try:
        return import_module("fcntl")
    except ImportError:
        return import_module("msvcrt")


def lock(descriptor: int) -> bool:
    """Locks an open file; False if another process, or another open file of this one, has locked it."""
    locks = _system_locks()
    try:
        if hasattr(locks, "flock"):
            locks.flock(descriptor, locks.LOCK_EX | locks.LOCK_NB)
        else:
            os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
            locks.locking(descriptor, locks.LK_NBLCK, 1)
            os.lseek(descriptor, 0, os.SEEK_SET)
    except OSError as error:
        if error.errno not in _HELD:
            raise
        return False
    return True
