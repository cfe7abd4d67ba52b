"""How sure walks to anchors are: known pairs are held out, found again over links alone, and counted.

Known pairs are dealt into folds, and anchors grow from all folds but one. What the users of that fold get then is what
everybody gets, with two things known of them: who their partner is, and, with that pair taken away, whom somebody
without a partner gets. Better linked users find more, so users of a fold count as many as there are like them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from factlink.candidates.pairs import CandidatePairs, keep_pairs, left_best, mutual_best
from factlink.decision.decoy_calibration import DecoyCalibration
from factlink.decision.matching import FARTHEST, Matching, match
from factlink.decision.pair_model import Curve, PairEvidence, PairModel
from factlink.linkers.factoid.probability.learning import Probabilities
from factlink.linkers.factoid.probability.rivals import best_rivals
from factlink.linkers.factoid.spreading.logistic import Choices, fit_choices, fit_logistic
from factlink.types import NO_PAIRS, Floats, Ints, Pairs

FEWEST = 50
"""Known pairs below which nothing is measured, and nobody is linked."""

_ROUNDS = 4  # of matching and counting who has a partner
_BINS = 8  # of log odds, and of how many links users have
_LEAST = 0.02  # the smallest share of users with a partner, and without

Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Grown:
    """Candidate pairs by anchors that grew from some known pairs; other known pairs may be held out."""

    pairs: CandidatePairs
    evidence: Floats  # (n_pairs,)
    known: Pairs
    held: Pairs = NO_PAIRS

    def without_held(self) -> "Grown":
        """The same, and the partners of the users held out taken away."""
        kept = np.ones(len(self.pairs), np.bool_)
        places = self.pairs.places(self.held.lefts, self.held.rights)
        kept[places[places >= 0]] = False
        return replace(self, pairs=keep_pairs(self.pairs, kept), evidence=self.evidence[kept])

    def seen(self) -> PairEvidence:
        """The pairs as a pair model sees them."""
        levels = best_rivals(self.pairs, self.evidence, 1).levels(self.pairs.rights, [self.pairs.lefts])
        return PairEvidence((self.evidence,), self.evidence - levels)


@dataclass(frozen=True, slots=True, eq=False)
class Best:
    """The best log odds of some left users."""

    log_odds: Doubles
    weights: Doubles  # how many users each stands for
    right: npt.NDArray[np.bool_]  # whether it is the partner
    mutual: npt.NDArray[np.bool_]  # whether it is the best of the right user too


@dataclass(frozen=True, slots=True, eq=False)
class Walked:
    """What known pairs got that were held out, and how many neighbours every left user has."""

    folds: Sequence[Grown]  # none where too few pairs are known
    degrees: Ints  # (n_left,)

    def probabilities(self, whole: Grown, key: str, *, one_to_one: bool) -> Probabilities:
        """How likely all pairs are."""
        if not self.folds:
            return unknown_probabilities(whole, key, one_to_one=one_to_one)
        return learn_from_known(whole, self.folds, self.degrees, key, one_to_one=one_to_one)


def learn_from_known(
    whole: Grown, folds: Sequence[Grown], degrees: Ints, key: str, *, one_to_one: bool = True
) -> Probabilities:
    """Probabilities of all pairs of `whole`, by what known pairs got that were held out."""
    model, has = _fit_model(folds), 0.5
    for _ in range(_ROUNDS):
        found = _compete(whole, model, has, one_to_one)
        users = left_best(whole.pairs, found.matching.log_odds, 1)[0]
        users = users[np.setdiff1d(np.flatnonzero(np.diff(whole.pairs.left_starts)), whole.known.lefts)]
        with_partner = _best_of_held(folds, model, has, degrees, one_to_one)
        without = _best_of_held([fold.without_held() for fold in folds], model, has, degrees, one_to_one)
        has = share_with_partner(users.astype(np.float64), with_partner, without)
    return replace(found, keys=(key,), calibration=_calibrate(with_partner, without, has))


def unknown_probabilities(whole: Grown, key: str, *, one_to_one: bool = True) -> Probabilities:
    """Where too few pairs are known: pairs are ranked by their evidence, and none is likely."""
    model = PairModel(0.0, (Curve((0.0,), (1.0,)),), Curve((0.0,), (1.0,)))
    found = _compete(whole, model, 0.5, one_to_one)
    return replace(found, keys=(key,), calibration=DecoyCalibration(-FARTHEST, 1.0), learned=False)


def share_with_partner(users: Doubles, with_partner: Best, without: Best) -> float:
    """The share of users with a partner that makes their best log odds most likely, by expectation maximisation."""
    edges = np.quantile(np.concatenate([with_partner.log_odds, without.log_odds]), np.linspace(0, 1, _BINS + 1)[1:-1])
    shares = [_shares(edges, each.log_odds, each.weights) for each in (with_partner, without)]
    counts, has = np.bincount(np.searchsorted(edges, users), minlength=_BINS), 0.5
    for _ in range(200):
        both = has * shares[0] + (1 - has) * shares[1]
        has = float((counts * has * shares[0] / both).sum() / counts.sum())
    return min(max(has, _LEAST), 1 - _LEAST)


def _shares(edges: Doubles, values: Doubles, weights: Doubles) -> Doubles:
    """(_BINS,): the share of values in each bin; one is counted in every bin before any is seen."""
    counts = np.bincount(np.searchsorted(edges, values), weights, _BINS) + 1
    return np.asarray(counts / counts.sum())


def _fit_model(folds: Sequence[Grown]) -> PairModel:
    """Rising lines of agreement and of the gap by which partners stand out among a user's candidates.

    At the intercept the candidates of somebody without a partner weigh as much as nobody.
    """
    rows, users, partners, n_users = [], [], [], 0
    for fold in folds:
        held = np.isin(fold.pairs.lefts, fold.held.lefts)
        rows.append(np.column_stack(fold.seen().some(held).columns))
        users.append(n_users + np.unique(fold.pairs.lefts[held], return_inverse=True)[1])
        n_users = int(users[-1].max(initial=n_users - 1)) + 1
        true = np.zeros(len(fold.pairs), np.bool_)
        places = fold.pairs.places(fold.held.lefts, fold.held.rights)
        true[places[places >= 0]] = True
        partners.append(true[held])
    among = Choices(np.concatenate(rows), np.concatenate(users), np.concatenate(partners))
    agreement, gap = fit_choices(among)
    others = among.totals((agreement, gap))
    return PairModel(-float(np.median(others)), (Curve((0.0,), (agreement,)),), Curve((0.0,), (gap,)))


def _compete(grown: Grown, model: PairModel, has: float, one_to_one: bool) -> Probabilities:
    pairs, log_odds = grown.pairs, model.log_odds(grown.seen())
    known = pairs.places(grown.known.lefts, grown.known.rights)
    log_odds[known[known >= 0]] = FARTHEST
    levels = best_rivals(pairs, grown.evidence, 0).mean, best_rivals(pairs, grown.evidence, 1).mean
    free = 1 - has, max(_LEAST, 1 - has * pairs.n_left / pairs.n_right)
    matching = _match(pairs, log_odds, free, one_to_one)
    line = DecoyCalibration()
    return Probabilities(model, ("",), line, free, pairs, log_odds, matching, levels, one_to_one, learned=True)


def _match(pairs: CandidatePairs, log_odds: Floats, free: tuple[float, float], one_to_one: bool) -> Matching:
    dustbins = np.full(pairs.n_left, free[0]), np.full(pairs.n_right, free[1])
    return match(pairs, log_odds, dustbins, one_to_one=one_to_one)


def _best_of_held(folds: Sequence[Grown], model: PairModel, has: float, degrees: Ints, one_to_one: bool) -> Best:
    """What users of each fold get in its competition; who has no candidate left is as unlikely as can be."""
    found = []
    for fold in folds:
        log_odds, held = _compete(fold, model, has, one_to_one).matching.log_odds, fold.held
        best = np.maximum(left_best(fold.pairs, log_odds, 1)[0][held.lefts].astype(np.float64), -FARTHEST)
        places = fold.pairs.places(held.lefts, held.rights)
        right = np.where(places >= 0, log_odds[places], -np.inf) >= best
        mutual = np.isin(held.lefts, fold.pairs.lefts[mutual_best(fold.pairs, log_odds)])
        found.append((best, right, mutual, held.lefts))
    bests, rights, mutuals, lefts = (np.concatenate(part) for part in zip(*found, strict=True))
    return Best(bests, _weights(degrees, lefts), rights, mutuals)


def _weights(degrees: Ints, held: Ints) -> Doubles:
    """(n_held,): how many users have about as many links as each user held out, per user held out, 1 on average."""
    edges = np.unique(np.quantile(degrees[held], np.linspace(0, 1, _BINS + 1)[1:-1]))
    mine, everybody = (np.searchsorted(edges, some) for some in (degrees[held], degrees[degrees > 0]))
    counts = [np.bincount(each, minlength=len(edges) + 1) for each in (mine, everybody)]
    weights = (counts[1] / np.maximum(1, counts[0]))[mine]
    return np.asarray(weights * len(held) / weights.sum())


def _calibrate(with_partner: Best, without: Best, has: float) -> DecoyCalibration:
    """The line by which a mutual best pair is right; and those of either half of the users held out."""
    half = np.arange(len(with_partner.log_odds)) % 2 == 0
    lines = [_line(with_partner, without, has, some) for some in (half | True, half, ~half)]
    return DecoyCalibration(*lines[0], (lines[1], lines[2]))


def _line(with_partner: Best, without: Best, has: float, some: npt.NDArray[np.bool_]) -> tuple[float, float]:
    """One user without a partner is added who has as good a pair as the middle one of the right ones."""
    mine, theirs = some & with_partner.mutual, some & without.mutual
    log_odds = np.concatenate([with_partner.log_odds[mine], without.log_odds[theirs]])
    weights = np.concatenate([has * with_partner.weights[mine], (1 - has) * without.weights[theirs], [1.0]])
    right = np.concatenate([with_partner.right[mine], np.zeros(int(theirs.sum()) + 1, np.bool_)])
    good = log_odds[right[:-1]]
    rows = np.append(log_odds, np.median(good) if len(good) else 0.0)[:, None]
    intercept, (slope,) = fit_logistic(rows, right, weights)
    return intercept, slope
