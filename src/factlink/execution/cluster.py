"""Workers of a Ray cluster: every part of a step is a task, done again on another node if its node is lost.

Shared data is kept once in the object store of every node. Arrays that the driver shares again are not sent again.
"""

import logging
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix

from factlink.errors import MissingExtraError, SettingError
from factlink.execution.workers import Workers

Result = TypeVar("Result")

PARTS_PER_CPU = 2
"""Parts for each processor of the cluster: a slow or lost node then holds up little."""

_SMALL = 50_000  # bytes; less is sent along with the task
_KEPT = 64  # things that stay in the object store for another step


class RayWorkers(Workers):
    """Runs steps as tasks of the cluster that this process is connected to."""

    def __init__(self) -> None:
        ray: Any = import_module("ray")
        self._ray = ray
        self._task = ray.remote(num_cpus=1, max_retries=-1)(run_step)
        self._stored: OrderedDict[int, tuple[Any, Any]] = OrderedDict()
        self.parts = max(1, int(ray.cluster_resources().get("CPU", 1))) * PARTS_PER_CPU

    def map(self, step: Callable[..., Result], parts: Sequence[Any], *shared: Any) -> list[Result]:
        """`step(part, *shared)` of every part, in their order; parts of lost nodes are done again."""
        sent = [self._send(each) for each in shared]
        tasks = [self._task.remote(step, self._send(part), *sent) for part in parts]
        results: list[Result] = self._ray.get(tasks)
        return [_own(results[0])] if len(results) == 1 else results  # several are joined, which copies them

    def close(self) -> None:
        """Leaves the cluster as it was."""
        self._stored.clear()
        self._ray.shutdown()

    def _send(self, value: Any) -> Any:
        """The argument of a task: the value, or its place in the object store."""
        if size_of(value) < _SMALL:
            return value
        if id(value) not in self._stored:
            self._stored[id(value)] = value, self._ray.put(value)
            if len(self._stored) > _KEPT:
                self._stored.popitem(last=False)
        self._stored.move_to_end(id(value))
        return self._stored[id(value)][1]


@contextmanager
def cluster_of(address: str | None) -> Iterator[RayWorkers | None]:
    """The workers at an address while they are needed; None for this process alone."""
    workers = None if address is None else connect(address)
    try:
        yield workers
    finally:
        if workers:
            workers.close()


def connect(address: str) -> RayWorkers:
    """Workers of a running cluster: `auto` for the one that this machine belongs to, else its address."""
    try:
        ray: Any = import_module("ray")
    except ImportError:
        raise MissingExtraError("--cluster needs Ray; install it with: pip install 'factlink[cluster]'") from None
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, ValueError, RuntimeError) as error:
        reason = str(error).splitlines()[0]
        raise SettingError(
            f"no Ray cluster answers at '{address}' ({reason}); start one with: ray start --head"
        ) from None
    return RayWorkers()


def run_step(step: Callable[..., Any], part: Any, *shared: Any) -> Any:
    """One part of a step, on one processor of some node."""
    import numba

    numba.set_num_threads(1)
    return step(_writable(part), *map(_writable, shared))


def size_of(value: Any) -> int:
    """Bytes of the arrays in a value."""
    if isinstance(value, tuple | list):
        return sum(map(size_of, value))
    if isinstance(value, csr_matrix):
        return int(value.data.nbytes + value.indices.nbytes + value.indptr.nbytes)
    size = value.estimated_size() if hasattr(value, "estimated_size") else getattr(value, "nbytes", 0)
    return int(size)


def _own(result: Result) -> Result:
    """Arrays of this process's own, not those of the object store."""
    owned: Any = tuple(map(np.array, result)) if isinstance(result, tuple) else np.array(result)
    return cast(Result, owned)


def _writable(value: Any) -> Any:
    """The same memory under arrays that compiled code takes for its own; no step writes to what it is given.

    Arrays from the object store are read-only, which is another type to numba: all would be compiled once more.
    """
    if isinstance(value, tuple):
        return tuple(map(_writable, value))
    if isinstance(value, csr_matrix):
        parts = [_writable(part) for part in (value.data, value.indices, value.indptr)]
        return csr_matrix(tuple(parts), shape=value.shape, copy=False)
    if isinstance(value, np.ndarray) and not value.flags.writeable and value.size:
        return np.asarray(_Unlocked(value))
    return value


class _Unlocked:
    """An array's memory without its lock; holds the array, so that the memory stays."""

    def __init__(self, array: npt.NDArray[Any]) -> None:
        self.array = array
        self.__array_interface__ = dict(array.__array_interface__) | {"data": (array.ctypes.data, False)}
