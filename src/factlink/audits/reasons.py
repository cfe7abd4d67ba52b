"""Why people can be linked: the risk with some columns and links alone, without them, and Shapley values of each."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from math import factorial

import numpy as np

from factlink.audits.attacks import Attacker
from factlink.audits.release import Release
from factlink.audits.risks import HEADLINE
from factlink.types import Kind, Network

EXACT = 4
"""Columns and link predicates up to which every combination is tried; from there on permutations are drawn."""
PERMUTATIONS = 4
"""Drawn, each tried forwards and backwards."""
PAIRED = 4
"""Of many columns, those of the highest Shapley values whose combinations of two are tried."""

Value = Callable[[frozenset[str]], float]


@dataclass(frozen=True, slots=True)
class Reason:
    """One column or link predicate, or two of them together."""

    parts: tuple[str, ...]
    alone: float  # the risk of a release that holds nothing else
    without: float  # the risk of a release that lacks it
    shapley: float | None  # its part of the risk; None for two


@dataclass(frozen=True, slots=True)
class Reasons:
    """Each part of a release, then combinations of two; the Shapley values add up to the risk of the whole."""

    risk: float
    single: tuple[Reason, ...]  # highest Shapley value first
    double: tuple[Reason, ...]  # highest risk alone first
    exact: bool


def release_parts(network: Network) -> list[str]:
    """What a release can lose: columns that linkers look at, and link predicates, by name."""
    columns = [name for name, attribute in network.attributes.items() if attribute.kind is not Kind.IGNORE]
    return sorted({*columns, *network.links})


def keep_parts(network: Network, parts: Collection[str]) -> Network:
    """The network with these columns and link predicates only."""
    attributes = {name: attribute for name, attribute in network.attributes.items() if name in parts}
    return replace(network, attributes=attributes, links={n: f for n, f in network.links.items() if n in parts})


def find_reasons(attacker: Attacker, release: Release, whole: float, seed: int) -> Reasons:
    """Tries parts of the release, whose risk as a whole is known; nothing at all is a risk of 0."""
    parts = release_parts(release.left)

    @cache
    def value(some: frozenset[str]) -> float:
        if len(some) == len(parts):
            return whole
        return attacker.outcome(release.publish(keep_parts(release.left, some))).risk(HEADLINE) if some else 0.0

    exact = len(parts) <= EXACT
    shapley = exact_shapley(parts, value) if exact else sampled_shapley(parts, value, seed)
    single = [Reason((part,), *_with_and_without(value, parts, (part,)), shapley[part]) for part in parts]
    single.sort(key=lambda reason: (-(reason.shapley or 0), reason.parts))
    paired = [reason.parts[0] for reason in single[: len(single) if exact else PAIRED]]
    twos: Iterable[tuple[str, ...]] = combinations(sorted(paired), 2) if len(parts) > 2 else ()
    double = [Reason(two, *_with_and_without(value, parts, two), None) for two in twos]
    double.sort(key=lambda reason: (-reason.alone, reason.parts))
    return Reasons(whole, tuple(single), tuple(double), exact)


def exact_shapley(parts: list[str], value: Value) -> dict[str, float]:
    """What each part adds to the risk, on average over all orders in which parts may be added."""
    n = len(parts)
    found = dict.fromkeys(parts, 0.0)
    for part in parts:
        others = [other for other in parts if other != part]
        for size in range(n):
            weight = factorial(size) * factorial(n - size - 1) / factorial(n)
            for some in map(frozenset, combinations(others, size)):
                found[part] += weight * (value(some | {part}) - value(some))
    return found


def sampled_shapley(parts: list[str], value: Value, seed: int) -> dict[str, float]:
    """The same over a few orders drawn at random, each of them backwards too."""
    rng, found = np.random.default_rng(seed), dict.fromkeys(parts, 0.0)
    for _ in range(PERMUTATIONS):
        order = [parts[place] for place in rng.permutation(len(parts))]
        for one in (order, order[::-1]):
            for place, part in enumerate(one):
                gain = value(frozenset(one[: place + 1])) - value(frozenset(one[:place]))
                found[part] += gain / (2 * PERMUTATIONS)
    return found


def _with_and_without(value: Value, parts: list[str], some: tuple[str, ...]) -> tuple[float, float]:
    return value(frozenset(some)), value(frozenset(parts) - set(some))
