import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from factlink.cli.app import main
from factlink.errors import FactlinkError
from factlink.experiments.benchmark import JobProgress, jobs_of, results_as_json, run_experiment, save_results
from factlink.experiments.datasets import prepare, scaled
from factlink.experiments.experiment import Data, Experiment, read_experiment
from factlink.experiments.jobs import as_json, from_json, rank_tested
from factlink.protocols import Scorer
from factlink.synthetic.worlds import preset
from factlink.types import NO_PAIRS, Floats, Ints, Network, Pairs

from .bench_world import LR, NAME, QUOTED, write_experiment, write_world


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bench")
    write_world(folder)
    return folder


@pytest.fixture(scope="module")
def experiment(home: Path) -> Experiment:
    return read_experiment(write_experiment(home, NAME, LR, QUOTED))


def stamps(folder: Path) -> dict[str, int]:
    return {file.name: file.stat().st_mtime_ns for file in (folder / "jobs").glob("*.json")}


def without_provenance(results: dict[str, Any]) -> dict[str, Any]:
    rows = [{key: value for key, value in row.items() if key != "made"} for row in results["rows"]]
    return {**results, "rows": rows, "made": None}


def test_every_row_runs_and_a_broken_run_goes_on(
    home: Path, experiment: Experiment, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out, seen = home / "broken", []

    def break_before_lr(progress: JobProgress) -> None:
        seen.append(progress)
        if progress.doing.startswith("LR") and len(seen) < 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_experiment(experiment, out, break_before_lr)
    kept = stamps(out)
    assert len(kept) == 3
    results = run_experiment(experiment, out, break_before_lr)
    after = stamps(out)
    assert {name: after[name] for name in kept} == kept
    assert len(after) == 6
    assert seen[-1] == JobProgress(2, 2, "done")

    one_fold = next(name for name in after if name.startswith("lr") and name.endswith("fold1.json"))
    (out / "jobs" / one_fold).unlink()
    again = run_experiment(experiment, out)
    assert {name for name, stamp in stamps(out).items() if after[name] != stamp} == {one_fold}
    assert [line.figures for line in again.lines] == [line.figures for line in results.lines]

    both = run_experiment(experiment, home / "at once", at_once=2)
    assert [line.figures for line in both.lines] == [line.figures for line in results.lines]

    name, lr, quoted = results.lines
    assert name.figures["hr@1"].mean > 0.5
    assert lr.figures["mrr"].mean > 0.5
    assert name.figures["hr@1"].deviation > 0
    assert lr.seconds > 0
    assert lr.peak_memory_bytes > 10_000_000
    assert not quoted.figures
    truth = pl.read_csv(home / "truth.csv")
    assert results.n_tested == truth["left"].n_unique()

    save_results(again, out)
    saved = json.loads((out / "results.json").read_text())
    assert saved == json.loads(json.dumps(results_as_json(again)))
    assert saved["rows"][0]["published"]["hr@1"] == 0.5
    assert saved["data"]["left"].endswith("/chirper")
    assert "| U1 | Name |" in (out / "table.md").read_text()
    assert "<caption>A tiny table</caption>" in (out / "table.html").read_text()

    line = ["factlink", "bench", str(write_experiment(home, NAME, LR, QUOTED)), "-o", str(out)]
    monkeypatch.setattr("sys.argv", line)
    with pytest.raises(SystemExit, match="0"):
        main()
    shown = capsys.readouterr()
    assert "A tiny table" in shown.out
    assert [text in shown.out for text in ("published", "0.5500", "Other tool, published")] == [True] * 3
    assert shown.err == ""
    monkeypatch.setattr("sys.argv", [*line, "--json"])
    with pytest.raises(SystemExit, match="0"):
        main()
    printed = json.loads(capsys.readouterr().out)
    assert without_provenance(printed) == without_provenance({**saved, "folder": str(out)})


def test_folds_of_linkers_that_know_pairs_take_the_seeds_in_turn(experiment: Experiment, tmp_path: Path) -> None:
    files = prepare(experiment.data, tmp_path)
    name, lr, _ = experiment.rows
    seeded = replace(experiment, seeds=(4, 5), folds=3)
    assert [(job.seed, list(places)) for job, places in jobs_of(name, seeded, files)] == [
        (4, [0, 1, 2]),
        (5, [0, 1, 2]),
    ]
    assert [(job.seed, list(places)) for job, places in jobs_of(lr, seeded, files)] == [(4, [0, 2]), (5, [1])]
    assert [list(places) for _, places in jobs_of(lr, replace(seeded, folds=1), files)] == [[0], [0]]


def test_other_settings_are_another_job_and_other_titles_are_not(home: Path, experiment: Experiment) -> None:
    files = prepare(experiment.data, home / "data")
    name, other = experiment.rows[0], replace(experiment.rows[0], settings={"similarity": "jaro-winkler"})
    renamed = replace(name, title="Names", published={})
    jobs = [jobs_of(row, experiment, files)[0][0] for row in (name, other, renamed)]
    paths = [job.file(home, 0) for job in jobs]
    assert paths[0] != paths[1]
    assert paths[0] == paths[2]
    assert jobs[0].file(home, 1) != paths[0]
    assert from_json(as_json(jobs[1], [0, 2], home)) == (jobs[1], [0, 2], home)


def test_a_row_says_the_commit_the_code_and_the_data_that_made_it(home: Path) -> None:
    path = write_experiment(home, NAME, QUOTED, top="folds = 1\n")
    values = results_as_json(run_experiment(read_experiment(path), home / "said"))
    name, quoted = values["rows"]
    assert "made" not in quoted
    made = values["made"][name["made"]]
    assert made["entries"][0] == "factlink.linkers.baselines.name"
    assert {"linkers", "candidates", "encoders", "evaluation", "data"} <= set(made["sources"])
    assert "synthetic" not in " ".join(made["entries"])
    assert made["data"]["files"].startswith(f"{home.name}/truth.csv, chirper/kinds.json, chirper/links.csv, ")
    assert len(made["data"]["sha256"]) == 64


def test_known_pairs_as_given_are_not_tested(home: Path) -> None:
    data = '[data]\nleft = "chirper"\nright = "facepage"\ntruth = "truth.csv"\nknown = "known.csv"\n'
    results = run_experiment(read_experiment(write_experiment(home, LR, top="", data=data)), home / "given")
    truth, known = pl.read_csv(home / "truth.csv"), pl.read_csv(home / "known.csv")
    assert results.n_tested == truth.height - known.height
    assert len(stamps(home / "given")) == 1


def test_a_linker_that_cannot_run_names_its_row(home: Path, tmp_path: Path) -> None:
    row = '[[rows]]\ntitle = "No labels"\nlinker = "lr"\n'
    path = write_experiment(home, row, top="folds = 1\n")
    with pytest.raises(FactlinkError, match="row 'No labels': linker 'lr' needs known pairs and got none"):
        run_experiment(read_experiment(path), tmp_path)


def test_data_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FactlinkError, match=r"chirper is not there; .* with --data"):
        run_experiment(read_experiment(write_experiment(tmp_path, NAME)), tmp_path / "out")


