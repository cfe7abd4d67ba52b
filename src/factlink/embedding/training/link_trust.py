"""The quality of links, without labels: do they agree with the confident pairs of the attributes?

Attributes alone, after the warm passes, name some pairs of users with confidence: mutual best, with a wide margin.
Links alone rank the same pairs by cos(Σ_j w_ij v_j, Σ_j w_kj v_j). Their mean reciprocal rank q, less what the same
shuffled pairs reach, is their quality: 0 for shuffled links, near 1 for decisive ones.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from factlink.embedding.kernels import add_rows, multiply
from factlink.embedding.objectives import Objective
from factlink.embedding.sampling import Draw, generator
from factlink.ranks import middle_ranks
from factlink.types import Floats, Ints
from factlink.vectors import row_lengths, unit_rows

SAMPLE = 1000  # left users sampled per pair of networks
FEWEST = 5  # with fewer confident pairs the quality is 0
CHUNK = 65_536


@dataclass(frozen=True, slots=True)
class LinkTrust:
    """What links know, from 0 to 1, and how long their sum is beside the user's own vector."""

    quality: float
    length: float


def neighbour_sums(vectors: Floats, objective: Objective) -> Floats:
    """(n_rows, dim): Σ_j w_ij v_j over the links of every user."""
    sums = np.zeros_like(vectors)
    for first in range(0, len(objective), CHUNK):
        part = slice(first, first + CHUNK)
        add_rows(sums, objective.users[part], objective.weights[part], vectors[objective.objects[part]])
    return sums


def measure_trust(vectors: Floats, objective: Objective, rows: list[Ints], seed: int) -> LinkTrust:
    """Quality averaged over all pairs of networks that have such links."""
    sums = neighbour_sums(vectors, objective)
    linked = np.flatnonzero((row_lengths(sums) > 0) & (row_lengths(vectors) > 0))
    if not len(linked):
        return LinkTrust(0.0, 1.0)
    length = float(row_lengths(sums[linked]).mean() / row_lengths(vectors[linked]).mean())
    own = [np.intersect1d(part, linked) for part in rows]
    own = [part[np.isin(part, np.concatenate(own[:i] + own[i + 1 :]), invert=True)] for i, part in enumerate(own)]
    return LinkTrust(mean_quality(vectors, sums, own, seed), length)


def mean_quality(vectors: Floats, sums: Floats, rows: list[Ints], seed: int) -> float:
    """How well `sums` rank the confident pairs of `vectors`, averaged over all pairs of networks with such rows."""
    pairs = [(left, right) for left, right in combinations(rows, 2) if len(left) and len(right)]
    found = [_quality(vectors, sums, left, right, seed) for left, right in pairs]
    return float(np.mean(found)) if found else 0.0


def _quality(vectors: Floats, sums: Floats, left: Ints, right: Ints, seed: int) -> float:
    lefts, rights = confident_pairs(vectors, left, right, seed)
    if len(lefts) < FEWEST:
        return 0.0
    centre = [sums[part].mean(0) for part in (left, right)]
    scores = _scores(_directions(sums[left[lefts]] - centre[0]), _directions(sums[right] - centre[1]))
    reached = (1 / middle_ranks(scores, rights)).mean()
    by_chance = (1 / middle_ranks(scores, np.roll(rights, 1))).mean()
    return max(0.0, float((reached - by_chance) / (1 - by_chance)))


def confident_pairs(vectors: Floats, left: Ints, right: Ints, seed: int) -> tuple[Ints, Ints]:
    """Places in `left` and `right` of mutual best users: of a sample, the half with the wider margins."""
    asked = generator(seed, Draw.SAMPLE).permutation(len(left))[:SAMPLE]
    lefts, rights = _directions(vectors[left]), _directions(vectors[right])
    scores = _scores(lefts[asked], rights)
    best = scores.argmax(1)
    highest = scores[np.arange(len(asked)), best]
    scores[np.arange(len(asked)), best] = -np.inf
    margins = highest - (scores.max(1) if len(right) > 1 else 0)
    mutual = _scores(rights[best], lefts).argmax(1) == asked
    kept = np.flatnonzero(mutual & (margins > 0))
    kept = kept[np.argsort(-margins[kept], kind="stable")[: -(-len(kept) // 2)]]
    return asked[kept], best[kept]


def _directions(vectors: Floats) -> Floats:
    return unit_rows(vectors, row_lengths(vectors))


def _scores(lefts: Floats, rights: Floats) -> Floats:
    out = np.empty((len(lefts), len(rights)), np.float32)
    multiply(np.ascontiguousarray(lefts), np.ascontiguousarray(rights.T), out)
    return out
