"""Who is exposed: risk by rarity of names, by number of links, and by a column of the release."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from factlink.audits.attacks import Attack
from factlink.audits.risks import HEADLINE, Share, share_correct
from factlink.errors import InputError
from factlink.explanations.user_names import best_names
from factlink.types import Ints, Network

SMALLEST = 10
"""People of a group that is shown by itself."""
_MOST = 12  # groups of a column
_EMPTY, _OTHERS = "(empty)", "(others)"
_LINKS = (("no links", 0), ("1 to 4 links", 1), ("5 to 19 links", 5), ("20 links or more", 20))
_NAMES = (
    ("a rare name", 1),  # a word of it is nobody else's
    ("a less rare name", 2),  # its rarest word is shared by 2 to 4 people
    ("a common name", 5),  # 5 people or more share every word
)


@dataclass(frozen=True, slots=True)
class Group:
    """Some of the people, and how many of them are linked correctly."""

    by: str  # what the people are grouped by
    name: str
    risk: Share


def risk_by_group(attack: Attack, columns: Sequence[str]) -> list[Group]:
    """The risk of people by the rarity of their names, their links, and given columns; small groups are left out."""
    left = attack.release.left
    groups = [
        *_graded(attack, "names", _NAMES, _name_counts(left)),
        *_graded(attack, "links", _LINKS, _link_counts(left)),
    ]
    for column in columns:
        groups += _by_column(attack, column)
    return groups


def check_columns(network: Network, columns: Sequence[str]) -> None:
    """An error that lists the columns if one is not there."""
    for column in columns:
        if column not in network.attributes:
            there = ", ".join(network.attributes) or "none"
            raise InputError(f"network '{network.name}' has no column '{column}' to group by; there are: {there}")


def _graded(attack: Attack, by: str, grades: Sequence[tuple[str, int]], counts: Ints) -> list[Group]:
    """Groups by a count, from each bound to the next; people of count −1 are in none."""
    bounds = [least for _, least in grades]
    places = np.where(counts < bounds[0], -1, np.searchsorted(bounds, counts, side="right") - 1)
    return _groups(attack, by, [name for name, _ in grades], places)


def _groups(attack: Attack, by: str, names: Sequence[str], places: Ints) -> list[Group]:
    found = [Group(by, name, share_correct(attack, HEADLINE, places == place)) for place, name in enumerate(names)]
    return [group for group in found if group.risk.people >= SMALLEST]


def _name_counts(network: Network) -> Ints:
    """(n,): how many people have the rarest word of one's name; −1 without a name."""
    names = best_names(network, np.arange(len(network)))
    words = pl.DataFrame({"row": np.arange(len(network)), "name": names}).drop_nulls()
    words = words.with_columns(word=pl.col("name").str.to_lowercase().str.extract_all(r"\w+")).explode("word")
    words = words.select("row", "word").drop_nulls().unique().with_columns(people=pl.len().over("word"))
    rarest = words.group_by("row").agg(pl.col("people").min())
    counts = np.full(len(network), -1)
    counts[rarest["row"].to_numpy()] = rarest["people"].to_numpy()
    return counts


def _link_counts(network: Network) -> Ints:
    ends = [end for follows in network.links.values() for end in (follows.followers, follows.followees)]
    return np.bincount(np.concatenate([np.empty(0, np.int64), *ends]), minlength=len(network))


def _by_column(attack: Attack, column: str) -> list[Group]:
    """One group for each of the frequent values; a person of several values is in the group of the first."""
    left = attack.release.left
    attribute = left.attributes[column]
    values = np.full(len(left), _EMPTY, object)
    rows, first = np.unique(attribute.rows, return_index=True)
    values[rows] = attribute.objects.gather(first).to_numpy()
    counts = (
        pl.Series("value", values, dtype=pl.String).value_counts().sort(["count", "value"], descending=[True, False])
    )
    frequent = counts.filter(pl.col("count") >= SMALLEST)["value"].head(_MOST).to_list()
    places = pl.Series(values, dtype=pl.String).replace_strict(
        frequent, list(range(len(frequent))), default=len(frequent), return_dtype=pl.Int64
    )
    return _groups(attack, column, [*frequent, _OTHERS], places.to_numpy())
