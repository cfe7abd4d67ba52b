"""Linkers × folds × seeds on one data set, beside what was published. A second run continues a broken one."""

import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from factlink.errors import InputError, RunError
from factlink.evaluation.metrics import CUTS
from factlink.experiments.at_once import THREADS, run_at_once, threads_each
from factlink.experiments.datasets import Files, prepare
from factlink.experiments.experiment import METRICS, Experiment, Row
from factlink.experiments.jobs import Job, Outcome, as_json, read_outcome
from factlink.experiments.joint import JointFiles
from factlink.experiments.provenance import Provenance, command_line, provenance, share
from factlink.experiments.tables import as_html, as_markdown
from factlink.linkers.settings import make_linker
from factlink.storage.durable import replaced_file

PACKAGES = ("factlink", "numpy", "numba", "faiss-cpu", "scikit-learn")


@dataclass(frozen=True, slots=True)
class JobProgress:
    """How far a benchmark is: a callback gets one whenever that changes."""

    done: int
    total: int
    doing: str


@dataclass(frozen=True, slots=True)
class Spread:
    """A figure over all folds and seeds."""

    mean: float
    deviation: float  # standard deviation; 0 where there is one only


@dataclass(frozen=True, slots=True)
class Line:
    """What a row reached, and what was published; no figures where the row is a quotation."""

    row: Row
    figures: Mapping[str, Spread] = field(default_factory=dict)  # by METRICS
    seconds: float = 0.0  # on average, to fit and to rank one fold
    peak_memory_bytes: int = 0
    made: Provenance | None = None  # none where the row is a quotation


@dataclass(frozen=True, slots=True)
class Results:
    """The table of an experiment."""

    experiment: Experiment
    lines: Sequence[Line]
    n_tested: int  # left users, over all folds


def run_experiment(
    experiment: Experiment,
    folder: Path,
    on_progress: Callable[[JobProgress], None] = lambda progress: None,
    at_once: int = 1,
) -> Results:
    """Every row on every fold with every seed, some jobs at once; finished results in the folder are reused."""
    jobs_folder = folder / "jobs"
    jobs_folder.mkdir(parents=True, exist_ok=True)
    total = sum(row.linker is not None for row in experiment.rows) * len(experiment.seeds)
    on_progress(JobProgress(0, total, "making up the networks" if experiment.data.preset else "reading"))
    files = prepare(experiment.data, folder / "data")
    jobs = [(row, job, places) for row in experiment.rows for job, places in jobs_of(row, experiment, files)]
    finished: list[int] = []  # places in jobs

    def run(place: int) -> list[Outcome]:
        row, job, places = jobs[place]
        on_progress(JobProgress(len(finished), total, f"{row.title}, seed {job.seed}"))
        outcomes = outcomes_of(job, jobs_folder, row.title, places, threads_each(at_once))
        finished.append(place)
        return outcomes

    outcomes = run_at_once(run, len(jobs), at_once)
    on_progress(JobProgress(total, total, "done"))
    lines, n_tested = [], 0
    for row in experiment.rows:
        own = [(job, found) for (of, job, _), found in zip(jobs, outcomes, strict=True) if of is row]
        ranked = [outcome for _, found in own for outcome in found]
        made = provenance(command_line(), own[-1][0].entries, files.described) if own else None
        lines.append(replace(summarise_row(row, ranked), made=made))
        n_tested = sum(len(each.ranks) for each in ranked[: _n_folds(experiment, files)]) or n_tested
    return Results(experiment, lines, n_tested)


def jobs_of(row: Row, experiment: Experiment, files: Files | JointFiles) -> list[tuple[Job, Sequence[int]]]:
    """One job for each seed, and its folds; none for a quotation.

    A linker that knows pairs must be fitted for every fold: each of them takes one of the seeds, in turn. Any other is
    fitted once for each seed and tested on all folds. Where there is one fold only, it takes every seed.
    """
    if row.linker is None:
        return []
    known = row.known or make_linker(row.linker, row.settings).supervised
    folds, n_seeds = _n_folds(experiment, files), len(experiment.seeds)
    in_turn = known and folds >= n_seeds
    return [
        (
            Job(row.linker, dict(row.settings), seed, known, files, folds, row.alone),
            range(place, folds, n_seeds) if in_turn else range(folds),
        )
        for place, seed in enumerate(experiment.seeds)
    ]


def _n_folds(experiment: Experiment, files: Files | JointFiles) -> int:
    return 1 if isinstance(files, Files) and files.known else experiment.folds


