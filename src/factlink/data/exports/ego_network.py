"""The person whose export it is and the accounts around them → users, links and notes."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import polars as pl

from factlink.data.formats.html_text import legible
from factlink.data.frames import Tables
from factlink.data.links import DEFAULT_PREDICATE
from factlink.errors import InputError

UNKNOWN_PERSON = "me"
Values = Mapping[str, str | list[str] | None]
Add = Callable[[str, Values], None]


@dataclass(slots=True)
class EgoNetwork:
    """One person; whom they follow, who follows them, and whom they mention."""

    kind: str  # like 'X archive'
    person: str = UNKNOWN_PERSON
    accounts: dict[str, dict[str, str | list[str]]] = field(default_factory=dict)  # by id; what is known of each
    following: dict[str, None] = field(default_factory=dict)
    followers: dict[str, None] = field(default_factory=dict)
    mentions: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)

    def add_person(self, user: str | None, values: Values) -> None:
        """The person themselves; an id that is not known stays `me`."""
        if user and self.person not in (user, UNKNOWN_PERSON):
            raise InputError(
                f"the {self.kind} holds data of '{self.person}' and of '{user}'; give one person's at a time"
            )
        self.person = user or self.person
        self.add_account(self.person, values)

    def add_account(self, user: str, values: Values) -> None:
        """An account; what is known of it already stays."""
        known = self.accounts.setdefault(user, {})
        for column, value in values.items():
            if value and column not in known:
                known[column] = [legible(part) for part in value] if isinstance(value, list) else legible(value)

    def follow(self, user: str, values: Values) -> None:
        """An account that the person follows."""
        self.add_account(user, values)
        self.following[user] = None

    def followed_by(self, user: str, values: Values) -> None:
        """An account that follows the person."""
        self.add_account(user, values)
        self.followers[user] = None

    def mention(self, user: str, values: Values) -> None:
        """An account that the person mentions in a post."""
        self.add_account(user, values)
        self.mentions[user] += 1

    def tables(self) -> Tables:
        """The users, the person first, and their links."""
        self.accounts.setdefault(self.person, {})
        users = [self.person, *(user for user in self.accounts if user != self.person)]
        columns = dict.fromkeys(column for values in self.accounts.values() for column in values)
        frame = {column: self._column(column, users) for column in columns}
        return Tables(pl.DataFrame({"id": users, **frame}), self._links(), f"{self.kind}: users", f"{self.kind}: links")

    def summary(self) -> str:
        """What was found, in one sentence."""
        named = sum(bool(values) for user, values in self.accounts.items() if user != self.person)
        others = len(self.accounts.keys() - {self.person})
        return (
            f"{self.kind} of '{self.person}': follows {len(self.following):,}, followed by {len(self.followers):,}, "
            f"mentions {len(self.mentions):,}; something is known of {named:,} of {others:,} other accounts"
        )

    def add_all(self, add: Add, accounts: Iterable[tuple[str | None, Values]], file: str, lacking: str) -> None:
        """Add all accounts of a file; those whose id is not there are left out and counted."""
        left_out = 0
        for user, values in accounts:
            if user is None:
                left_out += 1
            else:
                add(user, values)
        self.leave_out(file, left_out, lacking)

    def leave_out(self, file: str, count: int, what: str) -> None:
        """Note how many entries of a file were left out, and what they lack."""
        if count:
            entries = "entry" if count == 1 else "entries"
            self.notes.append(f"{file}: {count:,} {entries} without {what} left out")

    def _column(self, column: str, users: list[str]) -> pl.Series:
        cells = [self.accounts[user].get(column) for user in users]
        if any(isinstance(cell, list) for cell in cells):
            lists = [[cell] if isinstance(cell, str) else cell for cell in cells]
            return pl.Series(column, lists, dtype=pl.List(pl.String))
        return pl.Series(column, cells, dtype=pl.String)

    def _links(self) -> pl.DataFrame:
        rows = [(self.person, user, DEFAULT_PREDICATE, 1) for user in self.following]
        rows += [(user, self.person, DEFAULT_PREDICATE, 1) for user in self.followers]
        rows += [(self.person, user, "mentions", count) for user, count in self.mentions.items()]
        schema = {"source": pl.String, "target": pl.String, "predicate": pl.String, "weight": pl.Float64}
        return pl.DataFrame([row for row in rows if row[0] != row[1]], schema=schema, orient="row")
