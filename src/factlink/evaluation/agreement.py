"""How far people agree: Cohen's kappa between reviewers of the same pairs."""

from dataclasses import dataclass
from itertools import combinations

import polars as pl


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two reviewers over the pairs that both judged."""

    first: str
    second: str
    pairs: int
    agreed: int
    kappa: float | None  # None where chance alone would agree on everything, or there is no such pair


def agreements(judgements: pl.DataFrame) -> list[Agreement]:
    """Every two reviewers; `judgements` has left, right, reviewer, verdict, one row per pair and reviewer."""
    reviewers = sorted(judgements["reviewer"].unique())
    return [_agreement(judgements, first, second) for first, second in combinations(reviewers, 2)]


def cohens_kappa(first: pl.Series, second: pl.Series) -> float | None:
    """(observed − expected) / (1 − expected) agreement of two columns of verdicts; None if it is not defined."""
    n = len(first)
    counts = _shares(first).join(_shares(second), on="verdict", suffix="_second")
    expected = float((counts["len"] * counts["len_second"]).sum()) / max(n * n, 1)
    if not n or expected == 1.0:
        return None
    return (int((first == second).sum()) / n - expected) / (1.0 - expected)


def _agreement(judgements: pl.DataFrame, first: str, second: str) -> Agreement:
    of = {name: judgements.filter(pl.col("reviewer") == name) for name in (first, second)}
    both = of[first].join(of[second], on=["left", "right"], suffix="_second")
    mine, other = both["verdict"], both["verdict_second"]
    return Agreement(first, second, both.height, int((mine == other).sum()), cohens_kappa(mine, other))


def _shares(verdicts: pl.Series) -> pl.DataFrame:
    return verdicts.alias("verdict").to_frame().group_by("verdict").len().cast({"len": pl.Int64})
