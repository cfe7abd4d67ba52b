"""Measures: what can be done to a release, in words, and which of them suit its columns and links."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import polars as pl

from factlink.audits.attacks import Attack
from factlink.audits.release import in_id_order
from factlink.audits.risks import HEADLINE
from factlink.types import Attribute, Kind, Network

WORDS_KEPT = 3
"""Words that a shortened text keeps."""
FEWEST_ALIKE = 10
"""People whom a value must have not to be merged with other rare ones."""
OF_LINKS = 0.5
"""Share of the links that are removed or swapped."""
OF_PEOPLE = (0.05, 0.2)
"""Shares of the people, the most exposed, that are left out."""


class Action(StrEnum):
    """What is done."""

    DROP = "drop"
    PSEUDONYMS = "pseudonyms"
    COARSEN = "coarsen"
    SHORTEN = "shorten"
    MERGE = "merge"
    REMOVE_LINKS = "remove links"
    SWAP_LINKS = "swap links"
    LEAVE_OUT = "leave out"


LEARNABLE = (Action.COARSEN, Action.SHORTEN, Action.MERGE)
"""What an attacker who knows of it can do to the own data as well; the key of pseudonyms stays secret."""

_COARSER = {
    Kind.NAME: "shorten the names in '{}' to the first word and initials",
    Kind.DATE: "keep only the year of '{}'",
    Kind.NUMBER: "round '{}' to one digit",
    Kind.LOCATION: "keep only the last part of '{}', such as the country",
}


_WORDS = {
    Action.DROP: "drop the {what} '{}'",
    Action.PSEUDONYMS: "replace '{}' by pseudonyms made with a secret key",
    Action.SHORTEN: f"shorten the texts in '{{}}' to {WORDS_KEPT} words",
    Action.MERGE: f"replace values of '{{}}' that fewer than {FEWEST_ALIKE} people have by 'other'",
    Action.REMOVE_LINKS: "remove {share:.0%} of the links '{}', drawn at random",
    Action.SWAP_LINKS: "swap the ends of {share:.0%} of the links '{}'",
    Action.LEAVE_OUT: "leave out the {people:,} most exposed people ({share:.0%})",
}


@dataclass(frozen=True, slots=True)
class Measure:
    """One change of a release."""

    action: Action
    predicate: str = ""  # the column or link predicate; empty for people
    kind: Kind | None = None  # of the column
    share: float = 1.0  # of the links or the people
    users: tuple[str, ...] = ()  # to leave out

    @property
    def words(self) -> str:
        """The measure as an instruction."""
        said = _COARSER[self.kind or Kind.NAME] if self.action is Action.COARSEN else _WORDS[self.action]
        what = "pictures in" if self.kind is Kind.IMAGE else "column" if self.kind else "links"
        return said.format(self.predicate, what=what, share=self.share, people=len(self.users))


def propose_measures(attack: Attack) -> list[Measure]:
    """All that could be done, by column, then links, then people."""
    left = attack.release.left
    columns = [m for name in sorted(left.attributes) for m in _of_column(name, left.attributes[name])]
    links = [m for name in sorted(left.links) for m in _of_links(name)]
    return [*columns, *links, *_of_people(left, attack)]


def _of_column(name: str, attribute: Attribute) -> Iterator[Measure]:
    kind = attribute.kind
    if kind is Kind.IGNORE:
        return
    yield Measure(Action.DROP, name, kind)
    if kind in (Kind.HANDLE, Kind.URL) or (kind is Kind.NAME and _are_handles(attribute.objects)):
        yield Measure(Action.PSEUDONYMS, name, kind)
    elif kind in (Kind.NAME, Kind.DATE, Kind.NUMBER) or (kind is Kind.LOCATION and _has_parts(attribute.objects)):
        yield Measure(Action.COARSEN, name, kind)
    if kind is Kind.TEXT:
        yield Measure(Action.SHORTEN, name, kind)
    if kind in (Kind.CATEGORY, Kind.LOCATION):
        yield Measure(Action.MERGE, name, kind)


def _of_links(name: str) -> Iterator[Measure]:
    yield Measure(Action.DROP, name)
    yield Measure(Action.REMOVE_LINKS, name, share=OF_LINKS)
    yield Measure(Action.SWAP_LINKS, name, share=OF_LINKS)


def _of_people(left: Network, attack: Attack) -> Iterator[Measure]:
    by_id = in_id_order(left)
    exposed = by_id[np.argsort(-(attack.correct(HEADLINE) * attack.release.counted)[by_id], kind="stable")]
    for share in OF_PEOPLE:
        count = round(share * len(left))
        if count:
            yield Measure(Action.LEAVE_OUT, share=share, users=tuple(left.users.gather(exposed[:count])))


def _are_handles(values: pl.Series) -> bool:
    """Most are one word."""
    return float((values.str.count_matches(r"\s") == 0).mean() or 0) > 0.8  # type: ignore[arg-type]


def _has_parts(values: pl.Series) -> bool:
    return float(values.str.contains(",", literal=True).mean() or 0) > 0.5  # type: ignore[arg-type]
