"""One-to-one: every user has at most one partner, and may stay alone."""

from dataclasses import dataclass
from typing import Any

import numba
import numpy as np

from factlink.errors import SettingError
from factlink.matching.pairs import CandidatePairs
from factlink.types import Floats, Ints

_PRIOR_EVERY = 5  # rounds between two looks at how many users have a partner


@dataclass(frozen=True, slots=True)
class SoftAssignment:
    """Sinkhorn with a dustbin on candidate pairs: odds of a pair are exp((score − alone) / temperature).

    Scores are means of cosines, so about 0 … 1. `alone` is the score at which a pair and two users without a partner
    are equally likely as long as nothing is known of how many users have one; that share is learned on the way.
    """

    temperature: float = 0.026
    alone: float = 0.31
    rounds: int = 40
    one_to_one: bool = True

    def __post_init__(self) -> None:
        if self.temperature <= 0:
            raise SettingError(f"temperature is {self.temperature}; use a number above 0, such as 0.026")
        if self.rounds < 1:
            raise SettingError(f"rounds is {self.rounds}; use at least 1")

    def assign(self, pairs: CandidatePairs, scores: Floats) -> "Assignment":
        """How likely each pair is, given all its rivals."""
        odds = np.exp(np.clip((scores.astype(np.float64) - self.alone) / self.temperature, -40, 40))
        left, right = np.ones(pairs.n_left), np.ones(pairs.n_right)
        left_alone, right_alone, every = 1.0, 1.0, np.arange(len(pairs))
        for turn in range(self.rounds):
            left = _balance(pairs.left_starts, every, odds * right[pairs.rights], left_alone)
            if self.one_to_one:
                right = _balance(pairs.right_starts, pairs.by_right, odds * left[pairs.lefts], right_alone)
            if turn % _PRIOR_EVERY == _PRIOR_EVERY - 1:
                linked = float((odds * left[pairs.lefts] * right[pairs.rights]).sum())
                left_alone, right_alone = _alone(linked, pairs.n_left), _alone(linked, pairs.n_right)
        probabilities = odds * left[pairs.lefts] * right[pairs.rights]
        return Assignment(
            np.clip(probabilities, 0, 1).astype(np.float32),
            np.log(right).astype(np.float32),
            np.log(left).astype(np.float32),
            left_alone,
            right_alone,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Assignment:
    """log probability = (score − alone) / temperature + left pull + right pull; pulls fall with the rivals."""

    probabilities: Floats  # (n_pairs,)
    right_pulls: Floats  # (n_right,)
    left_pulls: Floats  # (n_left,)
    left_alone: float  # what a left user without a partner weighs against its pairs
    right_alone: float


def _alone(linked: float, n_users: int) -> float:
    """√ of the odds that a user has no partner, between 1/7 and 7."""
    share = min(max(linked / max(1, n_users), 0.02), 0.98)
    return float(np.sqrt((1 - share) / share))


@numba.njit(cache=True)
def _balance(starts: Any, order: Any, pulled: Any, alone: float) -> Any:
    """Each user's pull, so that its pairs and staying alone sum to 1."""
    pulls = np.empty(len(starts) - 1)
    for i in range(len(pulls)):
        total = alone
        for place in range(starts[i], starts[i + 1]):
            total += pulled[order[place]]
        pulls[i] = 1 / total
    return pulls


def best_assignment(pairs: CandidatePairs, scores: Floats, alone: float = 0.0) -> Ints:
    """Places of the one-to-one pairs of largest total score; a pair below `alone` is never worth it.

    Optimal: each left user also has a private column of score `alone`, so that a full matching always exists.
    """
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    worthy = np.flatnonzero(scores > alone)
    if not len(worthy):
        return worthy
    users, rows = np.unique(pairs.lefts[worthy], return_inverse=True)
    columns_of, columns = np.unique(pairs.rights[worthy], return_inverse=True)
    n, m = len(users), len(columns_of)
    gains = scores[worthy].astype(np.float64) - alone
    costs = 1 + gains.max() - np.concatenate([gains, np.zeros(n)])  # positive: zeros would be no entry
    rows = np.concatenate([rows, np.arange(n)])
    columns = np.concatenate([columns, m + np.arange(n)])
    matrix = csr_matrix((costs, (rows, columns)), shape=(n, m + n))
    matched, chosen = min_weight_full_bipartite_matching(matrix)
    real = chosen < m
    return np.sort(pairs.places(users[matched[real]], columns_of[chosen[real]]))
