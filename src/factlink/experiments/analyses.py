"""The paper's analyses as figures, in the folder `figures` of the results, each as SVG and PNG.

mrr-over-dim         MRR of one row of linker fe, fitted again with every dimension
mrr-over-iterations  MRR of the same row while it is embedded
strata               HR@1 of some rows on pairs whose names are alike, less alike, and unlike
trace                where the users of two pairs went that names alone do not find
annotation           what was said of links outside the labelled pairs (see `factlink.evaluation.annotation`)
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import numpy as np
import polars as pl

from factlink.candidates.top_k import blocks
from factlink.data.pairs import read_pairs
from factlink.errors import SettingError
from factlink.evaluation.annotation import SHEET, draw_lefts, tally, tally_by_truth, write_sheet
from factlink.evaluation.traces import draw_paths
from factlink.experiments.benchmark import JobProgress, jobs_of, metrics_of, outcomes_of
from factlink.experiments.charts import check_charts, draw_groups, draw_line, draw_tally
from factlink.experiments.datasets import Dataset, Files, prepare, read_dataset
from factlink.experiments.experiment import Experiment, Figures, Row
from factlink.experiments.iterations import mrr_over_iterations, paths_of
from factlink.experiments.jobs import shared_between_jobs
from factlink.linkers.baselines.features.comparisons import jaro_winkler_names
from factlink.linkers.baselines.features.pair_features import features_of_pairs
from factlink.linkers.fe.linker import FELinker
from factlink.linkers.settings import make_linker
from factlink.types import Floats, Pairs

STRATA = ("alike (top third)", "less alike", "unlike (bottom third)")
N_CASES = 2


def draw_figures(experiment: Experiment, folder: Path, on_progress: Callable[[JobProgress], None]) -> None:
    """Draws everything in the experiment's [figures]; finished fits are reused."""
    check_charts()
    wanted, parts = experiment.figures, _parts(experiment.figures)
    files = prepare(experiment.data, folder / "data")
    if not isinstance(files, Files):
        raise SettingError("figures are drawn of two networks; drop [figures], or give left and right")
    with shared_between_jobs(folder / "jobs"):
        analysis = _Analysis(experiment, files, read_dataset(files), folder)
        for done, (name, draw) in enumerate(parts.items()):
            on_progress(JobProgress(done, len(parts), f"figure: {name}"))
            draw(analysis, wanted)
    on_progress(JobProgress(len(parts), len(parts), "done"))


def _parts(wanted: Figures) -> dict[str, Callable[["_Analysis", Figures], None]]:
    """What to draw, by its name."""
    parts: dict[str, Callable[[_Analysis, Figures], None]] = {}
    if wanted.curve and wanted.dims:
        parts["MRR over dim"] = _draw_dims
    if wanted.curve:
        parts["MRR over iterations"] = _draw_iterations
    if wanted.strata:
        parts["strata"] = _draw_strata
    if wanted.curve and wanted.strata:
        parts["trace"] = _draw_trace
    if wanted.annotated:
        parts["annotation"] = _draw_annotation
    return parts


@dataclass(frozen=True, slots=True, eq=False)
class _Analysis:
    """An experiment with its data at hand."""

    experiment: Experiment
    files: Files
    dataset: Dataset
    folder: Path

    def row(self, title: str) -> Row:
        """The row of that title."""
        return next(row for row in self.experiment.rows if row.title == title)

    def figure(self, name: str) -> Path:
        """Where a figure goes, without its ending."""
        return self.folder / "figures" / name

    def ranks_by_left(self, row: Row) -> dict[int, float]:
        """The rank of every tested left row, with the first seed that a fold takes."""
        ranks: dict[int, float] = {}
        for job, places in jobs_of(row, self.experiment, self.files):
            folds = self.dataset.folds(job.folds)
            if all(int(left) in ranks for place in places for left in folds[place].tested.lefts):
                break
            for place, outcome in zip(places, outcomes_of(job, self.folder / "jobs", row.title, places), strict=True):
                ranks |= dict(zip(np.unique(folds[place].tested.lefts).tolist(), outcome.ranks, strict=True))
        return ranks

    def name_similarities(self) -> tuple[Pairs, Floats]:
        """Every pair of the truth and the Jaro-Winkler similarity of its most similar names; 0 without names."""
        features = jaro_winkler_names(self.dataset.left, self.dataset.right)
        values = np.nan_to_num(features_of_pairs(features, self.dataset.truth), nan=0.0)
        return self.dataset.truth, values.max(axis=1, initial=0)


