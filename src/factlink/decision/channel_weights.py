"""How much each predicate counts, measured without labels on pairs that other predicates are confident of."""

from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
from scipy.sparse import csr_matrix, issparse

from factlink.candidates.hubness import correct_pairs
from factlink.candidates.pairs import CandidatePairs, left_margins, mutual_best
from factlink.candidates.top_k import blocks
from factlink.types import Floats, Follows, Ints, Pairs

SAMPLE = 1000
RIVALS = 20_000
"""Right users that confident pairs are ranked among; with more, all predicates would rank lower and none gain."""
SLIGHT = 0.02
"""Less than this, after chance, counts nothing."""

_DOUBT = 20.0  # links seen until a predicate's own edge overlap counts as much as that of all


@dataclass(frozen=True, slots=True)
class PredicateRanking:
    """The mean reciprocal rank of confident pairs by one predicate alone, and of the same number of shuffled pairs."""

    confident: float
    shuffled: float

    @property
    def weight(self) -> float:
        """What is left after chance; 0 for what is slight."""
        above = (self.confident - self.shuffled) / max(1e-9, 1 - self.shuffled)
        return above if above >= SLIGHT else 0.0

    @property
    def reason(self) -> str:
        """In words."""
        return f"MRR {self.confident:.3f} on confident pairs, {self.shuffled:.3f} shuffled"


def confident_pairs(pairs: CandidatePairs, scores: Floats) -> Pairs:
    """Mutual best under CSLS, the half with the larger margin."""
    corrected = correct_pairs(pairs, scores)
    mutual = mutual_best(pairs, corrected)
    margins = left_margins(pairs, corrected)[pairs.lefts[mutual]]
    clear = mutual[(margins >= np.median(margins)) & (margins > 0)] if len(mutual) else mutual
    return Pairs(pairs.lefts[clear], pairs.rights[clear])


def rank_confident_pairs(
    left: Floats | csr_matrix, right: Floats | csr_matrix, confident: Pairs, seed: int
) -> PredicateRanking:
    """Mean reciprocal ranks of a sample of confident pairs by products of rows; a product of 0 has no rank."""
    drawn, rivals = draw_confident_pairs(confident, right.shape[0], seed)
    if len(rivals) == right.shape[0]:
        return rank_drawn_pairs(left[drawn.lefts], right, Pairs(np.arange(len(drawn)), drawn.rights), seed)
    places = Pairs(np.arange(len(drawn)), np.searchsorted(rivals, drawn.rights))
    return rank_drawn_pairs(left[drawn.lefts], right[rivals], places, seed)


def rank_among_rivals(pairs: CandidatePairs, products: Floats, confident: Pairs) -> float:
    """The mean reciprocal rank of confident pairs, which are candidates, among all candidates of their left user.

    Ties get the middle rank; a product of 0 has no rank. All candidates are ranked, so larger networks rank lower.
    """
    places = pairs.places(confident.lefts, confident.rights)
    return (
        float(_ranks_in_groups(pairs.left_starts, products, confident.lefts, places).mean()) if len(confident) else 0.0
    )


def draw_confident_pairs(confident: Pairs, n_right: int, seed: int) -> tuple[Pairs, Ints]:
    """A sample of the confident pairs, and the right rows to rank: all, or about RIVALS at most."""
    rng = np.random.default_rng(seed)
    drawn = rng.permutation(len(confident))[:SAMPLE]
    pairs = Pairs(confident.lefts[drawn], confident.rights[drawn])
    if n_right <= RIVALS:
        return pairs, np.arange(n_right)
    return pairs, np.union1d(pairs.rights, rng.choice(n_right, RIVALS, replace=False, shuffle=False))


def rank_drawn_pairs(
    left: Floats | csr_matrix, right: Floats | csr_matrix, drawn: Pairs, seed: int
) -> PredicateRanking:
    """How well rows rank these pairs among all right rows, and shuffled ones for comparison."""
    if not len(drawn):
        return PredicateRanking(0.0, 0.0)
    shuffled = np.random.default_rng([seed, 1]).permutation(drawn.rights)
    true, by_chance = _reciprocal_ranks(left, right, drawn.lefts, np.stack([drawn.rights, shuffled]))
    return PredicateRanking(float(true.mean()), float(by_chance.mean()))


def _reciprocal_ranks(left: Floats | csr_matrix, right: Floats | csr_matrix, lefts: Ints, wanted: Ints) -> Floats:
    """(2, n): of each wanted right row in the row of scores of its left row; ties take the middle."""
    found = np.zeros(wanted.shape, np.float32)
    for some in blocks(len(lefts), right.shape[0]):
        products: Any = left[lefts[some]] @ right.T
        scores = products.toarray() if issparse(products) else products  # (block, n_right)
        for column, rights in zip(found, wanted[:, some], strict=True):
            own = scores[np.arange(len(some)), rights][:, None]
            ranks = 0.5 + (scores > own).sum(1) + (scores == own).sum(1) / 2
            column[some] = np.where(own[:, 0] != 0, 1 / ranks, 0)
    return found


@numba.njit(cache=True, parallel=True)
def _ranks_in_groups(starts: Any, products: Any, groups: Any, places: Any) -> Any:
    """(n,): of places among their group, reciprocal; 0 for a product of 0."""
    found = np.zeros(len(places), np.float32)
    for i in numba.prange(len(places)):
        own, rank = products[places[i]], 0.5
        for place in range(starts[groups[i]], starts[groups[i] + 1]):
            rank += 1.0 if products[place] > own else 0.5 if products[place] == own else 0.0
        found[i] = 1 / rank if own != 0 else 0.0
    return found


def edge_overlaps(links: list[Follows], partners: Ints, other: csr_matrix, seed: int) -> tuple[Floats, Floats]:
    """Per link predicate: the share of its links between linked users that the other network has too, and by chance.

    `partners` gives each user's linked partner, −1 for none. Few links seen lean on the rate of all predicates.
    """
    linked = np.flatnonzero(partners >= 0)
    shuffled = partners.copy()
    shuffled[linked] = np.random.default_rng(seed).permutation(partners[linked])
    counts = np.array([_count_overlap(follows, partners, other) for follows in links], np.float32)
    chance = np.array([_count_overlap(follows, shuffled, other) for follows in links], np.float32)
    return _shrunk(counts), _shrunk(chance)


def _count_overlap(follows: Follows, partners: Ints, other: csr_matrix) -> tuple[int, int]:
    """How many links run between users with partners, and how many of those the other network has too."""
    ends = partners[follows.followers], partners[follows.followees]
    both = (ends[0] >= 0) & (ends[1] >= 0) & (ends[0] != ends[1])
    n = int(both.sum())
    return n, int(np.count_nonzero(np.asarray(other[ends[0][both], ends[1][both]]))) if n else 0


def _shrunk(counts: Floats) -> Floats:
    seen, overlapping = counts.T
    overall = overlapping.sum() / max(1.0, seen.sum())
    return np.asarray((overlapping + _DOUBT * overall) / (seen + _DOUBT), np.float32)
