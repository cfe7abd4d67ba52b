"""The persons of any run as people look at them."""

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from factlink.data.tables import read_table
from factlink.persons.cycles import ask_first
from factlink.runs.folder.persons import LISTED, Compared, list_disagreements, read_earlier, read_persons, read_splits
from factlink.runs.folder.several import compared_networks, is_several, load_several
from factlink.runs.folder.store import load_manifest


@dataclass(frozen=True, slots=True, eq=False)
class GatheredPersons:
    """Persons with their names, and what is doubtful about them."""

    run: Path
    names: tuple[str, ...]  # of the networks
    members: pl.DataFrame  # person, network, user, name, probability
    splits: pl.DataFrame
    disagreements: pl.DataFrame
    asks: pl.DataFrame  # the links to judge first: the weakest of those that disagree
    history: pl.DataFrame

    def sizes(self) -> list[tuple[int, int]]:
        """How many accounts, and how many persons have so many."""
        counts = self.members.group_by("person").len()["len"].value_counts(name="persons").sort("len")
        return [(int(accounts), int(persons)) for accounts, persons in counts.iter_rows()]


def gather_persons(run: Path) -> GatheredPersons:
    """Persons, splits, disagreements and history of a run of two networks or more."""
    compared = _compared(run)
    read_persons(run)
    members, disagreements = read_table(run / LISTED, str(run / LISTED)), list_disagreements(compared)
    return GatheredPersons(
        run,
        tuple(compared.names),
        members.with_columns(pl.col("probability").cast(pl.Float64)),
        read_splits(run),
        disagreements,
        ask_first(disagreements),
        read_earlier(run)[1],
    )


def _compared(run: Path) -> Compared:
    if is_several(run):
        manifest = load_several(run)
        single = bool(manifest.notes["decision_rule"]["one_to_one"])
        return compared_networks(run, manifest.names, manifest.pairs, single=single)
    made = load_manifest(run)
    return Compared((made.left.name, made.right.name), (run / "left", run / "right"), {(0, 1): run})
