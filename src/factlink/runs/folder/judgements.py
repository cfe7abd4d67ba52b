"""Judgements of pairs: one SQLite file in the run folder, to which rows are only ever added.

RUN/judgements.sqlite   judgement(id, left, right, verdict, reviewer, note, at, withdraws, checksum)

Taking a judgement back is a new row that names the old one. A row that was acknowledged is on disk: it survives a kill
at any moment, and several processes may write at once. The file is made with the run and copied into the run that
replaces it while nobody can add to it, so a run without one has lost it.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl

from factlink.errors import InputError, RunError
from factlink.runs.folder.judgement_file import (
    JUDGEMENTS,
    PATIENCE,
    PATIENCE_TO_REPLACE,
    WRITTEN,
    begin,
    checksum,
    connect,
    create_judgements,
    has_checksums,
    named_faults,
)
from factlink.runs.folder.manifest import is_before_judgements
from factlink.types import Judgement, Verdict

COLUMNS = ("left", "right", "verdict", "reviewer", "at", "note")
LONGEST_NAME, LONGEST_NOTE = 100, 10_000
TOGETHER = "judged together: "
"""Starts the note of judgements that were made at once."""
_SHOWN = ", ".join(COLUMNS)
_LATEST = f"SELECT max(id) AS id, {_SHOWN} FROM standing {{where}} GROUP BY {{group}} ORDER BY 1"


class Judgements:
    """The judgements of one run; every call opens the file again, so any thread may call."""

    def __init__(self, run: Path, patience: float = PATIENCE) -> None:
        self.path, self._patience = run / JUDGEMENTS, patience

    def add(self, left: str, right: str, verdict: Verdict, reviewer: str, note: str = "") -> int:
        """The number of the new row; saying the same again adds none."""
        _check(reviewer, note)
        with self._writing() as db:
            query = (
                "SELECT id, verdict, note FROM standing WHERE left = ? AND right = ? AND reviewer = ? ORDER BY id DESC"
            )
            said = db.execute(query, (left, right, reviewer)).fetchone()
            if said is not None and said[1:] == (verdict, note):
                return int(said[0])
            return _insert(db, (left, right, verdict, reviewer, note), withdraws=None)

    def add_all(self, rows: Sequence[tuple[str, str, Verdict, str, str]]) -> int:
        """How many of several judgements, as `add` takes them, are new: all of them are added at once, or none."""
        for *_, reviewer, note in rows:
            _check(reviewer, note)
        query = "SELECT verdict, note FROM standing WHERE left = ? AND right = ? AND reviewer = ? ORDER BY id DESC"
        with self._writing() as db:
            new = [
                row for row in rows if db.execute(query, (row[0], row[1], row[3])).fetchone() != (row[2].value, row[4])
            ]
            for row in new:
                _insert(db, row, withdraws=None)
        return len(new)

    def add_together(self, pairs: Sequence[tuple[str, str]], verdict: Verdict, reviewer: str, why: str) -> int:
        """Judges several pairs at once, all or none; those that the reviewer has judged before stay as they are.

        They have one time and one note that starts with TOGETHER, so that they are withdrawn together.
        """
        note, at = f"{TOGETHER}{why}", datetime.now(UTC).isoformat(timespec="microseconds")
        _check(reviewer, note)
        with self._writing() as db:
            query = "SELECT left, right FROM standing WHERE reviewer = ?"
            judged = set(db.execute(query, (reviewer,)).fetchall())
            new = [pair for pair in dict.fromkeys(pairs) if pair not in judged]
            for left, right in new:
                _insert(db, (left, right, verdict, reviewer, note), withdraws=None, at=at)
        return len(new)

    def withdraw_last(self, reviewer: str) -> list[Judgement]:
        """Withdraws the reviewer's latest judgement and returns it, with all that were made together with it.

        What the reviewer said before of those pairs is valid again.
        """
        with self._writing() as db:
            query = f"SELECT id, {_SHOWN} FROM standing WHERE reviewer = ? ORDER BY id DESC LIMIT 1"
            said = db.execute(query, (reviewer,)).fetchall()
            if said and said[0][-1].startswith(TOGETHER):
                query = f"SELECT id, {_SHOWN} FROM standing WHERE reviewer = ? AND at = ? AND note = ? ORDER BY id"
                said = db.execute(query, (reviewer, *said[0][-2:])).fetchall()
            withdrawn = [_judgement(row[1:]) for row in said]
            for row, judgement in zip(said, withdrawn, strict=True):
                _insert(db, (judgement.left, judgement.right, judgement.verdict, reviewer, ""), withdraws=row[0])
            return withdrawn

    def extend(self, said: pl.DataFrame) -> None:
        """Adds judgements in the form of `by_reviewer`, unless the reviewer has judged the pair already."""
        known = self.by_reviewer().select("left", "right", "reviewer")
        new = said.join(known, on=known.columns, how="anti", maintain_order="left").select(COLUMNS)
        with self._writing() as db:
            for left, right, verdict, reviewer, at, note in new.rows():
                _insert(db, (left, right, verdict, reviewer, note), withdraws=None, at=at)

    def of_pair(self, left: str, right: str) -> list[Judgement]:
        """The valid judgement of each reviewer on a pair, oldest first."""
        where = _LATEST.format(where="WHERE left = ? AND right = ?", group="reviewer")
        with named_faults(self.path):
            return [_judgement(row[1:]) for row in self._read(where, (left, right))]

    def by_reviewer(self) -> pl.DataFrame:
        """The valid judgement of each reviewer on each pair."""
        return _frame(self._read(_LATEST.format(where="", group="left, right, reviewer")))

    def overall(self) -> pl.DataFrame:
        """The latest judgement on each pair, by any reviewer."""
        return _frame(self._read(_LATEST.format(where="", group="left, right")))

    def pairs(self, verdict: Verdict) -> pl.DataFrame:
        """The pairs of which that is the latest word."""
        return self.overall().filter(pl.col("verdict") == verdict).select("left", "right")

    def changed_since(self, row: int) -> tuple[int, list[tuple[str, str]]]:
        """The newest row, and the pairs that were judged or withdrawn after `row`."""
        rows = self._read("SELECT id, left, right FROM judgement WHERE id > ? ORDER BY id", (row,))
        return (rows[-1][0] if rows else row), list(dict.fromkeys((left, right) for _, left, right in rows))

    def _read(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        if self._is_missing():
            return []
        with named_faults(self.path), closing(connect(self.path, self._patience)) as db:
            return db.execute(query, values).fetchall()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction that is on disk when it ends well, and never was when it does not."""
        if self._is_missing():
            create_judgements(self.path.parent)
        with named_faults(self.path), closing(begin(self.path, self._patience)) as db:
            if not has_checksums(db):
                db.execute("ALTER TABLE judgement ADD COLUMN checksum TEXT")
            yield db
            db.execute("COMMIT")

    def _is_missing(self) -> bool:
        """Whether there is no file because the run is of a version that made it with the first judgement."""
        if self.path.exists():
            return False
        if not self.path.parent.is_dir():
            raise RunError(f"there is not a run folder {self.path.parent}; judgements are kept in one")
        if not is_before_judgements(self.path.parent):
            raise RunError(f"run {self.path.parent} has lost {JUDGEMENTS}; put it back from a copy")
        return True


