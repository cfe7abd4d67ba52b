"""Workers within little memory: small parts, one after another, and matrices in files that are mapped into memory."""

import mmap
import tempfile
import weakref
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import IO, Any, TypeVar

import numpy as np

from factlink.errors import os_error_at
from factlink.execution.workers import Array, Workers, join

Result = TypeVar("Result")


class OutOfCoreWorkers(Workers):
    """This process, holding little: after each part the system may take back the memory of all mapped matrices.

    Their files have no name, so that nothing is left behind, whatever happens. The bytes that come out are those of
    one part in memory.
    """

    def __init__(self, parts: int, folder: Path) -> None:
        self.parts = parts
        self._folder, self._maps = folder, weakref.WeakSet[mmap.mmap]()

    def map(self, step: Callable[..., Result], parts: Sequence[Any], *shared: Any) -> list[Result]:
        """One part after another."""
        return list(self._each(step, parts, shared))

    def stack(self, step: Callable[..., Array], parts: Sequence[Any], *shared: Any) -> Array:
        """A matrix is written to a file part by part; everything else is small."""
        results = self._each(step, parts, shared)
        first = next(results)
        return join([first, *results]) if first.ndim < 2 else self._store(first, results)

    def walk(self, rows: Array) -> Iterator[Array]:
        """Blocks that are let go of one by one."""
        for block in super().walk(rows):
            yield block
            self._let_go()

    def _each(self, step: Callable[..., Result], parts: Sequence[Any], shared: tuple[Any, ...]) -> Iterator[Result]:
        for part in parts:
            yield step(part, *shared)
            self._let_go()

    def _store(self, first: Array, others: Iterator[Array]) -> Array:
        with tempfile.TemporaryFile(dir=self._folder) as file:
            n_rows = 0
            for rows in chain([first], others):
                n_rows += len(rows)
                self._write(file, rows)
            if not n_rows:
                return first
            mapped = mmap.mmap(file.fileno(), 0)
        self._maps.add(mapped)
        return np.frombuffer(mapped, first.dtype).reshape(n_rows, *first.shape[1:])

    def _write(self, file: IO[bytes], rows: Array) -> None:
        try:
            file.write(np.ascontiguousarray(rows).data)
            file.flush()
        except OSError as error:
            raise os_error_at(self._folder, error) from None

    def _let_go(self) -> None:
        """Pages of shared maps stay in the file and are read again when used."""
        for mapped in self._maps:
            if hasattr(mapped, "madvise"):
                mapped.madvise(mmap.MADV_DONTNEED)
