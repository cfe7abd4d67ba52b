"""All figures of a report as plain values, for the page and for JSON alike."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from factlink.evaluation.metrics import CUTS
from factlink.explanations.waterfall import make_waterfall
from factlink.report.accounts import Accounts
from factlink.report.links import evidence_of, name_strata, separate_friends
from factlink.report.listing import MOST
from factlink.report.plane import map_links
from factlink.runs.folder.manifest import Manifest
from factlink.runs.folder.store import load_manifest, load_run, read_links
from factlink.runs.scoring import evaluate_run, given_pairs, judged_links, tested_truth
from factlink.types import Decision, LinkSource

SHOWN_LINKS = 10
N_BINS = 40
THRESHOLDS = 101
Values = dict[str, Any]


def gather_report(run: Path, truth: Path | None = None) -> Values:
    """A run in figures, with its most and least probable links; large runs are sampled."""
    manifest = load_manifest(run)
    links = read_links(run)
    accounts = Accounts(run / "left", manifest.left.name), Accounts(run / "right", manifest.right.name)
    linked = links.filter(pl.col("decision") == Decision.LINK.value)
    found = links.filter(pl.col("source") == LinkSource.FOUND.value)
    values = {
        "run": _about(run, manifest),
        "outcomes": {each.value: int((links["decision"] == each.value).sum()) for each in Decision},
        "links": {each.value: linked.filter(source=each.value).height for each in LinkSource},
        "expected_false_links": float(1 - _mean(found.filter(decision=Decision.LINK.value)["probability"], 1.0)),
        "false_link_range": manifest.notes.get("false_link_range"),
        "channel_weights": weigh_evidence(manifest),
        "seconds": _bars(manifest.seconds),
        "probabilities": probability_histogram(links),
        "thresholds": false_by_threshold(found),
        "strata": name_strata(links, *accounts),
        "surest": _shown(run, linked.sort("probability", "margin", descending=True), accounts),
        "most_doubtful": _shown(run, linked.sort("probability", "margin"), accounts),
        "separate_friends": separate_friends(run, manifest, links, *accounts),
        "map": map_links(run, links),
        "evidence": {key: manifest.notes.get("evidence", {}).get(key) for key in ("pairs", "of")},
        "listing": {"rows": min(links.height, MOST), "of": links.height},
        "truth": _against_truth(run, truth) if truth else None,
        "within": manifest.within,
    }
    return {"summary": summarise(values), **values}


def summarise(values: Values) -> str:
    """The run in a few sentences."""
    counts, left, right = values["outcomes"], values["run"]["left"], values["run"]["right"]
    found, share = values["links"][LinkSource.FOUND.value], values["expected_false_links"]
    said = f"{counts['link']:,} of the {left['users']:,} accounts of {left['name']} are linked to an account"
    said += f" of {right['name']}"
    if found:
        said += f"; about {round(found * share):,} of {_these(values)} ({share:.1%}{_between(values)}) are expected"
        said += " to be false"
    if values.get("within"):
        said = f"{counts['link']:,} pairs of the {left['users']:,} accounts of {left['name']} are held to be one person"
        false_links = f"about {round(found * share):,} of these pairs ({share:.1%}) are expected to be false"
        return f"{said}; {false_links}. {counts['unknown']:,} more could not be decided."
    rest = f" {counts['unknown']:,} could not be decided, and {counts['no account']:,} seem to have no account there."
    truth = values["truth"]
    if not truth:
        return f"{said}.{rest}"
    correct = f" {truth['coverage']:.1%} of the people known to have both were found, and {truth['false_links']:.1%}"
    return f"{said}.{rest} Compared with the truth,{correct} of the links are false."


def _between(values: Values) -> str:
    span = values["false_link_range"]
    return f", between {span[0]:.1%} and {span[1]:.1%}" if span else ""


def _these(values: Values) -> str:
    found, all_links = values["links"][LinkSource.FOUND.value], sum(values["links"].values())
    return "these links" if found == all_links else f"the {found:,} that were found"


def weigh_evidence(manifest: Manifest) -> list[Values]:
    """The weights, largest first; the source is empty in older runs."""
    weights = [{"source": "", **weight} for weight in manifest.notes.get("channel_weights", [])]
    most = max((weight["weight"] for weight in weights), default=1.0) or 1.0
    named = [{**weight, **_sides(weight, manifest), "share": max(0.0, weight["weight"] / most)} for weight in weights]
    return sorted(named, key=lambda weight: -weight["weight"])


def _sides(weight: Values, manifest: Manifest) -> Values:
    """Which columns of which network a weight is of, as text."""
    sides = ((weight["left"], manifest.left.name), (weight["right"], manifest.right.name))
    columns = [f"{column} ({network})" for column, network in sides if column]
    return {"called": ": ".join(part for part in (weight["source"], " · ".join(columns)) if part)}


def _bars(figures: Mapping[str, float]) -> list[Values]:
    most = max(figures.values(), default=1.0) or 1.0
    return [{"called": name, "figure": figure, "share": figure / most} for name, figure in figures.items()]


def _about(run: Path, manifest: Manifest) -> Values:
    return {
        "name": run.resolve().name,
        "created": manifest.created,
        "linker": manifest.linker,
        "settings": dict(manifest.settings),
        "decision_rule": manifest.notes.get("decision_rule", {}),
        "left": asdict(manifest.left),
        "right": asdict(manifest.right),
        "known_pairs": manifest.known_pairs,
        "seconds": dict(manifest.seconds),
        "peak_memory_bytes": manifest.peak_memory_bytes,
        "versions": dict(manifest.versions),
    }


def probability_histogram(links: pl.DataFrame) -> list[Values]:
    """How many best pairs of each outcome fall into each bin of probability."""
    edges, rows = np.linspace(0, 1, N_BINS + 1), []
    for decision in Decision:
        mine = links.filter(pl.col("decision") == decision.value)["probability"].drop_nulls().to_numpy()
        counts = np.histogram(mine, edges)[0]
        rows += [
            {"from": float(low), "to": float(high), "outcome": decision.value, "pairs": int(n)}
            for low, high, n in zip(edges[:-1], edges[1:], counts, strict=True)
            if n
        ]
    return rows


def false_by_threshold(links: pl.DataFrame) -> Values:
    """By threshold: how many best pairs are at or above it, and how many of those are expected to be false."""
    probabilities = np.sort(links.filter(pl.col("right").is_not_null())["probability"].drop_nulls().to_numpy())
    steps = np.linspace(0, 1, THRESHOLDS)
    starts = np.searchsorted(probabilities, steps.astype(np.float32))
    false_above = np.append(np.cumsum((1 - probabilities.astype(np.float64))[::-1])[::-1], 0.0)
    return {
        "from": [round(float(step), 2) for step in steps],
        "links": (len(probabilities) - starts).tolist(),
        "expected_false": [round(float(n), 2) for n in false_above[starts]],
    }


def _shown(run: Path, links: pl.DataFrame, accounts: tuple[Accounts, Accounts]) -> list[Values]:
    """The first links with names and evidence."""
    left, right = accounts
    best = links.head(SHOWN_LINKS)
    evidence = evidence_of(run, best)
    return [
        {
            "left": left.named(row["left"]),
            "right": right.named(row["right"]),
            "score": row["score"],
            "probability": row["probability"],
            "margin": row["margin"] if np.isfinite(row["margin"]) else None,
            "evidence": [asdict(part) for part in evidence.get((row["left"], row["right"]), [])],
            "waterfall": make_waterfall(evidence.get((row["left"], row["right"]), [])).values(),
        }
        for row in best.to_dicts()
    ]


def _against_truth(run: Path, truth: Path) -> Values:
    """Hit rates, the quality of the links, and calibration in ten bins of equal size."""
    from factlink.data.pairs import read_truth

    scores, loaded = evaluate_run(run, truth), load_run(run)
    tested = tested_truth(read_truth(truth, loaded.left, loaded.right), given_pairs(loaded))
    judged = judged_links(loaded, tested)
    sorted_links = judged.drop_nulls("probability").sort("probability")
    bins = np.array_split(np.arange(sorted_links.height), min(10, max(1, sorted_links.height)))
    probability, is_right = sorted_links["probability"].to_numpy(), sorted_links["is_right"].to_numpy()
    return {
        "n": scores.metrics.n,
        "absent": scores.absent,
        "known": scores.known,
        "judged": scores.judged,
        "hits": {f"HR@{cut}": scores.metrics.hits[cut] for cut in CUTS},
        "mrr": scores.metrics.mrr,
        "links": scores.links,
        "coverage": scores.coverage,
        "false_links": scores.false_links,
        "expected_false_links": scores.expected_false_links,
        "calibration_error": scores.calibration_error if np.isfinite(scores.calibration_error) else None,
        "calibration": [
            {"probability": float(probability[part].mean()), "right": float(is_right[part].mean()), "pairs": len(part)}
            for part in bins
            if len(part)
        ],
    }


def _mean(column: pl.Series, otherwise: float) -> float:
    mean = column.mean()
    return float(mean) if isinstance(mean, (int, float)) else otherwise
