"""What the judgements of a run come to: figures, agreement, and pairs files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from factlink.data.tables import write_table
from factlink.errors import RunError, SettingError
from factlink.evaluation.agreement import Agreement, agreements
from factlink.runs.folder.judgements import Judgements
from factlink.runs.folder.store import check_run
from factlink.types import Verdict


@dataclass(frozen=True, slots=True)
class Summary:
    """The judgements of a run: the number of each verdict by reviewer, and the agreement of reviewers."""

    counts: Mapping[str, Mapping[str, int]]
    agreements: Sequence[Agreement]


def summarise_judgements(run: Path) -> Summary:
    """The judgements of a run in figures."""
    check_run(run)
    said = Judgements(run).by_reviewer()
    return Summary(count_verdicts(said), agreements(said))


def count_verdicts(said: pl.DataFrame) -> dict[str, dict[str, int]]:
    """By reviewer, how many pairs have each verdict."""
    counts: dict[str, dict[str, int]] = {}
    for reviewer, verdict, n in said.group_by("reviewer", "verdict").len().sort("reviewer", "verdict").rows():
        counts.setdefault(reviewer, {each.value: 0 for each in Verdict})[verdict] = n
    return counts


def export_pairs(run: Path, verdict: str, path: Path) -> int:
    """Writes the pairs with a verdict as a pairs file; how many they are."""
    check_run(run)
    if verdict not in [each.value for each in Verdict]:
        raise SettingError(f"no verdict is called '{verdict}'; there are: {', '.join(Verdict)}")
    pairs = Judgements(run).pairs(Verdict(verdict))
    if not pairs.height:
        raise RunError(f"no pair of {run} is judged '{verdict}' now; judge some with: factlink review {run}")
    write_table(pairs, path)
    return pairs.height
