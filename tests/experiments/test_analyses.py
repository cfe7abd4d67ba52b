"""The paper's figures, on a tiny world."""

from pathlib import Path

import polars as pl
import pytest

from factlink.evaluation.annotation import SHEET
from factlink.experiments.analyses import draw_figures
from factlink.experiments.benchmark import JobProgress
from factlink.experiments.datasets import prepare, read_dataset
from factlink.experiments.experiment import Experiment, read_experiment
from factlink.experiments.iterations import mrr_over_iterations, paths_of
from factlink.explanations.user_names import best_names
from factlink.linkers.fe.linker import FELinker, Training
from factlink.types import Pairs

from .bench_world import NAME, write_experiment, write_world

FE = '[[rows]]\ntitle = "FE"\nlinker = "fe"\nsettings = { "training.dim" = 32 }\n'
FIGURES = '[figures]\ncurve = "FE"\ndims = [16, 32]\nstrata = ["Name", "FE"]\nannotated = ["Name", "FE"]\npairs = 5\n'


@pytest.fixture(scope="module")
def experiment(tmp_path_factory: pytest.TempPathFactory) -> Experiment:
    home = tmp_path_factory.mktemp("figures")
    write_world(home)
    return read_experiment(write_experiment(home, NAME, FE, top="folds = 2\n", end=FIGURES))


def test_every_figure_is_drawn_twice_and_says_what_it_shows(experiment: Experiment, tmp_path: Path) -> None:
    (tmp_path / "jobs").mkdir()
    seen: list[JobProgress] = []
    draw_figures(experiment, tmp_path, seen.append)
    assert [progress.doing.removeprefix("figure: ") for progress in seen] == [
        "MRR over dim",
        "MRR over iterations",
        "strata",
        "trace",
        "annotation",
        "done",
    ]
    figures = tmp_path / "figures"
    for stem in ("mrr-over-dim", "mrr-over-iterations", "strata", "trace"):
        assert (figures / f"{stem}.png").read_bytes().startswith(b"\x89PNG"), stem
        assert "<svg" in (figures / f"{stem}.svg").read_text(), stem
    assert "MRR of FE over the dimension" in (figures / "mrr-over-dim.svg").read_text()
    assert "unlike (bottom third)" in (figures / "strata.svg").read_text()
    assert not (figures / "annotation.png").exists()

    sheet = pl.read_csv(figures / SHEET, infer_schema=False)
    sheet.with_columns(verdict=pl.lit("match")).write_csv(figures / SHEET)
    draw_figures(experiment, tmp_path, seen.append)
    assert pl.read_csv(figures / SHEET)["verdict"].unique().to_list() == ["match"]
    assert "judged by people" in (figures / "annotation.svg").read_text()


def test_the_curve_rises_from_chance(experiment: Experiment, tmp_path: Path) -> None:
    dataset = read_dataset(prepare(experiment.data, tmp_path))
    curve = mrr_over_iterations(FELinker(Training(dim=32, batch=16)), dataset)
    iterations = [iteration for iteration, _ in curve]
    assert iterations == sorted(set(iterations))
    assert curve[0] == (0, pytest.approx(2 / len(dataset.right), rel=0.1))  # all tied in the middle
    assert curve[-1][1] > 0.6


def test_paths_are_called_by_names(experiment: Experiment, tmp_path: Path) -> None:
    dataset = read_dataset(prepare(experiment.data, tmp_path))
    cases = Pairs(dataset.truth.lefts[:1], dataset.truth.rights[:1])
    paths = paths_of(FELinker(Training(dim=16)), dataset, cases)
    left, right = paths["user"].unique(maintain_order=True)
    assert left == f"{best_names(dataset.left, cases.lefts)[0]} (chirper)"
    assert right.startswith(f"{best_names(dataset.right, cases.rights)[0]} (")
    assert paths["pair"].unique().to_list() == [f"{left} = {right}"]
