"""Accounts as they are asked about: what JSON says of them, checked, as tables."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from factlink.data.frames import Tables
from factlink.errors import InputError
from factlink.linkers.factoid.state.stored import SIDES

MOST_ACCOUNTS, MOST_LINKS, MOST_OBJECTS, LONGEST = 100, 1_000, 100, 20_000
"""Accounts of a request; links and objects of a predicate of an account; letters of a text."""
MOST_CANDIDATES = 50

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class AskedLink:
    """A link of an account: it follows a user, or a user follows it."""

    other: str
    follows: bool  # the account is the follower
    predicate: str
    weight: float


@dataclass(frozen=True, slots=True)
class Account:
    """What is said of one account."""

    id: str
    objects: Mapping[str, tuple[str, ...]]  # by predicate
    links: tuple[AskedLink, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """Accounts of one side, and how they are to be answered."""

    side: int
    accounts: tuple[Account, ...]
    together: bool = False
    candidates: int = 5


def question_of(body: object, *, ids_needed: bool = False) -> Question:
    """The question in a JSON body: `account` or `accounts`, and `side`."""
    said = _object(body, "the body", ("side", "account", "accounts", "together", "candidates"))
    side = said.get("side", SIDES[0])
    if side not in SIDES:
        raise InputError(f"a run has no side {_shown(side)}; there are: {', '.join(SIDES)}")
    if ("account" in said) == ("accounts" in said):
        raise InputError("the body needs either 'account' or 'accounts'")
    listed = said["accounts"] if "accounts" in said else [said["account"]]
    if not isinstance(listed, list) or not 0 < len(listed) <= MOST_ACCOUNTS:
        raise InputError(f"'accounts' is not a list of 1 to {MOST_ACCOUNTS} accounts")
    accounts = tuple(_account(each, place, ids_needed) for place, each in enumerate(listed))
    if len({account.id for account in accounts}) < len(accounts):
        raise InputError("two of the accounts have the same id; give each its own")
    together, candidates = said.get("together", False), said.get("candidates", 5)
    if not isinstance(together, bool):
        raise InputError("'together' is neither true nor false")
    if isinstance(candidates, bool) or not isinstance(candidates, int) or not 0 < candidates <= MOST_CANDIDATES:
        raise InputError(f"'candidates' is not a whole number from 1 to {MOST_CANDIDATES}")
    return Question(SIDES.index(side), accounts, together, candidates)


def tables_of(accounts: Sequence[Account]) -> Tables:
    """Accounts as a users table and a links table."""
    predicates = dict.fromkeys(predicate for account in accounts for predicate in account.objects)
    columns = {
        predicate: pl.Series([list(account.objects.get(predicate, ())) or None for account in accounts], dtype=_TEXTS)
        for predicate in predicates
    }
    users = pl.DataFrame({"id": pl.Series([account.id for account in accounts], dtype=pl.String), **columns})
    rows = [(account.id, link) for account in accounts for link in account.links]
    if not rows:
        return Tables(users, None, "accounts", "links")
    links = pl.DataFrame(
        {
            "source": [user if link.follows else link.other for user, link in rows],
            "target": [link.other if link.follows else user for user, link in rows],
            "predicate": [link.predicate for _, link in rows],
            "weight": [link.weight for _, link in rows],
        }
    )
    return Tables(users, links, "accounts", "links")


_TEXTS = pl.List(pl.String)


def _account(said: object, place: int, ids_needed: bool) -> Account:
    origin = f"account {place + 1}"
    fields = _object(said, origin, ("id", "attributes", "links"))
    if ids_needed and "id" not in fields:
        raise InputError(f"{origin} has no 'id'; an account that is added needs one")
    user = _text(fields.get("id", f"account {place + 1} of this request"), f"the id of {origin}")
    attributes = fields.get("attributes", {})
    if not isinstance(attributes, dict):
        raise InputError(f"'attributes' of {origin} is not an object of predicates and their texts")
    objects = {
        _text(name, f"a predicate of {origin}"): _objects(held, name, origin) for name, held in attributes.items()
    }
    links = fields.get("links", [])
    if not isinstance(links, list) or len(links) > MOST_LINKS:
        raise InputError(f"'links' of {origin} is not a list of at most {MOST_LINKS:,} links")
    return Account(user, {name: held for name, held in objects.items() if held}, tuple(_link(e, origin) for e in links))


def _objects(held: object, predicate: str, origin: str) -> tuple[str, ...]:
    several = held if isinstance(held, list) else [held]
    if len(several) > MOST_OBJECTS:
        raise InputError(f"'{predicate[:40]}' of {origin} holds more than {MOST_OBJECTS} texts")
    texts = [_text(each, f"'{predicate[:40]}' of {origin}") for each in several if each is not None]
    return tuple(text for text in texts if text.strip())


def _link(said: object, origin: str) -> AskedLink:
    fields = _object(said, f"a link of {origin}", ("follower", "followee", "predicate", "weight"))
    if ("follower" in fields) == ("followee" in fields):
        raise InputError(f"a link of {origin} needs either 'follower' or 'followee': the user at its other end")
    end = "followee" if "followee" in fields else "follower"
    weight = fields.get("weight", 1.0)
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 < weight < math.inf:
        raise InputError(f"the weight of a link of {origin} is not a positive number")
    predicate = _text(fields.get("predicate", "follows"), f"a link's predicate of {origin}")
    return AskedLink(_text(fields[end], f"a {end} of {origin}"), end == "followee", predicate, float(weight))


def _object(said: object, origin: str, known: tuple[str, ...]) -> Json:
    if not isinstance(said, dict):
        raise InputError(f"{origin} is not a JSON object")
    for name in said:
        if name not in known:
            raise InputError(f"{origin} has a key {_shown(name)}; there are: {', '.join(known)}")
    return said


def _text(said: object, origin: str) -> str:
    if not isinstance(said, str) or len(said) > LONGEST:
        raise InputError(f"{origin} is not a text of at most {LONGEST:,} letters")
    try:
        said.encode()
    except UnicodeEncodeError:
        message = f"{origin} holds half of a surrogate pair (\\ud800 to \\udfff), which is not a character"
        raise InputError(message) from None
    return said


def _shown(said: object) -> str:
    return f"'{str(said)[:40]}'".encode("ascii", "backslashreplace").decode()
