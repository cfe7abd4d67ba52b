"""Lasting ids of persons: a person keeps its id while accounts come, go or change their links.

An id is made from the accounts of a person when it first appears. When persons are made again, each earlier id goes
to the new person that holds most of its accounts; ids left over are retired, and never given to anybody else.
"""

import hashlib
from collections.abc import Collection

import polars as pl

from factlink.types import Ints

MEMBERS = pl.Schema({"person": pl.String, "network": pl.String, "user": pl.String, "probability": pl.Float32})
"""Persons as columns: one row for each account."""

HISTORY = pl.Schema({"person": pl.String, "change": pl.String, "other": pl.String})
"""What became of earlier persons: merged into another, split into others too, or gone."""

MERGED, SPLIT, GONE = "merged", "split", "gone"
NO_MEMBERS, NO_HISTORY = pl.DataFrame(schema=MEMBERS), pl.DataFrame(schema=HISTORY)
LETTERS = 12
"""Of an id: 48 bits, so that a hundred million persons share none by chance more often than not in 20 runs."""


def name_persons(
    accounts: pl.DataFrame, numbers: Ints, earlier: pl.DataFrame = NO_MEMBERS, used: Collection[str] = ()
) -> pl.Series:
    """(n,): the id of the person of each account; `accounts` has columns network and user, in a lasting order.

    `earlier` are the members of persons named before; `used` are ids that are not to be given again.
    """
    found = accounts.select("network", "user").with_columns(number=pl.Series(numbers, dtype=pl.Int64))
    kept = _kept_ids(found, earlier)
    new = found.join(kept, on="number", how="anti", maintain_order="left")
    taken = {*used, *earlier["person"]}
    made = [_new_id(members, taken) for members in _members(new)]
    numbers_of_new = new["number"].unique(maintain_order=True)
    ids = pl.concat([kept, pl.DataFrame({"number": numbers_of_new, "person": pl.Series(made, dtype=pl.String)})])
    return found.join(ids, on="number", how="left", maintain_order="left")["person"]


def record_changes(before: pl.DataFrame, after: pl.DataFrame) -> pl.DataFrame:
    """Columns HISTORY: what became of the persons before, by id; of members whose users are in both."""
    moved = before.select("network", "user", "person").join(
        after.select("network", "user", other="person"), on=["network", "user"], how="left"
    )
    lasting = after.select(person="person").unique()
    went = moved.select("person", "other").unique().filter(pl.col("other").ne_missing(pl.col("person")))
    stays = went.join(lasting, on="person", how="semi").filter(pl.col("other").is_not_null())
    ended = went.join(lasting, on="person", how="anti")
    without_heir = ended.group_by("person").agg(pl.col("other").drop_nulls().len()).filter(other=0).select("person")
    parts = [
        stays.with_columns(change=pl.lit(SPLIT)),
        ended.drop_nulls("other").with_columns(change=pl.lit(MERGED)),
        without_heir.with_columns(change=pl.lit(GONE), other=pl.lit(None, pl.String)),
    ]
    return pl.concat([part.select(HISTORY.names()) for part in parts]).sort("person", "change", "other")


def _kept_ids(found: pl.DataFrame, earlier: pl.DataFrame) -> pl.DataFrame:
    """Columns number, person: each earlier id for the new person that shares most accounts with it, one to one."""
    shared = found.join(earlier.select("network", "user", "person"), on=["network", "user"])
    counts = shared.group_by("person", "number").agg(shared=pl.len(), first=_key().min())
    sizes = earlier.group_by("person").agg(size=pl.len())
    order = counts.join(sizes, on="person").sort(
        "shared", "size", "first", "person", descending=[True, True, False, False]
    )
    numbers, persons = [], []
    given: set[int] = set()
    kept: set[str] = set()
    for number, person in order.select("number", "person").iter_rows():
        if number not in given and person not in kept:
            given.add(number)
            kept.add(person)
            numbers.append(number)
            persons.append(person)
    return pl.DataFrame({"number": numbers, "person": persons}, schema={"number": pl.Int64, "person": pl.String})


def _key() -> pl.Expr:
    """An account as one string."""
    return pl.col("network") + "\x1f" + pl.col("user")


def _members(new: pl.DataFrame) -> list[str]:
    """The accounts of each new person as one string, persons in the order in which they appear."""
    keyed = new.select("number", key=_key())
    joined = keyed.group_by("number", maintain_order=True).agg(pl.col("key").sort().str.join("\x1e"))
    return joined["key"].to_list()


def _new_id(members: str, taken: set[str]) -> str:
    """An id that nobody has had, made from a person's accounts, and from now on taken."""
    turn = 0
    while (made := hashlib.sha256(f"{turn}\x1e{members}".encode()).hexdigest()[:LETTERS]) in taken:
        turn += 1
    taken.add(made)
    return made
