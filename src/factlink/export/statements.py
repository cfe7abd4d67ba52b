"""Links as FollowTheMoney statements: a person for each account, and one canonical id where two are linked.

Every account is a `UserAccount` whose owner is a `Person`. The persons of a linked pair share a `canonical_id`, which
is how FollowTheMoney and nomenklatura say that two entities are one.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha1
from pathlib import Path
from typing import IO

import polars as pl

from factlink.runs.folder.listing import read_names
from factlink.runs.folder.manifest import Manifest

PERSON, ACCOUNT = "Person", "UserAccount"


@dataclass(frozen=True, slots=True)
class Account:
    """One account of a linked pair, and what else to say of its owner."""

    dataset: str
    service: str
    user: str
    names: tuple[str, ...]
    canonical: str
    note: str
    seen: str

    def statements(self) -> Iterator[dict[str, object]]:
        """All that is said of the person and of the account."""
        key = f"{self.dataset}-{_digest(self.dataset, self.user)}"
        person, account = f"{key}-person", f"{key}-account"
        yield self._say(PERSON, person, "id", person)
        for prop, name in zip(("name", *("alias" for _ in self.names[1:])), self.names, strict=False):
            yield self._say(PERSON, person, prop, name)
        yield self._say(PERSON, person, "notes", self.note)
        yield self._say(ACCOUNT, account, "id", account)
        yield self._say(ACCOUNT, account, "username", self.user)
        yield self._say(ACCOUNT, account, "service", self.service)
        yield self._say(ACCOUNT, account, "owner", person)

    def _say(self, schema: str, entity: str, prop: str, value: str) -> dict[str, object]:
        return {
            "canonical_id": self.canonical if schema == PERSON else entity,
            "entity_id": entity,
            "prop": prop,
            "schema": schema,
            "value": value,
            "dataset": self.dataset,
            "lang": None,
            "original_value": None,
            "first_seen": self.seen,
            "last_seen": self.seen,
            "external": False,
            "origin": "factlink",
            "id": sha1(f"{self.dataset}.{entity}.{prop}.{value}".encode()).hexdigest(),
        }


def write_statements(run: Path, manifest: Manifest, links: pl.DataFrame, file: IO[bytes]) -> None:
    """JSON Lines of statements on both accounts of each link (rows of links.csv)."""
    sides = [("left", manifest.left.name), ("right", manifest.right.name)]
    names = [_names(run / side, links[side]) for side, _ in sides]
    datasets = [
        f"{_slug(name)}_{side}" if _slug(sides[0][1]) == _slug(sides[1][1]) else _slug(name) for side, name in sides
    ]
    for row in links.iter_rows(named=True):
        canonical = f"factlink-{_digest(row['left'], row['right'])}"
        for place, (side, service) in enumerate(sides):
            other = row["right" if side == "left" else "left"]
            note = f"linked to {sides[1 - place][1]} account {other}{_likely(row['probability'])}: {row['evidence']}"
            owned = tuple(names[place].get(row[side], ())) or (row[side],)
            account = Account(datasets[place], service, row[side], owned, canonical, note, manifest.created[:19])
            for statement in account.statements():
                file.write(json.dumps(statement, ensure_ascii=False).encode() + b"\n")


def _likely(probability: float | None) -> str:
    return "" if probability is None else f" with probability {probability:.3f}"


def _names(folder: Path, users: pl.Series) -> dict[str, list[str]]:
    """All names of some users, the best first."""
    asked = read_names(folder).join(pl.DataFrame({"user": users}).unique(), on="user", how="semi")
    length = [pl.col("name").str.contains(" ", literal=True), pl.col("name").str.len_chars(), pl.col("name")]
    ordered = asked.unique().sort(length, descending=[True, True, False])
    grouped = ordered.group_by("user", maintain_order=True).agg("name")
    return dict(zip(grouped["user"].to_list(), grouped["name"].to_list(), strict=True))


def _slug(name: str) -> str:
    """A name that FollowTheMoney takes for a dataset."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_") or "network"


def _digest(*words: str) -> str:
    return sha1("\0".join(words).encode()).hexdigest()[:20]
