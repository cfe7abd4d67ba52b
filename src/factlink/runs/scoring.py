"""A run against the truth."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from factlink.data.pairs import read_pairs
from factlink.evaluation.metrics import evaluate_candidates
from factlink.runs.store import Run, load_run
from factlink.types import Decision, Metrics, Pairs


@dataclass(frozen=True, slots=True)
class Scores:
    """How good a run's ranking is, and whether it knows how good its links are.

    Rates are over links of left users that truth names; a link of another user is neither right nor wrong.
    """

    metrics: Metrics
    links: int  # of left users that truth names
    coverage: float  # share of those users who are linked rightly
    false_links: float  # share of these links that are false
    expected_false_links: float  # what the run estimated without truth
    calibration_error: float  # mean gap of probability and truth over ten bins of equal size


def evaluate_run(path: Path, truth: Path) -> Scores:
    """Hit rates are exact; MRR takes the middle of the ranks past the stored ones."""
    run = load_run(path)
    pairs = read_pairs(truth, run.left, run.right)
    metrics = evaluate_candidates(run.candidates, len(run.right), pairs)
    judged = judged_links(run, pairs)
    linked = judged.filter(pl.col("decision") == Decision.LINK.value)
    right, probability = linked["is_right"].mean(), linked["probability"].mean()
    return Scores(
        metrics,
        linked.height,
        int(linked["is_right"].sum()) / metrics.n,
        1 - _number(right, 1.0),
        1 - _number(probability, 1.0),
        calibration_error(judged),
    )


def calibration_error(judged: pl.DataFrame) -> float:
    """Expected calibration error of best links with a probability, over ten bins of equal size."""
    sorted_links = judged.drop_nulls("probability").sort("probability")
    if not sorted_links.height:
        return float("nan")
    bins = np.array_split(np.arange(sorted_links.height), min(10, sorted_links.height))
    probability, is_right = sorted_links["probability"].to_numpy(), sorted_links["is_right"].to_numpy()
    gaps = [abs(probability[part].mean() - is_right[part].mean()) * len(part) for part in bins]
    return float(sum(gaps) / sorted_links.height)


def judged_links(run: Run, truth: Pairs) -> pl.DataFrame:
    """The links of the left users that truth names, and whether each is right."""
    true = pl.DataFrame({"left": run.left.users.gather(truth.lefts), "right": run.right.users.gather(truth.rights)})
    true = true.with_columns(is_right=pl.lit(value=True))
    named = run.links.join(true.select("left").unique(), on="left", how="semi", maintain_order="left")
    return named.join(true, on=["left", "right"], how="left", maintain_order="left").with_columns(
        pl.col("is_right").fill_null(value=False)
    )


def _number(value: object, otherwise: float) -> float:
    return float(value) if isinstance(value, (int, float)) else otherwise
