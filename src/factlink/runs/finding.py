"""Users by what people call them: an id, a name, a handle, or a part of one."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from factlink.errors import InputError
from factlink.explanations.user_names import pick_best
from factlink.runs.folder.listing import read_names
from factlink.runs.folder.store import load_manifest

SHOWN = 20
"""Users that are listed where several fit."""


@dataclass(frozen=True, slots=True)
class FoundUser:
    """A user of a run, as a list shows it."""

    side: str
    network: str
    user: str
    name: str


@dataclass(frozen=True, slots=True)
class Resolved:
    """The users that are meant; or none, with those who may be."""

    users: tuple[str, ...] = ()
    asked: str = ""
    several: tuple[FoundUser, ...] = ()


def resolve_users(run: Path, words: Sequence[str]) -> Resolved:
    """The ids of one or two users; a name that the two sides share means both of a pair."""
    found = [find_users(run, word) for word in words]
    if len(found) == 1:
        mine = _side(found[0], "left") or found[0]
        return Resolved((mine[0].user,)) if len(mine) == 1 else Resolved((), words[0], tuple(mine))
    for one, other in ((0, 1), (1, 0)):
        lefts, rights = _side(found[one], "left"), _side(found[other], "right")
        if len(lefts) == len(rights) == 1:
            return Resolved((lefts[0].user, rights[0].user))
    most = max((0, 1), key=lambda place: len(found[place]))
    if len(found[most]) == 1:
        return Resolved(tuple(each[0].user for each in found))
    return Resolved((), words[most], tuple(found[most]))


def find_users(run: Path, word: str) -> list[FoundUser]:
    """Users with that id; else with that name; else with a name that has it in it, whatever the case."""
    manifest = load_manifest(run)
    sides = [("left", manifest.left.name), ("right", manifest.right.name)][: 1 if manifest.within else 2]
    by_id = [FoundUser(side, network, word, word) for side, network in sides if _has_id(run / side, word)]
    if by_id:
        return by_id
    asked = " ".join(word.split()).removeprefix("@").lower()
    for part in (False, True):
        found = [user for side, network in sides for user in _named(run / side, side, network, asked, part)]
        if found:
            return found
    names = " or ".join(f"'{network}'" for _, network in sides)
    raise InputError(f"no user is called '{word}' in network {names}; give an id, a name or a part of a name")


def _side(found: Sequence[FoundUser], side: str) -> list[FoundUser]:
    return [user for user in found if user.side == side]


def _has_id(folder: Path, word: str) -> bool:
    return pl.scan_parquet(folder / "users.parquet").filter(pl.col("id") == word).select("id").collect().height > 0


def _named(folder: Path, side: str, network: str, asked: str, part: bool) -> list[FoundUser]:
    if not asked:
        return []
    names = read_names(folder)
    folded = pl.col("name").str.to_lowercase().str.replace_all(r"\s+", " ").str.strip_chars().str.strip_prefix("@")
    fits = folded.str.contains(asked, literal=True) if part else folded == asked
    users = names.filter(fits).select("user").unique(maintain_order=True).head(SHOWN)
    called = users.join(pick_best(names, "user"), on="user", maintain_order="left")
    return [FoundUser(side, network, user, name) for user, name in called.rows()]
