"""What evidence is made of: the parts of a score, where they come from, and what each predicate counts."""

from dataclasses import dataclass
from enum import StrEnum

import polars as pl


@dataclass(frozen=True, slots=True)
class Evidence:
    """Two objects (or two friends) that agree, and their weight."""

    predicate: str
    left: str  # empty where nothing of the left user's takes part
    right: str
    weight: float  # in the unit of the score
    kind: str = ""  # a Kind, or FRIENDS, RIVALS or REST
    note: str = ""  # the reason of the weight, such as how rare a friend is


class EvidenceSource(StrEnum):
    """Where a weight of the default linker belongs; what columns are called never decides that."""

    NAMES = "names"  # all name columns together
    NAME_COLUMN = "name column"  # one of them, compared with the best
    LEARNED_NAMES = "learned names"  # what right names look like, learned from confident pairs
    ATTRIBUTE = "attribute"
    NEIGHBOURS = "neighbours' names"
    VOTES = "linked neighbours"
    WALKS = "walks to anchors"  # where there are links and known pairs alone
    DECLARED = "declared links"
    HANDLES = "handles made from names"
    THROUGH = "other networks"  # accounts elsewhere that both are linked to
    LINK_PREDICATE = "link predicate"


@dataclass(frozen=True, slots=True)
class ChannelWeight:
    """The weight of a left and a right predicate taken together, and why."""

    source: EvidenceSource
    left: str  # empty where no predicate of that side takes part
    right: str
    weight: float
    reason: str


FRIENDS, RIVALS, REST = "friends", "rivals", "rest"
"""Kinds of parts beside those of objects: links of the two users, other candidates, and what cannot be split."""


PARTS = pl.Schema(
    {
        "pair": pl.Int64,  # a place among the explained pairs
        "kind": pl.String,
        "predicate": pl.String,
        "left": pl.String,
        "right": pl.String,
        "weight": pl.Float64,
        "note": pl.String,
    }
)
"""Evidence as columns, for many pairs at once; missing entries are null."""
