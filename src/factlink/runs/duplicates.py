"""Several accounts of one person in one network: a network in, a run folder out, and its comparison with the truth."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import polars as pl

from factlink.data.pairs import read_truth
from factlink.data.sources.networks import read_networks
from factlink.decision.decisions import DecisionRule
from factlink.errors import InputError, RunError
from factlink.linkers.factoid.within.linker import WithinLinker
from factlink.runs.folder.store import Run, load_manifest, load_run
from factlink.runs.inputs import Inputs, LinkRequest
from factlink.runs.making import USUAL, LinkResult, make_run
from factlink.types import Decision, Ints, Pairs

CUTS = (1, 5, 10)


def find_duplicates(
    request: LinkRequest,
    linker: WithinLinker,
    on_stage: Callable[[str], None] = lambda stage: None,
    rule: DecisionRule = USUAL,
) -> LinkResult:
    """Reads one network, the left one of the request, and makes a run of pairs within it."""
    return make_run(request, linker, on_stage, _read_once, replace(rule, one_to_one=False, calibrated=False))


def _read_once(request: LinkRequest) -> Inputs:
    readings = read_networks(
        [request.left], kinds=request.kinds, drop_dangling=request.drop_dangling, options=request.options[:1]
    )
    return Inputs([readings[0], readings[0]])


@dataclass(frozen=True, slots=True)
class DuplicateScores:
    """How good the pairs of a run within one network are; the order of the two users of a pair does not matter."""

    true_pairs: int
    links: int
    precision: float
    recall: float
    f1: float
    false_links: float
    expected_false_links: float  # what the run estimated without truth
    hits: dict[int, float]  # by K: share of the users with a second account who have one among their K best

    def __str__(self) -> str:
        hits = ", ".join(f"HR@{cut} {share:.3f}" for cut, share in self.hits.items())
        expected = f"{self.expected_false_links:.1%} were expected"
        return (
            f"{self.links:,} pairs were linked. {self.recall:.1%} of the {self.true_pairs:,} true pairs were found. "
            f"{self.false_links:.1%} of the links are false ({expected}). F1 {self.f1:.3f}. {hits}"
        )


def evaluate_duplicates(path: Path, truth: Path) -> DuplicateScores:
    """A run of `factlink duplicates` against pairs of accounts, in any order."""
    if not load_manifest(path).within:
        raise RunError(f"{path} holds links between two networks; evaluate it with evaluate_run")
    run = load_run(path)
    true = _keys(read_truth(truth, run.left, run.left).pairs, len(run.left))
    if not len(true):
        raise InputError(f"{truth} holds no pairs of two accounts; give left and right on each row")
    linked = run.links.filter(pl.col("decision") == Decision.LINK.value)
    rows = Pairs(run.left.rows_of(linked["left"]), run.left.rows_of(linked["right"]))
    right = np.isin(_keys(rows, len(run.left)), true)
    precision = float(right.mean()) if len(right) else 0.0
    recall = float(right.sum()) / len(true)
    expected = 1 - float(np.mean(linked["probability"].to_numpy())) if linked.height else 0.0
    f1 = 2 * precision * recall / (precision + recall) if right.any() else 0.0
    false_links = 1 - precision if len(right) else 0.0
    return DuplicateScores(len(true), linked.height, precision, recall, f1, false_links, expected, _hits(run, true))


def _keys(pairs: Pairs, n: int) -> Ints:
    """Each pair once, as one number, whatever its order; nobody with itself."""
    low, high = np.minimum(pairs.lefts, pairs.rights), np.maximum(pairs.lefts, pairs.rights)
    return np.unique((low.astype(np.int64) * n + high)[low != high])


def _hits(run: Run, true: Ints) -> dict[int, float]:
    n = len(run.left)
    ends = np.divmod(true, n)
    users = np.unique(np.concatenate(ends))
    found = run.candidates.rights[users].astype(np.int64)  # (n_users, k)
    low, high = np.minimum(users[:, None], found), np.maximum(users[:, None], found)
    right = (found >= 0) & np.isin(low * n + high, true)
    return {cut: float(right[:, :cut].any(axis=1).mean()) for cut in CUTS}
