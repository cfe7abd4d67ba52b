"""Pairs that people have settled: a judged match is the only candidate of both accounts, a judged non-match is none."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import polars as pl

from factlink.matching.neighbours import best_candidates, best_of_block
from factlink.types import (
    DECISIONS,
    PARTS,
    Candidates,
    Decision,
    Explainer,
    Floats,
    Ints,
    Links,
    Network,
    Pairs,
    Scorer,
)

SURE = np.float32(1.0)
"""The score of a judged match of a user for whom the scorer has no candidate at all."""


@dataclass(frozen=True, slots=True, eq=False)
class SettledScorer:
    """A scorer, overruled where a person has decided."""

    scorer: Scorer
    matches: Pairs
    refused: Pairs

    @property
    def left(self) -> Network:
        """The left network."""
        return self.scorer.left

    @property
    def right(self) -> Network:
        """The right network."""
        return self.scorer.right

    def scores(self, rows: Ints) -> Floats:
        """(len(rows), n_right): −inf for what is refused, and for all but the match of an account that has one."""
        scores = np.array(self.scorer.scores(rows))
        scores[_among(self.refused, rows)] = -np.inf
        asked, rights = _among(self.matches, rows)
        best = _sure_of(scores[asked])
        scores[asked], scores[:, self.matches.rights] = -np.inf, -np.inf
        scores[asked, rights] = best
        return scores

    def candidates(self, k: int) -> Candidates:
        """The k best right rows of every left row, fewer where judgements leave fewer of those that were found."""
        most = int(np.bincount(self.refused.lefts, minlength=1).max())
        found = best_candidates(self.scorer, k + most)
        rights, scores = found.rights.copy(), found.scores.copy()
        scores[_marked(rights, self.refused)] = -np.inf
        best = _sure_of(scores[self.matches.lefts])
        scores[np.isin(rights, self.matches.rights)] = -np.inf
        _put_matches(rights, scores, self.matches, best)
        columns = best_of_block(scores, min(k, scores.shape[1]))
        ranked = np.take_along_axis(rights, np.maximum(columns.rights, 0), axis=1)
        return Candidates(np.where(columns.rights < 0, -1, ranked).astype(np.int32), columns.scores)

    def explain(self, lefts: Ints, rights: Ints) -> pl.DataFrame:
        """Columns PARTS of the scorer itself: a judgement overrules them, it is no part of them."""
        if not isinstance(self.scorer, Explainer):
            return pl.DataFrame(schema=PARTS)
        return self.scorer.explain(lefts, rights)


def settle(scorer: Scorer, matches: Pairs, refused: Pairs) -> Scorer:
    """The scorer itself if nobody has judged, else one that obeys."""
    if not len(matches) and not len(refused):
        return scorer
    return SettledScorer(scorer, _sorted(matches), _sorted(refused))


def settle_links(links: Links, matches: Pairs) -> Links:
    """The links, with every judged match linked for sure; of several matches of a user, the first."""
    if not len(matches):
        return links
    users, first = np.unique(matches.lefts, return_index=True)
    judged = np.flatnonzero(np.isin(links.lefts, users))
    columns = {name: np.array(getattr(links, name)) for name in ("rights", "probabilities", "decisions")}
    columns["rights"][judged] = matches.rights[first][np.searchsorted(users, links.lefts[judged])]
    columns["probabilities"][judged] = 1.0
    columns["decisions"][judged] = DECISIONS.index(Decision.LINK)
    return replace(links, **columns)


def _sorted(pairs: Pairs) -> Pairs:
    order = np.lexsort((pairs.rights, pairs.lefts))
    return Pairs(pairs.lefts[order], pairs.rights[order])


def _put_matches(rights: Ints, scores: Floats, matches: Pairs, best: Floats) -> None:
    """Makes the matches the only candidates of their left users, with the best score that the user had."""
    rights[matches.lefts], scores[matches.lefts] = -1, -np.inf
    places = np.arange(len(matches)) - np.searchsorted(matches.lefts, matches.lefts)
    fits = places < rights.shape[1]
    rights[matches.lefts[fits], places[fits]] = matches.rights[fits]
    scores[matches.lefts[fits], places[fits]] = best[fits]


def _sure_of(scores: Floats) -> Floats:
    best = scores.max(axis=1, initial=-np.inf)
    return np.where(np.isneginf(best), SURE, best).astype(np.float32)


def _among(pairs: Pairs, rows: Ints) -> tuple[Ints, Ints]:
    """Places in `rows` of the left rows of sorted pairs, and the right rows of these pairs; `rows` may repeat."""
    starts, ends = np.searchsorted(pairs.lefts, rows), np.searchsorted(pairs.lefts, rows, "right")
    counts = ends - starts
    asked = np.repeat(np.arange(len(rows)), counts)
    places = np.arange(len(asked)) + np.repeat(starts - (np.cumsum(counts) - counts), counts)
    return asked, pairs.rights[places]


def _marked(rights: Ints, pairs: Pairs) -> npt.NDArray[np.bool_]:
    """(n_left, k): which candidates are among the pairs."""
    marked = np.zeros(rights.shape, np.bool_)
    same = rights[pairs.lefts] == pairs.rights[:, None]  # (n_pairs, k)
    np.logical_or.at(marked, pairs.lefts, same)
    return marked