def _draw_dims(analysis: _Analysis, wanted: Figures) -> None:
    row, points = analysis.row(wanted.curve), []
    for dim in wanted.dims:
        varied = replace(row, settings={**row.settings, "training.dim": str(dim)})
        ranks = analysis.ranks_by_left(varied)
        points.append({"dimensions of a user's vector": dim, "MRR": metrics_of(list(ranks.values()))["mrr"]})
    columns = ("dimensions of a user's vector", "MRR")
    draw_line(pl.DataFrame(points), *columns, f"MRR of {row.title} over the dimension", analysis.figure("mrr-over-dim"))


def _draw_iterations(analysis: _Analysis, wanted: Figures) -> None:
    linker = _fe(analysis.row(wanted.curve))
    curve = mrr_over_iterations(linker, analysis.dataset)
    columns = ("iterations (batches of every predicate)", "MRR")
    table, title = (
        pl.DataFrame(curve, schema=list(columns), orient="row"),
        f"MRR of {wanted.curve} while it is embedded",
    )
    draw_line(table, *columns, title, analysis.figure("mrr-over-iterations"))


def _draw_strata(analysis: _Analysis, wanted: Figures) -> None:
    truth, similarities = analysis.name_similarities()
    strata = np.array_split(truth.lefts[np.argsort(-similarities, kind="stable")], len(STRATA))
    bars = []
    for name, lefts in zip(STRATA, strata, strict=True):
        for title in wanted.strata:
            ranks = analysis.ranks_by_left(analysis.row(title))
            bars.append((name, title, metrics_of([ranks[int(left)] for left in lefts])["hr@1"]))
    columns = ("names of the two accounts", "method", "HR@1")
    title = f"HR@1 by how alike the names are ({len(truth):,} pairs in three equal groups)"
    draw_groups(pl.DataFrame(bars, schema=list(columns), orient="row"), columns, title, analysis.figure("strata"))


def _draw_trace(analysis: _Analysis, wanted: Figures) -> None:
    """Pairs that the row finds and the first of the strata's rows does not, names least alike first."""
    truth, similarities = analysis.name_similarities()
    found, by_name = (analysis.ranks_by_left(analysis.row(title)) for title in (wanted.curve, wanted.strata[0]))
    order = np.argsort(similarities, kind="stable")
    gained = [place for place in order if found[int(truth.lefts[place])] <= 1 < by_name[int(truth.lefts[place])]]
    places = np.array([*gained, *order][:N_CASES])
    cases = Pairs(truth.lefts[places], truth.rights[places])
    paths = paths_of(_fe(analysis.row(wanted.curve)), analysis.dataset, cases)
    for ending in ("svg", "png"):
        draw_paths(paths, analysis.figure(f"trace.{ending}"))


def _draw_annotation(analysis: _Analysis, wanted: Figures) -> None:
    dataset, home = analysis.dataset, analysis.folder / "figures"
    given = _given_links(analysis, wanted)
    if not (home / SHEET).exists():
        write_sheet(home, dataset.left, dataset.right, given)
    counts, by = tally(home), "by people"
    if not counts["links"].sum() and analysis.files.whole_truth:
        whole = read_pairs(analysis.files.whole_truth, dataset.left, dataset.right)
        counts, by = tally_by_truth(given, whole), "by the made-up world's own truth"
    if counts["links"].sum():
        draw_tally(counts, f"Links outside the labelled pairs, judged {by}", analysis.figure("annotation"))


def _given_links(analysis: _Analysis, wanted: Figures) -> Mapping[str, Pairs]:
    """The best right user of some left users outside the truth, by every annotated row."""
    dataset = analysis.dataset
    lefts, given = draw_lefts(dataset.left, dataset.truth, wanted.pairs), {}
    for title in wanted.annotated:
        row = analysis.row(title)
        scorer = make_linker(row.linker or "", row.settings, analysis.experiment.seeds[0]).fit(
            dataset.left, dataset.right, dataset.truth if row.known else Pairs(lefts[:0], lefts[:0])
        )
        parts = [scorer.scores(lefts[rows]).argmax(axis=1) for rows in blocks(len(lefts), len(dataset.right))]
        given[title] = Pairs(lefts, np.concatenate(parts))
    return given


def _fe(row: Row) -> FELinker:
    return cast(FELinker, make_linker("fe", row.settings))
