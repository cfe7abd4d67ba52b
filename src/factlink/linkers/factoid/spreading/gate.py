"""Whether links are worth spreading over, measured without labels: do links alone name the partners of likely pairs?"""

from dataclasses import dataclass

import numpy as np

from factlink.linkers.factoid.spreading.alignment import align_relations
from factlink.linkers.factoid.spreading.matching import Matching, matching_of
from factlink.linkers.factoid.spreading.relation_votes import best_voted
from factlink.linkers.factoid.spreading.relations import Relations
from factlink.linkers.factoid.votes import BUSY
from factlink.types import Ints, Pairs

_OPEN = 0.1  # the least share of likely pairs that links alone name, above chance
_DOUBT = 10.0  # likely pairs that links do not name are counted before any is seen


@dataclass(frozen=True, slots=True)
class Agreement:
    """The share of likely pairs whose partner has the most votes, and the same of shuffled pairs."""

    named: float
    by_chance: float

    @property
    def is_open(self) -> bool:
        """Whether links mean enough to spread over them."""
        return self.named - self.by_chance >= _OPEN


def measure_agreement(left: Relations, right: Relations, matching: Matching, seed: int) -> Agreement:
    """How well links alone name the partners that names found; a pair never votes for itself."""
    pairs = matching.pairs
    shuffled = Pairs(pairs.lefts, np.random.default_rng(seed).permutation(pairs.rights))
    by_chance = matching_of((left.n_users, right.n_users), shuffled, matching.pair_strengths)
    return Agreement(
        named_share(pairs, most_voted(left, right, matching)),
        named_share(shuffled, most_voted(left, right, by_chance)),
    )


def most_voted(left: Relations, right: Relations, matching: Matching) -> Ints:
    """(n_left,): the right user with the most votes; −1 where nobody has one or two have as many."""
    lefts, rights, votes = best_voted(left, right, matching, align_relations(left, right, matching), 2, BUSY)
    best = np.full(left.n_users, -1, np.int64)
    first = np.flatnonzero(np.diff(lefts, prepend=-1))
    best[lefts[first]] = rights[first]
    second = np.flatnonzero(np.diff(lefts, prepend=-1) == 0)
    tied = second[votes[second] == votes[second - 1]]
    best[lefts[tied]] = -1
    return best


def named_share(pairs: Pairs, best: Ints) -> float:
    """The share of pairs whose right user is the best of the left one; few pairs prove little."""
    return float((best[pairs.lefts] == pairs.rights).sum() / (len(pairs) + _DOUBT))
