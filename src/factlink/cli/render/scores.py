"""A run compared with the truth, on a terminal."""

import sys
from collections.abc import Mapping
from dataclasses import asdict, fields

from rich.console import Console
from rich.table import Table

from factlink.cli.render.as_json import print_json
from factlink.evaluation.metrics import CUTS
from factlink.runs.duplicates import DuplicateScores
from factlink.runs.scoring import DeclaredScores, Scores
from factlink.types import Metrics

RANKING = ("n", *(f"hr@{cut}" for cut in CUTS), "mrr", "recall@precision90")
OUTCOME = tuple(field.name for field in fields(Scores) if field.name != "metrics")


def print_scores(scores: Scores, *, as_json: bool) -> None:
    """Hit rates, MRR, and the quality of the links."""
    values = scores_as_json(scores)
    if as_json:
        print_json(values)
        return
    absent = f", {scores.absent:,} without an account there" if scores.absent else ""
    table = _ranking_table(f"Compared with the truth: {scores.metrics.n:,} left users with a partner{absent}", values)
    console = Console(file=sys.stdout)
    console.print(table)
    if scores.known or scores.judged:
        given = f"{scores.known:,} known, {scores.judged:,} judged matches"
        console.print(f"Given pairs are left out: {given}.", highlight=False)
    console.print(
        f"{scores.links:,} of these accounts were linked. {scores.coverage:.1%} of the people with a partner were "
        f"found. {scores.false_links:.1%} of the links are false ({scores.expected_false_links:.1%} were expected). "
        f"Average calibration error: {scores.calibration_error:.3f}",
        highlight=False,
    )


def print_duplicate_scores(scores: DuplicateScores, *, as_json: bool) -> None:
    """How good the pairs within one network are."""
    if as_json:
        print_json(asdict(scores))
    else:
        Console(file=sys.stdout).print(str(scores), highlight=False)


def print_declared(scores: DeclaredScores, *, as_json: bool) -> None:
    """Hit rates on declared links that the linker was not shown, and in which way they are biased."""
    values = _ranking(scores.metrics)
    if as_json:
        print_json(values | {"mutual": scores.mutual})
        return
    title = f"Compared with {scores.metrics.n:,} declared links ({scores.mutual:,} declared by both sides)"
    table = _ranking_table(title, values)
    console = Console(file=sys.stdout)
    console.print(table)
    console.print(
        "The linker was fitted again without declared links. People who declare their other account often use one "
        "name everywhere, so these figures are more often too high than too low for everybody.",
        highlight=False,
    )


def _ranking_table(title: str, values: Mapping[str, float]) -> Table:
    table = Table(title=title, title_justify="left")
    for name in RANKING[1:]:
        heading = "recall@p90" if name == "recall@precision90" else name.upper()
        table.add_column(heading, justify="right")
    table.add_row(*(f"{values[name]:.3f}" for name in RANKING[1:]))
    return table


def _ranking(metrics: Metrics) -> dict[str, float]:
    hits = {f"hr@{cut}": rate for cut, rate in metrics.hits.items()}
    return {"n": metrics.n, **hits, "mrr": metrics.mrr, "recall@precision90": metrics.recall_at_precision_90}


def scores_as_json(scores: Scores) -> dict[str, float]:
    """Figures under the names that scripts use."""
    return _ranking(scores.metrics) | {name: getattr(scores, name) for name in OUTCOME}
