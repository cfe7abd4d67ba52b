"""Links whose names or pictures agree best while no friend of one user is linked to a friend of the other.

That is what a copied profile looks like, and also a person with separate circles of friends. How common the latter is
shows among the links that agree less: the rule holds only where it is at least twice as common among the best.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from factlink.types import Kind, Network

AGREEING = (Kind.NAME.value, Kind.IMAGE.value)
BEST = 0.75
"""Links whose names and pictures agree more than in this share of all links agree best."""
RARE = 0.05
"""Separate friends are unusual if they are rarer than this among links with as many linked friends."""

Numbers = npt.NDArray[np.int64] | int
COUNTS = ("left_friends", "right_friends", "shared")


@dataclass(frozen=True, slots=True)
class LinkedFriends:
    """How many friends of either user are linked to anybody, and how many of them to each other."""

    left: int
    right: int
    shared: int


@dataclass(frozen=True, slots=True)
class Yardstick:
    """What is usual among the links of a run."""

    agreement: float = 0.0  # the least sum of names and pictures in the best quarter
    overlap: float = 0.0  # share of a user's linked friends that are linked to a friend of the partner
    is_telling: bool = False  # whether separate friends are much commoner in the best quarter than elsewhere

    @classmethod
    def noted(cls, notes: Mapping[str, Any]) -> "Yardstick":
        """As a run notes it; runs made before that note nothing."""
        kept = notes.get("evidence", {})
        if "overlap" not in kept:
            return cls()
        return cls(float(kept["agreement"]), float(kept["overlap"]), bool(kept["is_telling"]))

    def stands_out(self, agreement: float, friends: LinkedFriends) -> bool:
        """Whether two users agree as the best links do while their friends are separate."""
        apart = are_separate(friends.left, friends.right, friends.shared, self.overlap)
        return bool(self.is_telling and agreement >= self.agreement > 0 and apart)


def are_separate(left: Numbers, right: Numbers, shared: Numbers, overlap: float) -> Any:
    """Whether no friends are linked to each other where, by the usual overlap, some nearly always are."""
    return (shared == 0) & ((1 - overlap) ** np.minimum(left, right) < RARE)


def measure_usual(links: pl.DataFrame) -> Yardstick:
    """The yardstick from links with columns agreement and COUNTS."""
    left, right, shared = (links[name].to_numpy() for name in COUNTS)
    overlap = float(shared.sum() / max(1, left.sum(), right.sum()))
    if not overlap:
        return Yardstick()
    agreement = links["agreement"].to_numpy()
    least = float(np.quantile(agreement, BEST, method="lower"))
    best, enough = agreement >= least, are_separate(left, right, 0, overlap)
    apart = enough & (shared == 0)
    elsewhere = (apart & ~best).sum() / max(1, (enough & ~best).sum())
    by_chance = 1 + elsewhere * (enough & best).sum()  # one more, as few links may have none by luck
    return Yardstick(least, overlap, bool(2 * by_chance < (apart & best).sum()))


def add_linked_friends(
    pairs: pl.DataFrame, linked: pl.DataFrame, left: pl.LazyFrame, right: pl.LazyFrame
) -> pl.DataFrame:
    """Pairs (left, right) with columns left_friends, right_friends and shared.

    `linked` are the links (left, right); `left` and `right` who follows whom (source, target) in either network.
    """
    mine = _friends(left, pairs["left"]).join(linked, left_on="friend", right_on="left")
    theirs = _friends(right, pairs["right"]).join(linked, left_on="friend", right_on="right", how="semi")
    met = (
        pairs.select("left", "right")
        .join(mine.select("user", partner="right"), left_on="left", right_on="user")
        .join(theirs, left_on=["right", "partner"], right_on=["user", "friend"], how="semi")
    )
    counted = (
        (mine.group_by(left="user").agg(left_friends=pl.len()), ["left"]),
        (theirs.group_by(right="user").agg(right_friends=pl.len()), ["right"]),
        (met.group_by("left", "right").agg(shared=pl.len()), ["left", "right"]),
    )
    for counts, on in counted:
        pairs = pairs.join(counts, on=on, how="left", maintain_order="left")
    return pairs.with_columns(pl.col(name).fill_null(0).cast(pl.Int64) for name in COUNTS)


def link_table(network: Network) -> pl.LazyFrame:
    """Who follows whom over all link predicates, as rows: source, target."""
    parts = [pl.DataFrame({"source": f.followers, "target": f.followees}) for f in network.links.values()]
    schema = pl.Schema({"source": pl.Int64, "target": pl.Int64})
    return pl.concat([pl.DataFrame(schema=schema), *(part.cast(schema) for part in parts)]).lazy()


def _friends(links: pl.LazyFrame, users: pl.Series) -> pl.DataFrame:
    """Columns user and friend, each pair once, whichever follows the other."""
    asked = users.unique().implode()
    there = links.filter(pl.col("source").is_in(asked)).select(user="source", friend="target")
    back = links.filter(pl.col("target").is_in(asked)).select(user="target", friend="source")
    return pl.concat([there, back]).unique().collect()
