"""One-to-one: every user has at most one partner, and may stay alone."""

from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from factlink.errors import SettingError
from factlink.matching.pairs import CandidatePairs
from factlink.types import Floats, Ints
from factlink.workers import HERE, Workers, join, spans

Doubles = npt.NDArray[np.float64]
Rivals = tuple[Ints, Ints, Doubles]

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

    def assign(self, pairs: CandidatePairs, scores: Floats, workers: Workers = HERE) -> "Assignment":
        """How likely each pair is, given all its rivals."""
        odds = np.exp(np.clip((scores.astype(np.float64) - self.alone) / self.temperature, -40, 40))
        left, right = np.ones(pairs.n_left), np.ones(pairs.n_right)
        left_alone, right_alone = 1.0, 1.0
        lefts = deal_rivals(pairs.left_starts, pairs.rights, odds, workers.parts)
        rights = deal_rivals(pairs.right_starts, pairs.lefts[pairs.by_right], odds[pairs.by_right], workers.parts)
        for turn in range(self.rounds):
            left = join(workers.map(balance_part, lefts, right, left_alone))
            if self.one_to_one:
                right = join(workers.map(balance_part, rights, left, right_alone))
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


def deal_rivals(starts: Ints, others: Ints, odds: Doubles, parts: int) -> list[Rivals]:
    """Users of one side in parts: where the pairs of each begin, with whom, and at what odds."""
    dealt = []
    for first, last in spans(len(starts) - 1, parts):
        some = slice(int(starts[first]), int(starts[last]))
        dealt.append((starts[first : last + 1] - starts[first], others[some], odds[some]))
    return dealt


def balance_part(rivals: Rivals, pulls: Doubles, alone: float) -> Doubles:
    """The pull of each of some users, so that its pairs and staying alone sum to 1."""
    return np.asarray(_balance(*rivals, pulls, alone))


@numba.njit(cache=True, parallel=True)
def _balance(starts: Any, others: Any, odds: Any, pulls: Any, alone: float) -> Any:
    balanced = np.empty(len(starts) - 1)
    for i in numba.prange(len(balanced)):
        total = alone
        for place in range(starts[i], starts[i + 1]):
            total += odds[place] * pulls[others[place]]
        balanced[i] = 1 / total
    return balanced


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
