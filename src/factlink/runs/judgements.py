"""What people said of pairs: one SQLite file in the run folder, to which rows are only ever added.

RUN/judgements.sqlite   judgement(id, left, right, verdict, reviewer, note, at, withdraws)

Taking a judgement back is a new row that names the old one. A row that was acknowledged is on disk: it survives a kill
at any moment, and several processes may write at once.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl

from factlink.errors import BusyError, InputError, RunError
from factlink.types import Judgement, Verdict

JUDGEMENTS = "judgements.sqlite"
COLUMNS = ("left", "right", "verdict", "reviewer", "at", "note")
LONGEST_NAME, LONGEST_NOTE = 100, 10_000
PATIENCE = 30.0
"""Seconds to wait for another process that is writing."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS judgement (
    id INTEGER PRIMARY KEY,
    left TEXT NOT NULL,
    right TEXT NOT NULL,
    verdict TEXT NOT NULL CHECK (verdict IN ('match', 'unknown', 'non-match')),
    reviewer TEXT NOT NULL CHECK (reviewer <> ''),
    note TEXT NOT NULL,
    at TEXT NOT NULL,
    withdraws INTEGER REFERENCES judgement (id)
);
CREATE INDEX IF NOT EXISTS judgement_of_pair ON judgement (left, right);
CREATE INDEX IF NOT EXISTS judgement_of_reviewer ON judgement (reviewer, id);
CREATE UNIQUE INDEX IF NOT EXISTS withdrawn_once ON judgement (withdraws) WHERE withdraws IS NOT NULL;
CREATE VIEW IF NOT EXISTS standing AS
    SELECT * FROM judgement AS said WHERE withdraws IS NULL
    AND NOT EXISTS (SELECT 1 FROM judgement AS later WHERE later.withdraws = said.id);
CREATE TRIGGER IF NOT EXISTS never_changed BEFORE UPDATE ON judgement
    BEGIN SELECT RAISE (ABORT, 'judgements are only ever added'); END;
CREATE TRIGGER IF NOT EXISTS never_deleted BEFORE DELETE ON judgement
    BEGIN SELECT RAISE (ABORT, 'judgements are only ever added'); END;
"""
_SHOWN = ", ".join(COLUMNS)
_LATEST = f"SELECT max(id) AS id, {_SHOWN} FROM standing {{where}} GROUP BY {{group}} ORDER BY 1"


class Judgements:
    """The judgements of one run; every call opens the file anew, so any thread may call."""

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

    def withdraw_last(self, reviewer: str) -> Judgement | None:
        """The reviewer's latest judgement, now withdrawn: what was said of the pair before holds again."""
        with self._writing() as db:
            query = f"SELECT id, {_SHOWN} FROM standing WHERE reviewer = ? ORDER BY id DESC LIMIT 1"
            said = db.execute(query, (reviewer,)).fetchone()
            if said is None:
                return None
            judgement = _judgement(said[1:])
            _insert(db, (judgement.left, judgement.right, judgement.verdict, reviewer, ""), withdraws=said[0])
            return judgement

    def extend(self, said: pl.DataFrame) -> None:
        """Adds judgements as `by_reviewer` gives them, where their reviewer has said nothing of the pair yet."""
        known = self.by_reviewer().select("left", "right", "reviewer")
        new = said.join(known, on=known.columns, how="anti", maintain_order="left").select(COLUMNS)
        with self._writing() as db:
            query = f"INSERT INTO judgement ({_SHOWN}) VALUES (?, ?, ?, ?, ?, ?)"
            db.executemany(query, new.rows())

    def of_pair(self, left: str, right: str) -> list[Judgement]:
        """What each reviewer says of a pair now, in the order it was said."""
        where = _LATEST.format(where="WHERE left = ? AND right = ?", group="reviewer")
        return [_judgement(row[1:]) for row in self._read(where, (left, right))]

    def by_reviewer(self) -> pl.DataFrame:
        """What each reviewer says of each pair now."""
        return _frame(self._read(_LATEST.format(where="", group="left, right, reviewer")))

    def overall(self) -> pl.DataFrame:
        """The latest word on each pair, whoever said it."""
        return _frame(self._read(_LATEST.format(where="", group="left, right")))

    def pairs(self, verdict: Verdict) -> pl.DataFrame:
        """The pairs of which that is the latest word."""
        return self.overall().filter(pl.col("verdict") == verdict).select("left", "right")

    def changed_since(self, row: int) -> tuple[int, list[tuple[str, str]]]:
        """The newest row, and the pairs of which something was said or withdrawn after `row`."""
        rows = self._read("SELECT id, left, right FROM judgement WHERE id > ? ORDER BY id", (row,))
        return (rows[-1][0] if rows else row), list(dict.fromkeys((left, right) for _, left, right in rows))

    def _read(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        if not self.path.exists():
            return []
        with _sentences(self.path), closing(_connect(self.path, self._patience)) as db:
            return db.execute(query, values).fetchall()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction that is on disk when it ends well, and never was when it does not."""
        if not self.path.parent.is_dir():
            raise RunError(f"there is no run folder {self.path.parent}; judgements are kept in one")
        with _sentences(self.path), closing(_connect(self.path, self._patience)) as db:
            db.execute("BEGIN IMMEDIATE")
            yield db
            db.execute("COMMIT")


def move_judgements(old: Path, new: Path) -> None:
    """Moves the file, as open connections know it, to a folder that is about to take the place of the old one."""
    if not (old / JUDGEMENTS).exists():
        return
    for ending in ("", "-journal"):
        (new / f"{JUDGEMENTS}{ending}").unlink(missing_ok=True)
        if (old / f"{JUDGEMENTS}{ending}").exists():
            (old / f"{JUDGEMENTS}{ending}").rename(new / f"{JUDGEMENTS}{ending}")


@contextmanager
def _sentences(path: Path) -> Iterator[None]:
    """Inside, what SQLite cannot do becomes a sentence: whether to wait, or to look after the file."""
    try:
        yield
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", None) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise BusyError(f"{path} is being written by another process; try again when that is done") from None
        raise RunError(f"{path} cannot be used ({error}); move it away, or restore it from a copy") from None


def _connect(path: Path, patience: float) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=patience, isolation_level=None)
    try:
        db.execute("PRAGMA synchronous = FULL")
        if db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'never_deleted'").fetchone() is None:
            db.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} COMMIT;")
    except BaseException:
        db.close()
        raise
    return db


def _insert(db: sqlite3.Connection, said: tuple[str, str, str, str, str], withdraws: int | None) -> int:
    at = datetime.now(UTC).isoformat(timespec="milliseconds")
    query = "INSERT INTO judgement (left, right, verdict, reviewer, note, at, withdraws) VALUES (?, ?, ?, ?, ?, ?, ?)"
    return int(db.execute(query, (*said, at, withdraws)).lastrowid or 0)


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
