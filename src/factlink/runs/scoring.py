"""A run against the truth."""

from pathlib import Path

from factlink.data.pairs import read_pairs
from factlink.evaluation.metrics import evaluate_candidates
from factlink.runs.store import load_run
from factlink.types import Metrics


def evaluate_run(path: Path, truth: Path) -> Metrics:
    """Metrics of a run's candidates: hit rates are exact, MRR up to ranks past the stored ones."""
    run = load_run(path)
    return evaluate_candidates(run.candidates, len(run.right), read_pairs(truth, run.left, run.right))
