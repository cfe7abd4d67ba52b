"""Links in detail: their evidence, those with separate friends, and the similarity of their names."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from factlink.evidence import Evidence
from factlink.explanations.explain import as_evidence, sum_agreement
from factlink.explanations.friends import COUNTS, Yardstick, are_separate
from factlink.report.accounts import Accounts
from factlink.runs.folder.friends import with_linked_friends
from factlink.runs.folder.manifest import Manifest
from factlink.runs.folder.store import EVIDENCE
from factlink.types import Decision

SHOWN_SEPARATE = 10
SAMPLE = 20_000
"""Links whose names are compared."""
STRATA = (("the same", 0.99), ("nearly the same", 0.9), ("similar", 0.75), ("different", -1.0))
"""Classes of links by the Jaro-Winkler similarity of their most similar names, and where each begins."""

Values = dict[str, Any]


def evidence_of(run: Path, links: pl.DataFrame) -> dict[tuple[str, str], list[Evidence]]:
    """The parts of some links, strongest first, by left and right user; only those that the run keeps."""
    if not (run / EVIDENCE).exists() or not links.height:
        return {}
    kept = pl.scan_parquet(run / EVIDENCE).filter(pl.col("left").is_in(links["left"].implode()))
    mine = kept.collect().join(links.select("left", "right"), on=["left", "right"], how="semi", maintain_order="left")
    found: dict[tuple[str, str], list[Evidence]] = {}
    for row in mine.sort(pl.col("weight").abs(), descending=True, maintain_order=True).to_dicts():
        found.setdefault((row["left"], row["right"]), []).append(as_evidence(row))
    return found


def separate_friends(
    run: Path, manifest: Manifest, links: pl.DataFrame, left: Accounts, right: Accounts
) -> list[Values]:
    """Links whose names or pictures agree best while their friends are separate, most probable first."""
    usual = Yardstick.noted(manifest.notes)
    if not (run / EVIDENCE).exists() or not usual.is_telling:
        return []
    linked = links.filter(pl.col("decision") == Decision.LINK.value).select("left", "right", "probability")
    agreeing = sum_agreement(pl.scan_parquet(run / EVIDENCE)).filter(pl.col("agreement") >= usual.agreement).collect()
    asked = with_linked_friends(run, linked.join(agreeing, on=["left", "right"], maintain_order="left"))
    left_friends, right_friends, shared = (asked[name].to_numpy() for name in COUNTS)
    apart = are_separate(left_friends, right_friends, shared, usual.overlap)
    flagged = asked.filter(pl.Series(apart)).sort("probability", descending=True, maintain_order=True)
    return [
        {**row, "left": left.named(row["left"]), "right": right.named(row["right"])}
        for row in flagged.head(SHOWN_SEPARATE).to_dicts()
    ]


def name_strata(links: pl.DataFrame, left: Accounts, right: Accounts) -> Values:
    """Best pairs by the similarity of their names: how many, how many are linked, and their mean probability."""
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