def outcomes_of(job: Job, folder: Path, title: str, places: Sequence[int], threads: int | None = None) -> list[Outcome]:
    """The outcomes of some folds; a process of its own makes those that are not there."""
    missing = [place for place in places if not job.file(folder, place).exists()]
    if missing:
        call(["-m", "factlink.experiments.jobs"], as_json(job, missing, folder), title, threads)
    return [read_outcome(job.file(folder, place)) for place in places]


def call(words: Sequence[str], described: str, title: str, threads: int | None = None) -> None:
    """Runs Python in a process of its own; a user's mistake in it is reported with the row's title."""
    limits = {name: str(threads) for name in THREADS} if threads else {}
    done = subprocess.run(
        [sys.executable, *words], input=described, text=True, capture_output=True, check=False, env=os.environ | limits
    )
    if done.returncode == 2:
        raise InputError(f"row '{title}': {done.stderr.strip().splitlines()[-1]}")
    if done.returncode < 0:
        raise RunError(
            f"row '{title}' was stopped by signal {-done.returncode}, perhaps for want of memory; the same command "
            "continues where it stood"
        )
    if done.returncode:
        raise RuntimeError(f"row '{title}' failed with exit code {done.returncode}\n{done.stderr}")


def summarise_row(row: Row, outcomes: Sequence[Outcome]) -> Line:
    """Figures with their spread over outcomes."""
    if not outcomes:
        return Line(row)
    return Line(
        row,
        _spreads(metrics_of(outcome.ranks) for outcome in outcomes),
        float(np.mean([outcome.seconds for outcome in outcomes])),
        max(outcome.peak_memory_bytes for outcome in outcomes),
    )


def metrics_of(ranks: Sequence[float]) -> dict[str, float]:
    """HR@K and MRR of ranks."""
    found = np.asarray(ranks, np.float64)
    return {f"hr@{cut}": float(np.mean(found <= cut)) for cut in CUTS} | {"mrr": float(np.mean(1 / found))}


def results_as_json(results: Results) -> dict[str, Any]:
    """Results with what made them, as plain values."""
    experiment = results.experiment
    rows, made = share([_line_as_json(line) for line in results.lines])
    return {
        "title": experiment.title,
        "beside": experiment.beside,
        "data": {key: str(value) for key, value in _described(experiment).items()},
        "folds": 1 if experiment.data.known else experiment.folds,
        "seeds": list(experiment.seeds),
        "tested_users": results.n_tested,
        "machine": {"processor": platform.machine(), "cores": os.cpu_count(), "python": platform.python_version()},
        "versions": {package: version(package) for package in PACKAGES},
        "made": made,
        "rows": rows,
    }


def save_results(results: Results, folder: Path) -> None:
    """results.json, table.md and table.html in the folder."""
    values = results_as_json(results)
    for name, text in (
        ("results.json", json.dumps(values, indent=2, ensure_ascii=False) + "\n"),
        ("table.md", as_markdown(values)),
        ("table.html", as_html(values)),
    ):
        with replaced_file(folder / name) as part:
            part.write_text(text, "utf-8")


def _described(experiment: Experiment) -> dict[str, Any]:
    """The data set in words that hold on any machine."""
    data = experiment.data
    if data.preset:
        return {"preset": data.preset, "scale": data.scale, "pictures": data.pictures}
    if data.networks:
        both = {"networks": data.networks, "truth": data.truths}
        return {key: ", ".join(f"{place.parent.name}/{place.name}" for place in some) for key, some in both.items()}
    places = {"left": data.left, "right": data.right, "truth": data.truth, "known": data.known}
    return {key: f"{place.parent.name}/{place.name}" for key, place in places.items() if place}


def _line_as_json(line: Line) -> dict[str, Any]:
    row = line.row
    described = {
        "block": row.block,
        "code": row.code,
        "title": row.title,
        "linker": row.linker,
        "settings": dict(row.settings),
    }
    figures = {metric: _rounded(spread) for metric, spread in line.figures.items()}
    cost = {"seconds": round(line.seconds, 1), "memory_gb": round(line.peak_memory_bytes / 1e9, 2)}
    made = {"made": line.made.as_json()} if line.made else {}
    return {**described, "figures": figures, **cost, "published": dict(row.published), **made}


def _rounded(spread: Spread) -> dict[str, float]:
    return {"mean": round(spread.mean, 4), "deviation": round(spread.deviation, 4)}


def _spreads(figures: Iterable[Mapping[str, float]]) -> dict[str, Spread]:
    found = list(figures)
    columns = {metric: [each[metric] for each in found] for metric in METRICS}
    return {
        metric: Spread(float(np.mean(column)), float(np.std(column, ddof=1)) if len(column) > 1 else 0.0)
        for metric, column in columns.items()
    }
