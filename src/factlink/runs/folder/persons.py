"""The persons of a run: all accounts, by the person that they are held to be.

RUN/persons.parquet   person, network, user, probability: that the account belongs to that person
RUN/persons.csv       the same with names, for people
RUN/splits.parquet    links that join no person, if any: network, user, other_network, other_user, probability, mean,
                      reason
RUN/history.parquet   what became of persons of earlier runs in this place, if anything: person, change, other
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import polars as pl

from factlink.data.tables import write_table
from factlink.decision.decisions import DecisionRule
from factlink.errors import RunError
from factlink.explanations.user_names import pick_best
from factlink.persons.clustering import SAID, make_persons
from factlink.persons.cycles import open_triangles
from factlink.persons.identities import NO_HISTORY, NO_MEMBERS, name_persons, record_changes
from factlink.persons.ties import Accounts, Ties
from factlink.runs.folder.listing import DIGITS, read_names
from factlink.runs.folder.store import read_links
from factlink.types import Decision, LinkSource

PERSONS, LISTED, SPLITS, HISTORY = "persons.parquet", "persons.csv", "splits.parquet", "history.parquet"


@dataclass(frozen=True, slots=True)
class Compared:
    """Networks of a run with the folders that hold them, and the links of those that were compared."""

    names: Sequence[str]
    folders: Sequence[Path]  # by network: a network folder
    links: Mapping[tuple[int, int], Path]  # by left and right network: the folder that holds links.parquet
    single: bool = True  # whether a person has one account per network at most
    refused: Mapping[tuple[int, int], pl.DataFrame] = field(default_factory=dict)  # left, right: judged non-matches


def save_pair_persons(run: Path, names: tuple[str, str], rule: DecisionRule, earlier: Path | None) -> None:
    """The persons of a run of two networks."""
    folders = [run / "left", run / "right"]
    save_persons(run, Compared(names, folders, {(0, 1): run}, rule.one_to_one), earlier)


def save_own_persons(run: Path, name: str, earlier: Path | None) -> None:
    """The persons of a run within one network, who may have several accounts there."""
    save_persons(run, Compared([name], [run / "left"], {(0, 0): run}, single=False), earlier)


def save_persons(run: Path, compared: Compared, earlier: Path | None) -> pl.DataFrame:
    """Writes persons from the links; ids are those of an earlier run as far as its persons are still there."""
    accounts = _accounts(compared)
    ties, joint = _ties(compared, accounts), accounts.select("network", "user")
    persons = make_persons(ties, _joint(compared, accounts))
    before, history = read_earlier(earlier)
    used = history["person"].to_list()
    ids = name_persons(joint, persons.numbers, before, used)
    members = joint.select(pl.Series(ids).alias("person"), "network", "user").with_columns(
        probability=pl.Series(persons.probabilities, dtype=pl.Float32)
    )
    members = members[np.argsort(persons.numbers, kind="stable")]
    write_table(members, run / PERSONS)
    write_table(_listed(members, compared), run / LISTED)
    if persons.splits.height:
        write_table(_with_users(persons.splits, joint), run / SPLITS)
    history = pl.concat([history, record_changes(before, members)]).unique(maintain_order=True)
    if history.height:
        write_table(history, run / HISTORY)
    return members


def read_persons(run: Path) -> pl.DataFrame:
    """Columns MEMBERS, by person."""
    if not (run / PERSONS).exists():
        raise RunError(f"run {run} holds no persons, for an earlier version made it; link again with --overwrite")
    return pl.read_parquet(run / PERSONS)


def list_disagreements(compared: Compared) -> pl.DataFrame:
    """Triangles of links that do not close, the weakest link first: three accounts and how likely each pair is."""
    accounts = _accounts(compared)
    found = open_triangles(_ties(compared, accounts), _joint(compared, accounts))
    columns: dict[str, pl.Series] = {}
    for corner in ("first", "middle", "third"):
        users = accounts[found[corner].to_numpy()]
        columns |= {f"{corner}_network": users["network"], corner: users["user"]}
    figures = ("first_probability", "third_probability", "probability", "weakest")
    return found.select(*(column.alias(name) for name, column in columns.items()), *figures)


def read_splits(run: Path) -> pl.DataFrame:
    """Links that join no person; none where the run has none."""
    return pl.read_parquet(run / SPLITS) if (run / SPLITS).exists() else _with_users(NO_SPLITS, NO_MEMBERS)


def read_earlier(run: Path | None) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Members and history of an earlier run, if there is one that has them; refuses files that cannot be read."""
    if run is None:
        return NO_MEMBERS, NO_HISTORY
    return _read_or(run / PERSONS, NO_MEMBERS), _read_or(run / HISTORY, NO_HISTORY)


