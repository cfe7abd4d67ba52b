"""Candidate pairs of two networks or more, decided together: weights learned from known pairs, then least energy.

Each pair of networks has features of its own, so their columns stand side by side, with a constant for each; edges and
triads weigh the same everywhere [X].
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import numpy.typing as npt

from factlink.linkers.baselines.energy.least_energy import find_triads, minimise, no_triads
from factlink.linkers.baselines.energy.max_margin import DecidedPairs, learn_weights
from factlink.types import Floats, Ints, Pairs

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Candidate pairs of two networks."""

    pairs: Pairs
    values: Floats  # (n, n_columns) scaled
    matches: Flags  # (n,) known pairs
    decided: Flags  # (n,) pairs with a user of a known pair
    edges: Ints  # (n_edges, 2)
    strengths: Floats  # (n_edges,)


@dataclass(frozen=True, slots=True)
class Effort:
    """How long weights are learned and decisions are sought, and how much the margin counts."""

    importance: float
    learning_rounds: int
    inference_rounds: int


@dataclass(frozen=True, slots=True, eq=False)
class Decided:
    """What was decided about the candidates of two networks."""

    margins: Floats  # (n,)
    weights: Floats  # (n_columns,)


def decide(parts: Sequence[Part], triads: Ints, effort: Effort) -> list[Decided]:
    """The decisions of least energy about all pairs; known pairs are certain."""
    everything = _joined(parts, triads)
    chosen = np.concatenate([part.decided for part in parts])
    weights = learn_weights(_some(everything, chosen), effort.importance, effort.learning_rounds)
    energy = weights.energy(everything)
    certain = np.float32(10 + 2 * np.abs(energy.costs).max(initial=0))
    energy = replace(energy, costs=np.where(everything.matches, -certain, energy.costs))
    margins = np.split(minimise(energy, effort.inference_rounds).margins, _starts(parts)[1:-1])
    columns = _columns(parts)
    return [Decided(mine, weights.values[some]) for mine, some in zip(margins, columns, strict=True)]


def triads_of(listed: Mapping[tuple[int, int], Pairs]) -> Ints:
    """(n, 3) places of pairs that close a triangle of three networks; pairs of networks are listed in turn."""
    places, starts = list(listed), np.cumsum([0, *map(len, listed.values())])
    start_of = {frozenset(each): start for each, start in zip(places, starts[:-1], strict=True)}
    rising = {tuple(sorted(each)): pairs if each[0] < each[1] else _turned(pairs) for each, pairs in listed.items()}
    found = [no_triads()]
    for a, b, c in combinations(sorted({place for each in places for place in each}), 3):
        sides = (a, b), (b, c), (a, c)
        if all(side in rising for side in sides):
            three = [rising[side] for side in sides]
            own = np.cumsum([0, len(three[0]), len(three[1])])
            found.append(find_triads(*three) - own + [start_of[frozenset(side)] for side in sides])
    return np.concatenate(found)


def _turned(pairs: Pairs) -> Pairs:
    return Pairs(pairs.rights, pairs.lefts)


def _starts(parts: Sequence[Part]) -> Ints:
    return np.cumsum([0, *(len(part.pairs) for part in parts)])


def _columns(parts: Sequence[Part]) -> list[slice]:
    """The columns of each part; a constant stands before those of every part but the first."""
    slices, at = [], 0
    for place, part in enumerate(parts):
        at += place > 0
        slices.append(slice(at, at + part.values.shape[1]))
        at = slices[-1].stop
    return slices


def _joined(parts: Sequence[Part], triads: Ints) -> DecidedPairs:
    """All parts as one, with the columns of each apart."""
    starts, columns = _starts(parts), _columns(parts)
    values = np.zeros((starts[-1], columns[-1].stop), np.float32)
    for part, start, some in zip(parts, starts[:-1], columns, strict=True):
        values[start : start + len(part.pairs), some] = part.values
        if some.start:
            values[start : start + len(part.pairs), some.start - 1] = 1
    return DecidedPairs(
        values,
        np.concatenate([part.matches for part in parts]),
        np.concatenate([part.edges + start for part, start in zip(parts, starts[:-1], strict=True)]),
        np.concatenate([part.strengths for part in parts]),
        triads,
    )


def _some(pairs: DecidedPairs, chosen: Flags) -> DecidedPairs:
    """Some of the pairs, and the edges and triads among them."""
    places = np.cumsum(chosen) - 1
    edges, triads = (each[chosen[each].all(axis=1)] for each in (pairs.edges, pairs.triads))
    strengths = pairs.strengths[chosen[pairs.edges].all(axis=1)]
    return DecidedPairs(pairs.values[chosen], pairs.matches[chosen], places[edges], strengths, places[triads])
