"""Judgements made elsewhere: a table of pairs and verdicts, checked as a whole before any of it is kept.

Parquet, CSV or JSONL with the columns `left`, `right` and `verdict`, and perhaps `reviewer` and `note`.
"""

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from factlink.data.columns import texts
from factlink.data.tables import read_table, require_columns
from factlink.errors import InputError
from factlink.runs.folder.judgements import LONGEST_NAME, LONGEST_NOTE, Judgements
from factlink.runs.folder.store import load_run
from factlink.types import Network, Verdict

_WANTED = {
    "left": "the users of the left network",
    "right": "the users of the right network",
    "verdict": f"what was said of each pair ({', '.join(Verdict)})",
}


@dataclass(frozen=True, slots=True)
class Imported:
    """How many judgements a file holds, and how many of them had not been made."""

    judgements: int
    new: int


def import_judgements(run: Path, path: Path, reviewer: str) -> Imported:
    """Adds all judgements of a file to a run, or none; those without a reviewer column are the named reviewer's."""
    loaded = load_run(run)
    said = _read_judgements(path, reviewer)
    for side, network in (("left", loaded.left), ("right", loaded.right)):
        _refuse_unknown_users(path, said, side, network)
    _refuse_verdicts(path, said)
    _refuse_reviewers(path, said)
    _refuse_repetitions(path, said)
    rows = [(left, right, Verdict(verdict), who, note) for left, right, verdict, who, note in said.rows()]
    return Imported(len(rows), Judgements(run).add_all(rows))


def _read_judgements(path: Path, reviewer: str) -> pl.DataFrame:
    """left, right, verdict, reviewer, note as text; null where a cell is empty, but no note is an empty one."""
    table = read_table(path, str(path))
    require_columns(table, _WANTED, str(path))
    if not table.height:
        raise InputError(f"{path} holds no judgements; give a left user, a right user and a verdict on each row")
    said = pl.DataFrame({column: texts(table[column], str(path)) for column in _WANTED})
    reviewers = texts(table["reviewer"], str(path)) if "reviewer" in table.columns else pl.lit(reviewer)
    notes = texts(table["note"], str(path)).fill_null("") if "note" in table.columns else pl.lit("")
    return said.with_columns(reviewer=reviewers, note=notes)


def _refuse_unknown_users(path: Path, said: pl.DataFrame, side: str, network: Network) -> None:
    row = _first(pl.Series(network.rows_of(said[side]) < 0))
    if row is None:
        return
    user = said[side][row]
    if user is None:
        raise InputError(f"{path} row {row + 1}: the {side} user is empty; name both users of the pair")
    raise InputError(
        f"{path} row {row + 1}: {side} user '{user}' is not in network '{network.name}'; ids are matched exactly"
    )


def _refuse_verdicts(path: Path, said: pl.DataFrame) -> None:
    wrong = _first(~said["verdict"].is_in([each.value for each in Verdict]).fill_null(value=False))
    if wrong is not None:
        found = said["verdict"][wrong] or ""
        raise InputError(f"{path} row {wrong + 1}: no verdict is called '{found}'; there are: {', '.join(Verdict)}")


def _refuse_reviewers(path: Path, said: pl.DataFrame) -> None:
    lengths = said["reviewer"].fill_null("").str.strip_chars().str.len_chars()
    wrong = _first((lengths == 0) | (lengths > LONGEST_NAME))
    if wrong is not None:
        raise InputError(
            f"{path} row {wrong + 1}: the reviewer's name has {lengths[wrong]} characters; it needs 1 to {LONGEST_NAME}"
        )
    longer = _first(said["note"].str.len_chars() > LONGEST_NOTE)
    if longer is not None:
        raise InputError(f"{path} row {longer + 1}: the note has more than {LONGEST_NOTE:,} characters; shorten it")


def _refuse_repetitions(path: Path, said: pl.DataFrame) -> None:
    """Refuses two judgements of one reviewer on a pair: a file does not show which came later."""
    again = _first(~said.select(pl.struct("left", "right", "reviewer").is_first_distinct()).to_series())
    if again is None:
        return
    left, right, verdict, reviewer, _ = said.row(again)
    first = said.with_row_index().filter(left=left, right=right, reviewer=reviewer).row(0, named=True)
    same = first["verdict"] == verdict
    found = (
        "repeats" if same else f"says '{verdict}' of '{left}' and '{right}', which contradicts '{first['verdict']}' in"
    )
    raise InputError(
        f"{path} row {again + 1} {found} row {first['index'] + 1} by reviewer '{reviewer}'; drop one of them"
    )


def _first(wrong: pl.Series) -> int | None:
    """The first row that is wrong."""
    rows = wrong.arg_true()
    return int(rows[0]) if len(rows) else None
