"""`cosnet`: an energy model over a graph of candidate pairs, the paper's SS1, after Zhang et al. (KDD 2015).

Certain, from the abstract [A]: an energy-based model with local consistency (profiles and links of a pair) and global
consistency among more than two networks, brought into a dual form and trained by a subgradient algorithm. The paper [P]
takes candidates from username, screen name and picture. Recalled, not checkable [R]: the kinds of features, PageRank
classes, the matching graph and the max-margin scheme. Neither text nor code of COSNET could be found: the exact
features, weights, ranking score and constants are a reconstruction [X], not the authors'. With two networks there are
no triads, so the global term is empty here as in the paper's experiment [D].
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from factlink.candidates.reordered import Reordered
from factlink.errors import SettingError
from factlink.linkers.baselines.energy.least_energy import minimise
from factlink.linkers.baselines.energy.matching_graph import edge_degrees, join_pairs
from factlink.linkers.baselines.energy.max_margin import DecidedPairs, learn_weights
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
        pairs = united([known, self.near])
        values = np.concatenate([self._values(pairs), self.graphs.evidence(pairs, known)], axis=1)
        scores, weights = self._margins(pairs, values, known)
        breakdown = Breakdown(self.features, weights, "decided with the pairs around it")
        return CandidateScorer(self.others.left, self.others.right, pairs, scores, self.others, breakdown)

    def _values(self, pairs: Pairs) -> Floats:
        places = find_pairs(pairs, self.near)
        values, new = self.near_values[places], places < 0
        if new.any():
            values[new] = features_of_pairs(self.features, Pairs(pairs.lefts[new], pairs.rights[new]))
        return values

    def _margins(self, pairs: Pairs, values: Floats, known: Pairs) -> tuple[Floats, Floats]:
        """(n_pairs,) margins, and (n_pairs, n_columns) the share of each column in the margin of a pair alone."""
        settings = self.settings
        matches = find_pairs(pairs, united([known])) >= 0
        decided = np.isin(pairs.lefts, known.lefts) | np.isin(pairs.rights, known.rights)
        edges = join_pairs(pairs, self.graphs, np.where(matches, 2, np.nan_to_num(values[:, 0])), settings.most_edges)
        degrees = edge_degrees(edges, len(pairs))
        strengths = (1 / np.sqrt(np.prod(degrees[edges], axis=1, dtype=np.float64))).astype(np.float32)
        scaled = scale_of(values[decided]).of(values)
        everything = DecidedPairs(scaled, matches, edges, strengths)
        weights = learn_weights(_part(everything, decided), settings.importance, settings.learning_rounds)
        energy = weights.energy(everything)
        certain = np.float32(10 + 2 * np.abs(energy.costs).max(initial=0))
        energy = replace(energy, costs=np.where(matches, -certain, energy.costs))
        of_values, of_flags = np.split(scaled * weights.values, 2, axis=1)
        return minimise(energy, settings.inference_rounds).margins, of_values + of_flags


def _part(pairs: DecidedPairs, chosen: npt.NDArray[np.bool_]) -> DecidedPairs:
    """Some of the pairs and the edges among them."""
    places = np.cumsum(chosen) - 1
    inside = chosen[pairs.edges].all(axis=1)
    return DecidedPairs(
        pairs.values[chosen], pairs.matches[chosen], places[pairs.edges[inside]], pairs.strengths[inside]
    )
