"""Several jobs at once, each with its share of the cores."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")
THREADS = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS")
"""What tells libraries how many threads to use."""


def threads_each(at_once: int) -> int | None:
    """Threads of one of several jobs; as many as it likes where it is alone."""
    return max(1, (os.cpu_count() or 1) // at_once) if at_once > 1 else None


def run_at_once(run: Callable[[int], T], n_jobs: int, at_once: int) -> list[T]:
    """What `run` gives for every job; where one fails or is stopped, none is begun any more."""
    pool = ThreadPoolExecutor(at_once)
    try:
        waiting = [pool.submit(run, place) for place in range(n_jobs)]
        return [each.result() for each in waiting]
    finally:
        pool.shutdown(cancel_futures=True)
