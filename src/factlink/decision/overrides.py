"""Pairs that are decided already, by known pairs or by people, over what a linker found.

The linker's own probabilities are never estimated again: a pair that is refused goes and its probability goes to nobody
else; a pair that is given is certain, and its two accounts have no other.
"""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from factlink.candidates.pairs import CandidatePairs, best_of_pairs, gather_pairs, keep_pairs
from factlink.candidates.top_k import best_of_block
from factlink.decision.decisions import LEAST, decide
from factlink.decision.likelihoods import Likelihoods
from factlink.types import NO_PAIRS, Candidates, Floats, Ints, Links, Pairs

Bools = npt.NDArray[np.bool_]

CERTAIN = np.float32(1.0)
"""The score of a given pair whose left user has no candidate at all."""


@dataclass(frozen=True, slots=True, eq=False)
class Overrides:
    """What overrules a linker."""

    known: Pairs = NO_PAIRS  # linked
    matches: Pairs = NO_PAIRS  # judged, and linked
    refused: Pairs = NO_PAIRS  # judged, and never linked
    earlier: Pairs | None = None  # links of the run that is linked again

    def candidates(self, found: Candidates) -> Candidates:
        """The best candidates without refused pairs and without competitors of given pairs; fewer if fewer are left.

        A given pair that was not among them comes with the best score its left user had.
        """
        given = self._given()
        if not len(given) and not len(self.refused):
            return found
        rights, scores = found.rights.copy(), found.scores.copy()
        own, best = _scores_of(found, given), _best_of(scores[given.lefts].max(axis=1, initial=-np.inf))
        scores[_marked(rights, self.refused) | np.isin(rights, given.rights)] = -np.inf
        rights[given.lefts], scores[given.lefts] = -1, -np.inf
        places = np.arange(len(given)) - np.searchsorted(given.lefts, given.lefts)
        fits = np.flatnonzero(places < rights.shape[1])
        rights[given.lefts[fits], places[fits]] = given.rights[fits]
        scores[given.lefts[fits], places[fits]] = np.where(np.isneginf(own), best, own)[fits]
        columns = best_of_block(scores, scores.shape[1])
        ranked = np.take_along_axis(rights, np.maximum(columns.rights, 0), axis=1)
        return Candidates(np.where(columns.rights < 0, -1, ranked).astype(np.int32), columns.scores)

    def likelihoods(self, likely: Likelihoods) -> Likelihoods:
        """Given pairs have probability 1 and no competitors, refused pairs are removed; all others are unchanged."""
        return _without(self._certain(likely), self.refused)

    def decide(self, likely: Likelihoods, precision: float, min_probability: float = LEAST) -> Links:
        """Links of what remains."""
        return decide(self.likelihoods(likely), precision, min_probability, self.earlier)

    def _given(self) -> Pairs:
        """Known pairs and matches, each once, by left row and then right row."""
        both = np.concatenate([[part.lefts, part.rights] for part in (self.known, self.matches)], axis=1)
        lefts, rights = np.unique(both.astype(np.int64), axis=1)
        return Pairs(lefts, rights)

    def _certain(self, likely: Likelihoods) -> Likelihoods:
        given = self._given()
        if not len(given):
            return likely
        old = likely.pairs
        best = _best_of(best_of_pairs(old, likely.scores, 1).scores[given.lefts, 0])
        parts = [(old.lefts, old.rights), (given.lefts, given.rights)]
        pairs = without_rivals(gather_pairs(old.n_left, old.n_right, parts), given)
        before = old.places(pairs.lefts, pairs.rights)
        scores, probabilities = np.empty(len(pairs), np.float32), np.empty(len(pairs), np.float32)
        scores[pairs.places(given.lefts, given.rights)] = best
        scores[before >= 0] = likely.scores[before[before >= 0]]
        probabilities[before >= 0] = likely.probabilities[before[before >= 0]]
        probabilities[pairs.places(given.lefts, given.rights)] = 1
        return replace(
            likely, pairs=pairs, scores=scores, probabilities=probabilities, known=self.known, judged=self.matches
        )


def _without(likely: Likelihoods, refused: Pairs) -> Likelihoods:
    places = likely.pairs.places(refused.lefts, refused.rights)
    if not (places >= 0).any():
        return likely
    kept = np.ones(len(likely.pairs), np.bool_)
    kept[places[places >= 0]] = False
    pairs = keep_pairs(likely.pairs, kept)
    return replace(likely, pairs=pairs, scores=likely.scores[kept], probabilities=likely.probabilities[kept])


def without_rivals(pairs: CandidatePairs, given: Pairs) -> CandidatePairs:
    """The pairs but those in which a user of a given pair has another partner."""
    if not len(given):
        return pairs
    left, right = np.zeros(pairs.n_left, np.bool_), np.zeros(pairs.n_right, np.bool_)
    left[given.lefts], right[given.rights] = True, True
    taken = left[pairs.lefts] | right[pairs.rights]
    taken[pairs.places(given.lefts, given.rights)] = False
    return keep_pairs(pairs, ~taken)


def _best_of(scores: Floats) -> Floats:
    return np.where(np.isneginf(scores), CERTAIN, scores).astype(np.float32)


def _scores_of(found: Candidates, pairs: Pairs) -> Floats:
    """(n_pairs,): −inf for a pair that is not among the candidates."""
    same = found.rights[pairs.lefts] == pairs.rights[:, None]  # (n_pairs, k)
    return np.asarray(np.where(same, found.scores[pairs.lefts], -np.inf).max(axis=1, initial=-np.inf), np.float32)


def _marked(rights: Ints, pairs: Pairs) -> Bools:
    """(n_left, k): which candidates are among the pairs."""
    marked = np.zeros(rights.shape, np.bool_)
    same = rights[pairs.lefts] == pairs.rights[:, None]  # (n_pairs, k)
    np.logical_or.at(marked, pairs.lefts, same)
    return marked
