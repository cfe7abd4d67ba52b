"""What workers have done so far, kept beside an unfinished run: a driver that was killed continues from there.

RUN.part/stages/made-from.json      what the results rest on; anything else there is thrown away
RUN.part/stages/0007-project.npz    the results of the seventh step

Steps are asked for in the same order every time, so their number says what they are; results of another number of parts
join to the same. Short steps are done again.
"""

import json
import os
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from factlink.types import Distributed, Network, Pairs, Scorer
from factlink.workers import Workers

Result = TypeVar("Result")

STAGES, MADE_FROM = "stages", "made-from.json"
SHORT = 1.0
"""Seconds; what took less is not kept."""


@dataclass(frozen=True, slots=True, eq=False)
class Stages:
    """A linker and its networks, done in parts."""

    linker: Distributed
    left: Network
    right: Network
    workers: Workers

    def fit(self, known: Pairs) -> Scorer:
        """The networks linked, told some known pairs."""
        return self.linker.fit_over(self.workers, self.left, self.right, known)

    def forget(self) -> None:
        """Removes what a cluster's work was kept in, for the run is whole."""
        if isinstance(self.workers, KeptStages):
            self.workers.forget()


class KeptStages(Workers):
    """Workers whose results are kept in a folder."""

    def __init__(self, workers: Workers, run: Path, made_from: dict[str, Any]) -> None:
        self.parts = workers.parts
        self._workers, self._folder, self._asked = workers, run / STAGES, 0
        told = json.dumps(made_from, sort_keys=True)
        mark = self._folder / MADE_FROM
        if not mark.exists() or mark.read_text(encoding="utf-8") != told:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder.mkdir(parents=True)
            mark.write_text(told, encoding="utf-8")

    def map(self, step: Callable[..., Result], parts: Sequence[Any], *shared: Any) -> list[Result]:
        """The results of a step: those kept, or else those of the workers."""
        self._asked += 1
        path = self._folder / f"{self._asked:04}-{step.__name__.removesuffix('_part')}.npz"
        if path.exists():
            return _load(path)
        began = time.perf_counter()
        results = self._workers.map(step, parts, *shared)
        if time.perf_counter() - began >= SHORT:
            _save(path, results)
        return results

    def forget(self) -> None:
        """Removes what was kept, for the run is whole."""
        shutil.rmtree(self._folder, ignore_errors=True)


def _save(path: Path, results: Sequence[Any]) -> None:
    """Arrays, or tuples of arrays, by part; under another name until they are whole."""
    arrays = {}
    for place, result in enumerate(results):
        several = isinstance(result, tuple)
        for column, array in enumerate(result if several else (result,)):
            arrays[f"{place}.{column if several else 'only'}"] = array
    unfinished = path.with_suffix(".unfinished.npz")
    np.savez(unfinished, **arrays)
    os.replace(unfinished, path)


def _load(path: Path) -> list[Any]:
    results: dict[int, dict[str, Any]] = {}
    with np.load(path, allow_pickle=False) as arrays:
        for name in arrays.files:
            place, _, column = name.partition(".")
            results.setdefault(int(place), {})[column] = arrays[name]
    return [
        found["only"] if "only" in found else tuple(found[str(column)] for column in range(len(found)))
        for _, found in sorted(results.items())
    ]
