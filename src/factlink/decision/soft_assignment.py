"""One-to-one: every user has at most one partner, or none."""

from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from factlink.candidates.pairs import CandidatePairs
from factlink.errors import SettingError
from factlink.execution.workers import HERE, Workers, join, spans
from factlink.types import Floats, Ints

Doubles = npt.NDArray[np.float64]
Odds = Floats | Doubles
Rivals = tuple[Ints, Ints, Odds, Doubles]

_PRIOR_EVERY = 5  # rounds between two looks at how many users have a partner
_USUAL = 10_000  # users of a network, for whom `no_match` was chosen
_FEWEST, _MOST = 300, 30_000  # users between which size tells
_SIZE_POWER = 0.25  # of the number of users, on either side
_EMPTIER_POWER = 0.25  # of the odds of the emptier side, by which no match weighs more on both
_PRIOR_USERS = 1.0  # with a partner, and as many without, that are counted before anybody is seen
_LEAST_SHARE = 0.02  # of users with a partner, and of users without
_MOST_ODDS = 49  # of no match, and of a partner

FARTHEST = 40
"""Log odds are no farther from 0 than this, so that their exponentials stay finite."""


@dataclass(frozen=True, slots=True)
class SoftAssignment:
    """Sinkhorn with a dustbin on candidate pairs: odds of a pair are exp((score − no_match) / temperature).

    Scores are means of cosines, so about 0 … 1. `no_match` is the score at which a pair and two users without a partner
    are equally likely, in networks of 10,000 users and as long as nothing is known of how many users have one; that
    share is learned on the way, from the likeliest pair of every user alone: what all their other pairs add up to
    grows with the networks.
    """

    temperature: float = 0.026
    no_match: float = 0.29
    rounds: int = 40
    one_to_one: bool = True

    def __post_init__(self) -> None:
        if self.temperature <= 0:
            raise SettingError(f"temperature is {self.temperature}; use a number above 0, such as 0.026")
        if self.rounds < 1:
            raise SettingError(f"rounds is {self.rounds}; use at least 1")

    def assign(self, pairs: CandidatePairs, scores: Floats, workers: Workers = HERE) -> "Assignment":
        """How likely each pair is, given all its rivals."""
        odds = self.odds(scores)
        left, right = np.ones(pairs.n_left), np.ones(pairs.n_right)
        others = pairs.rights, pairs.lefts[pairs.by_right]
        lefts = deal_rivals(pairs.left_starts, others[0], odds, left, workers.parts)
        rights = deal_rivals(pairs.right_starts, others[1], odds[pairs.by_right], right, workers.parts)
        if self.one_to_one:
            right = first_scaling(*_balanced(workers.map(balance_part, rights, left, 1.0)))
        left_no_match, right_no_match = _weigh_size(pairs.n_left), _weigh_size(pairs.n_right)
        for turn in range(self.rounds):
            left, best = _balanced(workers.map(balance_part, lefts, right, left_no_match))
            linked = float(best.sum())
            if self.one_to_one:
                right, best = _balanced(workers.map(balance_part, rights, left, right_no_match))
                linked = min(linked, float(best.sum()))
            if turn % _PRIOR_EVERY == _PRIOR_EVERY - 1:
                left_no_match, right_no_match = _weigh_no_match(linked, pairs.n_left, pairs.n_right)
        return Assignment(
            pair_probabilities(pairs.lefts, pairs.rights, odds, left, right),
            np.log(right).astype(np.float32),
            np.log(left).astype(np.float32),
            left_no_match,
            right_no_match,
        )

    def log_odds(self, scores: Odds) -> Floats:
        """Of pairs, before rivals; as precise as the scores are."""
        precise = scores.dtype.type
        return np.asarray((scores - precise(self.no_match)) / precise(self.temperature))

    def odds(self, scores: Odds) -> Odds:
        """The same as odds, no farther from 1 than exp(FARTHEST)."""
        return np.asarray(np.exp(np.clip(self.log_odds(scores), -FARTHEST, FARTHEST)))


@dataclass(frozen=True, slots=True, eq=False)
class Assignment:
    """log probability = (score − no_match) / temperature + left scaling + right scaling; both fall with the rivals."""

    probabilities: Floats  # (n_pairs,)
    right_scaling: Floats  # (n_right,)
    left_scaling: Floats  # (n_left,)
    left_no_match: float  # what a left user without a partner weighs against its pairs
    right_no_match: float


