"""Names learned across scripts: what the right name of a left user may look like, learned from matched pairs.

Ridge regression from the runs of letters of the left name, as written, to the vector of the right name. Matched pairs
are dealt into two folds and each is predicted by what the other taught, so that no pair vouches for itself.
"""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix

from factlink.embedding.ridge import ridge, times
from factlink.linkers.factoid.learned.raw_grams import RawGrams, count_raw_grams, learn_raw_grams
from factlink.linkers.factoid.written.names import Names
from factlink.types import Floats, Network, Pairs
from factlink.vectors import unit_rows

_FOLDS = 2
_DOUBT = 1.0  # squares of coefficients against squares of errors
_MOST = 20_000  # pairs that a fold learns from


@dataclass(frozen=True, slots=True, eq=False)
class LearnedNames:
    """What right names look like: as learned for every left user, and the lesson for users who come later."""

    expected: Floats  # (n_left, dim) unit rows; zero where a name has nothing to learn from
    vectors: Floats  # (n_right, dim) of right names
    grams: RawGrams
    lesson: Floats  # (n_runs, dim): what each run of letters of a left name adds

    @property
    def rows(self) -> tuple[Floats, Floats]:
        """Of left and right users; their products say how far names agree."""
        return self.expected, self.vectors


@dataclass(frozen=True, slots=True, eq=False)
class NameLearner:
    """Left names as written, and the vectors of right names."""

    grams: RawGrams
    rows: csr_matrix  # (n_left, n_runs)
    vectors: Floats  # (n_right, dim)
    seed: int

    @classmethod
    def of(cls, left: Network, names: Names, weights: Floats, vectors: Floats) -> "NameLearner":
        """Of the names of both networks and the vectors of all users, left ones first."""
        first = names.n_left_predicates
        by_predicate = dict(zip(names.predicates[:first], weights[:first].tolist(), strict=True))
        counts = count_raw_grams(left, by_predicate)
        grams = learn_raw_grams(counts)
        return cls(grams, grams.rows(counts), vectors[len(left) :], names.space.seed)

    def learn(self, taught: Pairs) -> LearnedNames:
        """Two folds of pairs teach each other; whoever is in none learns from both."""
        rng = np.random.default_rng([self.seed, len(taught)])
        folds = rng.permutation(np.arange(len(taught)) % _FOLDS)
        fold_of = np.full(self.rows.shape[0], -1)
        fold_of[taught.lefts] = folds
        expected = np.zeros((self.rows.shape[0], self.vectors.shape[1]), np.float32)
        whole = np.zeros((self.rows.shape[1], self.vectors.shape[1]), np.float32)
        for fold in range(_FOLDS):
            others = rng.permutation(np.flatnonzero(folds != fold))[:_MOST]
            lesson = ridge(self.rows[taught.lefts[others]], self.vectors[taught.rights[others]], _DOUBT)
            some = np.flatnonzero((fold_of == fold) | (fold_of < 0))
            expected[some] += times(self.rows[some], lesson)
            whole += lesson
        return LearnedNames(unit_rows(expected), self.vectors, self.grams, whole)
