"""What would help: every measure tried by itself, and the smallest set found that brings the risk under a target."""

from collections.abc import Sequence
from dataclasses import dataclass

from factlink.audits.attacks import Attack, Attacker
from factlink.audits.measures.changes import take_measures
from factlink.audits.measures.proposals import LEARNABLE, Action, Measure, propose_measures
from factlink.audits.measures.utility import utility_cost
from factlink.audits.release import Release
from factlink.audits.risks import HEADLINE, Share, share_correct

MOST_STEPS = 6
"""Measures of a set."""
BREADTH = 4
"""Measures that are tried again at each further step: those that promise most."""
_WORTHWHILE = 0.005  # a fall of the risk that is worth a measure more
_COST = 0.1  # what utility weighs against risk when measures are compared


@dataclass(frozen=True, slots=True)
class Tried:
    """Measures, the risk after them, and what they cost."""

    measures: tuple[Measure, ...]
    risk: Share
    cost: float  # share of the release's information that is lost


@dataclass(frozen=True, slots=True)
class Advice:
    """Each measure by itself, and the set that was found."""

    before: Share
    single: tuple[Tried, ...]  # lowest risk first
    chosen: Tried  # no measures if none are needed, or none help
    target: float
    reached: bool


class Search:
    """A greedy search: each step takes the measure that lowers the risk most, and measures not needed go again."""

    def __init__(self, attacker: Attacker, attack: Attack, target: float, seed: int) -> None:
        self.attacker, self.release, self.target, self.seed = attacker, attack.release, target, seed
        self.before = Tried((), share_correct(attack, HEADLINE), 0.0)
        self.measures = propose_measures(attack)

    def run(self) -> Advice:
        """All measures are tried once, then sets grow and shrink."""
        single = [self.attempt((measure,)) for measure in self.measures]
        chosen = self.shrink(self.grow(single))
        ordered = sorted(single, key=lambda tried: (tried.risk.value, tried.cost, tried.measures[0].words))
        return Advice(self.before.risk, tuple(ordered), chosen, self.target, chosen.risk.value <= self.target)

    def attempt(self, measures: Sequence[Measure]) -> Tried:
        """The risk after measures, against an attacker who knows them."""
        return try_measures(self.attacker, self.release, measures, self.seed)

    def grow(self, single: list[Tried]) -> Tried:
        """Adds the best measure until the risk is under the target; if it never is, the lowest risk that was seen."""
        now, best, tried = self.before, self.before, single
        promising = [one.measures[0] for one in sorted(single, key=self.rank)]
        for _ in range(MOST_STEPS):
            if now.risk.value <= self.target or not tried:
                break
            now = min(tried, key=self.rank)
            best = now if now.risk.value < best.risk.value - _WORTHWHILE else best
            if now.risk.value > self.target:
                further = [more for measure in promising if (more := _joined(now.measures, measure))]
                tried = [self.attempt(measures) for measures in further[:BREADTH]]
        return now if now.risk.value <= self.target else best

    def shrink(self, found: Tried) -> Tried:
        """Leaves out measures without which the risk stays under the target, the most costly first."""
        if found.risk.value > self.target:
            return found
        by_cost = sorted(found.measures, key=lambda m: -utility_cost(self.release, [m], self.seed))
        for measure in by_cost:
            rest = tuple(one for one in found.measures if one != measure)
            if rest:
                fewer = self.attempt(rest)
                found = fewer if fewer.risk.value <= self.target else found
        return found

    def rank(self, tried: Tried) -> tuple[bool, float, str]:
        """Under the target the cheapest first, else the lowest risk, cost counting a little."""
        reached = tried.risk.value <= self.target
        order = tried.cost if reached else tried.risk.value + _COST * tried.cost
        return not reached, order, " ".join(measure.words for measure in tried.measures)


def try_measures(attacker: Attacker, release: Release, measures: Sequence[Measure], seed: int) -> Tried:
    """The risk after measures: the higher one of an attacker who treats the own data alike and of one who does not."""
    knows = any(measure.action in LEARNABLE for measure in measures)
    risks = [
        share_correct(attacker.outcome(take_measures(release, measures, seed, attacker_knows=known)), HEADLINE)
        for known in ([True, False] if knows else [False])
    ]
    return Tried(tuple(measures), max(risks, key=lambda risk: risk.value), utility_cost(release, measures, seed))


def _joined(taken: tuple[Measure, ...], measure: Measure) -> tuple[Measure, ...] | None:
    """Measures with one more, in place of a weaker one on the same column, links or people; None if it adds nothing."""
    same = [one for one in taken if one.predicate == measure.predicate]
    if any(not _is_stronger(measure, one) for one in same):
        return None
    return (*(one for one in taken if one not in same), measure)


def _is_stronger(one: Measure, other: Measure) -> bool:
    if one.action is Action.LEAVE_OUT:
        return one.share > other.share
    return one.action is Action.DROP and other.action is not Action.DROP
