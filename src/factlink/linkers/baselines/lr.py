"""`lr`: logistic regression on name, picture and social-status similarity, the paper's S2.

Certain [P]: supervised; its features are username, screen-name and profile-picture similarity and "the social status
in network as defined in" COSNET. Unspecified in the paper and chosen here [X]: the negatives, scaling, regularisation,
missing values, and one feature more, the best n-gram cosine over all name columns, so that networks whose columns
differ can be compared.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt
import polars as pl

from factlink.candidates.reordered import Reordered
from factlink.errors import SettingError
from factlink.evidence import REST
from factlink.explanations.frames import join_parts, part_frame
from factlink.linkers.baselines.features.candidate_pairs import best_pairs, find_pairs, nearest_pairs, united
from factlink.linkers.baselines.features.comparisons import (
    NamesBy,
    best_names,
    best_pictures,
    check_comparable,
    check_known,
    check_names,
    jaro_winkler_names,
    social_status,
)
from factlink.linkers.baselines.features.explanation import feature_parts
from factlink.linkers.baselines.features.pair_features import Feature, features_of_pairs, scale_of
from factlink.linkers.by_content import PreparedByContent, fit_by_content, prepare_by_content
from factlink.protocols import Scorer
from factlink.types import NO_PAIRS, Candidates, Floats, Ints, Network, Pairs


@dataclass(frozen=True, slots=True)
class LrLinker:
    """Every right user scored by log-odds; negatives are look-alikes and random users for the known left users."""

    name: ClassVar[str] = "lr"
    supervised: ClassVar[bool] = True

    look_alikes: int = 10  # nearest wrong right users by each blocking feature, and the depth of the short cut
    random_negatives: int = 10  # random wrong right users
    inverse_penalty: float = 1.0  # C of an L2 penalty on standardised columns
    names: NamesBy = "ngrams"  # what names are compared by; jaro-winkler is the paper's
    seed: int = 0

    def __post_init__(self) -> None:
        check_names(self.names)
        if self.look_alikes < 1 or self.random_negatives < 0:
            raise SettingError(
                f"look_alikes is {self.look_alikes} and random_negatives {self.random_negatives}; "
                "they must be ≥ 1 and ≥ 0"
            )
        if not self.inverse_penalty > 0:
            raise SettingError(f"inverse_penalty is {self.inverse_penalty}; it must be above 0")

    def fit(self, left: Network, right: Network, known: Pairs = NO_PAIRS) -> "Reordered[LrScorer]":
        """Learns from known pairs, scores every pair."""
        check_known(self.name, known)
        return fit_by_content(lambda a, b, pairs: self._prepare(a, b).fit(pairs), left, right, known)

    def prepare(self, left: Network, right: Network) -> "PreparedByContent[LrScorer]":
        """Features and look-alikes, which are the same whatever is known."""
        return prepare_by_content(self._prepare, left, right)

    def _prepare(self, left: Network, right: Network) -> "PreparedLr":
        blocking = [*best_names(left, right, self.names), *best_pictures(left, right)]
        check_comparable(self.name, left, right, blocking)
        features: list[Feature] = [*jaro_winkler_names(left, right), *blocking, *social_status(left, right)]
        return PreparedLr(self, left, right, tuple(features), nearest_pairs(blocking, self.look_alikes))

    def negatives(self, near: Pairs, known: Pairs, n_right: int) -> Pairs:
        """Non-matches of known left users, nearest and random ones; users outside known pairs count as non-matches."""
        lefts = np.unique(known.lefts)
        mine = np.isin(near.lefts, lefts)
        random_negatives = np.random.default_rng(self.seed).integers(n_right, size=len(lefts) * self.random_negatives)
        drawn = Pairs(np.repeat(lefts, self.random_negatives), random_negatives)
        pairs = united([Pairs(near.lefts[mine], near.rights[mine]), drawn])
        wrong = find_pairs(pairs, united([known])) < 0
        return Pairs(pairs.lefts[wrong], pairs.rights[wrong])


@dataclass(frozen=True, slots=True, eq=False)
class PreparedLr:
    """Two networks made comparable, ready for any known pairs."""

    settings: LrLinker
    left: Network
    right: Network
    features: Sequence[Feature]
    near: Pairs

    def fit(self, known: Pairs) -> "LrScorer":
        """Learns the log-odds."""
        check_known(self.settings.name, known)
        training = united([known, self.settings.negatives(self.near, known, len(self.right))])
        matches = find_pairs(training, united([known])) >= 0
        weights = fit_log_odds(features_of_pairs(self.features, training), matches, self.settings.inverse_penalty)
        return LrScorer(self.left, self.right, self.features, weights, self.near)


@dataclass(frozen=True, slots=True, eq=False)
class LogOdds:
    """A linear score of columns that may be missing: Σ slope · (value, or fill) + missing penalty + constant."""

    slopes: Floats  # (n_columns,)
    fills: Floats  # (n_columns,) the mean where the value is known
    missing: Floats  # (n_columns,) added where it is not
    constant: float

    def part(self, column: int, values: Floats) -> Floats:
        """What one column adds, in the shape of its values."""
        gone = np.isnan(values)
        filled = np.where(gone, self.fills[column], values)
        return np.asarray(self.slopes[column] * filled + self.missing[column] * gone, np.float32)

    def of(self, values: Floats) -> Floats:
        """(n,) from (n, n_columns)."""
        parts = [self.part(column, values[:, column]) for column in range(values.shape[1])]
        return np.asarray(np.sum(parts, axis=0) + self.constant, np.float32)


def fit_log_odds(values: Floats, matches: npt.NDArray[np.bool_], inverse_penalty: float) -> LogOdds:
    """Balanced L2 logistic regression on standardised columns and flags of what is missing."""
    from sklearn.linear_model import LogisticRegression

    scale = scale_of(values)
    model = LogisticRegression(C=inverse_penalty, class_weight="balanced", max_iter=1000)
    model.fit(scale.of(values), matches)
    slopes = model.coef_[0] / scale.spreads
    constant = float(model.intercept_[0] - slopes @ scale.means)
    of_values, of_flags = np.split(slopes.astype(np.float32), 2)
    return LogOdds(of_values, scale.fills, of_flags, constant)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LrScorer(Scorer):
    """The log-odds that two users are one."""

    left: Network
    right: Network
    features: Sequence[Feature]
    log_odds: LogOdds
    near: Pairs

    def scores(self, rows: Ints) -> Floats:
        """(len(rows), n_right)."""
        scores = np.full((len(rows), len(self.right)), self.log_odds.constant, np.float32)
        columns = (values for feature in self.features for values in feature.of_rows(rows))
        for column, values in enumerate(columns):
            scores += self.log_odds.part(column, values)
        return scores

    def candidates(self, k: int) -> Candidates:
        """The k best of the right users that are near by name or picture."""
        scores = self.log_odds.of(features_of_pairs(self.features, self.near))
        return best_pairs(self.near, scores, len(self.left), min(k, len(self.right)))

    def explain(self, lefts: Ints, rights: Ints) -> pl.DataFrame:
        """Columns PARTS: what each feature adds to the log-odds of a pair of which nothing is known."""
        pairs = Pairs(lefts, rights)
        values = features_of_pairs(self.features, pairs)
        unknown = self.log_odds.missing + self.log_odds.slopes * self.log_odds.fills  # (n_columns,)
        parts = [self.log_odds.part(c, values[:, c]) - unknown[c] for c in range(values.shape[1])]
        start = np.full(len(pairs), self.log_odds.constant + unknown.sum())
        nothing = part_frame(np.arange(len(pairs)), start, REST, "nothing known")
        return join_parts([feature_parts(self.features, np.stack(parts, axis=1), pairs), nothing])
