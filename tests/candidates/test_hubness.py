from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.testing import assert_allclose

from factlink.candidates.hubness import HubnessCorrected, correct_pairs
from factlink.candidates.pairs import gather_pairs
from factlink.types import Floats, Ints, Network


@dataclass
class Table:
    matrix: Floats

    @property
    def left(self) -> Network:
        return Network("left", pl.Series([f"l{i}" for i in range(len(self.matrix))]), {}, {})

    @property
    def right(self) -> Network:
        return Network("right", pl.Series([f"r{i}" for i in range(self.matrix.shape[1])]), {}, {})

    def scores(self, rows: Ints) -> Floats:
        return self.matrix[rows]


SCORES = np.array([[0.9, 0.5, 0.1], [0.8, 0.6, 0.2]], np.float32)


def test_a_hub_is_taken_down_by_hand() -> None:
    corrected = HubnessCorrected(Table(SCORES), k=2)
    # row means .7, .7; column means .85, .55, .15
    wanted = [[1.8 - 0.7 - 0.85, 1 - 0.7 - 0.55, 0.2 - 0.7 - 0.15], [1.6 - 1.55, 1.2 - 1.25, 0.4 - 0.85]]
    assert_allclose(corrected.scores(np.array([0, 1])), wanted, atol=1e-6)
    assert len(corrected.left) == 2
    assert len(corrected.right) == 3


def test_pairs_are_corrected_as_the_whole_matrix_is() -> None:
    pairs = gather_pairs(2, 3, [np.indices((2, 3)).reshape(2, 6)])
    whole = HubnessCorrected(Table(SCORES), k=2).scores(np.array([0, 1]))
    assert_allclose(correct_pairs(pairs, SCORES.ravel(), k=2), whole.ravel(), atol=1e-6)


def test_what_was_not_scored_stays_so() -> None:
    scores = SCORES.copy()
    scores[0, 2] = -np.inf
    corrected = HubnessCorrected(Table(scores), k=2).scores(np.array([0]))
    assert np.isneginf(corrected[0, 2])
    assert np.isfinite(corrected[0, :2]).all()
