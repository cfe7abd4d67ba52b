"""`parrot`: position-aware optimal transport between two networks, held by known pairs.

After Zeng, Zhang, Xia and Tong (WWW 2023). Certain, read in the authors' Matlab program: walks with restart to known
pairs, exp(−cosine) of positions and of attributes as cost, positions again where there are no attributes; discounting
over pairs of neighbours with known pairs at cost 0; cost of edges, agreement of neighbours, preference for known pairs
and a proximal step; ten outer and five inner rounds, 95 % of the new plan; and its parameters on foursquare-twitter.
Ours: the plan lists the nearest pairs and is of rank one elsewhere, where a pair costs what a pair of mean cosine does.
Left out: the authors keep a former cost where a new one does not lower the total; on foursquare_twitter that refuses
every cost from the third round on, and far fewer users are found.
"""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from scipy.sparse import csr_matrix

from factlink.candidates.pairs import CandidatePairs
from factlink.candidates.products import vector_products
from factlink.candidates.reordered import Reordered
from factlink.errors import SettingError
from factlink.linkers.baselines.alignment.pair_plan import (
    Doubles,
    PairPlan,
    balance,
    log_of,
    over_neighbours,
    over_users,
    uniform_plan,
)
from factlink.linkers.baselines.alignment.plan_scorer import PairEvidence, PlanScorer
from factlink.linkers.baselines.alignment.user_vectors import (
    UserVectors,
    friends_graph,
    join_vectors,
    mean_of_neighbours,
    name_vectors,
    near_pairs,
    positions,
)
from factlink.linkers.by_content import fit_by_content
from factlink.linkers.known_pairs import check_known, check_links
from factlink.types import NO_PAIRS, Floats, Network, Pairs

INNER_ROUNDS, NEW_SHARE = 5, 0.95
MOST_DISCOUNTS, STILL = 50, 1e-2
Graphs = tuple[csr_matrix, csr_matrix]


@dataclass(frozen=True, slots=True)
class TransportWeights:
    """What the terms beside the cost of a pair weigh (λ_p, λ_n, λ_a and λ_e of the article)."""

    proximal: float = 1e-3
    neighbours: float = 5e-3
    known: float = 5e-4
    edges: float = 3e-6

    def __post_init__(self) -> None:
        if min(self.proximal, self.neighbours, self.known, self.edges) < 0 or self.smoothing <= 0:
            raise SettingError(f"weights are {self}; none may be below 0, nor all of the first three be 0")

    @property
    def smoothing(self) -> float:
        """The temperature of Sinkhorn."""
        return self.proximal + self.neighbours + self.known


