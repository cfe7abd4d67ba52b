"""Where the steps of a stage run: in this process, or, with `factlink.execution.cluster`, on other machines.

A step is a plain function of one part and of what all parts share; it gives an array or a tuple of arrays. What it
gives for a part never depends on the other parts, so that how many parts there are changes no byte.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

Result = TypeVar("Result")
Array = npt.NDArray[Any]

BLOCK = 16_384
"""Rows at a time where all are looked at in turn."""


class Workers(ABC):
    """What runs steps: this process, or a cluster."""

    parts: int
    """Into how many parts work is best cut."""

    @abstractmethod
    def map(self, step: Callable[..., Result], parts: Sequence[Any], *shared: Any) -> list[Result]:
        """`step(part, *shared)` of every part, in their order."""

    def stack(self, step: Callable[..., Array], parts: Sequence[Any], *shared: Any) -> Array:
        """The same where each gives some rows of one array."""
        return join(self.map(step, parts, *shared))

    def walk(self, rows: Array) -> Iterator[Array]:
        """Rows in blocks of BLOCK, to be read or changed in place."""
        for first in range(0, len(rows), BLOCK):
            yield rows[first : first + BLOCK]


class Here(Workers):
    """This process: one part, on all threads."""

    parts = 1

    def map(self, step: Callable[..., Result], parts: Sequence[Any], *shared: Any) -> list[Result]:
        """One part after another."""
        return [step(part, *shared) for part in parts]


HERE = Here()


def cut(value: Any, n: int, parts: int) -> list[Any]:
    """An array, matrix or series of n rows in up to the given number of parts; itself if that is one."""
    return [value] if parts == 1 else [value[start:stop] for start, stop in spans(n, parts)]


def join(parts: Sequence[Array]) -> Array:
    """Parts as one array, without a copy where there is one."""
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def spans(n: int, parts: int) -> list[tuple[int, int]]:
    """0 … n as up to the given number of spans of nearly equal length; one empty span if n is 0."""
    parts = max(1, min(n, parts))
    return [(n * part // parts, n * (part + 1) // parts) for part in range(parts)]
