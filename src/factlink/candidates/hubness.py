"""Hubness: who is near to everyone is near to no one in particular."""

import numpy as np

from factlink.candidates.pairs import CandidatePairs, left_best, right_best
from factlink.types import Floats

NEIGHBOURS = 10


def correct_pairs(pairs: CandidatePairs, scores: Floats, k: int = NEIGHBOURS) -> Floats:
    """CSLS over candidate pairs: 2·score less the mean of the k best scores of either side."""
    lefts, rights = left_best(pairs, scores, k)[0], right_best(pairs, scores, k)[0]
    return less_hubness(scores, lefts[pairs.lefts], rights[pairs.rights])


def less_hubness(scores: Floats, lefts: Floats, rights: Floats) -> Floats:
    """CSLS: 2·score less the hubness of either side."""
    return np.asarray(2 * scores - lefts - rights, np.float32)
