"""Candidate pairs, and a scorer that scores only those."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from factlink.linkers.baselines.features.best_pairs import BestPairScorer
from factlink.linkers.baselines.features.explanation import Breakdown, candidate_parts
from factlink.linkers.baselines.features.pair_features import BestPair
from factlink.protocols import Scorer
from factlink.types import Candidates, Floats, Ints, Network, Pairs


def nearest_pairs(features: Sequence[BestPair], k: int) -> Pairs:
    """The k best right users of every left user and the k best left users of every right one, by each feature."""
    parts = []
    for feature in features:
        parts.append(_listed(feature.scorer.candidates(k)))
        back = _listed(_turned(feature.scorer).candidates(k))
        parts.append(Pairs(back.rights, back.lefts))
    return united(parts)


def united(parts: Iterable[Pairs]) -> Pairs:
    """All pairs once, by left row and then by right row."""
    parts = list(parts)
    lefts = np.concatenate([np.empty(0, np.int64), *(part.lefts for part in parts)])
    rights = np.concatenate([np.empty(0, np.int64), *(part.rights for part in parts)])
    width = 1 + rights.max(initial=0)
    codes = np.unique(lefts * width + rights)
    return Pairs(codes // width, codes % width)


def find_pairs(asked: Pairs, pairs: Pairs) -> Ints:
    """The place of each pair in ordered pairs; −1 if it is not there."""
    width = 1 + max(pairs.rights.max(initial=0), asked.rights.max(initial=0))
    codes = pairs.lefts.astype(np.int64) * width + pairs.rights
    wanted = asked.lefts.astype(np.int64) * width + asked.rights
    places = np.minimum(np.searchsorted(codes, wanted), max(0, len(codes) - 1))
    return np.where(codes[places] == wanted, places, -1) if len(codes) else np.full(len(wanted), -1)


def best_pairs(pairs: Pairs, scores: Floats, n_left: int, k: int) -> Candidates:
    """The k best pairs of each left row, best first, ties by right row."""
    order = np.lexsort((pairs.rights, -scores, pairs.lefts))
    lefts = pairs.lefts[order]
    ranks = np.arange(len(order)) - np.searchsorted(lefts, lefts)
    order, ranks = order[ranks < k], ranks[ranks < k]
    result = Candidates(np.full((n_left, k), -1, np.int32), np.full((n_left, k), -np.inf, np.float32))
    place = (pairs.lefts[order], ranks)
    result.rights[place], result.scores[place] = pairs.rights[order], scores[order]
    return result


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CandidateScorer(Scorer):
    """Known scores for some pairs; all others come after them, in the order of another scorer."""

    left: Network
    right: Network
    pairs: Pairs  # by left row, then by right row
    pair_scores: Floats  # (n_pairs,) finite
    others: BestPairScorer  # scores in [0, 1]
    breakdown: Breakdown | None = None

    def scores(self, rows: Ints) -> Floats:
        """(len(rows), n_right)."""
        scores = self.others.scores(rows) + self._shift()
        starts, ends = (np.searchsorted(self.pairs.lefts, rows, side=side) for side in ("left", "right"))
        sizes = ends - starts
        row_of = np.repeat(np.arange(len(rows)), sizes)
        places = np.arange(len(row_of)) + np.repeat(starts - (np.cumsum(sizes) - sizes), sizes)
        scores[row_of, self.pairs.rights[places]] = self.pair_scores[places]
        return scores

    def candidates(self, k: int) -> Candidates:
        """The k best right users of every left user, found among the scored pairs and the k best others."""
        k = min(k, len(self.right))
        others = self.others.candidates(k)
        listed = _listed(others)
        unscored = find_pairs(listed, self.pairs) < 0
        lefts = np.concatenate([self.pairs.lefts, listed.lefts[unscored]])
        rights = np.concatenate([self.pairs.rights, listed.rights[unscored]])
        shifted = others.scores[others.rights >= 0][unscored] + self._shift()
        return best_pairs(Pairs(lefts, rights), np.concatenate([self.pair_scores, shifted]), len(self.left), k)

    def explain(self, lefts: Ints, rights: Ints) -> pl.DataFrame:
        """Columns PARTS: what each feature adds, and what deciding all pairs together changed."""
        pairs = Pairs(lefts, rights)
        places = find_pairs(pairs, self.pairs)
        similar = self.others.meetings(pairs).similarities + self._shift()
        scores = np.where(places >= 0, self.pair_scores[places], similar) if len(self.pairs) else similar
        return candidate_parts(self.breakdown, self.others, pairs, places, scores)

    def _shift(self) -> np.float32:
        return np.float32(self.pair_scores.min(initial=0) - 2)


def _turned(scorer: BestPairScorer) -> BestPairScorer:
    """The same scorer seen from the right network."""
    owned = (scorer.right_owned, scorer.left_owned)
    return BestPairScorer(scorer.right, scorer.left, *owned, scorer.similarity.turned())


def _listed(candidates: Candidates) -> Pairs:
    lefts, places = np.nonzero(candidates.rights >= 0)
    return Pairs(lefts, candidates.rights[lefts, places].astype(np.int64))
