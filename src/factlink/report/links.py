"""Links under a magnifying glass: their evidence, those that contradict themselves, and how alike the names are."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from factlink.evaluation.explain import AGREEING, Yardstick, contradicts
from factlink.report.accounts import Accounts
from factlink.runs.manifest import Manifest
from factlink.runs.store import EVIDENCE
from factlink.types import FRIENDS, Decision

SHOWN_PARTS = 8
SHOWN_CONTRADICTIONS = 10
SAMPLE = 20_000
"""Links whose names are compared."""
STRATA = (("the same", 0.99), ("nearly the same", 0.9), ("alike", 0.75), ("different", -1.0))
"""Classes of links by the Jaro-Winkler similarity of their most similar names, and where each begins."""

Values = dict[str, Any]


def evidence_of(run: Path, links: pl.DataFrame) -> dict[tuple[str, str], list[Values]]:
    """The strongest parts of some links, by left and right user; nothing for those the run keeps none of."""
    if not (run / EVIDENCE).exists() or not links.height:
        return {}
    kept = pl.scan_parquet(run / EVIDENCE).filter(pl.col("left").is_in(links["left"].implode()))
    mine = kept.collect().join(links.select("left", "right"), on=["left", "right"], how="semi", maintain_order="left")
    found: dict[tuple[str, str], list[Values]] = {}
    for row in mine.sort(pl.col("weight").abs(), descending=True, maintain_order=True).to_dicts():
        parts = found.setdefault((row.pop("left"), row.pop("right")), [])
        if len(parts) < SHOWN_PARTS:
            parts.append(row)
    return found


def contradictions(run: Path, manifest: Manifest, links: pl.DataFrame, left: Accounts, right: Accounts) -> list[Values]:
    """Links whose names or pictures agree while their neighbourhoods do not, most probable first."""
    notes = manifest.notes.get("evidence", {})
    usual = Yardstick(notes.get("agreement", 0.0), notes.get("friends", 0.0))
    if not (run / EVIDENCE).exists() or not usual.friends > 0:
        return []
    linked = links.filter(pl.col("decision") == Decision.LINK.value).select("left", "right", "probability")
    sums = (
        pl.scan_parquet(run / EVIDENCE)
        .group_by("left", "right")
        .agg(
            agreement=pl.col("weight").filter(pl.col("kind").is_in(AGREEING)).sum(),
            friends=pl.col("weight").filter(pl.col("kind") == FRIENDS).sum(),
        )
    )
    doubtful = sums.filter(pl.col("agreement") >= usual.agreement, pl.col("friends") < usual.friends).collect()
    asked = linked.join(doubtful, on=["left", "right"], maintain_order="left")
    counts = left.link_counts(asked["left"]), right.link_counts(asked["right"])
    flagged = [
        row
        for row, mine, theirs in zip(asked.to_dicts(), *counts, strict=True)
        if contradicts({"name": row["agreement"], FRIENDS: row["friends"]}, usual, (int(mine), int(theirs)))
    ]
    flagged.sort(key=lambda row: -(row["probability"] or 0.0))
    return [
        {**row, "left": left.named(row["left"]), "right": right.named(row["right"])}
        for row in flagged[:SHOWN_CONTRADICTIONS]
    ]


def name_strata(links: pl.DataFrame, left: Accounts, right: Accounts) -> Values:
    """Best pairs by how alike their names are: how many, how many are linked, and how probable they are."""
    paired = links.filter(pl.col("right").is_not_null())
    sample = paired if paired.height <= SAMPLE else paired.sample(SAMPLE, seed=0)
    similarity = name_similarities(sample, left, right)
    rows, above = [], 2.0
    for name, least in STRATA:
        mine = sample.filter(pl.Series((similarity >= least) & (similarity < above)))
        rows.append(_stratum(name, mine))
        above = least
    rows.append(_stratum("no names to compare", sample.filter(pl.Series(np.isnan(similarity)))))
    return {"sampled": sample.height, "of": paired.height, "rows": [row for row in rows if row["pairs"]]}


def name_similarities(links: pl.DataFrame, left: Accounts, right: Accounts) -> np.ndarray[Any, np.dtype[np.float64]]:
    """(n_links,): Jaro-Winkler of the most similar names in lower case, NaN where one of the two has none."""
    from rapidfuzz import process
    from rapidfuzz.distance import JaroWinkler

    mine, theirs = left.names(links["left"]), right.names(links["right"])
    pairs = [
        (place, a.lower(), b.lower())
        for place, (user, other) in enumerate(links.select("left", "right").rows())
        for a in mine.get(user, [])
        for b in theirs.get(other, [])
    ]
    best = np.full(links.height, np.nan)
    if pairs:
        places, lefts, rights = zip(*pairs, strict=True)
        scores = process.cpdist(lefts, rights, scorer=JaroWinkler.normalized_similarity, dtype=np.float32)
        np.fmax.at(best, np.array(places), scores)
    return best


def _stratum(name: str, links: pl.DataFrame) -> Values:
    linked = links.filter(pl.col("decision") == Decision.LINK.value)["probability"].drop_nulls()
    mean = linked.mean()
    return {
        "names": name,
        "pairs": links.height,
        "links": int((links["decision"] == Decision.LINK.value).sum()),
        "expected_false": None if mean is None else 1 - float(mean),  # type: ignore[arg-type]
    }
