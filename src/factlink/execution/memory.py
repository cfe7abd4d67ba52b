"""What this machine lets a process have: memory and address space; and the most that it took."""

import os
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from factlink.errors import SettingError

ADDRESSES, ADDRESSES_PER_CORE = 2_000_000_000, 250_000_000
"""Bytes of address space that a process takes beside its memory: libraries reserve it for themselves and every thread.
Below about 1.7 GB on two cores they wait for ever for threads that never start."""

_CGROUP = Path("/sys/fs/cgroup")


def free_memory() -> int:
    """Bytes that a new process can take without swapping: what the machine has free, or less where it is limited."""
    import psutil

    return min(int(psutil.virtual_memory().available), _free_in_group())


def peak_memory_bytes() -> int:
    """The most memory this process has held so far."""
    limits = _limits()
    if limits is None:
        import psutil

        used = psutil.Process().memory_info()
        return int(getattr(used, "peak_wset", used.rss))
    unit = 1 if sys.platform == "darwin" else 1024
    return int(limits.getrusage(limits.RUSAGE_SELF).ru_maxrss) * unit


def address_space() -> float:
    """The most bytes of address space that this process may have; infinite where nothing limits it."""
    limits = _limits()
    if limits is None:
        return float("inf")
    limit = limits.getrlimit(limits.RLIMIT_AS)[0]
    return float("inf") if limit == limits.RLIM_INFINITY else float(limit)


def check_address_space(memory_bytes: float = 0) -> None:
    """Refuses, before anything heavy runs, a limit of address space in which so much memory will not fit."""
    needed = ADDRESSES + ADDRESSES_PER_CORE * (os.cpu_count() or 1) + memory_bytes
    if address_space() < needed:
        raise SettingError(
            f"this needs about {needed / 1e9:.1f} GB of address space, more than the {address_space() / 1e9:.1f} GB "
            "that a process may have here; raise the limit (ulimit -v unlimited)"
        )


def _limits() -> Any:
    """The module that knows limits and uses of a process; None on Windows, which has none."""
    try:
        return import_module("resource")
    except ImportError:
        return None


def _free_in_group() -> int:
    """What is left of the memory of a container; without end where it has no limit, or another sort of one."""
    with suppress(OSError, ValueError):
        most, used = ((_CGROUP / f"memory.{name}").read_text("ascii") for name in ("max", "current"))
        return max(0, int(most) - int(used))
    return 1 << 62
