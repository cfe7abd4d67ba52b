"""Judgements without those on an account: the one way in which rows ever leave, for the person whose data they are.

Rows that stay are numbered anew and get new checksums, in a new file, so that nothing of the old ones is left in it.
"""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from factlink.runs.folder.judgement_file import JUDGEMENTS, WRITTEN, checksum, connect, create_judgements, named_faults

_PLACES = {name: place for place, name in enumerate(WRITTEN)}


def remove_judgements(run: Path, is_gone: Callable[[str, str], bool], is_telling: Callable[[str], bool]) -> int:
    """Removes the judgements of some pairs from a run that nobody else writes, and empties notes that tell; how many.

    `is_gone` takes the left and the right user of a judgement, `is_telling` a note.
    """
    path = run / JUDGEMENTS
    with named_faults(path), closing(connect(path)) as db:
        rows = db.execute(f"SELECT {', '.join(WRITTEN)} FROM judgement ORDER BY id").fetchall()
    kept = [row for row in rows if not is_gone(row[_PLACES["left"]], row[_PLACES["right"]])]
    numbers = {row[0]: place for place, row in enumerate(kept, 1)}
    path.unlink()
    create_judgements(run)
    query = f"INSERT INTO judgement ({', '.join(WRITTEN)}, checksum) VALUES ({', '.join('?' * (len(WRITTEN) + 1))})"
    with named_faults(path), closing(sqlite3.connect(path)) as db, db:
        for number, left, right, verdict, reviewer, note, at, withdraws in kept:
            written = (numbers[number], left, right, verdict, reviewer, "" if is_telling(note) else note, at)
            row = (*written, numbers.get(withdraws))
            db.execute(query, (*row, checksum(row)))
    return len(rows) - len(kept)
