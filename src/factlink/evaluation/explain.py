"""Why two accounts were linked: a score as a sum of named parts, with the two objects or friends that met."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from factlink.errors import SettingError
from factlink.matching.neighbours import best_candidates
from factlink.types import FRIENDS, Evidence, Explainer, Ints, Kind, Links, Network, Scorer

MOST_PAIRS = 30_000
"""Pairs whose evidence is kept with a run; past it those that are most in doubt, the surest, and a sample."""
PARTS_KEPT = 8
"""Parts of a pair that are kept one by one; those smaller are added up, kind by kind."""
FEW = 8
"""Users with fewer links than this have no neighbourhood that could speak against them."""
TELLING = 0.1
"""Where friends usually weigh less than this share of names and pictures, their silence contradicts nothing."""
STRANGERS = 0.05
"""Less than this share of what friends usually add, and two neighbourhoods have nothing to do with each other."""

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
"""Evidence of many pairs: rows of a pair stand together, strongest first."""

AGREEING = (Kind.NAME.value, Kind.IMAGE.value)


@dataclass(frozen=True, slots=True)
class Yardstick:
    """What is usual among the best pairs of a run: the median sum of names and pictures, and that of friends."""

    agreement: float
    friends: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """One pair: its parts add up to `total`; what is missing to the score is the gap."""

    left: str
    right: str
    score: float | None  # None for a pair that was never scored
    parts: tuple[Evidence, ...]  # strongest first
    is_contradictory: bool = False  # names or pictures agree, neighbourhoods do not: possibly an impersonation

    @property
    def total(self) -> float:
        """The parts added up."""
        return sum(part.weight for part in self.parts)

    @property
    def gap(self) -> float | None:
        """Score − total."""
        return None if self.score is None else self.score - self.total


def explain(scorer: Scorer, links: Links, most_pairs: int = MOST_PAIRS) -> pl.DataFrame:
    """Columns EVIDENCE for the best pair of every left user; of too many pairs those most worth a look."""
    places = choose_pairs(links, most_pairs)
    return explain_pairs(scorer, links.lefts[places], links.rights[places])


def choose_pairs(links: Links, most_pairs: int) -> Ints:
    """Places of links with a right user: all, or half the most doubtful, a tenth the surest, the rest a sample."""
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
    parts = keep_strongest(_explainer(scorer).explain(lefts, rights), most_parts)
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
    added = small.agg(
        pl.format("{}, {} smaller part{}", pl.col("kind").first(), pl.len(), _plural(pl.len())).alias("predicate"),
        pl.lit(None, pl.String).alias("left"),
        pl.lit(None, pl.String).alias("right"),
        pl.col("weight").sum(),
        pl.lit(None, pl.String).alias("note"),
    )
    kept = ranked.filter(pl.col("rank") < k).drop("rank")
    return pl.concat([kept, added.select(kept.columns)]).sort("pair", maintain_order=True)


def _plural(n: pl.Expr) -> pl.Expr:
    return pl.when(n == 1).then(pl.lit("")).otherwise(pl.lit("s"))


def explain_pair(scorer: Scorer, left: int, right: int) -> Explanation:
    """All parts of one pair, whether or not it was linked."""
    evidence = explain_pairs(scorer, np.array([left]), np.array([right]), most_parts=1_000)
    score = float(scorer.scores(np.array([left]))[0, right])
    measured = measure_usual(scorer)
    degrees = link_counts(scorer.left)[left], link_counts(scorer.right)[right]
    users = scorer.left.users[left], scorer.right.users[right]
    return as_explanation(users, score, evidence, measured, (int(degrees[0]), int(degrees[1])))


def as_explanation(
    users: tuple[str, str], score: float | None, evidence: pl.DataFrame, usual: Yardstick, degrees: tuple[int, int]
) -> Explanation:
    """Rows of EVIDENCE of one pair as a record."""
    parts = tuple(
        Evidence(
            row["predicate"],
            row["left_object"] or "",
            row["right_object"] or "",
            row["weight"],
            row["kind"],
            row["note"] or "",
        )
        for row in evidence.sort(pl.col("weight").abs(), descending=True, maintain_order=True).to_dicts()
    )
    scored = None if score is None or not np.isfinite(score) else float(score)
    return Explanation(*users, scored, parts, contradicts(sums_by_kind(parts), usual, degrees))


def sums_by_kind(parts: tuple[Evidence, ...]) -> dict[str, float]:
    """What the parts of each kind add up to."""
    kinds = dict.fromkeys(part.kind for part in parts)
    return {kind: sum(part.weight for part in parts if part.kind == kind) for kind in kinds}


def contradicts(sums: Mapping[str, float], usual: Yardstick, degrees: tuple[int, int]) -> bool:
    """Whether names or pictures agree as in most links while two neighbourhoods have nothing to do with each other."""
    agreement = sum(sums.get(kind, 0.0) for kind in AGREEING)
    telling = usual.friends > TELLING * usual.agreement
    repel = telling and sums.get(FRIENDS, 0.0) < STRANGERS * usual.friends
    return bool(agreement >= usual.agreement > 0 and repel and min(degrees) >= FEW)


def measure_usual(scorer: Scorer, n: int = 200) -> Yardstick:
    """The yardstick from the best candidates of some left users, evenly chosen."""
    best = best_candidates(scorer, 1).rights[:, 0]
    found = np.flatnonzero(best >= 0)
    chosen = found[:: max(1, len(found) // n)][:n]
    return yardstick(explain_pairs(scorer, chosen, best[chosen]))


def yardstick(evidence: pl.DataFrame) -> Yardstick:
    """What is usual in some evidence."""
    agreement = pl.col("weight").filter(pl.col("kind").is_in(AGREEING)).sum()
    friends = pl.col("weight").filter(pl.col("kind") == FRIENDS).sum()
    sums = evidence.group_by("left", "right").agg(agreement=agreement, friends=friends)
    agreed, friendly = (float(sums[name].median() or 0.0) for name in ("agreement", "friends"))  # type: ignore[arg-type]
    return Yardstick(agreed, friendly)


def link_counts(network: Network) -> Ints:
    """(n_users,): how many links begin or end at each user."""
    counts = np.zeros(len(network), np.int64)
    for follows in network.links.values():
        for ends in (follows.followers, follows.followees):
            counts += np.bincount(ends, minlength=len(network))
    return counts


def _explainer(scorer: Scorer) -> Explainer:
    if not isinstance(scorer, Explainer):
        raise SettingError(f"a {type(scorer).__name__} cannot take its scores apart; give it a method explain")
    return scorer
