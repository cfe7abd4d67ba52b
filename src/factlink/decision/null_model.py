"""The null model: how similar the names of non-matches are, measured among the users of one network."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix

from factlink.candidates.inverted_index import nearest_rows
from factlink.candidates.pairs import CandidatePairs, left_best, right_best
from factlink.candidates.products import sparse_products
from factlink.decision.soft_assignment import Doubles, NoMatchFactors, SoftAssignment, weigh_sizes
from factlink.types import Floats, Ints

SAMPLE = 1_000
"""Users of either network whose nearest name there is looked for."""

_CERTAIN = 1 - 1e-6
_HANDFUL = 50


@dataclass(frozen=True, slots=True, eq=False)
class NullModel:
    """The cosines of a sample of users with the nearest name of another user of their own network, rising."""

    left: Floats
    right: Floats
    sizes: tuple[int, int]  # users of the two networks

    def chances(self, cosines: Floats) -> Doubles:
        """(n,): the chance that both users of a pair have a non-match this similar in the other network.

        Of the two networks the one where people resemble each other less counts: in the other some have two accounts.
        """
        rates = [
            -np.log1p(-_share_above(nearest, cosines)) / n
            for nearest, n in zip((self.left, self.right), self.sizes, strict=True)
        ]
        rate = np.minimum(*rates)
        return np.asarray(np.expm1(-rate * self.sizes[0]) * np.expm1(-rate * self.sizes[1]))

    def no_match_factors(
        self, pairs: CandidatePairs, evidence: Floats, names: "NameEvidence", rule: SoftAssignment
    ) -> NoMatchFactors:
        """How much more no match weighs: names of a user and its best candidate count at most 1 / chance.

        Both users get the root of it.
        """
        usual = weigh_sizes(pairs.n_left, pairs.n_right)
        sides = ((pairs.n_left, pairs.lefts, left_best), (pairs.n_right, pairs.rights, right_best))
        factors = []
        for n_users, users, best_of in sides:
            best = np.flatnonzero(best_of(pairs, evidence, 1)[1])
            odds = np.exp(np.minimum(rule.log_odds(names.share * names.cosines[best]), 40)) / usual
            factor = np.ones(n_users)
            factor[users[best]] = np.sqrt(1 + self.chances(names.cosines[best]) * odds)
            factors.append(factor)
        return factors[0], factors[1]


@dataclass(frozen=True, slots=True, eq=False)
class NameEvidence:
    """The cosines of names of all pairs, and their share of the evidence."""

    cosines: Floats
    share: float


def measure_null_model(left: csr_matrix, right: csr_matrix, budget: int | None, seed: int) -> NullModel:
    """Of rows of names; `budget` as in `nearest_rows`."""
    nearest = [_nearest_others(rows, budget, seed) for rows in (left, right)]
    return NullModel(nearest[0], nearest[1], (left.shape[0], right.shape[0]))


def _nearest_others(rows: csr_matrix, budget: int | None, seed: int) -> Floats:
    drawn = _draw(rows.shape[0], seed)
    some = rows[drawn]
    mine, others = nearest_rows(some, rows, 3, budget)
    distinct = drawn[mine] != others
    mine, others = mine[distinct], others[distinct]
    nearest = np.zeros(len(drawn), np.float32)
    np.maximum.at(nearest, mine, sparse_products(some, rows, mine, others))
    return np.sort(nearest)


def _draw(n_users: int, seed: int) -> Ints:
    return np.sort(np.random.default_rng(seed).choice(n_users, min(SAMPLE, n_users), replace=False, shuffle=False))


def _share_above(rising: Floats, values: Floats) -> Doubles:
    """(n,): how many of a sample reach each value, as if one more did; a handful of users counts as 50."""
    above = len(rising) - np.searchsorted(rising, values)
    return np.minimum((above + 1) / (max(len(rising), _HANDFUL) + 1), _CERTAIN)