@dataclass(frozen=True, slots=True)
class ParrotLinker:
    """Positions by walks to known pairs → discounted cost → optimal transport with neighbours and edges."""

    name: ClassVar[str] = "parrot"
    supervised: ClassVar[bool] = True

    weights: TransportWeights = field(default_factory=TransportWeights)
    restart: float = 0.15  # β
    discount: float = 0.8  # γ
    position_weight: float = 0.5  # α
    rounds: int = 10
    nearest: int = 200  # listed pairs of each user by names and by positions, both ways

    def __post_init__(self) -> None:
        if not (0 < self.restart < 1 and 0 <= self.discount < 1):
            raise SettingError(f"restart is {self.restart} and discount is {self.discount}; they are shares below 1")
        if min(self.rounds, self.nearest) < 1 or self.position_weight < 0:
            raise SettingError(
                f"rounds is {self.rounds}, nearest is {self.nearest} and position_weight is {self.position_weight}; "
                "they must be at least 1, 1 and 0"
            )

    def fit(self, left: Network, right: Network, known: Pairs = NO_PAIRS) -> Reordered[PlanScorer]:
        """Learns from links and known pairs, and from names where both networks have some."""
        return fit_by_content(self._fit, left, right, known)

    def _fit(self, left: Network, right: Network, known: Pairs) -> PlanScorer:
        check_known(self.name, known)
        check_links(self.name, left, right)
        graphs = friends_graph(left), friends_graph(right)
        names, walks = name_vectors(left, right), positions(*graphs, known, self.restart)
        assert walks is not None
        parts = [names, walks] if names else [walks]
        pairs = near_pairs(parts, self.nearest, known)
        cost = self._cost(pairs, parts, graphs, known)
        plan, agreement = self._transport(pairs, cost, _edge_costs(graphs, parts[0]), graphs, known)
        scores = np.log(plan.values * len(left)).astype(np.float32)
        share = self.weights.neighbours / self.weights.smoothing
        neighbours = mean_of_neighbours(graphs[0]), mean_of_neighbours(graphs[1])
        evidence = PairEvidence(
            self._name_part(names, pairs), (share * agreement).astype(np.float32), plan.values, *neighbours
        )
        return PlanScorer(left, right, pairs, scores, join_vectors(parts), evidence)

    def _name_part(self, names: UserVectors | None, pairs: CandidatePairs) -> Floats:
        """What names alone take from the cost, as far as it is above that of mean names."""
        if names is None:
            return np.zeros(len(pairs), np.float32)
        saved = np.exp(-names.mean_cosine()) - np.exp(-names.cosines(pairs))
        own = (1 - self.discount) * (1 + self.discount * self.restart)
        return np.asarray(own * saved / self.weights.smoothing, np.float32)

    def _cost(self, pairs: CandidatePairs, parts: list[UserVectors], graphs: Graphs, known: Pairs) -> "PairCost":
        """Σ over walks of both users of exp(−cosine), discounted; a known pair costs nothing."""
        shares = [1.0, self.position_weight] if len(parts) == 2 else [1 + self.position_weight]
        usual = sum(share * np.exp(-part.mean_cosine()) for share, part in zip(shares, parts, strict=True))
        own = sum(share * np.exp(-part.cosines(pairs)) for share, part in zip(shares, parts, strict=True))
        now, later = 1 + self.discount * self.restart, (1 - self.restart) * self.discount
        neighbours = mean_of_neighbours(graphs[0]), mean_of_neighbours(graphs[1])
        at_known, saved, whole = pairs.places(known.lefts, known.rights), np.zeros(len(pairs)), 0.0
        for _ in range(MOST_DISCOUNTS):
            before, whole = saved, now * usual + later * whole
            saved = now * (usual - np.asarray(own, np.float64)) + later * over_neighbours(pairs, saved, *neighbours)
            saved[at_known] = whole
            if np.abs(saved - before).max(initial=0) < STILL:
                break
        return PairCost((1 - self.discount) * (whole - saved), (1 - self.discount) * whole)

    def _transport(
        self, pairs: CandidatePairs, cost: "PairCost", edges: Graphs, graphs: Graphs, known: Pairs
    ) -> tuple[PairPlan, Doubles]:
        """The plan, and how much more than unlisted pairs the neighbours of each pair agree, as a log."""
        weights, plan = self.weights, uniform_plan(pairs)
        neighbours = mean_of_neighbours(graphs[0]), mean_of_neighbours(graphs[1])
        preferred = np.zeros(len(pairs))
        preferred[pairs.places(known.lefts, known.rights)] = np.log(1 + pairs.n_right)
        squares = [0.5 * np.asarray(each.power(2).sum(axis=1)).ravel() / each.shape[0] for each in edges]
        of_edges = weights.edges * pairs.n_left * pairs.n_right
        for _ in range(self.rounds):
            agreed = log_of(plan.over(*neighbours))
            lefts, rights = over_users(neighbours[0], plan.lefts), over_users(neighbours[1], plan.rights)
            gained = weights.neighbours * agreed + weights.known * preferred + weights.proximal * log_of(plan.values)
            edge_cost = squares[0][pairs.lefts] + squares[1][pairs.rights] - plan.over(*edges)
            listed = (gained - cost.listed - of_edges * edge_cost) / weights.smoothing
            elsewhere = [
                weights.neighbours * log_of(agreed_side) + weights.proximal * log_of(side) - of_edges * square
                for agreed_side, side, square in ((lefts, plan.lefts, squares[0]), (rights, plan.rights, squares[1]))
            ]
            sides = elsewhere[0] / weights.smoothing, (elsewhere[1] - cost.elsewhere) / weights.smoothing
            new = balance(pairs, listed, sides, INNER_ROUNDS, plan.scaling)
            values = (1 - NEW_SHARE) * plan.values + NEW_SHARE * new.values
            plan = PairPlan(pairs, values, new.lefts, new.rights, new.scaling)
        apart = agreed - log_of(lefts)[pairs.lefts] - log_of(rights)[pairs.rights]
        return plan, apart


@dataclass(frozen=True, slots=True, eq=False)
class PairCost:
    """What listed pairs cost, and any other."""

    listed: Doubles  # (n_pairs,)
    elsewhere: float


def _edge_costs(graphs: Graphs, vectors: UserVectors) -> Graphs:
    """exp(−cosine) of the two ends of every link."""
    costs = []
    for graph, own in ((graphs[0], vectors.lefts), (graphs[1], vectors.rights)):
        ends = graph.tocoo()
        values = np.exp(-vector_products(own, own, ends.row, ends.col).astype(np.float64))
        costs.append(csr_matrix((values, (ends.row, ends.col)), shape=graph.shape))
    return costs[0], costs[1]
