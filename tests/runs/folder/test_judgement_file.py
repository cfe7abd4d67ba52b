"""A file of judgements that is no longer as it was written says so, in one sentence."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from factlink.errors import RunError
from factlink.runs.folder.judgement_file import JUDGEMENTS, checksum, create_judgements
from factlink.runs.folder.judgements import Judgements
from factlink.types import Verdict

BEFORE_CHECKSUMS = """
CREATE TABLE judgement (id INTEGER PRIMARY KEY, left TEXT NOT NULL, right TEXT NOT NULL, verdict TEXT NOT NULL,
    reviewer TEXT NOT NULL, note TEXT NOT NULL, at TEXT NOT NULL, withdraws INTEGER REFERENCES judgement (id));
CREATE VIEW standing AS SELECT * FROM judgement AS said WHERE withdraws IS NULL
    AND NOT EXISTS (SELECT 1 FROM judgement AS later WHERE later.withdraws = said.id);
CREATE TRIGGER never_deleted BEFORE DELETE ON judgement BEGIN SELECT RAISE (ABORT, 'only ever added'); END;
INSERT INTO judgement VALUES (1, 'a', 'x', 'match', 'ann', '', '2024-01-01T00:00:00+00:00', NULL);
"""


@pytest.fixture
def store(tmp_path: Path) -> Judgements:
    create_judgements(tmp_path)
    store = Judgements(tmp_path)
    store.add("amy", "amy.tan", Verdict.MATCH, "ann", "same dog")
    store.add("bob", "robert", Verdict.NON_MATCH, "ann")
    store.withdraw_last("ann")
    return store


def damage(store: Judgements, statement: str) -> None:
    """Past what the file itself refuses."""
    with closing(sqlite3.connect(store.path, isolation_level=None)) as db:
        db.executescript(f"DROP TRIGGER never_changed; DROP TRIGGER never_deleted; {statement}")
        db.executescript("CREATE TRIGGER never_deleted BEFORE DELETE ON judgement BEGIN SELECT 1; END;")


@pytest.mark.parametrize(
    ("change", "row"),
    [
        ("verdict = 'non-match' WHERE id = 1", 1),
        ("left = 'bmy' WHERE id = 1", 1),
        ("right = 'amy.tao' WHERE id = 1", 1),
        ("reviewer = 'anm' WHERE id = 2", 2),
        ("note = 'same dag' WHERE id = 1", 1),
        ("at = '2024-01-01T00:00:00.000+00:00' WHERE id = 2", 2),
        ("withdraws = 1 WHERE id = 3", 3),
        ("withdraws = NULL WHERE id = 3", 3),
        ("checksum = '0123456789abcdef' WHERE id = 3", 3),
    ],
)
def test_a_row_that_is_not_as_it_was_written_is_named(store: Judgements, change: str, row: int) -> None:
    damage(store, f"UPDATE judgement SET {change};")
    said = rf"judgements.sqlite is damaged \(row {row} is not as it was written\); put it back from a copy"
    with pytest.raises(RunError, match=said):
        store.overall()
    with pytest.raises(RunError, match=said):
        store.add("cid", "cyd", Verdict.MATCH, "ann")


def test_a_row_that_is_gone_is_missed(store: Judgements) -> None:
    damage(store, "DELETE FROM judgement WHERE id = 2;")
    with pytest.raises(RunError, match=r"is damaged \(it holds 2 of 3 rows\); put it back from a copy"):
        store.by_reviewer()


def test_a_flipped_bit_is_seen_in_rows_and_in_indexes(store: Judgements) -> None:
    content = store.path.read_bytes()
    places = [each.start() for each in re.finditer(b"bobrobert", content)]
    assert len(places) == 4  # the judgement and its withdrawal, each as a row and by its pair
    for place in places:
        store.path.write_bytes(content[:place] + b"c" + content[place + 1 :])
        with pytest.raises(RunError, match="is damaged"):
            store.overall()


def test_a_file_of_an_earlier_version_is_read_and_what_is_added_to_it_is_checked(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / JUDGEMENTS, isolation_level=None)) as db:
        db.executescript(BEFORE_CHECKSUMS)
    store = Judgements(tmp_path)
    assert [said.verdict for said in store.of_pair("a", "x")] == [Verdict.MATCH]
    assert store.add("b", "y", Verdict.MATCH, "ann") == 2
    assert store.overall()["left"].to_list() == ["a", "b"]
    with closing(sqlite3.connect(store.path, isolation_level=None)) as db:
        assert [row[0] is None for row in db.execute("SELECT checksum FROM judgement ORDER BY id")] == [True, False]
        db.execute("UPDATE judgement SET verdict = 'unknown' WHERE id = 2")
    with pytest.raises(RunError, match="row 2 is not as it was written"):
        store.overall()


def test_a_checksum_is_of_every_column_apart() -> None:
    row = (1, "a", "x", "match", "ann", "", "2024-01-01T00:00:00+00:00", None)
    assert checksum(row) == checksum(tuple(row))
    assert checksum((1, "ax", "", *row[3:])) != checksum((1, "a", "x", *row[3:]))
    assert checksum((*row[:-1], 0)) != checksum(row)
