"""How good a ranking is: hit rates, reciprocal ranks, and recall at 90 % precision.

A tie takes the middle rank, NaN ranks last, and a left user with several true rights counts by its best one.
"""

import numpy as np
import numpy.typing as npt

from factlink.errors import InputError
from factlink.matching.neighbours import best_candidates, blocks
from factlink.types import Candidates, Floats, Ints, Metrics, Pairs, Scorer

CUTS = (1, 2, 3, 4, 5, 10, 30)
PRECISION = 0.9


def evaluate(scorer: Scorer, truth: Pairs) -> Metrics:
    """Exact metrics: every right user is ranked for every left user that truth names."""
    best = best_candidates(scorer, 1)
    return summarise(exact_ranks(scorer, truth), truth, best.rights[:, 0], best.scores[:, 0])


def evaluate_candidates(candidates: Candidates, n_right: int, truth: Pairs) -> Metrics:
    """Metrics from stored candidates: a true right user that is not among them takes the middle of the ranks left."""
    ranks = candidate_ranks(candidates, n_right, truth)
    return summarise(ranks, truth, candidates.rights[:, 0], candidates.scores[:, 0])


def summarise(ranks: Floats, truth: Pairs, best_rights: Ints, best_scores: Floats) -> Metrics:
    """Metrics from the rank of every true pair and the best link of every left row."""
    if not len(truth):
        raise InputError("the truth has no pairs; there is nothing to evaluate")
    lefts, pair_of = np.unique(truth.lefts, return_inverse=True)
    best_ranks = np.full(len(lefts), np.inf)
    np.minimum.at(best_ranks, pair_of, ranks)
    hits = {cut: float(np.mean(best_ranks <= cut)) for cut in CUTS}
    recall = recall_at_precision(_correct(truth, lefts, best_rights), best_scores[lefts])
    return Metrics(len(lefts), hits, float(np.mean(1 / best_ranks)), recall)


def exact_ranks(scorer: Scorer, truth: Pairs) -> Floats:
    """The rank of every true pair among all right users."""
    ranks = np.empty(len(truth), np.float64)
    order = np.argsort(truth.lefts, kind="stable")
    for block in blocks(len(truth), len(scorer.right)):
        pairs = order[block]
        lefts, row_of = np.unique(truth.lefts[pairs], return_inverse=True)
        ranks[pairs] = middle_ranks(scorer.scores(lefts)[row_of], truth.rights[pairs])
    return ranks.astype(np.float32)


def middle_ranks(scores: Floats, rights: Ints) -> Floats:
    """1 + how many columns beat the true one + half of those that tie with it, row by row."""
    scores = np.where(np.isnan(scores), -np.inf, scores)  # (n, n_right)
    true = np.take_along_axis(scores, rights[:, None], axis=1)
    beaten_by = np.count_nonzero(scores > true, axis=1)
    tied_with = np.count_nonzero(scores == true, axis=1) - 1
    return np.float32(1) + np.asarray(beaten_by + tied_with / 2, np.float32)


def candidate_ranks(candidates: Candidates, n_right: int, truth: Pairs) -> Floats:
    """The rank of every true pair, exact where the true right user is among the candidates."""
    rights, scores = candidates.rights[truth.lefts], candidates.scores[truth.lefts]  # (n, k)
    found = rights == truth.rights[:, None]
    true = np.where(found, scores, -np.inf).max(axis=1)
    above = np.count_nonzero(scores > true[:, None], axis=1)
    tied = np.count_nonzero((scores == true[:, None]) & (rights >= 0), axis=1) - 1
    listed = np.count_nonzero(rights >= 0, axis=1)
    return np.asarray(np.where(found.any(axis=1), 1 + above + tied / 2, (listed + 1 + n_right) / 2), np.float32)


def recall_at_precision(correct: npt.NDArray[np.bool_], scores: Floats) -> float:
    """The largest share of left users linked rightly by a score threshold that keeps the precision."""
    scores = np.where(np.isnan(scores), -np.inf, scores)
    order = np.argsort(-scores, kind="stable")
    rightly = np.cumsum(correct[order])
    ends = np.append(scores[order][1:] != scores[order][:-1], True)
    precise = rightly >= PRECISION * np.arange(1, len(order) + 1)
    return float(rightly[ends & precise].max(initial=0) / len(order))


def _correct(truth: Pairs, lefts: Ints, best_rights: Ints) -> npt.NDArray[np.bool_]:
    chosen = best_rights[truth.lefts] == truth.rights
    return np.isin(lefts, truth.lefts[chosen])
