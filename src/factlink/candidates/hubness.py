"""Hubness: who is near to everyone is near to no one in particular."""

from dataclasses import dataclass, field

import numpy as np

from factlink.candidates.pairs import CandidatePairs, left_best, right_best
from factlink.candidates.top_k import best_candidates, blocks
from factlink.protocols import Scorer
from factlink.types import Floats, Ints, Network

NEIGHBOURS = 10


def correct_pairs(pairs: CandidatePairs, scores: Floats, k: int = NEIGHBOURS) -> Floats:
    """CSLS over candidate pairs: 2·score less the mean of the k best scores of either side."""
    lefts, rights = left_best(pairs, scores, k)[0], right_best(pairs, scores, k)[0]
    return np.asarray(2 * scores - lefts[pairs.lefts] - rights[pairs.rights], np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class HubnessCorrected:
    """CSLS of any scorer over all pairs, block by block; what was not scored stays so."""

    scorer: Scorer
    k: int = NEIGHBOURS
    _left_means: Floats = field(init=False)
    _right_means: Floats = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_left_means", _mean(best_candidates(self.scorer, self.k).scores))
        object.__setattr__(self, "_right_means", _mean(_best_of_columns(self.scorer, self.k)))

    @property
    def left(self) -> Network:
        """The left network."""
        return self.scorer.left

    @property
    def right(self) -> Network:
        """The right network."""
        return self.scorer.right

    def scores(self, rows: Ints) -> Floats:
        """(len(rows), n_right): 2·score − mean of the row's k best − mean of the column's k best."""
        scores = self.scorer.scores(rows)
        return np.asarray(2 * scores - self._left_means[rows][:, None] - self._right_means, np.float32)


def _best_of_columns(scorer: Scorer, k: int) -> Floats:
    """(n_right, k): the best scores of each right row, −inf where there are fewer."""
    best = np.full((k, len(scorer.right)), -np.inf, np.float32)
    for rows in blocks(len(scorer.left), len(scorer.right)):
        scores = scorer.scores(rows)
        stacked = np.concatenate([best, np.where(np.isnan(scores), -np.inf, scores)])
        best = np.partition(stacked, len(stacked) - k, axis=0)[-k:]
    return np.ascontiguousarray(best.T)


def _mean(best: Floats) -> Floats:
    """Row means over what was scored; 0 for nothing."""
    scored = np.isfinite(best)
    return np.asarray(np.where(scored, best, 0).sum(1) / np.maximum(1, scored.sum(1)), np.float32)
