"""`cnl`: unsupervised collective linkage, the paper's U2, after Gao et al. (ICDM 2015).

Certain, from the abstract [A]: unsupervised; attributes of several kinds and social features; missing data; collective.
Recalled, not checkable [R]: a match/non-match mixture over similarities fitted by EM. The full text and the authors'
code could not be found: every formula, bin, threshold and the loop below are a reconstruction [X], not the authors'.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numba
import numpy as np
import numpy.typing as npt

from factlink.candidates.reordered import Reordered
from factlink.errors import SettingError
from factlink.linkers.baselines.features.candidate_pairs import CandidateScorer, find_pairs, nearest_pairs, united
from factlink.linkers.baselines.features.comparisons import (
    NamesBy,
    best_names,
    best_pictures,
    check_comparable,
    check_names,
    jaro_winkler_names,
    names_by_predicate,
    profiles,
)
from factlink.linkers.baselines.features.explanation import Breakdown
from factlink.linkers.baselines.features.pair_features import Feature, features_of_pairs
from factlink.linkers.baselines.features.shared_friends import FriendGraphs, friend_graphs
from factlink.linkers.baselines.mixture import Mixture, even_bins, fit_mixture, quantile_bins
from factlink.linkers.by_content import fit_by_content
from factlink.types import NO_PAIRS, Floats, Ints, Network, Pairs

ENOUGH_CHANGE = 0.01  # share of links that change at which the loop ends
N_RANDOM_PAIRS = 100_000
EQUAL = 1 - 1e-5  # similarity from which names are held equal


@dataclass(frozen=True, slots=True)
class CnlLinker:
    """Candidates by name and picture → EM on attributes → links → shared friends → EM on all, until links rest."""

    name: ClassVar[str] = "cnl"
    supervised: ClassVar[bool] = False

    look_alikes: int = 20  # candidates by each of names and pictures, both ways
    n_bins: int = 10
    link_probability: float = 0.9  # from which a pair counts as a link for its friends
    rounds: int = 10
    names: NamesBy = "ngrams"  # what names are compared by
    seed: int = 0

    def __post_init__(self) -> None:
        check_names(self.names)
        for setting, least in (("look_alikes", 1), ("n_bins", 2), ("rounds", 0)):
            if getattr(self, setting) < least:
                raise SettingError(f"{setting} is {getattr(self, setting)}; it must be at least {least}")
        if not 0 < self.link_probability < 1:
            raise SettingError(f"link_probability is {self.link_probability}; it must lie between 0 and 1")

    def fit(self, left: Network, right: Network, known: Pairs = NO_PAIRS) -> Reordered[CandidateScorer]:
        """Fits without labels; known pairs are not used."""
        return fit_by_content(self._fit, left, right, known)

    def _fit(self, left: Network, right: Network, known: Pairs) -> CandidateScorer:
        blocking = [*best_names(left, right, self.names), *best_pictures(left, right)]
        check_comparable(self.name, left, right, blocking)
        graphs, texts = friend_graphs(left, right), profiles(left, right)
        features: list[Feature] = [*blocking, *self._name_features(left, right, graphs, texts), *texts]
        rng = np.random.default_rng(self.seed)
        random_pairs = Pairs(
            rng.integers(len(left), size=N_RANDOM_PAIRS), rng.integers(len(right), size=N_RANDOM_PAIRS)
        )
        collective = _Collective(self, features, graphs, random_pairs)
        pairs, values, mixture = collective.run(nearest_pairs(blocking, self.look_alikes))
        breakdown = Breakdown(features, mixture.parts(values).astype(np.float32), "prior")
        return CandidateScorer(left, right, pairs, mixture.log_odds(values), blocking[0].scorer, breakdown)

    def _name_features(
        self, left: Network, right: Network, graphs: FriendGraphs, texts: Sequence[Feature]
    ) -> Sequence[Feature]:
        """Names once more, by predicate: links start from pairs that two measures of a name make likely.

        Where names are all there is, the weaker measure would only spoil the better one, so there is no second one.
        """
        names_alone = not texts and not (graphs.left.nnz and graphs.right.nnz)
        return names_by_predicate(left, right, self.names) if names_alone else jaro_winkler_names(left, right)


@dataclass(frozen=True, slots=True, eq=False)
class _Collective:
    """One fit: what stays the same from round to round."""

    settings: CnlLinker
    features: Sequence[Feature]
    graphs: FriendGraphs
    random_pairs: Pairs

    def run(self, pairs: Pairs) -> tuple[Pairs, Floats, Mixture]:
        """All candidate pairs, their values and the mixture after the last round."""
        values, random_values = (features_of_pairs(self.features, some) for some in (pairs, self.random_pairs))
        most_alike = min(EQUAL, float(np.nanmax(values[:, 0])))
        alone = self._fit(values, random_values, values[:, 0] >= most_alike, n_social=0)
        links, mixture, last = self._links(pairs, alone.log_odds(values)), alone, values
        for _ in range(self.settings.rounds if len(links) and self.graphs.left.nnz and self.graphs.right.nnz else 0):
            pairs, values = self._with_suggested(pairs, values, links)
            with_friends = np.concatenate([values, self.graphs.evidence(pairs, links)], axis=1)
            random_friends = np.concatenate([random_values, self.graphs.evidence(self.random_pairs, links)], axis=1)
            start = probability(alone.log_odds(values))
            mixture, last = self._fit(with_friends, random_friends, start, n_social=2), with_friends
            before, links = links, self._links(pairs, mixture.log_odds(with_friends))
            if _n_changed(before, links) <= ENOUGH_CHANGE * len(links):
                break
        return pairs, last, mixture

    def _fit(self, values: Floats, random_values: Floats, start: npt.NDArray[Any], n_social: int) -> Mixture:
        n_alike = values.shape[1] - n_social
        bins = [
            (even_bins if c < n_alike else quantile_bins)(values[:, c], self.settings.n_bins)
            for c in range(values.shape[1])
        ]
        n_users = min(self.graphs.left.shape[0], self.graphs.right.shape[0])
        return fit_mixture(values, random_values, start, tuple(bins), min(0.5, n_users / len(values)))

    def _links(self, pairs: Pairs, scores: Floats) -> Pairs:
        """Likely pairs, best first, nobody twice."""
        likely = np.flatnonzero(probability(scores) > self.settings.link_probability)
        chosen = likely[greedy_one_to_one(Pairs(pairs.lefts[likely], pairs.rights[likely]), scores[likely])]
        return Pairs(pairs.lefts[chosen], pairs.rights[chosen])

    def _with_suggested(self, pairs: Pairs, values: Floats, links: Pairs) -> tuple[Pairs, Floats]:
        """Candidates grown by pairs that share two linked friends."""
        suggested = self.graphs.suggest(links, most=self.settings.look_alikes * self.graphs.left.shape[0])
        new = find_pairs(suggested, pairs) < 0
        added = united([Pairs(suggested.lefts[new], suggested.rights[new])])
        grown = united([pairs, added])
        result = np.empty((len(grown), values.shape[1]), np.float32)
        result[find_pairs(pairs, grown)] = values
        result[find_pairs(added, grown)] = features_of_pairs(self.features, added)
        return grown, result


def probability(log_odds: Floats) -> npt.NDArray[np.float64]:
    """(n,) in (0, 1)."""
    return np.asarray(1 / (1 + np.exp(-np.clip(log_odds.astype(np.float64), -50, 50))))


def greedy_one_to_one(pairs: Pairs, scores: Floats) -> Ints:
    """Places of pairs taken best first, nobody twice; equally good partners of one user rule each other out."""
    order = np.lexsort((pairs.rights, pairs.lefts, -scores))
    taken = np.zeros(len(order), np.bool_)
    sizes = (1 + pairs.lefts.max(initial=0), 1 + pairs.rights.max(initial=0))
    _take(pairs.lefts[order], pairs.rights[order], scores[order], sizes, taken)
    return np.sort(order[taken])


def _n_changed(before: Pairs, after: Pairs) -> int:
    kept = int(np.count_nonzero(find_pairs(after, before) >= 0))
    return len(before) + len(after) - 2 * kept


@numba.njit(cache=True)
def _take(lefts: Any, rights: Any, scores: Any, sizes: tuple[int, int], taken: Any) -> None:
    """Marks what is taken of pairs sorted best first."""
    free_left, free_right = np.ones(sizes[0], np.bool_), np.ones(sizes[1], np.bool_)
    seen_left, seen_right = np.zeros(sizes[0], np.int64), np.zeros(sizes[1], np.int64)
    start = 0
    while start < len(scores):
        end = start
        while end < len(scores) and scores[end] == scores[start]:
            if free_left[lefts[end]] and free_right[rights[end]]:
                seen_left[lefts[end]] += 1
                seen_right[rights[end]] += 1
            end += 1
        for i in range(start, end):
            if free_left[lefts[i]] and free_right[rights[i]]:
                taken[i] = seen_left[lefts[i]] == 1 and seen_right[rights[i]] == 1
        for i in range(start, end):
            if seen_left[lefts[i]] or seen_right[rights[i]]:
                free_left[lefts[i]] = free_right[rights[i]] = False
            seen_left[lefts[i]] = seen_right[rights[i]] = 0
        start = end
