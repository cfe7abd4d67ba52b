"""Pair features that several linkers share: names, pictures, profiles and social status of a left and a right user.

A feature answers twice: for listed pairs, as candidate graphs need it, and for whole rows, as dense ranking needs it.
What one of the two users lacks is NaN.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from factlink.linkers.baselines.features.best_pairs import BestPairScorer
from factlink.linkers.baselines.features.status import STATUS_COLUMNS, Status, compare_status
from factlink.types import Floats, Ints, Pairs


class Feature(Protocol):
    """One or more numbers by which a left and a right user are compared."""

    @property
    def columns(self) -> tuple[str, ...]: ...

    def of_pairs(self, pairs: Pairs) -> Floats:
        """(n_pairs, n_columns)."""
        ...

    def of_rows(self, rows: Ints) -> Iterator[Floats]:
        """(len(rows), n_right) of one column after the other."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class BestPair:
    """The similarity of the most similar pair of objects."""

    name: str
    scorer: BestPairScorer

    @property
    def columns(self) -> tuple[str, ...]:
        return (self.name,)

    def of_pairs(self, pairs: Pairs) -> Floats:
        """(n_pairs, 1)."""
        return self.scorer.meetings(pairs).similarities[:, None]

    def of_rows(self, rows: Ints) -> Iterator[Floats]:
        """(len(rows), n_right)."""
        scores = self.scorer.scores(rows)
        scores[np.isneginf(scores)] = np.nan
        yield scores


@dataclass(frozen=True, slots=True, eq=False)
class SocialStatus:
    """Similarity of the social status of two users, each in its own network."""

    left: Status
    right: Status

    @property
    def columns(self) -> tuple[str, ...]:
        return STATUS_COLUMNS

    def of_pairs(self, pairs: Pairs) -> Floats:
        """(n_pairs, 6)."""
        return np.stack(compare_status(self.left.of(pairs.lefts), self.right.of(pairs.rights)), axis=1)

    def of_rows(self, rows: Ints) -> Iterator[Floats]:
        """(len(rows), n_right), six times."""
        yield from compare_status(self.left.of(rows[:, None]), self.right)


def features_of_pairs(features: Sequence[Feature], pairs: Pairs) -> Floats:
    """(n_pairs, all columns)."""
    return np.concatenate([np.empty((len(pairs), 0), np.float32), *(f.of_pairs(pairs) for f in features)], axis=1)


@dataclass(frozen=True, slots=True, eq=False)
class Scale:
    """How columns become comparable: mean 0 and spread 1, the mean where a value is missing, and a flag for that."""

    fills: Floats  # (n_columns,) means of what is known
    means: Floats  # (2 · n_columns,) of filled columns and flags
    spreads: Floats  # (2 · n_columns,) infinite where a column is constant

    def of(self, values: Floats) -> Floats:
        """(n, 2 · n_columns): columns, then flags."""
        return np.asarray((_filled(values, self.fills) - self.means) / self.spreads, np.float32)


def scale_of(values: Floats) -> Scale:
    """The scale of these values."""
    known = ~np.isnan(values)
    fills = np.where(known, values, 0).sum(axis=0, dtype=np.float64) / np.maximum(1, known.sum(axis=0))
    filled = _filled(values, fills.astype(np.float32)).astype(np.float64)
    spreads = filled.std(axis=0)
    spreads[spreads < 1e-6] = np.inf
    return Scale(*(part.astype(np.float32) for part in (fills, filled.mean(axis=0), spreads)))


def _filled(values: Floats, fills: Floats) -> Floats:
    gone = np.isnan(values)
    return np.concatenate([np.where(gone, fills, values), gone], axis=1, dtype=np.float32)
