"""What becomes of users while `fe` embeds them: how good the ranking is at each moment, and where some of them go."""

import numpy as np
import polars as pl

from factlink.embedding.training.sgd import Options
from factlink.evaluation.traces import list_paths
from factlink.experiments.benchmark import metrics_of
from factlink.experiments.datasets import Dataset
from factlink.experiments.jobs import rank_tested
from factlink.explanations.user_names import best_names
from factlink.factoids import build_table_by_content
from factlink.linkers.fe.attributes import choose_factoids
from factlink.linkers.fe.linker import FELinker
from factlink.linkers.vector_scorer import VectorScorer
from factlink.types import NO_PAIRS, Ints, Network, Pairs
from factlink.vectors import unit_rows

MOMENTS = 12


def mrr_over_iterations(linker: FELinker, dataset: Dataset) -> list[tuple[int, float]]:
    """Iteration and MRR of the whole truth, at about twelve moments; nothing is known."""
    left, right, truth = dataset.left, dataset.right, dataset.truth
    lefts, n = np.unique(truth.lefts), len(left)
    watch = np.concatenate([lefts, n + np.arange(len(right))])
    table = choose_factoids(build_table_by_content([left, right]), linker.attributes)
    rows = np.concatenate([table.rows[left.name], table.rows[right.name]])
    _, space = linker.embed_table(table, Options(rows[watch], snapshots=MOMENTS))
    curve = []
    for iteration, snapshot in zip(space.trail.iterations, space.trail.snapshots, strict=True):
        vectors = np.zeros((n, snapshot.shape[1]), np.float32)
        vectors[lefts] = snapshot[: len(lefts)]
        scorer = VectorScorer(left, right, unit_rows(vectors), unit_rows(snapshot[len(lefts) :]))
        ranks = rank_tested(scorer, truth, NO_PAIRS)
        curve.append((iteration, metrics_of(ranks.tolist())["mrr"]))
    return curve


def paths_of(linker: FELinker, dataset: Dataset, cases: Pairs) -> pl.DataFrame:
    """Paths of the users of some pairs, called by their names: user, pair, iteration, x, y."""
    networks = [dataset.left, dataset.right]
    watched = {dataset.left.name: cases.lefts, dataset.right.name: cases.rights}
    _, space = linker.trace(networks, {}, watched, lambda stage: None)
    users = [_shown(network, watched[network.name]) for network in networks]
    pairs = [f"{left} = {right}" for left, right in zip(*users, strict=True)]
    return list_paths(space.trail, users[0] + users[1], pairs * 2)


def _shown(network: Network, rows: Ints) -> list[str]:
    called = zip(best_names(network, rows), network.users.gather(rows), strict=True)
    return [f"{name or user} ({network.name})" for name, user in called]
