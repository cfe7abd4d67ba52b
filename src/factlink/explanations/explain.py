"""Why two accounts were linked: a score as a sum of named parts, with the two objects or friends that agree."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from factlink.evidence import RIVALS, Evidence
from factlink.explanations.explanation_html import explanation_html
from factlink.explanations.friends import (
    AGREEING,
    LinkedFriends,
    Yardstick,
    add_linked_friends,
    link_table,
    measure_usual,
)
from factlink.protocols import Scorer
from factlink.types import DECISIONS, Decision, Ints, Links

MOST_PAIRS = 30_000
"""Pairs whose evidence is kept with a run; past it those that are most in doubt, the surest, and a sample."""
PARTS_KEPT = 8
"""Parts of a pair that are kept one by one; those smaller are added up, kind by kind."""

EVIDENCE = pl.Schema(
    {
        "left": pl.String,
        "right": pl.String,
        "kind": pl.String,
        "predicate": pl.String,
        "left_object": pl.String,
        "right_object": pl.String,
        "weight": pl.Float32,
        "note": pl.String,
    }
)
"""Evidence of many pairs: the rows of a pair are consecutive, strongest first."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """One pair: its parts add up to `total`; what is missing to the score is the gap."""

    left: str
    right: str
    score: float | None  # None for a pair that was never scored
    parts: tuple[Evidence, ...]  # strongest first
    has_separate_friends: bool = False  # names or pictures agree best, no friend of one is linked to one of the other

    def __repr__(self) -> str:
        strongest = "; ".join(f"{part.predicate} {part.weight:+z.2f}" for part in self.parts[:3])
        score = "no score" if self.score is None else f"score {self.score:z.3f}"
        return f"<Explanation of {self.left} and {self.right}: {score}; {strongest or 'no parts'}>"

    def _repr_html_(self) -> str:
        return explanation_html(f"{self.left} – {self.right}", self.parts)

    @property
    def total(self) -> float:
        """The parts added up."""
        return sum(part.weight for part in self.parts)

    @property
    def gap(self) -> float | None:
        """Score − total."""
        return None if self.score is None else self.score - self.total


def explain(scorer: Scorer, links: Links, most_pairs: int = MOST_PAIRS) -> pl.DataFrame:
    """Columns EVIDENCE for the best pair of every left user; of too many pairs a selection (`choose_pairs`)."""
    places = choose_pairs(links, most_pairs)
    return explain_pairs(scorer, links.lefts[places], links.rights[places])


def choose_pairs(links: Links, most_pairs: int) -> Ints:
    """Places of links with a right user: all or half the most doubtful, a tenth the most probable, the rest sampled."""
    paired = np.flatnonzero(links.rights >= 0)
    if len(paired) <= most_pairs:
        return paired
    doubt = np.abs(np.nan_to_num(links.probabilities[paired], nan=0.5) - 0.5)
    by_doubt = paired[np.argsort(doubt, kind="stable")]
    doubtful, surest = by_doubt[: most_pairs // 2], by_doubt[len(paired) - most_pairs // 10 :]
    between = by_doubt[most_pairs // 2 : len(paired) - most_pairs // 10]
    n_sampled = most_pairs - len(doubtful) - len(surest)
    sampled = np.random.default_rng(0).choice(between, n_sampled, replace=False)
    return np.sort(np.concatenate([doubtful, surest, sampled]))


def explain_pairs(scorer: Scorer, lefts: Ints, rights: Ints, most_parts: int = PARTS_KEPT) -> pl.DataFrame:
    """Columns EVIDENCE for some pairs of rows, in the order of their left users."""
    order = np.lexsort((np.arange(len(lefts)), lefts))
    lefts, rights = lefts[order].astype(np.int64), rights[order].astype(np.int64)
    parts = keep_strongest(scorer.explain(lefts, rights), most_parts)
    pairs = parts["pair"].to_numpy()
    users = {"left": scorer.left.users.gather(lefts[pairs]), "right": scorer.right.users.gather(rights[pairs])}
    renamed = parts.rename({"left": "left_object", "right": "right_object"}).with_columns(**users)
    return renamed.select(pl.col(name).cast(dtype) for name, dtype in EVIDENCE.items())


def keep_strongest(parts: pl.DataFrame, k: int) -> pl.DataFrame:
    """The k strongest parts of each pair; the others become one part for each kind."""
    strength = pl.col("weight").abs()
    ranked = parts.sort("pair", strength, descending=[False, True], maintain_order=True)
    ranked = ranked.with_columns(rank=pl.int_range(pl.len()).over("pair"))
    small = ranked.filter(pl.col("rank") >= k).group_by("pair", "kind", maintain_order=True)
    called = pl.col("kind").first().replace({RIVALS: "competing candidates"})
    added = small.agg(
        pl.format("{}, {} smaller part{}", called, pl.len(), _plural(pl.len())).alias("predicate"),
        pl.lit(None, pl.String).alias("left"),
        pl.lit(None, pl.String).alias("right"),
        pl.col("weight").sum(),
        pl.lit(None, pl.String).alias("note"),
    )
    kept = ranked.filter(pl.col("rank") < k).drop("rank")
    return pl.concat([kept, added.select(kept.columns)]).sort("pair", maintain_order=True)


def _plural(n: pl.Expr) -> pl.Expr:
    return pl.when(n == 1).then(pl.lit("")).otherwise(pl.lit("s"))


def as_explanation(
    users: tuple[str, str], score: float | None, evidence: pl.DataFrame, usual: Yardstick, friends: LinkedFriends
) -> Explanation:
    """Rows of EVIDENCE of one pair as a record."""
    strongest = evidence.sort(pl.col("weight").abs(), descending=True, maintain_order=True)
    parts = tuple(as_evidence(row) for row in strongest.to_dicts())
    scored = None if score is None or not np.isfinite(score) else float(score)
    agreement = sum(part.weight for part in parts if part.kind in AGREEING)
    return Explanation(*users, scored, parts, usual.stands_out(agreement, friends))


def as_evidence(row: Mapping[str, Any]) -> Evidence:
    """One row of EVIDENCE as a record; runs of earlier versions have no kind and no note."""
    objects = row["left_object"] or "", row["right_object"] or ""
    return Evidence(row["predicate"], *objects, row["weight"], row.get("kind") or "", row.get("note") or "")


def sum_agreement(evidence: pl.LazyFrame) -> pl.LazyFrame:
    """Columns left, right and agreement: what names and pictures of each pair add up to."""
    agreement = pl.col("weight").filter(pl.col("kind").is_in(AGREEING)).sum()
    return evidence.group_by("left", "right", maintain_order=True).agg(agreement=agreement)


def measure_links(scorer: Scorer, links: Links, evidence: pl.DataFrame) -> Yardstick:
    """What is usual among those links that the evidence is of."""
    rows = _linked_rows(links)
    ids = {"left_id": scorer.left.users.gather(rows["left"]), "right_id": scorer.right.users.gather(rows["right"])}
    sums = sum_agreement(evidence.lazy()).rename({"left": "left_id", "right": "right_id"}).collect()
    mine = rows.with_columns(**ids).join(sums, on=["left_id", "right_id"], maintain_order="left")
    return measure_usual(add_linked_friends(mine, rows, link_table(scorer.left), link_table(scorer.right)))


def _linked_rows(links: Links) -> pl.DataFrame:
    linked = links.decisions == DECISIONS.index(Decision.LINK)
    rows = {"left": links.lefts[linked], "right": links.rights[linked]}
    return pl.DataFrame(rows, schema={"left": pl.Int64, "right": pl.Int64})
