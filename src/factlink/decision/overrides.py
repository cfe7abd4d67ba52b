"""Pairs that are decided already, by known pairs or by people, over what a linker found.

The linker's own probabilities are never estimated again: a pair that is refused goes and its probability goes to nobody
else; a pair that is given is certain, and its two accounts have no other. Links of the run that is linked again stay
links, as likely as they were, unless they are refused or one of their accounts is given to another: what right
judgements teach may find further links, and takes away none that they do not contradict.
"""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from factlink.candidates.pairs import CandidatePairs, best_of_pairs, gather_pairs, keep_pairs
from factlink.candidates.top_k import best_of_block
from factlink.decision.decisions import LEAST, decide, rivals_of
from factlink.decision.likelihoods import Likelihoods
from factlink.types import NO_PAIRS, Candidates, Floats, Ints, Links, Pairs

Bools = npt.NDArray[np.bool_]

CERTAIN = np.float32(1.0)
"""The score of a given pair whose left user has no candidate at all."""


@dataclass(frozen=True, slots=True, eq=False)
class EarlierLinks:
    """Links that the linker found in the run that is linked again, and how likely they were then."""

    pairs: Pairs
    probabilities: Floats  # (n_pairs,)


@dataclass(frozen=True, slots=True, eq=False)
class Overrides:
    """What overrules a linker."""

    known: Pairs = NO_PAIRS  # linked
    matches: Pairs = NO_PAIRS  # judged, and linked
    refused: Pairs = NO_PAIRS  # judged, and never linked
    earlier: EarlierLinks | None = None

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
        """Links of what remains; earlier links stay as they were unless they are contradicted."""
        settled = self.likelihoods(likely)
        if self.earlier is None:
            return decide(settled, precision, min_probability)
        stays = self._uncontradicted(self.earlier.pairs)
        held = Pairs(self.earlier.pairs.lefts[stays], self.earlier.pairs.rights[stays])
        settled = _with_pairs(settled, held, self.earlier.probabilities[stays])
        return decide(settled, precision, min_probability, held)

    def _uncontradicted(self, pairs: Pairs) -> Bools:
        """(n_pairs,): which are not refused, and have no user who is given to another."""
        given = self._given()
        is_given = np.isin(pairs.lefts, given.lefts) | np.isin(pairs.rights, given.rights)
        return ~(is_given | np.isin(_keys(pairs), _keys(self.refused)))

    def _given(self) -> Pairs:
        """Known pairs and matches, each once, by left row and then right row."""
        both = np.concatenate([[part.lefts, part.rights] for part in (self.known, self.matches)], axis=1)
        lefts, rights = np.unique(both.astype(np.int64), axis=1)
        return Pairs(lefts, rights)

    def _certain(self, likely: Likelihoods) -> Likelihoods:
        given = self._given()
        if not len(given):
            return likely
        settled = _with_pairs(likely, given, np.ones(len(given), np.float32))
        kept = ~rivals_of(settled.pairs, given)
        return replace(_kept(settled, kept), known=self.known, judged=self.matches)


def _with_pairs(likely: Likelihoods, given: Pairs, probabilities: Floats) -> Likelihoods:
    """Some pairs with these probabilities; one that was not there has the best score of its left user."""
    old = likely.pairs
    best = _best_of(best_of_pairs(old, likely.scores, 1).scores[given.lefts, 0])
    pairs = gather_pairs(old.n_left, old.n_right, [(old.lefts, old.rights), (given.lefts, given.rights)])
    before, places = pairs.places(old.lefts, old.rights), pairs.places(given.lefts, given.rights)
    scores, all_probabilities = np.empty(len(pairs), np.float32), np.empty(len(pairs), np.float32)
    scores[places], scores[before] = best, likely.scores
    all_probabilities[before], all_probabilities[places] = likely.probabilities, probabilities
    return replace(likely, pairs=pairs, scores=scores, probabilities=all_probabilities)


def _without(likely: Likelihoods, refused: Pairs) -> Likelihoods:
    places = likely.pairs.places(refused.lefts, refused.rights)
    if not (places >= 0).any():
        return likely
    kept = np.ones(len(likely.pairs), np.bool_)
    kept[places[places >= 0]] = False
    return _kept(likely, kept)


def _kept(likely: Likelihoods, kept: Bools) -> Likelihoods:
    pairs = keep_pairs(likely.pairs, kept)
    return replace(likely, pairs=pairs, scores=likely.scores[kept], probabilities=likely.probabilities[kept])


def without_rivals(pairs: CandidatePairs, given: Pairs) -> CandidatePairs:
    """The pairs but those in which a user of a given pair has another partner."""
    if not len(given):
        return pairs
    return keep_pairs(pairs, ~rivals_of(pairs, given))


def _keys(pairs: Pairs) -> Ints:
    """(n_pairs,): one number for each pair."""
    return np.asarray(pairs.lefts.astype(np.int64) << 32 | pairs.rights.astype(np.int64))


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
