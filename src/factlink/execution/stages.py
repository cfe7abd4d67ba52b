"""What workers have done so far, kept beside an unfinished run: a driver that was killed continues from there.

RUN.part/work/stages/0007-project.npz    the results of the seventh step

Steps run in the same order every time, so their number identifies them; results of another number of parts
join to the same. Short steps are done again.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from factlink.execution.workers import Workers
from factlink.storage.arrays import DAMAGED, read_arrays, write_arrays
from factlink.storage.durable import replaced_file

Result = TypeVar("Result")

STAGES = "stages"
SHORT = 1.0
"""Seconds; what took less is not kept."""


class KeptStages(Workers):
    """Workers whose results are kept in a folder, which holds those of the same fit alone."""

    def __init__(self, workers: Workers, folder: Path) -> None:
        self.parts = workers.parts
        self._workers, self._folder, self._asked = workers, folder / STAGES, 0
        self._folder.mkdir(exist_ok=True)

    def map(self, step: Callable[..., Result], parts: Sequence[Any], *shared: Any) -> list[Result]:
        """The results of a step: those kept, or else those of the workers."""
        self._asked += 1
        path = self._folder / f"{self._asked:04}-{step.__name__.removesuffix('_part')}.npz"
        if path.exists():
            with suppress(*DAMAGED):
                return _load(path)
        began = time.perf_counter()
        results = self._workers.map(step, parts, *shared)
        if time.perf_counter() - began >= SHORT:
            _save(path, results)
        return results


def _save(path: Path, results: Sequence[Any]) -> None:
    """Arrays, or tuples of arrays, by part."""
    arrays = {}
    for place, result in enumerate(results):
        several = isinstance(result, tuple)
        for column, array in enumerate(result if several else (result,)):
            arrays[f"{place}.{column if several else 'only'}"] = array
    with replaced_file(path) as part:
        write_arrays(part, arrays)


def _load(path: Path) -> list[Any]:
    results: dict[int, dict[str, Any]] = {}
    for name, array in read_arrays(path).items():
        place, _, column = name.partition(".")
        results.setdefault(int(place), {})[column] = array
    return [
        found["only"] if "only" in found else tuple(found[str(column)] for column in range(len(found)))
        for _, found in sorted(results.items())
    ]
