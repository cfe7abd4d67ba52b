"""A run against the truth."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import polars as pl

from factlink.data.pairs import Truth, read_known, read_truth
from factlink.errors import InputError, RunError, SettingError
from factlink.evaluation.folds import rest_of
from factlink.evaluation.metrics import CUTS, evaluate_candidates
from factlink.evaluation.open_world import calibration_error
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.linkers.factoid.written.declared import MUTUAL, STRONG, find_declared
from factlink.linkers.settings import remake_linker
from factlink.runs.folder.store import KNOWN, Run, load_manifest, load_run
from factlink.runs.inputs import reread_inputs
from factlink.types import NO_PAIRS, Decision, LinkSource, Metrics, Pairs


@dataclass(frozen=True, slots=True)
class Scores:
    """How good a run's ranking is, and whether it knows how good its links are.

    Rates are over links of left users that truth names, be it to say that they have no account there; a link of
    another user is neither right nor wrong. Pairs that the run was given, known or judged, are left out of everything.
    """

    metrics: Metrics
    absent: int  # left users known to have no account there
    known: int  # pairs left out because they were given as known
    judged: int  # pairs left out because a person called them a match
    links: int  # that were found, of left users that truth names
    coverage: float  # share of the users with a partner who are linked correctly
    false_links: float  # share of these links that are false
    expected_false_links: float  # what the run estimated without truth
    calibration_error: float  # mean gap of probability and truth over ten bins

    def __str__(self) -> str:
        hits = ", ".join(f"HR@{cut} {self.metrics.hits[cut]:.3f}" for cut in (1, 5, 10) if cut in self.metrics.hits)
        expected = f"{self.expected_false_links:.1%} were expected"
        return (
            f"{self.links:,} accounts were linked. {self.coverage:.1%} of the {self.metrics.n:,} people with a partner "
            f"were found. {self.false_links:.1%} of the links are false ({expected}). {hits}, "
            f"MRR {self.metrics.mrr:.3f}. Average calibration error: {self.calibration_error:.3f}"
        )


def evaluate_run(path: Path, truth: Path) -> Scores:
    """Hit rates are exact; MRR takes the middle of the ranks past the stored ones."""
    run = load_run(path)
    if run.manifest.within:
        raise RunError(f"{path} holds pairs within one network; compare it with the truth by factlink evaluate")
    return score_run(run, read_truth(truth, run.left, run.right))


def score_run(run: Run, truth: Truth) -> Scores:
    """The same of a run that is loaded, with a truth that is read."""
    given = given_pairs(run)
    tested = tested_truth(truth, given)
    metrics = evaluate_candidates(run.candidates, len(run.right), tested.pairs, given)
    judged = judged_links(run, tested)
    linked = judged.filter(pl.col("decision") == Decision.LINK.value)
    right, probability = linked["is_right"].mean(), linked["probability"].mean()
    n_judged = run.links.filter(source=LinkSource.JUDGED.value).height
    return Scores(
        metrics,
        len(tested.absent),
        len(given) - n_judged,
        n_judged,
        linked.height,
        int(linked["is_right"].sum()) / metrics.n,
        1 - _number(right, 1.0),
        1 - _number(probability, 1.0),
        _calibration_error(judged.drop_nulls("probability")),
    )


@dataclass(frozen=True, slots=True)
class DeclaredScores:
    """How well a run's linker finds declared links that it was not shown."""

    metrics: Metrics
    mutual: int  # pairs that name each other; the others are named by a field of one


def evaluate_declared(path: Path) -> DeclaredScores:
    """Fits once more without declared links, and ranks the partners that users declare plainly.

    People who declare their other account are not like all others: many use one name everywhere and have full
    profiles, so the figure is more often too high than too low.
    """
    manifest = load_manifest(path)
    linker, inputs = remake_linker(manifest.linker, manifest.settings), reread_inputs(path, manifest)
    left, right = (reading.network for reading in inputs.readings)
    if not isinstance(linker, FactoidLinker):
        raise SettingError(f"linker '{linker.name}' does not read declared links; give a truth file instead")
    declared, given = find_declared(left, right), inputs.known
    plain = (declared.shares == 1) & declared.ways.is_in(STRONG).to_numpy()
    found = Pairs(declared.pairs.lefts[plain], declared.pairs.rights[plain])
    silver = rest_of(found, given).tested
    if not len(silver):
        raise InputError(f"{path}: no user declares an account of the other network; give a truth file instead")
    masked = replace(linker, steps=replace(linker.steps, declared=False))
    candidates = masked.fit(left, right, given).candidates(max(CUTS))
    n_mutual = int((declared.ways.to_numpy()[plain] == MUTUAL).sum())
    return DeclaredScores(evaluate_candidates(candidates, len(right), silver, given), n_mutual)


def given_pairs(run: Run) -> Pairs:
    """Known pairs and judged matches that the run was made with."""
    known = run.path / KNOWN
    return read_known(known, run.left, run.right) if known.exists() else NO_PAIRS


def tested_truth(truth: Truth, given: Pairs) -> Truth:
    """What of the truth a run can be tested on: users in none of the pairs that it was given."""
    return Truth(rest_of(truth.pairs, given).tested, np.setdiff1d(truth.absent, given.lefts))


def _calibration_error(judged: pl.DataFrame) -> float:
    """Of best links with a probability."""
    if not judged.height:
        return float("nan")
    return calibration_error(judged["probability"].to_numpy(), judged["is_right"].to_numpy())


def judged_links(run: Run, truth: Truth) -> pl.DataFrame:
    """The links of the left users that truth names, and whether each is right."""
    pairs = truth.pairs
    true = pl.DataFrame({"left": run.left.users.gather(pairs.lefts), "right": run.right.users.gather(pairs.rights)})
    true = true.with_columns(is_right=pl.lit(value=True))
    known = pl.DataFrame({"left": run.left.users.gather(np.union1d(pairs.lefts, truth.absent))})
    named = run.links.join(known, on="left", how="semi", maintain_order="left")
    return named.join(true, on=["left", "right"], how="left", maintain_order="left").with_columns(
        pl.col("is_right").fill_null(value=False)
    )


def _number(value: object, otherwise: float) -> float:
    return float(value) if isinstance(value, (int, float)) else otherwise
