"""Pairs of users that are each other's best, from the nearest of both directions."""

import numpy as np

from factlink.candidates.hubness import less_hubness
from factlink.candidates.pairs import CandidatePairs, gather_pairs, keep_pairs, left_best, right_best
from factlink.types import Candidates, Floats, Ints, Pairs


def hubness(near: Candidates, n_neighbours: int) -> Floats:
    """The mean cosine of each user's nearest; who has fewer counts nothing for the rest."""
    cosines = np.maximum(near.scores, 0)[:, :n_neighbours]
    return np.asarray(cosines.sum(axis=1) / n_neighbours, np.float32)


def shortlist(
    forth: Candidates, back: Candidates, left_hubness: Floats, right_hubness: Floats
) -> tuple[CandidatePairs, Floats]:
    """The nearest right users of every left one and the reverse; and their cosines less hubness (CSLS)."""
    lefts, rights, forth_cosines = _entries(forth)
    back_rights, back_lefts, back_cosines = _entries(back)
    pairs = gather_pairs(len(left_hubness), len(right_hubness), [(lefts, rights), (back_lefts, back_rights)])
    cosines = np.empty(len(pairs), np.float32)
    cosines[pairs.places(back_lefts, back_rights)] = back_cosines
    cosines[pairs.places(lefts, rights)] = forth_cosines
    return pairs, less_hubness(cosines, left_hubness[pairs.lefts], right_hubness[pairs.rights])


def surest_pairs(pairs: CandidatePairs, scores: Floats, known: Pairs, share: float) -> Pairs:
    """Of the pairs outside the known users that are each other's best, the share with the largest margins.

    Pairs that tie are all each other's best: among users whom walks reach alike, none is to be preferred.
    """
    free = ~(np.isin(pairs.lefts, known.lefts) | np.isin(pairs.rights, known.rights))
    pairs, scores = keep_pairs(pairs, free), scores[free]
    best = left_best(pairs, scores, 1)[0][pairs.lefts], right_best(pairs, scores, 1)[0][pairs.rights]
    mutual = (scores == best[0]) & (scores == best[1])
    others, rest = keep_pairs(pairs, ~mutual), scores[~mutual]
    seconds = (
        np.where(np.diff(others.left_starts) > 0, left_best(others, rest, 1)[0], -np.inf)[pairs.lefts],
        np.where(np.diff(others.right_starts) > 0, right_best(others, rest, 1)[0], -np.inf)[pairs.rights],
    )
    margins = (scores - np.maximum(*seconds))[mutual]
    surest = np.argsort(-margins, kind="stable")[: int(share * np.count_nonzero(mutual))]
    return Pairs(pairs.lefts[mutual][surest], pairs.rights[mutual][surest])


def _entries(near: Candidates) -> tuple[Ints, Ints, Floats]:
    rows, columns = np.nonzero(near.scores > 0)
    return rows, near.rights[rows, columns], near.scores[rows, columns]
