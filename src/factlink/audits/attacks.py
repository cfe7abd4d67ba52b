"""An attack: the release linked with what the attacker has, by a linker that knows no truth."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np
import numpy.typing as npt

from factlink.audits.decoys import add_decoys
from factlink.audits.release import Release
from factlink.candidates.pairs import best_of_pairs
from factlink.candidates.reordered import in_order
from factlink.canonical.orders import Orders
from factlink.decision.decisions import decide
from factlink.decision.likelihoods import Likelihoods, estimate_likelihoods
from factlink.errors import InputError
from factlink.protocols import Linker, Scorer
from factlink.types import Floats, Ints

PRECISION = 0.9
"""Of the decision rule; it changes no probability."""

_Z = 2.0  # standard errors by which people must be linked more often than decoys

Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What the attacker's linker fitted, for questions about single pairs."""

    scorer: Scorer
    likely: Likelihoods  # in canonical rows
    orders: Orders

    def probabilities_of(self, lefts: Ints, rights: Ints) -> Floats:
        """Of some pairs of rows; 0 for pairs that were never looked at."""
        places = self.likely.pairs.places(self.orders.left.places[lefts], self.orders.right.places[rights])
        if not len(self.likely.probabilities):
            return np.zeros(len(lefts), np.float32)
        return np.where(places >= 0, self.likely.probabilities[places], 0).astype(np.float32)

    def best_of(self, lefts: Ints) -> Ints:
        """The most probable right row of each left row; −1 for none."""
        best = best_of_pairs(self.likely.pairs, self.likely.probabilities, 1).rights[self.orders.left.places[lefts], 0]
        return self.orders.right.given(best)


@dataclass(frozen=True, slots=True, eq=False)
class Attack:
    """Whom the attacker holds each person of the release to be; decoys, who are nobody, show what chance brings."""

    release: Release
    rights: Ints  # (n_left,), −1 for nobody
    probabilities: Floats  # (n_left,), 0 for nobody
    decoys: Floats  # (n_decoys,) probabilities of links of decoys, 0 for nobody
    found: Found | None  # None where there was nothing to link by

    def correct(self, level: float) -> Doubles:
        """(n_left,): how likely each person is linked correctly at a level of certainty; 0 or 1 by a truth."""
        claimed = self.claimed(level)
        if self.release.truth is None:
            return np.where(claimed, self.probabilities, 0).astype(np.float64) * self._trust(level)
        true = self.release.are_true(np.arange(len(self.rights)), self.rights)
        return np.asarray(claimed & true, np.float64)

    def claimed(self, level: float) -> npt.NDArray[np.bool_]:
        """(n_left,): who is linked at a level of certainty, correctly or not."""
        return (self.rights >= 0) & (self.probabilities >= level)

    def risk(self, level: float) -> float:
        """The share of the people counted whom the attacker links correctly."""
        counted = self.release.counted
        return float(self.correct(level)[counted].sum() / max(1, counted.sum()))

    def _trust(self, level: float) -> float:
        """What probabilities are multiplied by, so that no more people are linked correctly than decoys allow.

        0 where people are not linked more often than decoys beyond chance; 1 where their excess is as expected or more.
        """
        counted = self.release.counted
        people, decoys = max(1, int(counted.sum())), len(self.decoys)
        claimed = float(self.claimed(level)[counted].sum()) / people
        chance = ((self.decoys >= level).sum() + 0.5) / (decoys + 1)
        error = _Z * sqrt(claimed * (1 - claimed) / people + chance * (1 - chance) / (decoys + 1))
        if claimed - chance <= error:
            return 0.0
        expected = float(self.probabilities[self.claimed(level) & counted].sum()) / people
        return float(min(1.0, (claimed - chance + error) / (1 - chance) / expected))


Content = tuple[int | tuple[str, int], ...]


def content_of(release: Release) -> Content:
    """The same for two releases that hold the same columns, links and pairs, and not copies of them."""
    parts: list[int | tuple[str, int]] = [id(release.known), id(release.truth)]
    for network in (release.left, release.right):
        parts.append(id(network.users))
        parts += [
            (name, id(part)) for held in (network.attributes, network.links) for name, part in sorted(held.items())
        ]
    return tuple(parts)


class Attacker:
    """Someone with a linker; reports each attack to whoever listens."""

    def __init__(self, linker: Linker, seed: int = 0, on_stage: Callable[[str], None] = lambda stage: None) -> None:
        self.linker, self.seed, self.on_stage = linker, seed, on_stage
        self.fits = 0
        self.task = "linking"
        self._outcomes: dict[Content, Attack] = {}  # a reason and a measure may come to the same release

    def outcome(self, release: Release) -> Attack:
        """The same without what the linker fitted; what was attacked before is not linked again."""
        content = content_of(release)
        if content not in self._outcomes:
            self._outcomes[content] = replace(self.attack(release), found=None)
        return self._outcomes[content]

    def attack(self, release: Release, *, may_be_empty: bool = True) -> Attack:
        """Links, decoys among the people; nobody is found where there is nothing to link by, if that may be."""
        self.fits += 1
        self.on_stage(f"{self.task} (attack {self.fits})")
        left, n = add_decoys(release.left, self.seed), len(release.left)
        try:
            scorer = self.linker.fit(left, release.right, release.known)
        except InputError:
            if not may_be_empty:
                raise
            nobody = np.zeros(len(left), np.float32)
            return Attack(release, np.full(n, -1), nobody[:n], nobody[n:], None)
        inner, orders = in_order(scorer)
        likely = estimate_likelihoods(inner)
        links = orders.links(decide(likely, PRECISION))
        rights = np.where(links.margins == 0, -1, links.rights)
        probabilities = np.where(rights < 0, 0, links.probabilities).astype(np.float32)
        return Attack(release, rights[:n], probabilities[:n], probabilities[n:], Found(scorer, likely, orders))