def _read_or(file: Path, nothing: pl.DataFrame) -> pl.DataFrame:
    if not file.exists():
        return nothing
    try:
        return pl.read_parquet(file, columns=nothing.columns)
    except (pl.exceptions.PolarsError, OSError) as error:
        reason = str(error).partition("\n")[0]
        raise RunError(
            f"{file} is damaged ({reason}), and persons would get other ids; put it back from a copy, or remove it"
        ) from None


NO_SPLITS = pl.DataFrame(
    schema={"first": pl.Int64, "second": pl.Int64, "probability": pl.Float32, "mean": pl.Float32, "reason": pl.String}
)


def _accounts(compared: Compared) -> pl.DataFrame:
    """Columns place, network, user, row: all accounts by network and then id, so that their order lasts."""
    parts = [
        pl.read_parquet(folder / "users.parquet", columns=["id"]).select(
            place=pl.lit(place, pl.Int64), network=pl.lit(name), user="id"
        )
        for place, (name, folder) in enumerate(zip(compared.names, compared.folders, strict=True))
    ]
    return pl.concat(parts).sort("place", "user").with_row_index("row").cast({"row": pl.Int64})


def _joint(compared: Compared, accounts: pl.DataFrame) -> Accounts:
    sizes = [int((accounts["place"] == place).sum()) for place in range(len(compared.names))]
    return Accounts.of_sizes(sizes, [*compared.links], single=compared.single)


def _ties(compared: Compared, accounts: pl.DataFrame) -> Ties:
    """The chosen pair of each left user as a tie between joint rows."""
    empty = pl.DataFrame(
        schema={"first": pl.Int64, "second": pl.Int64, "probability": pl.Float32, "linked": pl.Boolean}
    )
    ties = pl.concat([empty, *(_pair_ties(places, compared, accounts) for places in compared.links)])
    return Ties(*(ties[column].to_numpy() for column in empty.columns))


def _pair_ties(places: tuple[int, int], compared: Compared, accounts: pl.DataFrame) -> pl.DataFrame:
    links = read_links(compared.links[places]).filter(pl.col("right").is_not_null())
    linked = pl.col("decision") == Decision.LINK.value
    likely = pl.col("probability").fill_null(pl.when(linked).then(1.0).otherwise(0.0)).cast(pl.Float32)
    given = linked & pl.col("source").is_in([LinkSource.KNOWN.value, LinkSource.JUDGED.value])
    chosen = links.select("left", "right", probability=pl.when(given).then(SAID).otherwise(likely), linked=linked)
    refused = compared.refused.get(places, chosen.clear()).select("left", "right")
    if places[0] == places[1]:
        refused = pl.concat([refused, refused.select(left="right", right="left")])
    apart = refused.with_columns(probability=pl.lit(-SAID), linked=pl.lit(value=False))
    chosen = chosen.join(refused, on=["left", "right"], how="anti", maintain_order="left")
    left, right = (accounts.filter(place=place).select("user", "row") for place in places)
    rows = pl.concat([part.cast({"probability": pl.Float32}) for part in (chosen, apart)])
    rows = rows.join(left.rename({"row": "first"}), left_on="left", right_on="user", maintain_order="left").join(
        right.rename({"row": "second"}), left_on="right", right_on="user", maintain_order="left"
    )
    return rows.select("first", "second", "probability", "linked")


def _listed(members: pl.DataFrame, compared: Compared) -> pl.DataFrame:
    names = [
        pick_best(read_names(folder), "user").with_columns(network=pl.lit(name))
        for name, folder in zip(compared.names, compared.folders, strict=True)
    ]
    named = members.join(pl.concat(names), on=["network", "user"], how="left", maintain_order="left")
    probability = pl.col("probability").cast(pl.Float64).round(DIGITS)
    return named.select("person", "network", "user", "name", probability)


def _with_users(splits: pl.DataFrame, joint: pl.DataFrame) -> pl.DataFrame:
    """Splits with networks and users in place of rows."""
    first, second = (joint[splits[column].to_numpy()] for column in ("first", "second"))
    return splits.select(
        first["network"],
        first["user"],
        second["network"].alias("other_network"),
        second["user"].alias("other_user"),
        "probability",
        "mean",
        "reason",
    )
