"""Pairs of users that are each other's best, from the nearest of both directions."""

from dataclasses import dataclass

import numpy as np

from factlink.types import Candidates, Floats, Ints, Pairs


@dataclass(frozen=True, slots=True, eq=False)
class Shortlist:
    """Candidate pairs, each once, with 2·cosine − hubness of both (CSLS)."""

    lefts: Ints  # (n_pairs,)
    rights: Ints  # (n_pairs,)
    scores: Floats  # (n_pairs,)


def hubness(near: Candidates, n_neighbours: int) -> Floats:
    """The mean cosine of each user's nearest; who has fewer counts nothing for the rest."""
    cosines = np.maximum(near.scores, 0)[:, :n_neighbours]
    return np.asarray(cosines.sum(axis=1) / n_neighbours, np.float32)


def shortlist(forth: Candidates, back: Candidates, left_hubness: Floats, right_hubness: Floats) -> Shortlist:
    """The nearest right users of every left one and the reverse."""
    lefts, rights, forth_cosines = _entries(forth)
    back_rights, back_lefts, back_cosines = _entries(back)
    n_right = len(right_hubness)
    codes = np.concatenate([lefts * n_right + rights, back_lefts * n_right + back_rights])
    codes, first = np.unique(codes, return_index=True)
    lefts, rights = np.divmod(codes, n_right)
    cosines = np.concatenate([forth_cosines, back_cosines])[first]
    return Shortlist(lefts, rights, 2 * cosines - left_hubness[lefts] - right_hubness[rights])


def mutual_best(pairs: Shortlist, known: Pairs, share: float) -> Pairs:
    """Of the pairs outside the known users that are each other's best, the share with the largest margins."""
    free = ~(np.isin(pairs.lefts, known.lefts) | np.isin(pairs.rights, known.rights))
    lefts, rights, scores = pairs.lefts[free], pairs.rights[free], pairs.scores[free]
    mutual = (scores == _best(lefts, scores)[lefts]) & (scores == _best(rights, scores)[rights])
    seconds, other_seconds = _best(lefts[~mutual], scores[~mutual]), _best(rights[~mutual], scores[~mutual])
    margins = _gap(scores, seconds, lefts)[mutual], _gap(scores, other_seconds, rights)[mutual]
    surest = np.argsort(-np.minimum(*margins), kind="stable")[: int(share * np.count_nonzero(mutual))]
    return Pairs(lefts[mutual][surest], rights[mutual][surest])


def _entries(near: Candidates) -> tuple[Ints, Ints, Floats]:
    rows, columns = np.nonzero(near.scores > 0)
    return rows.astype(np.int64), near.rights[rows, columns].astype(np.int64), near.scores[rows, columns]


def _best(rows: Ints, scores: Floats) -> Floats:
    """The largest score of each row."""
    best = np.full(1 + rows.max(initial=-1), -np.inf, np.float32)
    np.maximum.at(best, rows, scores)
    return best


def _gap(scores: Floats, seconds: Floats, rows: Ints) -> Floats:
    """The margin of each score over the second of its row; infinite where there is none."""
    padded = np.append(seconds, np.float32(-np.inf))
    return scores - padded[np.minimum(rows, len(seconds))]
