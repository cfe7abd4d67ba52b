"""`fgw`: fused Gromov-Wasserstein alignment in three stages, names, anchors' friends, and all friends together.

After Tang, Zhao and Li (FGWEA, ACL Findings 2023). Certain, read in the authors' program: a plan by names alone; six
times anchors from the plan and a cost that counts the anchors two users share as friends, 20 at most; then proximal
steps along the gradient of the Gromov-Wasserstein term from that plan; each stage by proximal Sinkhorn, β = .1 and ten
rounds in the first two. Theirs and not here: sentence embeddings, attribute values, the alignment of predicates, and
users that all have a partner. Ours: a plan that lists the nearest pairs and is of rank one elsewhere, letter pairs of
names, anchors that must be each other's best, known pairs as anchors, and fewer, longer steps in the third stage.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.sparse import csr_matrix

from factlink.candidates.pairs import CandidatePairs, mutual_best
from factlink.candidates.reordered import Reordered
from factlink.errors import SettingError
from factlink.linkers.baselines.alignment.pair_plan import (
    Doubles,
    PairPlan,
    balance,
    log_of,
    over_neighbours,
    uniform_plan,
)
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
from factlink.types import NO_PAIRS, Ints, Network, Pairs

SMOOTHING, SINKHORN_ROUNDS = 0.1, 10
MOST_SHARED = 20
"""Shared anchors beyond which a pair gains no more."""
LEAST_SHARE = 0.5
"""Of a user that its best pair may lack, compared with the best of all, to be an anchor."""
RESTART = 0.15
"""Of the walks that choose which pairs are listed."""


@dataclass(frozen=True, slots=True)
class FgwLinker:
    """Plan by names → anchors and their friends, six times → Gromov-Wasserstein steps."""

    name: ClassVar[str] = "fgw"
    supervised: ClassVar[bool] = False

    anchor_rounds: int = 6
    gromov_rounds: int = 50
    gromov_step: float = 0.1  # log gain of a pair for each pair of friends that are matched
    nearest: int = 100  # listed pairs of each user by names and by positions, both ways

    def __post_init__(self) -> None:
        if min(self.anchor_rounds, self.gromov_rounds, self.gromov_step) < 0 or self.nearest < 1:
            raise SettingError(
                f"anchor_rounds is {self.anchor_rounds}, gromov_rounds is {self.gromov_rounds}, gromov_step is "
                f"{self.gromov_step} and nearest is {self.nearest}; they must be at least 0, 0, 0 and 1"
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
        by_names, usual = _name_costs(pairs, names, known)
        plan, shared = _transport(pairs, by_names, usual), np.zeros(len(pairs))
        anchors = find_anchors(plan, known) if names else pairs.places(known.lefts, known.rights)
        for _ in range(self.anchor_rounds):
            shared = shared_anchors(pairs, anchors, graphs)
            plan = _transport(pairs, by_names + 1 - shared, usual + 1)
            anchors = find_anchors(plan, known)
        plan = self._refine(plan, graphs)
        sharpness = SINKHORN_ROUNDS / SMOOTHING
        gained = sharpness * shared + self.gromov_step * self.gromov_rounds * len(left) * plan.over(*graphs)
        evidence = PairEvidence(
            (sharpness * (usual - by_names)).astype(np.float32),
            gained.astype(np.float32),
            plan.values * len(left),
            *graphs,
        )
        scores = np.log(plan.values * len(left)).astype(np.float32)
        return PlanScorer(left, right, pairs, scores, join_vectors(parts), evidence)

    def _refine(self, plan: PairPlan, graphs: tuple[csr_matrix, csr_matrix]) -> PairPlan:
        """Proximal steps towards plans that match links with links."""
        for _ in range(self.gromov_rounds):
            matched = plan.pairs.n_left * plan.over(*graphs)
            elsewhere = log_of(plan.lefts), log_of(plan.rights)
            plan = balance(plan.pairs, log_of(plan.values) + self.gromov_step * matched, elsewhere, SINKHORN_ROUNDS)
        return plan


def find_anchors(plan: PairPlan, known: Pairs) -> Ints:
    """Places of pairs that are each other's best and nearly as sure as the surest; and of known pairs."""
    pairs = plan.pairs
    shares = (plan.values * pairs.n_left).astype(np.float32)
    best = mutual_best(pairs, shares)
    sure = best[shares[best] > shares.max(initial=0) - LEAST_SHARE]
    taken = np.isin(pairs.lefts[sure], known.lefts) | np.isin(pairs.rights[sure], known.rights)
    return np.concatenate([sure[~taken], pairs.places(known.lefts, known.rights)])


def shared_anchors(pairs: CandidatePairs, anchors: Ints, graphs: tuple[csr_matrix, csr_matrix]) -> Doubles:
    """(n_pairs,): how many anchors are friends of both users, 20 at most, beside the most of any pair."""
    values = np.zeros(len(pairs))
    values[anchors] = 1
    shared = np.minimum(over_neighbours(pairs, values, *graphs), MOST_SHARED)
    return np.asarray(shared / max(shared.max(initial=0), 1))


def _name_costs(pairs: CandidatePairs, names: UserVectors | None, known: Pairs) -> tuple[Doubles, float]:
    """1 − cosine of names, −1 for known pairs; and that of an unlisted pair."""
    costs = 1 - names.cosines(pairs).astype(np.float64) if names else np.ones(len(pairs))
    costs[pairs.places(known.lefts, known.rights)] = -1
    return costs, 1 - names.mean_cosine() if names else 1.0


def _transport(pairs: CandidatePairs, costs: Doubles, usual: float) -> PairPlan:
    """Ten proximal rounds from a uniform plan."""
    plan = uniform_plan(pairs)
    for _ in range(SINKHORN_ROUNDS):
        elsewhere = log_of(plan.lefts) - usual / SMOOTHING, log_of(plan.rights)
        plan = balance(pairs, log_of(plan.values) - costs / SMOOTHING, elsewhere, 1)
    return plan
