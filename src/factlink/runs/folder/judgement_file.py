"""The SQLite file that judgements are kept in: made whole, opened only if it is, and changed by transactions alone.

SQLite keeps no checksums of rows, so each row has its own; rows of earlier versions have none.
"""

import json
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from hashlib import blake2b
from pathlib import Path

from factlink.errors import BusyError, RunError

JUDGEMENTS = "judgements.sqlite"
PATIENCE, PATIENCE_TO_REPLACE = 5.0, 300.0
"""Seconds to wait for other writers: of a person who judges, and of a run that took long to make."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS judgement (
    id INTEGER PRIMARY KEY,
    left TEXT NOT NULL,
    right TEXT NOT NULL,
    verdict TEXT NOT NULL CHECK (verdict IN ('match', 'unknown', 'non-match')),
    reviewer TEXT NOT NULL CHECK (reviewer <> ''),
    note TEXT NOT NULL,
    at TEXT NOT NULL,
    withdraws INTEGER REFERENCES judgement (id),
    checksum TEXT
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
WRITTEN = ("id", "left", "right", "verdict", "reviewer", "note", "at", "withdraws")
"""What the checksum of a row is of."""

_ROWS = f"SELECT checksum, {', '.join(WRITTEN)} FROM judgement WHERE checksum IS NOT NULL"
_sound: dict[tuple[int, int], tuple[int, int]] = {}
"""Files that this process has checked, by device and inode: when they were last changed, and their size."""


def create_judgements(run: Path) -> None:
    """An empty file of judgements, there with its tables or not at all; one that another process has made stays."""
    descriptor, name = tempfile.mkstemp(dir=run, prefix=f".{JUDGEMENTS}.")
    os.close(descriptor)
    part = Path(name)
    try:
        with named_faults(part), closing(sqlite3.connect(part, isolation_level=None)) as db:
            db.execute("PRAGMA synchronous = FULL")
            db.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} COMMIT;")
        with suppress(FileExistsError):
            os.link(part, run / JUDGEMENTS)
    finally:
        part.unlink()


def begin(path: Path, patience: float) -> sqlite3.Connection:
    """A connection with a transaction on the file of that name: its run may be replaced while one waits."""
    while True:
        before = path.stat()
        db = connect(path, patience)
        with _closed_if_it_fails(db):
            db.execute("BEGIN IMMEDIATE")
            if os.path.samestat(before, path.stat()):
                return db
        db.close()


def connect(path: Path, patience: float = PATIENCE) -> sqlite3.Connection:
    """A connection to a file that holds judgements; nothing is created."""
    if not path.stat().st_size:
        raise RunError(f"{path} is empty (0 bytes): its judgements are lost; put it back from a copy")
    db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", timeout=patience, isolation_level=None, uri=True)
    with _closed_if_it_fails(db):
        db.execute("PRAGMA synchronous = FULL")
        if db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'never_deleted'").fetchone() is None:
            raise RunError(f"{path} holds no judgements; put it back from a copy")
        check_rows(db, path)
    return db


@contextmanager
def _closed_if_it_fails(db: sqlite3.Connection) -> Iterator[None]:
    try:
        yield
    except BaseException:
        db.close()
        raise


@contextmanager
def named_faults(path: Path) -> Iterator[None]:
    """Faults of the file as sentences that name it."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise BusyError(f"{path} is being written by another process; try again") from None
        raise RunError(f"{path} cannot be used ({error}); check the disk and the permissions") from None
    except (sqlite3.Error, ValueError) as error:
        raise RunError(f"{path} is damaged ({error}); put it back from a copy") from None


def checksum(row: tuple[object, ...]) -> str:
    """Of a row as WRITTEN."""
    return blake2b(json.dumps(row).encode(), digest_size=8).hexdigest()


def has_checksums(db: sqlite3.Connection) -> bool:
    """Whether the file is of a version that writes them; rows of one that did not have none."""
    return any(column[1] == "checksum" for column in db.execute("PRAGMA table_info(judgement)"))


def check_rows(db: sqlite3.Connection, path: Path) -> None:
    """An error if the file or one of its rows is not as it was written; a file that has not changed is checked once."""
    status = path.stat()
    file, state = (status.st_dev, status.st_ino), (status.st_mtime_ns, status.st_size)
    if _sound.get(file) == state:
        return
    if (found := db.execute("PRAGMA integrity_check(1)").fetchone()[0]) != "ok":
        raise _damaged(path, found)
    count, last = db.execute("SELECT count(*), coalesce(max(id), 0) FROM judgement").fetchone()
    if count != last:  # rows are numbered from 1, and none is ever deleted
        raise _damaged(path, f"it holds {count} of {last} rows")
    for written, *row in db.execute(_ROWS) if has_checksums(db) else ():
        if checksum(tuple(row)) != written:
            raise _damaged(path, f"row {row[0]} is not as it was written")
    _sound[file] = state


def _damaged(path: Path, how: str) -> RunError:
    return RunError(f"{path} is damaged ({how}); put it back from a copy")
