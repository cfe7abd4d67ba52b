"""A run folder while it is written: one writer at a time, moved to its place when complete.

RUN.part/lock    held by the process that writes RUN
RUN.part/run/    what takes the place of RUN in one step when it is whole; begun anew by every process
RUN.part/work/   what a killed process leaves for the same command given again: checkpoints, stages, vectors
RUN.part/old/    what had the place of RUN, where the file system cannot exchange two folders in one step
"""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from factlink.errors import BusyError
from factlink.runs.folder.judgements import carried_over
from factlink.storage.durable import PRIVATE_FOLDER, locked_folder, put_in_place, remove_tree, replaced_file, sync_tree

Judged = Mapping[str, pl.DataFrame | None]
"""Further judgements by the folder inside a run that keeps them; the run itself is ''."""

PART, ENCODED, MADE_FROM = ".part", "encoded", "made-from.json"
Finish = Callable[[Path], None]


@dataclass(frozen=True, slots=True)
class Draft:
    """The folders of a run in the making."""

    path: Path  # where it goes
    part: Path  # everything until then

    @property
    def run(self) -> Path:
        """What is to take the run's place."""
        return self.part / "run"

    @property
    def work(self) -> Path:
        """What the same command given again may continue from."""
        return self.part / "work"

    @property
    def old(self) -> Path:
        """What had the run's place."""
        return self.part / "old"

    def resume(self, made_from: Mapping[str, Any]) -> None:
        """Clears the remains of a run with other inputs, except vectors, whose names depend on their content."""
        words = json.dumps(made_from, sort_keys=True).encode()
        mark = self.work / MADE_FROM
        if not mark.exists() or mark.read_bytes() != words:
            mark.unlink(missing_ok=True)
            for left in self.work.iterdir() if self.work.exists() else ():
                if left.name != ENCODED:
                    remove_tree(left) if left.is_dir() else left.unlink()
            self.work.mkdir(PRIVATE_FOLDER, exist_ok=True)
            with replaced_file(mark) as file:
                file.write_bytes(words)

    def place(self, judgements: Judged, finish: Finish | None = None) -> None:
        """Puts the run in its place, with the judgements of the one that was there, and with further ones."""
        with ExitStack() as stack:
            for part, further in judgements.items():
                stack.enter_context(carried_over(self.path / part, self.run / part, further))
            if (self.work / ENCODED).exists() and not (self.run / ENCODED).exists():
                os.rename(self.work / ENCODED, self.run / ENCODED)
            if finish is not None:
                finish(self.run)
            sync_tree(self.run)
            remove_tree(self.work)
            put_in_place(self.run, self.path, self.old)

    def recover(self) -> None:
        """Gives the old run its place again if nothing took it, and removes what is of no use."""
        if self.old.exists() and not self.path.exists():
            os.rename(self.old, self.path)
        for folder in (self.run, self.old):
            remove_tree(folder)
        if self.work.exists() and {left.name for left in self.work.iterdir()} <= {MADE_FROM}:
            remove_tree(self.work)


@contextmanager
def unfinished_run(path: Path, judgements: pl.DataFrame | None = None, finish: Finish | None = None) -> Iterator[Draft]:
    """A draft to fill that nobody else writes; it takes its place when all went well.

    `finish` gets the complete folder, judgements included, as the last step before. Afterwards only what the same
    command can continue from is left.
    """
    with unfinished_parts(path, {"": judgements}, finish) as draft:
        yield draft


@contextmanager
def unfinished_parts(path: Path, judgements: Judged, finish: Finish | None = None) -> Iterator[Draft]:
    """The same of a run of several parts, each with judgements of its own."""
    path = Path(os.path.realpath(path))
    draft = Draft(path, path.with_name(f"{path.name}{PART}"))
    with _held(draft):
        draft.run.mkdir(PRIVATE_FOLDER)
        yield draft
        draft.place(judgements, finish)


def remove_leftovers(path: Path) -> None:
    """Removes what a killed writer left of a run, unless it can be continued or somebody is writing it."""
    path = Path(os.path.realpath(path))
    part = path.with_name(f"{path.name}{PART}")
    if part.exists():
        with suppress(BusyError), _held(Draft(path, part)):
            pass


@contextmanager
def _held(draft: Draft) -> Iterator[None]:
    with locked_folder(draft.part, f"{draft.path} is being written"):
        draft.recover()
        try:
            yield
        finally:
            draft.recover()
