"""How good a ranking is: hit rates, reciprocal ranks, and recall at 90 % precision.

A tie takes the middle rank, NaN ranks last, and a left user with several true rights counts by its best one. Known
pairs are left out, for every linker alike: their left users are not tested and their right users are nobody else's
candidates, wherever the linker ranks them (`free_rights`).
"""

import numpy as np
import numpy.typing as npt

from factlink.candidates.top_k import best_candidates, best_of_block, blocks
from factlink.errors import InputError
from factlink.evaluation.folds import rest_of
from factlink.protocols import Scorer
from factlink.types import NO_PAIRS, Candidates, Floats, Ints, Metrics, Pairs

CUTS = (1, 2, 3, 4, 5, 10, 30)
PRECISION = 0.9

Bools = npt.NDArray[np.bool_]


def evaluate(scorer: Scorer, truth: Pairs, known: Pairs = NO_PAIRS) -> Metrics:
    """Exact metrics: every right user is ranked for every left user that truth names, apart from known pairs."""
    tested, free = rest_of(truth, known).tested, free_rights(len(scorer.right), known)
    best = best_candidates(scorer, 1) if free.all() else _best_free(scorer, np.unique(tested.lefts), free)
    return summarise(exact_ranks(scorer, tested, free), tested, best.rights[:, 0], best.scores[:, 0])


def evaluate_candidates(candidates: Candidates, n_right: int, truth: Pairs, known: Pairs = NO_PAIRS) -> Metrics:
    """Metrics from stored candidates: a true right user that is not among them takes the middle of the ranks left."""
    tested, free = rest_of(truth, known).tested, free_rights(n_right, known)
    mine = _free_candidates(candidates, free)
    ranks = candidate_ranks(mine, int(free.sum()), tested)
    return summarise(ranks, tested, mine.rights[:, 0], mine.scores[:, 0])


def free_rights(n_right: int, known: Pairs) -> Bools:
    """(n_right,): who can be a candidate: accounts of known pairs cannot."""
    free = np.ones(n_right, np.bool_)
    free[known.rights] = False
    return free


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


def exact_ranks(scorer: Scorer, truth: Pairs, free: Bools) -> Floats:
    """The rank of every true pair among the right users that are free."""
    ranks = np.empty(len(truth), np.float64)
    order = np.argsort(truth.lefts, kind="stable")
    for block in blocks(len(truth), len(scorer.right)):
        pairs = order[block]
        lefts, row_of = np.unique(truth.lefts[pairs], return_inverse=True)
        ranks[pairs] = middle_ranks(scorer.scores(lefts)[row_of], truth.rights[pairs], free)
    return ranks.astype(np.float32)


def middle_ranks(scores: Floats, rights: Ints, free: Bools | None = None) -> Floats:
    """1 + how many columns beat the true one + half of those that tie with it, row by row, among the free ones."""
    scores = np.where(np.isnan(scores), -np.inf, scores)  # (n, n_right)
    true = np.take_along_axis(scores, rights[:, None], axis=1)
    counted = np.ones(scores.shape[1], np.bool_) if free is None else free
    beaten_by = np.count_nonzero((scores > true) & counted, axis=1)
    tied_with = np.count_nonzero((scores == true) & counted, axis=1) - counted[rights]
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
    """The largest share of left users linked correctly by a score threshold that keeps the precision."""
    scores = np.where(np.isnan(scores), -np.inf, scores)
    order = np.argsort(-scores, kind="stable")
    n_correct = np.cumsum(correct[order])
    ends = np.append(scores[order][1:] != scores[order][:-1], True)
    precise = n_correct >= PRECISION * np.arange(1, len(order) + 1)
    return float(n_correct[ends & precise].max(initial=0) / len(order))


def _correct(truth: Pairs, lefts: Ints, best_rights: Ints) -> npt.NDArray[np.bool_]:
    chosen = best_rights[truth.lefts] == truth.rights
    return np.isin(lefts, truth.lefts[chosen])


def _best_free(scorer: Scorer, lefts: Ints, free: Bools) -> Candidates:
    """The best free right user of some left users, of every one a row."""
    rights, scores = np.full((len(scorer.left), 1), -1, np.int32), np.full((len(scorer.left), 1), -np.inf, np.float32)
    for block in blocks(len(lefts), len(scorer.right)):
        best = best_of_block(np.where(free, scorer.scores(lefts[block]), -np.inf), 1)
        rights[lefts[block]], scores[lefts[block]] = best.rights, best.scores
    return Candidates(rights, scores)


def _free_candidates(candidates: Candidates, free: Bools) -> Candidates:
    """The candidates that are free, best first."""
    if free.all():
        return candidates
    barred = (candidates.rights >= 0) & ~free[candidates.rights]
    order = np.argsort(barred, axis=1, kind="stable")
    rights, scores = np.where(barred, -1, candidates.rights), np.where(barred, -np.inf, candidates.scores)
    return Candidates(
        np.take_along_axis(rights, order, axis=1).astype(np.int32),
        np.take_along_axis(scores, order, axis=1).astype(np.float32),
    )
