"""Cosines of unit vectors, by hand and against every pair."""

import numpy as np

from factlink.linkers.vector_scorer import VectorScorer
from factlink.types import Floats
from factlink.vectors import unit_rows
from tests.candidates.test_top_k import people


def scorer(lefts: Floats, rights: Floats) -> VectorScorer:
    return VectorScorer(people("left", len(lefts)), people("right", len(rights)), unit_rows(lefts), unit_rows(rights))


def test_scores_are_cosines_and_no_vector_is_no_score() -> None:
    lefts = np.array([[3, 4], [0, 0]], np.float32)
    rights = np.array([[2, 0], [0, 0], [0, -1]], np.float32)
    scores = scorer(lefts, rights).scores(np.array([1, 0]))
    np.testing.assert_allclose(scores, [[-np.inf, -np.inf, -np.inf], [0.6, -np.inf, -0.8]], rtol=1e-6)


def test_candidates_are_the_best_of_the_scores() -> None:
    random = np.random.default_rng(0)
    lefts, rights = random.normal(size=(6, 4)).astype(np.float32), random.normal(size=(9, 4)).astype(np.float32)
    lefts[2], rights[5] = 0, 0
    fitted = scorer(lefts, rights)
    found, table = fitted.candidates(3), fitted.scores(np.arange(6))
    for row in (0, 1, 3, 4, 5):
        assert found.rights[row].tolist() == np.argsort(-table[row])[:3].tolist()
    assert found.rights[2].tolist() == [-1, -1, -1]
    assert np.isneginf(found.scores[2]).all()


def test_candidates_are_as_many_as_asked_even_where_fewer_have_vectors() -> None:
    found = scorer(np.eye(2, dtype=np.float32), np.array([[1, 0], [0, 0], [0, 0]], np.float32)).candidates(5)
    assert found.rights.tolist() == [[0, -1, -1], [0, -1, -1]]
