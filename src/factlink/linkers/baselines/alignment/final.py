"""`final`: two users are alike if their friends are alike and their attributes agree, over pairs of friends.

After Zhang and Tong (KDD 2016). Certain, read in the authors' Matlab program: s = (1 − α)·h + α·q∘(A₂(q∘s)A₁) with
q = √(N / d), N the cosine of attributes and d = Σ over pairs of neighbours of N, α = .5, at most 30 rounds, and known
pairs as h on foursquare-twitter. Ours: only the nearest pairs are listed, all others count nothing; letter pairs of
names as attributes; h is the cosine of names, and known pairs alone for their users. Predicates of links are not told
apart (the authors' edge attributes).
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.sparse import csr_matrix

from factlink.candidates.pairs import CandidatePairs, left_best
from factlink.candidates.reordered import Reordered
from factlink.errors import SettingError
from factlink.linkers.baselines.alignment.pair_plan import Doubles, over_neighbours
from factlink.linkers.baselines.alignment.plan_scorer import PairEvidence, PlanScorer
from factlink.linkers.baselines.alignment.user_vectors import (
    UserVectors,
    check_vectors,
    friends_graph,
    join_vectors,
    name_vectors,
    near_pairs,
    positions,
)
from factlink.linkers.by_content import fit_by_content
from factlink.types import NO_PAIRS, Network, Pairs

STILL = 1e-4
RESTART = 0.15
"""Of the walks that choose which pairs are listed."""


@dataclass(frozen=True, slots=True)
class FinalLinker:
    """Prior by names or known pairs → agreement over pairs of friends, at a fixed point."""

    name: ClassVar[str] = "final"
    supervised: ClassVar[bool] = False

    alpha: float = 0.5  # how much friends count
    rounds: int = 30
    nearest: int = 100  # listed pairs of each user by names and by positions, both ways

    def __post_init__(self) -> None:
        if not 0 <= self.alpha < 1 or min(self.rounds, self.nearest) < 1:
            raise SettingError(
                f"alpha is {self.alpha}, rounds is {self.rounds} and nearest is {self.nearest}; "
                "they must be a share below 1, at least 1 and at least 1"
            )

    def fit(self, left: Network, right: Network, known: Pairs = NO_PAIRS) -> Reordered[PlanScorer]:
        """Names or known pairs are enough."""
        return fit_by_content(self._fit, left, right, known)

    def _fit(self, left: Network, right: Network, known: Pairs) -> PlanScorer:
        graphs = friends_graph(left), friends_graph(right)
        names = name_vectors(left, right)
        parts = [part for part in (names, positions(*graphs, known, RESTART)) if part is not None]
        check_vectors(self.name, parts)
        pairs = near_pairs(parts, self.nearest, known)
        prior, factors = _prior(pairs, names, known), _factors(pairs, names, graphs)
        alike = prior
        for _ in range(self.rounds):
            before = alike
            agreed = factors * over_neighbours(pairs, factors * alike, *graphs)
            alike = (1 - self.alpha) * prior + self.alpha * agreed
            if np.linalg.norm(alike - before) < STILL * np.linalg.norm(alike):
                break
        best = left_best(pairs, alike.astype(np.float32), 1)[0]
        unit = float(best[best > 0].mean()) if (best > 0).any() else 1.0
        of_prior = (1 - self.alpha) * prior / unit
        evidence = PairEvidence(
            of_prior.astype(np.float32), (alike / unit - of_prior).astype(np.float32), factors * alike, *graphs
        )
        return PlanScorer(left, right, pairs, (alike / unit).astype(np.float32), join_vectors(parts), evidence)


def _prior(pairs: CandidatePairs, names: UserVectors | None, known: Pairs) -> Doubles:
    """The cosine of names; 1 for known pairs, and 0 for their users with anybody else."""
    prior = names.cosines(pairs).astype(np.float64) if names else np.zeros(len(pairs))
    prior[np.isin(pairs.lefts, known.lefts) | np.isin(pairs.rights, known.rights)] = 0
    prior[pairs.places(known.lefts, known.rights)] = 1
    return np.asarray(np.maximum(prior, 0))


def _factors(pairs: CandidatePairs, names: UserVectors | None, graphs: tuple[csr_matrix, csr_matrix]) -> Doubles:
    """(n_pairs,): √(cosine / its sum over all pairs of neighbours), 1 for each cosine without names; 0 without any."""
    if names is None:
        degrees = [np.asarray(graph.sum(axis=1)).ravel() for graph in graphs]
        alike, sums = np.ones(len(pairs)), degrees[0][pairs.lefts] * degrees[1][pairs.rights]
    else:
        around = UserVectors(
            *((graph.astype(np.float32) @ own) for graph, own in zip(graphs, (names.lefts, names.rights), strict=True))
        )
        alike, sums = (each.cosines(pairs).astype(np.float64) for each in (names, around))
    return np.sqrt(np.where(sums > 0, np.maximum(alike, 0) / np.where(sums > 0, sums, 1), 0))