@contextmanager
def carried_over(old: Path, new: Path, further: pl.DataFrame | None = None) -> Iterator[None]:
    """The new folder has the judgements of the old one and further ones; inside, nobody can add to the old."""
    create_judgements(new)
    if not (old / JUDGEMENTS).exists():
        _extend(new, further)
        yield
        return
    with named_faults(old / JUDGEMENTS), closing(begin(old / JUDGEMENTS, PATIENCE_TO_REPLACE)):
        with closing(connect(old / JUDGEMENTS)) as source, closing(sqlite3.connect(new / JUDGEMENTS)) as copy:
            source.backup(copy)
        _extend(new, further)
        yield


def _extend(run: Path, further: pl.DataFrame | None) -> None:
    if further is not None and further.height:
        Judgements(run).extend(further)


def _insert(
    db: sqlite3.Connection, said: tuple[str, str, str, str, str], withdraws: int | None, at: str | None = None
) -> int:
    """The number of the new row; said now unless another time is given."""
    number = int(db.execute("SELECT coalesce(max(id), 0) + 1 FROM judgement").fetchone()[0])
    row = (number, *said, at or datetime.now(UTC).isoformat(timespec="milliseconds"), withdraws)
    query = f"INSERT INTO judgement ({', '.join(WRITTEN)}, checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
    db.execute(query, (*row, checksum(row)))
    return number


def _check(reviewer: str, note: str) -> None:
    if not reviewer.strip() or len(reviewer) > LONGEST_NAME:
        raise InputError(f"a reviewer needs a name of 1 to {LONGEST_NAME} characters, found {len(reviewer)}")
    if len(note) > LONGEST_NOTE:
        raise InputError(f"a note has at most {LONGEST_NOTE:,} characters, found {len(note):,}; shorten it")


def _judgement(row: tuple[Any, ...]) -> Judgement:
    left, right, verdict, reviewer, at, note = row
    return Judgement(left, right, Verdict(verdict), reviewer, datetime.fromisoformat(at), note)


def _frame(rows: list[tuple[Any, ...]]) -> pl.DataFrame:
    return pl.DataFrame([row[1:] for row in rows], dict.fromkeys(COLUMNS, pl.String), orient="row")