def _weigh_no_match(linked: float, n_left: int, n_right: int) -> tuple[float, float]:
    """What no match weighs on either side: the odds of it, those of the emptier side one and a half times.

    That is for two users together, so each gets a fourth root more. All within 1/49 … 49.
    """
    left, right = (_odds_of_no_match(linked, n) for n in (n_left, n_right))
    more = max(left, right) ** _EMPTIER_POWER
    return _bounded(left * more) * _weigh_size(n_left), _bounded(right * more) * _weigh_size(n_right)


def _odds_of_no_match(linked: float, n_users: int) -> float:
    share = (linked + _PRIOR_USERS) / (n_users + 2 * _PRIOR_USERS)  # few users prove little
    share = min(max(share, _LEAST_SHARE), 1 - _LEAST_SHARE)
    return (1 - share) / share


def _weigh_size(n_users: int) -> float:
    """The fourth root: between two networks of one size odds fall with its root, from 300 users to 30,000."""
    return float((min(max(n_users, _FEWEST), _MOST) / _USUAL) ** _SIZE_POWER)


def _bounded(odds: float) -> float:
    return min(max(odds, 1 / _MOST_ODDS), _MOST_ODDS)


def deal_rivals(starts: Ints, others: Ints, odds: Odds, factors: Doubles, parts: int) -> list[Rivals]:
    """Users of one side in parts: where the pairs of each begin, with whom, at what odds; and its factor."""
    dealt = []
    for first, last in spans(len(starts) - 1, parts):
        some = slice(int(starts[first]), int(starts[last]))
        dealt.append((starts[first : last + 1] - starts[first], others[some], odds[some], factors[first:last]))
    return dealt


def balance_part(rivals: Rivals, scaling: Doubles, no_match: float) -> tuple[Doubles, Doubles]:
    """The scaling of each of some users, so that its pairs and the dustbin sum to 1; and its likeliest pair's share."""
    balanced, best = _balance(*rivals, scaling, no_match)
    return balanced, best


def balance_both(
    lefts: Rivals, rights: Rivals, right_scaling: Doubles, no_match: float, assignment: SoftAssignment
) -> tuple[Doubles, Doubles]:
    """The scaling of the users of both sides after all rounds; that of the right side stays unless it is one to one."""
    left, right = _balance_both(
        lefts, rights, right_scaling, no_match, assignment.rounds if assignment.one_to_one else 0
    )
    return left, right


def first_scaling(balanced: Doubles, best: Doubles) -> Doubles:
    """(n,): 1 / √(the best odds of each), which is where two users without rivals end up.

    From 1 they would get there so slowly that after 40 rounds no pair was likelier than .975.
    """
    return np.asarray(1 / np.sqrt(np.maximum(best / balanced, 1)))


def _balanced(parts: list[tuple[Doubles, Doubles]]) -> tuple[Doubles, Doubles]:
    scaling, best = zip(*parts, strict=True)
    return join(scaling), join(best)


@numba.njit(cache=True, parallel=True)
def _balance(starts: Any, others: Any, odds: Any, factors: Any, scaling: Any, no_match: float) -> Any:
    balanced, best = np.empty(len(starts) - 1), np.empty(len(starts) - 1)
    for i in numba.prange(len(balanced)):
        total, most = no_match * factors[i], 0.0
        for place in range(starts[i], starts[i + 1]):
            weight = odds[place] * scaling[others[place]]
            total += weight
            most = max(most, weight)
        balanced[i], best[i] = 1 / total, most / total
    return balanced, best


@numba.njit(cache=True)
def _balance_both(lefts: Any, rights: Any, right: Any, no_match: float, rounds: int) -> Any:
    starts, others, odds, factors = lefts
    left = _balance(starts, others, odds, factors, right, no_match)[0]
    right_starts, right_others, right_odds, right_factors = rights
    for at in range(rounds):
        if at > 0:
            left = _balance(starts, others, odds, factors, right, no_match)[0]
        right = _balance(right_starts, right_others, right_odds, right_factors, left, 1.0)[0]
    return left, right


@numba.njit(cache=True, parallel=True)
def pair_probabilities(lefts: Any, rights: Any, odds: Any, left: Any, right: Any) -> Any:
    """(n_pairs,): odds by the scaling of both users, 1 at most."""
    probabilities = np.empty(len(odds), np.float32)
    for place in numba.prange(len(odds)):
        probabilities[place] = min(1.0, odds[place] * left[lefts[place]] * right[rights[place]])
    return probabilities
