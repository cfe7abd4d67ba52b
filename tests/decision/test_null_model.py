import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_matrix

from factlink.candidates.pairs import gather_pairs
from factlink.decision.null_model import NameEvidence, NullModel, measure_null_model
from factlink.decision.soft_assignment import SoftAssignment


def rows(*vectors: list[float]) -> csr_matrix:
    array = np.array(vectors, np.float32)
    return csr_matrix(array / np.linalg.norm(array, axis=1, keepdims=True))


def test_the_nearest_of_a_user_is_never_the_user_itself() -> None:
    left = rows([1, 0, 0], [1, 1, 0], [0, 0, 1])
    found = measure_null_model(left, rows([1, 0, 0], [1, 0, 0]), None, seed=0)
    assert_allclose(found.left, [0, 0.5**0.5, 0.5**0.5], atol=1e-6)
    assert_allclose(found.right, [1, 1], atol=1e-6)


def test_the_chance_falls_with_likeness_and_is_that_of_both_sides() -> None:
    """Of 99 users 49 have somebody as near as .5: with one more, half; so half on either side, a quarter for both."""
    nearest = np.repeat([0.2, 0.5], [50, 49]).astype(np.float32)
    chances = NullModel(nearest, nearest, (99, 99)).chances(np.array([0.1, 0.5, 0.6], np.float32))
    assert_allclose(chances, [1, 0.25, 0.01**2], rtol=1e-3)


def test_second_accounts_on_one_side_do_not_make_all_non_matches_alike() -> None:
    distinct, doubled = np.zeros(999, np.float32), np.ones(999, np.float32)
    chance = NullModel(distinct, doubled, (999, 999)).chances(np.array([0.9], np.float32))
    assert chance[0] == pytest.approx(0.001**2, rel=0.01)


def test_in_a_larger_network_more_non_matches_are_met() -> None:
    nearest = np.repeat([0.2, 0.6], [90, 9]).astype(np.float32)
    large, small = (NullModel(nearest, nearest, (99, n)).chances(np.array([0.6], np.float32)) for n in (99, 9))
    assert (large[0], small[0]) == (pytest.approx(0.1 * 0.1), pytest.approx(0.1 * (1 - 0.9 ** (9 / 99)), rel=1e-4))


def test_only_names_that_non_matches_have_too_make_no_match_heavier() -> None:
    """The second pair's names are as alike as those of half of all non-matches; the third is near by other things."""
    null_model = NullModel(*[np.repeat([0.1, 0.6], 50).astype(np.float32)] * 2, (5_000, 5_000))
    pairs = gather_pairs(4, 4, [(np.arange(3), np.arange(3))])
    cosines, evidence = np.array([0.95, 0.6, 0.05], np.float32), np.array([0.9, 0.6, 0.9], np.float32)
    left, right = null_model.no_match_factors(pairs, evidence, NameEvidence(cosines, 1.0), SoftAssignment())
    assert_array_equal(left, right)
    assert left[1] > 100 * left[2]
    assert left[2:].tolist() == pytest.approx([1, 1], abs=1e-2)


def test_either_side_has_factors_of_its_own() -> None:
    """Two left users have one right user between them, whose best pair is the first."""
    null_model = NullModel(*[np.repeat([0.1, 0.6], 50).astype(np.float32)] * 2, (5_000, 5_000))
    pairs = gather_pairs(2, 1, [(np.arange(2), np.zeros(2, int))])
    cosines = np.array([0.6, 0.05], np.float32)
    left, right = null_model.no_match_factors(pairs, cosines, NameEvidence(cosines, 1.0), SoftAssignment())
    assert (len(left), len(right)) == (2, 1)
    assert right[0] == left[0] > 100 * left[1]


def test_a_sample_is_enough() -> None:
    rng = np.random.default_rng(0)
    many = csr_matrix(rng.random((3_000, 5)) / 2, dtype=np.float32)
    found = measure_null_model(many, many, None, seed=0)
    assert len(found.left) == 1_000
    assert_array_equal(found.left, np.sort(found.left))


def test_a_handful_of_users_proves_nothing_about_non_matches() -> None:
    lone = np.zeros(1, np.float32)
    assert NullModel(lone, lone, (1, 1)).chances(np.ones(1, np.float32))[0] < 0.001
