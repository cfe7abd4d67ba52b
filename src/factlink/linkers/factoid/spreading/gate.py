"""Whether links are worth spreading over, measured without labels: do links alone name the partners of likely pairs?"""

from dataclasses import dataclass

import numpy as np

from factlink.linkers.factoid.channels.votes import BUSY
from factlink.linkers.factoid.spreading.alignment import align_relations
from factlink.linkers.factoid.spreading.matching import Matching, matching_of
from factlink.linkers.factoid.spreading.relation_votes import best_voted
from factlink.linkers.factoid.spreading.relations import Relations
from factlink.types import Pairs

_OPEN = 0.1  # the least share of likely pairs that links alone name, above chance
_DOUBT = 10.0  # likely pairs that links do not name are counted before any is seen
_LOOKED_AT = 20  # right users with the most votes among whom ties are counted


@dataclass(frozen=True, slots=True)
class Agreement:
    """The share of likely pairs whose partner links alone name, and the same of shuffled pairs."""

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
    return Agreement(named_share(left, right, matching, pairs), named_share(left, right, by_chance, shuffled))


def named_share(left: Relations, right: Relations, matching: Matching, pairs: Pairs) -> float:
    """The share of pairs whose partner has the most votes, of those whose left user's neighbours vote for anybody.

    Of t right users with equally many votes each is named by 1/t. Few pairs prove little.
    """
    alignment = align_relations(left, right, matching)
    lefts, rights, votes = best_voted(left, right, matching, alignment, _LOOKED_AT, BUSY)
    best = np.zeros(left.n_users, np.float32)
    first = np.flatnonzero(np.diff(lefts, prepend=-1))
    best[lefts[first]] = votes[first]
    top = votes == best[lefts]
    n_top = np.bincount(lefts[top], minlength=left.n_users)
    partners = np.full(left.n_users, -1, np.int64)
    partners[pairs.lefts] = pairs.rights
    named = top & (rights == partners[lefts])
    able = np.count_nonzero(n_top[pairs.lefts])
    return float((1 / n_top[lefts[named]]).sum() / (able + _DOUBT))
