"""Pairs that are matched for now: every user has one partner at most, and each pair a strength."""

from dataclasses import dataclass

import numpy as np

from factlink.candidates.pairs import CandidatePairs, Flags, left_margins, mutual_best
from factlink.linkers.known_pairs import both_pairs
from factlink.types import Floats, Ints, Pairs

_CERTAIN = 40.0  # the score of a known pair, whose strength is 1


@dataclass(frozen=True, slots=True, eq=False)
class Matching:
    """Partners of both sides, −1 for none; nothing is committed, the next round chooses anew."""

    partners: Ints  # (n_left,) right rows
    strengths: Floats  # (n_left,) how far each pair is believed, 0 … 1
    left_partners: Ints  # (n_right,) left rows
    left_strengths: Floats  # (n_right,)

    @property
    def pairs(self) -> Pairs:
        """The matched pairs, by left row."""
        lefts = np.flatnonzero(self.partners >= 0)
        return Pairs(lefts, self.partners[lefts])

    @property
    def pair_strengths(self) -> Floats:
        """Of `pairs`."""
        return self.strengths[self.partners >= 0]

    def stay(self, before: "Matching") -> float:
        """The share of this matching's pairs that were matched before."""
        matched = self.partners >= 0
        return float((self.partners == before.partners)[matched].mean()) if matched.any() else 1.0


def matching_of(sizes: tuple[int, int], pairs: Pairs, strengths: Floats) -> Matching:
    """Pairs in which nobody occurs twice."""
    partners, left_partners = np.full(sizes[0], -1, np.int32), np.full(sizes[1], -1, np.int32)
    forth, back = np.zeros(sizes[0], np.float32), np.zeros(sizes[1], np.float32)
    partners[pairs.lefts], left_partners[pairs.rights] = pairs.rights, pairs.lefts
    forth[pairs.lefts], back[pairs.rights] = strengths, strengths
    return Matching(partners, forth, left_partners, back)


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """The mutual best pairs of some scores, each with its score and its margin over the left user's second best."""

    pairs: Pairs
    scores: Floats
    margins: Floats

    def where(self, kept: Flags) -> "Choice":
        """Those of a mask."""
        return Choice(Pairs(self.pairs.lefts[kept], self.pairs.rights[kept]), self.scores[kept], self.margins[kept])

    @property
    def strengths(self) -> Floats:
        """1 − exp(−(best − second / 2)): near 1 for a high score without a rival."""
        seconds = np.where(np.isfinite(self.margins), self.scores - self.margins, 0)
        return np.asarray(1 - np.exp(-np.maximum(self.scores - seconds / 2, 0)), np.float32)


def choose(pairs: CandidatePairs, scores: Floats) -> Choice:
    """Who is the first choice of each other."""
    mutual = mutual_best(pairs, scores)
    margins = left_margins(pairs, scores)[pairs.lefts[mutual]]
    return Choice(Pairs(pairs.lefts[mutual], pairs.rights[mutual]), scores[mutual], margins)


def with_known(chosen: Choice, known: Pairs, sizes: tuple[int, int]) -> Choice:
    """Known pairs beyond doubt, and the others without their users; by left row."""
    if not len(known):
        return chosen
    taken = np.zeros(sizes[0], np.bool_), np.zeros(sizes[1], np.bool_)
    taken[0][known.lefts], taken[1][known.rights] = True, True
    others = chosen.where(~taken[0][chosen.pairs.lefts] & ~taken[1][chosen.pairs.rights])
    scored = np.full(len(known), _CERTAIN), np.full(len(known), np.inf)
    every = both_pairs(known, others.pairs)
    order = np.argsort(every.lefts, kind="stable")
    scores = np.concatenate([scored[0], others.scores])[order].astype(np.float32)
    margins = np.concatenate([scored[1], others.margins])[order].astype(np.float32)
    return Choice(Pairs(every.lefts[order], every.rights[order]), scores, margins)
