"""The links of a run as people read them: ids, names, probability, decision, runner-up and a sentence of evidence.

RUN/links.csv   the same, for spreadsheets; cells that a spreadsheet would compute are guarded
"""

import json
from pathlib import Path

import polars as pl

from factlink.data.tables import write_table
from factlink.explanations.explain import EVIDENCE as EVIDENCE_COLUMNS
from factlink.explanations.sentences import OwnedNames, evidence_sentences
from factlink.explanations.user_names import pick_best
from factlink.runs.folder.friends import count_linked_friends
from factlink.runs.folder.store import EVIDENCE, read_links
from factlink.types import Kind

LISTING = "links.csv"
COLUMNS = (
    "left", "left_name", "right", "right_name", "probability", "decision", "runner_up", "runner_up_name", "evidence",
)  # fmt: skip
DIGITS = 6
"""Of a probability."""


def save_listing(run: Path) -> None:
    """Writes links.csv from what else is in the run folder."""
    write_table(list_links(run), run / LISTING)


def list_links(run: Path) -> pl.DataFrame:
    """Columns COLUMNS: one row for each left user, in the order of the run."""
    links = read_links(run)
    names = read_names(run / "left"), read_names(run / "right")
    left, right = (pick_best(each, "user") for each in names)
    shown = _named(_named(_named(links, "left", left), "right", right), "runner_up", right)
    mine, theirs = (OwnedNames.folded(each) for each in names)
    sentences = evidence_sentences(count_linked_friends(run, links), mine, theirs, _kept_evidence(run))
    probability = pl.col("probability").cast(pl.Float64).round(DIGITS)
    return shown.with_columns(probability, evidence=sentences).select(COLUMNS)


def read_names(folder: Path) -> pl.DataFrame:
    """Columns user and name: all names that the users of a network have."""
    kinds = json.loads((folder / "kinds.json").read_text("utf-8"))
    columns = [predicate for predicate, kind in kinds.items() if kind == Kind.NAME]
    table = pl.read_parquet(folder / "users.parquet", columns=["id", *columns])
    parts = [_one_a_row(table.select(user="id", name=pl.col(column))) for column in columns]
    return pl.concat([pl.DataFrame(schema={"user": pl.String, "name": pl.String}), *parts]).drop_nulls()


def _named(links: pl.DataFrame, side: str, names: pl.DataFrame) -> pl.DataFrame:
    """Links with the name of each user of a column."""
    named = names.select(pl.col("user").alias(side), pl.col("name").alias(f"{side}_name"))
    return links.join(named, on=side, how="left", maintain_order="left")


def _one_a_row(names: pl.DataFrame) -> pl.DataFrame:
    return names.explode("name") if isinstance(names["name"].dtype, pl.List) else names


def _kept_evidence(run: Path) -> pl.DataFrame:
    if not (run / EVIDENCE).exists():
        return pl.DataFrame(schema=EVIDENCE_COLUMNS)
    return pl.read_parquet(run / EVIDENCE)
