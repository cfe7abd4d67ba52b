"""Probabilities of the default linker, learned from the data at hand: a pair model, one-to-one, and decoys.

In rounds: the likely partners of the decoys' donors are left out, the pair model is fitted to users and decoys, all
pairs compete one to one, the decoys join that competition, and their best candidates calibrate everybody's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from factlink.candidates.pairs import CandidatePairs, left_best, left_sums, mutual_best, right_best
from factlink.decision.decoy_calibration import DecoyCalibration, Side, calibrate_on_decoys
from factlink.decision.matching import FARTHEST, Doubles, Matching, match
from factlink.decision.pair_model import Curve, PairEvidence, PairModel, fit_pair_model
from factlink.linkers.factoid.probability.decoys import Decoys
from factlink.linkers.factoid.probability.partners import chance_bests, shares_there
from factlink.linkers.factoid.probability.rivals import best_rivals
from factlink.linkers.factoid.state.state import ProbabilityState
from factlink.types import Floats, Ints, Pairs

SAMPLE = 3_000
"""Users of either network that the model is fitted to, and as many decoys."""

FEWEST = 20
"""Users of either network below which nothing is learned, and the odds of `FIXED` hold."""

ROUNDS = 4
"""Of leaving out likely partners, fitting and calibrating."""

FIXED = -13.0, 38.0
"""Log odds at evidence 0 and per unit of it, for a handful of users: even odds at a mean cosine of .34."""

_CANDIDATES = 8  # pairs per decoy, on average, that the model is fitted to
_DOUBT = 1  # user without a partner, counted before anybody is seen: dustbins stay above 0


@dataclass(frozen=True, slots=True, eq=False)
class Probabilities:
    """What was learned, and how likely each pair is."""

    model: PairModel
    keys: tuple[str, ...]  # of the channels that its curves are of
    calibration: DecoyCalibration
    free: tuple[float, float]  # the dustbins: shares of left and right users without a partner
    pairs: CandidatePairs
    log_odds: Floats  # (n_pairs,) before competition
    matching: Matching
    levels: tuple[Floats, Floats]  # (n_left,), (n_right,): mean evidence of each user's best pairs
    one_to_one: bool
    learned: bool  # or by fixed odds

    @property
    def values(self) -> Floats:
        """(n_pairs,): that the two are one person."""
        return self.calibration.probabilities(self.matching.log_odds)

    @property
    def shared(self) -> Floats:
        """(n_pairs,): the same, those of a left user being 1 at most together: not all of them can be the partner."""
        values = self.values
        return values / np.maximum(1, left_sums(self.pairs, values)).astype(np.float32)[self.pairs.lefts]

    @property
    def state(self) -> ProbabilityState:
        """What takes in further users."""
        totals = self.matching.left_totals, self.matching.right_totals
        return ProbabilityState(self.model, self.keys, self.calibration, self.free, totals, self.levels)

    def fewest_right(self) -> float:
        """How many right links there are at least, nine times out of ten, among likely mutual best pairs."""
        values = self.values
        best = values[mutual_best(self.pairs, values)]
        likely = best[best > 0.5]
        return len(likely) * (1 - self.calibration.false_link_range(likely)[1])

    def rematched(self, *, one_to_one: bool) -> "Probabilities":
        """The same under another rule: whether several left users may have one right partner."""
        if one_to_one == self.one_to_one:
            return self
        matching = _match(self.pairs, self.log_odds, self.free, one_to_one)
        return replace(self, matching=matching, one_to_one=one_to_one)


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """What probabilities are learned from: pairs with their evidence, and the pairs that are known."""

    pairs: CandidatePairs
    evidence: Floats  # (n_pairs,) of all channels together
    agreements: Mapping[str, Floats]  # (n_pairs,) by the key of a channel
    known: Pairs
    one_to_one: bool = True


def learn_probabilities(
    seen: Seen, decoys: tuple[Decoys, Decoys], shares: Sequence[float], rng: np.random.Generator
) -> Probabilities:
    """From users and decoys; where there are too few, by fixed odds of the channels, each with its share."""
    fit = _Fit(seen, decoys, rng)
    fewest = min(*map(len, decoys), *map(len, fit.drawn))
    return fit.learn() if fewest >= FEWEST else fit.keep(_fixed_model(shares, len(seen.agreements)))


class _Fit:
    """Users and decoys of both networks, and how their pairs look to the model."""

    def __init__(self, seen: Seen, decoys: tuple[Decoys, Decoys], rng: np.random.Generator) -> None:
        self.pairs, self.evidence, self.known, self.decoys = seen.pairs, seen.evidence, seen.known, decoys
        self.one_to_one, self.learned, self.keys = seen.one_to_one, True, tuple(seen.agreements)
        pairs, evidence = seen.pairs, seen.evidence
        self.sizes = pairs.n_left, pairs.n_right
        self.rivals = tuple(best_rivals(pairs, evidence, side) for side in (0, 1))
        self.users = PairEvidence(
            tuple(seen.agreements.values()), evidence - self.rivals[1].levels(pairs.rights, [pairs.lefts])
        )
        self.seen = [self._see(each) for each in decoys]
        self.sampled = [self._sample(side, rng) for side in (0, 1)]
        self.drawn = [np.setdiff1d(self.sampled[0], seen.known.lefts), np.setdiff1d(self.sampled[1], seen.known.rights)]

    def learn(self) -> Probabilities:
        """Four rounds; at first, mutual best pairs are as good as certain, and all others are not."""
        values, free = [self._mutual()] * 2, (0.5, 0.5)
        for _ in range(ROUNDS):
            there = [
                shares_there(decoys, self.pairs, self.users.agreements[0], values[side])
                for side, decoys in enumerate(self.decoys)
            ]
            model = self._fit_model(there[0])
            found = self._compete(model, free)
            sides = [
                Side(self._best(side, found.matching.log_odds), *self._join(side, found, there[side]))
                for side in (0, 1)
            ]
            found = replace(found, calibration=calibrate_on_decoys(sides))
            values = [self._alone(side, found) for side in (0, 1)]
            free = self._free(found.values)
        return found

    def keep(self, model: PairModel) -> Probabilities:
        """By a model that is given; how many have a partner is learned on the way."""
        free, self.learned = (0.5, 0.5), False
        for _ in range(ROUNDS):
            found = self._compete(model, free)
            free = self._free(found.values)
        return found

    def _see(self, decoys: Decoys) -> PairEvidence:
        donors, mates = decoys.donors[decoys.pairs.lefts], decoys.mates[decoys.pairs.lefts]
        levels = self.rivals[1 - decoys.side].levels(decoys.pairs.rights, [donors, mates])
        return PairEvidence(decoys.agreements, decoys.evidence - levels)

    def _sample(self, side: int, rng: np.random.Generator) -> Ints:
        """Users of one network who have candidates; all, or a sample."""
        starts = (self.pairs.left_starts, self.pairs.right_starts)[side]
        users = rng.permutation(len(starts) - 1)
        return np.sort(users[np.diff(starts)[users] > 0][:SAMPLE])

    def _mutual(self) -> Floats:
        """(n_pairs,): 1 for mutual best pairs."""
        best = left_best(self.pairs, self.evidence, 1)[1] & right_best(self.pairs, self.evidence, 1)[1]
        return best.astype(np.float32)

    def _alone(self, side: int, found: Probabilities) -> Floats:
        """(n_pairs,): how likely each pair is by one user's candidates alone, whoever else likes the other user."""
        users = (self.pairs.lefts, self.pairs.rights)[side]
        odds = np.exp(np.clip(found.log_odds.astype(np.float64), -FARTHEST, FARTHEST)) / found.free[1 - side]
        others = np.bincount(users, odds, self.sizes[side])[users] - odds
        log_odds = np.log(odds) - np.log(found.free[side] + np.maximum(others, 0))
        return found.calibration.probabilities(log_odds.astype(np.float32))

    def _free(self, values: Floats) -> tuple[float, float]:
        """The shares of users without a partner: as many left users have one as right ones."""
        sums = (float(values[best(self.pairs, values, 1)[1]].sum()) for best in (left_best, right_best))
        linked = min(sums)
        left, right = (1 - linked / (n + _DOUBT) for n in self.sizes)
        return left, right

    def _fit_model(self, there: Doubles) -> PairModel:
        """On pairs of left users and decoys above the level at which decoys have a few candidates each."""
        evidence, n_decoys = self.decoys[0].evidence, len(self.decoys[0])
        falling = np.argsort(-evidence)
        lowest = int(np.searchsorted(np.cumsum(there[falling]), _CANDIDATES * n_decoys))
        level = evidence[falling[min(lowest, len(falling) - 1)]]
        mine = np.zeros(self.sizes[0], np.bool_)
        mine[self.drawn[0]] = True
        users = self.users.some(mine[self.pairs.lefts] & (self.evidence >= level))
        best = [left_best(self.pairs, column, 1)[0][self.drawn[0]] for column in self.users.columns]
        above = evidence >= level
        weights = there[above] * (len(self.drawn[0]) / n_decoys)
        return fit_pair_model(users, self.seen[0].some(above), PairEvidence(tuple(best[:-1]), best[-1]), weights)

    def _compete(self, model: PairModel, free: tuple[float, float]) -> Probabilities:
        log_odds = model.log_odds(self.users)
        places = self.pairs.places(self.known.lefts, self.known.rights)
        log_odds[places[places >= 0]] = FARTHEST
        levels, matching = (
            (self.rivals[0].mean, self.rivals[1].mean),
            _match(self.pairs, log_odds, free, self.one_to_one),
        )
        line = DecoyCalibration()
        return Probabilities(
            model, self.keys, line, free, self.pairs, log_odds, matching, levels, self.one_to_one, self.learned
        )

    def _best(self, side: int, log_odds: Floats) -> Doubles:
        """The best log odds of the users sampled; those in known pairs are among them, for they have a partner too."""
        return (left_best, right_best)[side](self.pairs, log_odds, 1)[0][self.sampled[side]].astype(np.float64)

    def _join(self, side: int, found: Probabilities, there: Doubles) -> tuple[Doubles, Doubles]:
        """The best log odds of decoys who join the others' competition, in which their donors do not take part."""
        decoys, matching = self.decoys[side], found.matching
        rows, others = decoys.pairs.lefts, decoys.pairs.rights
        odds = np.exp(np.clip(found.model.log_odds(self.seen[side]).astype(np.float64), -FARTHEST, FARTHEST))
        rivals = (matching.left_totals, matching.right_totals)[1 - side][others]
        for donors in (decoys.donors, decoys.mates):
            rivals = rivals - self._weight_of(side, donors[rows], others, matching)
        weights = odds / (found.free[1 - side] + np.maximum(rivals, 0))
        own = np.bincount(rows, weights * there, len(decoys))[rows] - weights * there
        log_odds = np.log(np.maximum(weights, 1e-30)) - np.log(found.free[side] + np.maximum(own, 0))
        return chance_bests(decoys, log_odds, there)

    def _weight_of(self, side: int, users: Ints, others: Ints, matching: Matching) -> Doubles:
        """What users weigh among the rivals for others; 0 where they are not rivals."""
        places = self.pairs.places(*((users, others) if side == 0 else (others, users)))
        messages = (matching.from_left, matching.from_right)[side]
        weights = matching.odds[places].astype(np.float64) * messages[places]
        return np.where(places >= 0, weights, 0.0)


def _fixed_model(shares: Sequence[float], n_columns: int) -> PairModel:
    """Channels count by their shares; declared links, the last column if there are any, as all of them together."""
    slopes = [*shares, 1.0][:n_columns]
    return PairModel(FIXED[0], tuple(Curve((0.0,), (FIXED[1] * slope,)) for slope in slopes), Curve((0.0,), (0.0,)))


def _match(pairs: CandidatePairs, log_odds: Floats, free: tuple[float, float], one_to_one: bool) -> Matching:
    dustbins = np.full(pairs.n_left, free[0]), np.full(pairs.n_right, free[1])
    return match(pairs, log_odds, dustbins, one_to_one=one_to_one)