def test_a_preset_is_drawn_once_at_its_scale(tmp_path: Path) -> None:
    data = Data(preset="fb-tw", scale=0.01)
    files = prepare(data, tmp_path)
    before = files.truth.stat().st_mtime_ns
    assert prepare(data, tmp_path).truth.stat().st_mtime_ns == before
    assert pl.read_parquet(files.truth).height == 20
    assert pl.read_parquet(files.left / "users.parquet").height == 174
    assert files.whole_truth is not None
    assert pl.read_parquet(files.whole_truth).height > 50
    small = scaled(preset("fq-tw"), 0.5)
    assert (small.population.users, small.population.revealed) == ((10_834, 12_886), 1_801)
    assert small.links.counts == (156_370, 202_795)


class Fixed(Scorer):
    """Scores written out."""

    left = right = Network("n", pl.Series(["a", "b", "c", "d"]), {}, {})

    def scores(self, rows: Ints) -> Floats:
        return np.array([[4, 3, 2, 1], [1, 4, 3, 2]], np.float32)[rows]


def test_right_users_of_known_pairs_are_nobody_elses() -> None:
    tested = Pairs(np.array([1, 0, 0]), np.array([3, 2, 3]))
    assert rank_tested(Fixed(), tested, NO_PAIRS).tolist() == [3, 3]
    assert rank_tested(Fixed(), tested, Pairs(np.array([3]), np.array([1]))).tolist() == [2, 2]
    assert rank_tested(Fixed(), tested, Pairs(np.array([3]), np.array([3]))).tolist() == [3, 3]  # still its own


def test_a_result_by_another_rule_of_ranking_is_not_taken_for_one_by_this(
    home: Path, experiment: Experiment, monkeypatch: pytest.MonkeyPatch
) -> None:
    job, _ = jobs_of(experiment.rows[0], experiment, prepare(experiment.data, home / "data"))[0]
    before = job.file(home, 0)
    monkeypatch.setattr("factlink.experiments.jobs.RANKED", "all right users")
    assert job.file(home, 0) != before
