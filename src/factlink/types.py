"""The nouns of factlink: columns for millions, records for people; a *row* is an int, a *user* an id, a string."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from factlink.display import pairs_html
from factlink.errors import InputError

Ints = npt.NDArray[np.integer[Any]]
Floats = npt.NDArray[np.float32]
Halves = npt.NDArray[np.float16]


class Kind(StrEnum):
    """How the objects of a predicate are compared."""

    NAME = "name"
    TEXT = "text"
    IMAGE = "image"
    CATEGORY = "category"
    DATE = "date"
    NUMBER = "number"
    LOCATION = "location"
    HANDLE = "handle"  # of the user's account elsewhere
    URL = "url"  # of the user's pages elsewhere; never fetched
    IGNORE = "ignore"


@dataclass(frozen=True, slots=True, eq=False)
class Attribute:
    """One predicate of one network: value `objects[i]` belongs to the user in row `rows[i]`.

    A user may own none or several. Missing values are not there at all. `rows` never falls.
    """

    kind: Kind
    rows: Ints  # (n_values,)
    objects: pl.Series  # (n_values,) strings, never null or empty; pictures are file paths


@dataclass(frozen=True, slots=True, eq=False)
class Follows:
    """User-user links of one predicate: `followers[i]` → `followees[i]`."""

    followers: Ints  # (n_links,)
    followees: Ints  # (n_links,)
    weights: Floats  # (n_links,), positive

    def __len__(self) -> int:
        return len(self.followers)


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """One network as read: row *i* is the same user everywhere."""

    name: str
    users: pl.Series  # (n_users,) distinct, non-empty strings
    attributes: Mapping[str, Attribute]  # by predicate
    links: Mapping[str, Follows]  # by predicate

    def __len__(self) -> int:
        return len(self.users)

    def __repr__(self) -> str:
        links, columns = sum(map(len, self.links.values())), ", ".join(self.attributes) or "none"
        return f"<Network '{self.name}': {len(self):,} users, {links:,} links; columns: {columns}>"

    def _repr_html_(self) -> str:
        links = {f"links ({name})": f"{len(follows):,}" for name, follows in self.links.items()}
        columns = {name: f"{a.kind}, {len(a.rows):,} values" for name, a in self.attributes.items()}
        return pairs_html(f"Network {self.name}", {"users": f"{len(self):,}", **links, **columns})

    def rows_of(self, users: Sequence[str] | pl.Series) -> Ints:
        """The row of each user, −1 for one that is not here."""
        here = pl.DataFrame({"user": self.users, "row": pl.arange(len(self), eager=True)})
        asked = pl.DataFrame({"user": pl.Series("user", users, dtype=pl.String)})
        rows = asked.join(here, on="user", how="left", maintain_order="left")["row"]
        return rows.fill_null(-1).to_numpy()

    def row_of(self, user: str) -> int:
        """The row of one user; an error that names the network if there is none."""
        row = int(self.rows_of([user])[0])
        if row < 0:
            raise InputError(f"network '{self.name}' has no user '{user}'; ids are matched exactly")
        return row


@dataclass(frozen=True, slots=True, eq=False)
class Objects:
    """The distinct objects of one predicate, over all networks, sorted."""

    kind: Kind
    values: pl.Series  # (n_objects,)

    def __len__(self) -> int:
        return len(self.values)


@dataclass(frozen=True, slots=True, eq=False)
class Has:
    """User-object factoids of one predicate: joint row `users[i]` has object `objects[i]`."""

    users: Ints  # (n_factoids,)
    objects: Ints  # (n_factoids,) rows of the predicate's Objects

    def __len__(self) -> int:
        return len(self.users)


@dataclass(frozen=True, slots=True, eq=False)
class FactoidTable:
    """Two or more networks as columns over one joint set of user rows; what training eats.

    `rows[name][i]` is the joint row of user *i* of that network. Known pairs share one joint row.
    """

    n_rows: int
    rows: Mapping[str, Ints]  # by network name
    objects: Mapping[str, Objects]  # by predicate
    has: Mapping[str, Has]  # by predicate
    links: Mapping[str, Follows]  # by predicate, in joint rows


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Pairs of rows held to be one person: known pairs (given) or truth (held out)."""

    lefts: Ints  # (n,)
    rights: Ints  # (n,)

    def __len__(self) -> int:
        return len(self.lefts)


NO_PAIRS = Pairs(np.empty(0, np.int64), np.empty(0, np.int64))


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """The k best right rows of each left row, best first; −1 and −inf where there are fewer."""

    rights: Ints  # (n_left, k)
    scores: Floats  # (n_left, k)

    def __len__(self) -> int:
        return len(self.rights)


class Decision(StrEnum):
    """The three outcomes of the paper's annotation study."""

    LINK = "link"
    UNKNOWN = "unknown"
    NO_ACCOUNT = "no account"


class LinkSource(StrEnum):
    """Where a link comes from."""

    KNOWN = "known"  # given as a known pair
    JUDGED = "judged"  # a person called it a match
    FOUND = "found"  # the linker's own


SOURCES = tuple(LinkSource)


@dataclass(frozen=True, slots=True)
class Link:
    """Two users held to be one person, as a person reads it; no right user where there is no account."""

    left: str
    right: str | None
    score: float
    probability: float | None
    decision: Decision


@dataclass(frozen=True, slots=True, eq=False)
class Links:
    """The best link of each left row, as columns; `right` −1 where there is no account."""

    lefts: Ints  # (n,)
    rights: Ints  # (n,)
    scores: Floats  # (n,)
    probabilities: Floats  # (n,), NaN where the linker gives none
    decisions: Ints  # (n,), places in DECISIONS
    runners_up: Ints  # (n,) the second-best right row, −1 if there is none
    margins: Floats  # (n,) score less the runner-up's; 0 is a tie
    sources: Ints | None = None  # (n,), places in SOURCES; None where the linker found all of them

    def __len__(self) -> int:
        return len(self.lefts)

    def count_links(self) -> dict[str, int]:
        """By source, how many users are linked."""
        counts = np.bincount(self.all_sources()[self._linked()], minlength=len(SOURCES))
        return {source.value: int(count) for source, count in zip(SOURCES, counts, strict=True)}

    def found_links(self) -> npt.NDArray[np.bool_]:
        """(n,): which are links that the linker found itself; the precision applies to these only."""
        return np.asarray(self._linked() & (self.all_sources() == SOURCES.index(LinkSource.FOUND)))

    def all_sources(self) -> Ints:
        """(n,): places in SOURCES."""
        return np.full(len(self), SOURCES.index(LinkSource.FOUND)) if self.sources is None else self.sources

    def _linked(self) -> npt.NDArray[np.bool_]:
        return np.asarray(self.decisions == DECISIONS.index(Decision.LINK))


DECISIONS = tuple(Decision)


class Verdict(StrEnum):
    """The verdicts of a person on a pair."""

    MATCH = "match"
    UNKNOWN = "unknown"
    NON_MATCH = "non-match"


@dataclass(frozen=True, slots=True)
class Judgement:
    """The judgement of a person on a pair; later ones overrule, none is deleted."""

    left: str
    right: str
    verdict: Verdict
    reviewer: str
    at: datetime
    note: str = ""


@dataclass(frozen=True, slots=True)
class Metrics:
    """How good a ranking is over `n` left users whose true right users are known."""

    n: int
    hits: Mapping[int, float]  # HR@K by K
    mrr: float
    recall_at_precision_90: float
