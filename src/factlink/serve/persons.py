"""Persons of a run: those it lists, or else its linked pairs."""

from pathlib import Path
from typing import Any

import polars as pl
from starlette.exceptions import HTTPException

from factlink.serve.warm.run import WarmRun
from factlink.types import Decision

PERSONS = "persons.parquet"


def find_person(run: WarmRun, wanted: str) -> dict[str, Any]:
    """The person with an id, or the one that a user with that id is."""
    listed = run.path / PERSONS
    found = listed_person(listed, wanted) if listed.exists() else _linked(run, wanted)
    if found is None:
        raise HTTPException(404, "no person and no user of this run has this id; ids are matched exactly")
    return found


def listed_person(path: Path, wanted: str) -> dict[str, Any] | None:
    """The person of that id in a list of persons, or the one with a user of that id."""
    rows = pl.scan_parquet(path).select("person", "network", "user", "probability")
    person = rows.filter((pl.col("person").cast(pl.String) == wanted) | (pl.col("user") == wanted)).collect()
    if not person.height:
        return None
    named = person.filter(pl.col("person").cast(pl.String) == wanted)
    first = (named if named.height else person)["person"][0]
    return _person(str(first), rows.filter(pl.col("person") == first).collect().drop("person").to_dicts())


def _linked(run: WarmRun, wanted: str) -> dict[str, Any] | None:
    """Without a list, a person is a linked pair, called by its left user; or one user alone."""
    names = run.sides[0].name, run.sides[1].name
    is_link = pl.col("decision") == Decision.LINK.value
    pairs = run.links.filter(is_link & ((pl.col("left") == wanted) | (pl.col("right") == wanted)))
    if pairs.height:
        pair = pairs.row(0, named=True)
        users = [(names[0], pair["left"]), (names[1], pair["right"])]
        accounts = [{"network": network, "user": user, "probability": pair["probability"]} for network, user in users]
        return _person(pair["left"], accounts)
    for side, name in enumerate(names):
        if run.sides[side].rows_of([wanted])[0] >= 0:
            return _person(wanted, [{"network": name, "user": wanted, "probability": None}])
    return None


def _person(person: str, accounts: list[dict[str, Any]]) -> dict[str, Any]:
    return {"person": person, "accounts": accounts}
