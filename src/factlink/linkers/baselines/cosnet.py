"""`cosnet`: an energy model over a graph of candidate pairs, the paper's SS1, after Zhang et al. (KDD 2015).

Certain, from the abstract [A]: an energy-based model with local consistency (profiles and links of a pair) and global
consistency among more than two networks, brought into a dual form and trained by a subgradient algorithm. The paper [P]
takes candidates from username, screen name and picture. Recalled, not checkable [R]: the kinds of features, PageRank
classes, the matching graph and the max-margin scheme. Neither text nor code of COSNET could be found: the exact
features, weights, ranking score and constants are a reconstruction [X], not the authors'. With two networks there are
no triads, so the global term is empty, as in the paper's experiment [D]; with more, all candidates of all pairs of
networks are decided together.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from factlink.candidates.reordered import Reordered
from factlink.canonical.colours import Crossing
from factlink.canonical.networks import in_canonical_order
from factlink.canonical.orders import Orders
from factlink.errors import SettingError
from factlink.linkers.baselines.energy.deciding import Decided, Effort, Part, decide, triads_of
from factlink.linkers.baselines.energy.least_energy import no_triads
from factlink.linkers.baselines.energy.matching_graph import edge_degrees, join_pairs
from factlink.linkers.baselines.features.best_pairs import BestPairScorer
from factlink.linkers.baselines.features.candidate_pairs import CandidateScorer, find_pairs, nearest_pairs, united
from factlink.linkers.baselines.features.comparisons import (
    NamesBy,
    best_names,
    best_pictures,
    check_comparable,
    check_known,
    check_names,
    jaro_winkler_names,
    names_by_predicate,
    profiles,
    rare_names,
    social_status,
)
from factlink.linkers.baselines.features.explanation import Breakdown
from factlink.linkers.baselines.features.pair_features import Feature, features_of_pairs, scale_of
from factlink.linkers.baselines.features.shared_friends import FriendGraphs, friend_graphs
from factlink.linkers.by_content import PreparedByContent, fit_by_content, prepare_by_content
from factlink.types import NO_PAIRS, Floats, Network, Pairs


@dataclass(frozen=True, slots=True)
class CosnetLinker:
    """Candidates → matching graph → weights from known pairs → decisions of least energy, scored by their margins."""

    name: ClassVar[str] = "cosnet"
    supervised: ClassVar[bool] = True

    look_alikes: int = 10  # candidates by each name predicate, all names, and pictures, both ways
    most_edges: int = 50  # of the matching graph, for each pair
    importance: float = 10.0  # μ of the margin against small weights
    learning_rounds: int = 100
    inference_rounds: int = 100
    names: NamesBy = "ngrams"  # what names are compared by
    seed: int = 0

    def __post_init__(self) -> None:
        check_names(self.names)
        for setting in ("look_alikes", "most_edges", "learning_rounds", "inference_rounds"):
            if getattr(self, setting) < 1:
                raise SettingError(f"{setting} is {getattr(self, setting)}; it must be at least 1")
        if not self.importance > 0:
            raise SettingError(f"importance is {self.importance}; it must be above 0")

    def fit(self, left: Network, right: Network, known: Pairs = NO_PAIRS) -> Reordered[CandidateScorer]:
        """Learns from known pairs, decides all candidates together."""
        check_known(self.name, known)
        return fit_by_content(lambda a, b, pairs: self._prepare(a, b).fit(pairs), left, right, known)

    def fit_several(
        self,
        networks: Sequence[Network],
        pairs: Sequence[tuple[int, int]],
        known: Mapping[tuple[int, int], Pairs],
        on_progress: Callable[[str], None] = lambda progress: None,
    ) -> dict[tuple[int, int], Reordered[CandidateScorer]]:
        """Three networks or more, with known pairs of each pair of them; triads count."""
        for pair in pairs:
            check_known(self.name, known.get(pair, NO_PAIRS))
        ordered = in_canonical_order(networks, [Crossing(*pair, found) for pair, found in known.items()])
        orders = {pair: Orders(ordered[pair[0]].order, ordered[pair[1]].order) for pair in pairs}
        prepared = {}
        for a, b in pairs:
            on_progress(f"{networks[a].name} and {networks[b].name}")
            prepared[a, b] = self._prepare(ordered[a], ordered[b])
        parts = {pair: each.part(orders[pair].pairs(known[pair])) for pair, each in prepared.items()}
        on_progress("deciding")
        triads = triads_of({pair: part.pairs for pair, part in parts.items()})
        found = dict(zip(pairs, decide(list(parts.values()), triads, self.effort), strict=True))
        return {
            (a, b): Reordered(each.scorer(parts[a, b], found[a, b]), networks[a], networks[b], orders[a, b])
            for (a, b), each in prepared.items()
        }

    @property
    def effort(self) -> Effort:
        """What learning and deciding may take."""
        return Effort(self.importance, self.learning_rounds, self.inference_rounds)

    def prepare(self, left: Network, right: Network) -> PreparedByContent[CandidateScorer]:
        """Candidates and their features, which are the same whatever is known."""
        return prepare_by_content(self._prepare, left, right)

    def _prepare(self, left: Network, right: Network) -> "PreparedCosnet":
        blocking = [*best_names(left, right, self.names), *best_pictures(left, right)]
        check_comparable(self.name, left, right, blocking)
        features: list[Feature] = [
            *blocking,
            *jaro_winkler_names(left, right),
            *rare_names(left, right),
            *profiles(left, right),
            *social_status(left, right),
        ]
        near = nearest_pairs([*blocking, *names_by_predicate(left, right, self.names)], self.look_alikes)
        values = features_of_pairs(features, near)
        return PreparedCosnet(self, features, near, values, friend_graphs(left, right), blocking[0].scorer)


@dataclass(frozen=True, slots=True, eq=False)
class PreparedCosnet:
    """Candidates of two networks, ready for any known pairs."""

    settings: CosnetLinker
    features: Sequence[Feature]
    near: Pairs
    near_values: Floats  # (n_near, n_columns)
    graphs: FriendGraphs
    others: BestPairScorer

    def fit(self, known: Pairs) -> CandidateScorer:
        """Learns the weights and decides."""
        check_known(self.settings.name, known)
        part = self.part(known)
        return self.scorer(part, decide([part], no_triads(), self.settings.effort)[0])

    def part(self, known: Pairs) -> Part:
        """Candidates with what is known of them."""
        pairs = united([known, self.near])
        values = np.concatenate([self._values(pairs), self.graphs.evidence(pairs, known)], axis=1)
        matches = find_pairs(pairs, united([known])) >= 0
        decided = np.isin(pairs.lefts, known.lefts) | np.isin(pairs.rights, known.rights)
        likely = np.where(matches, 2, np.nan_to_num(values[:, 0]))
        edges = join_pairs(pairs, self.graphs, likely, self.settings.most_edges)
        degrees = edge_degrees(edges, len(pairs))
        strengths = (1 / np.sqrt(np.prod(degrees[edges], axis=1, dtype=np.float64))).astype(np.float32)
        return Part(pairs, scale_of(values[decided]).of(values), matches, decided, edges, strengths)

    def scorer(self, part: Part, decided: Decided) -> CandidateScorer:
        """Candidates by their margins; explained by the share of each column in the margin of a pair alone."""
        of_values, of_flags = np.split(part.values * decided.weights, 2, axis=1)
        breakdown = Breakdown(self.features, of_values + of_flags, "decided with the pairs around it")
        return CandidateScorer(self.others.left, self.others.right, part.pairs, decided.margins, self.others, breakdown)

    def _values(self, pairs: Pairs) -> Floats:
        places = find_pairs(pairs, self.near)
        values, new = self.near_values[places], places < 0
        if new.any():
            values[new] = features_of_pairs(self.features, Pairs(pairs.lefts[new], pairs.rights[new]))
        return values
