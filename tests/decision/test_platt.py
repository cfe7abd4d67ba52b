"""Corrections learned from withheld known pairs."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from factlink.candidates.pairs import gather_pairs
from factlink.decision.likelihoods import Likelihoods
from factlink.decision.platt import CORRECTED, PlattScaling, fit_platt, split_users
from factlink.types import Floats, Pairs


def two_candidates_each(n: int, best: Floats | float, other: Floats | float) -> Likelihoods:
    """Users with candidates 2i (more likely) and 2i + 1."""
    lefts = np.repeat(np.arange(n), 2)
    pairs = gather_pairs(n, 2 * n, [(lefts, np.arange(2 * n))])
    probabilities = np.column_stack([np.broadcast_to(best, n), np.broadcast_to(other, n)]).ravel().astype(np.float32)
    return Likelihoods(pairs, np.log(probabilities), probabilities)


def test_a_correction_moves_probability_between_candidates_and_keeps_the_chance_of_an_account() -> None:
    likely = two_candidates_each(1, 0.6, 0.2)
    corrected = PlattScaling(slope=1.0, intercept=np.log(2)).apply(likely).probabilities
    assert_allclose(corrected, [0.8 * 6 / 7, 0.8 * 2 / 5], rtol=1e-5)  # odds 3 and 1/3 become 6 and 2/3


def test_who_has_no_account_for_sure_keeps_none() -> None:
    pairs = gather_pairs(1, 2, [(np.array([0, 0]), np.array([0, 1]))])
    nobody = Likelihoods(pairs, np.zeros(2, np.float32), np.zeros(2, np.float32))
    assert_array_equal(PlattScaling(intercept=3.0).apply(nobody).probabilities, [0, 0])


def test_no_correction_changes_nothing() -> None:
    likely = two_candidates_each(3, 0.6, 0.2)
    assert_allclose(PlattScaling().apply(likely).probabilities, likely.probabilities, rtol=1e-5)
    assert PlattScaling().apply(likely).how == likely.how
    assert PlattScaling(slope=2.0).apply(likely).how == f"{likely.how}; {CORRECTED}"


@pytest.mark.parametrize(("share_right", "lowest", "highest"), [(0.95, 0.92, 0.97), (0.4, 0.36, 0.45)])
def test_best_candidates_become_as_likely_as_they_are_right(share_right: float, lowest: float, highest: float) -> None:
    likely = two_candidates_each(400, 0.75, 0.25)
    right = np.arange(400) < share_right * 400
    withheld = Pairs(np.arange(400), np.where(right, 2 * np.arange(400), 2 * np.arange(400) + 1))
    corrected = fit_platt(likely, withheld).apply(likely).probabilities[::2]
    assert lowest < corrected.mean() < highest


def test_who_was_too_sure_becomes_less_so() -> None:
    """Of those held to be .99 likely 70 % are right, of .6 likely 55 %: logits of 4.6 and .4 become .85 and .2."""
    held = np.repeat([0.99, 0.6], 200)
    likely = two_candidates_each(400, held, 1 - held)
    right = np.concatenate([np.arange(200) < 140, np.arange(200) < 110])
    learned = fit_platt(likely, Pairs(np.arange(400), 2 * np.arange(400) + ~right))
    assert (learned.slope, learned.intercept) == (pytest.approx(0.155, abs=0.02), pytest.approx(0.14, abs=0.03))


def test_a_line_is_drawn_to_no_correction_as_by_one_answer() -> None:
    """Even chances say nothing of the slope; 50 right answers and the pull to 0 meet at i = 50 / (1 + e^i)."""
    likely = two_candidates_each(50, 0.5, 0.5)
    learned = fit_platt(likely, Pairs(np.arange(50), 2 * np.arange(50)))
    assert (learned.slope, learned.intercept) == (pytest.approx(1), pytest.approx(2.817, abs=0.001))


def test_nobody_is_held_to_be_surer_than_one_in_ten_thousand_is_wrong() -> None:
    pairs = gather_pairs(1, 1, [(np.array([0]), np.array([0]))])
    only = Likelihoods(pairs, np.zeros(1, np.float32), np.array([0.5], np.float32))
    halved = PlattScaling(slope=0.5).apply(only).probabilities  # odds of 9,999 become their root, nearly 100
    assert_allclose(halved, [0.5 * 100 / 101], rtol=1e-4)


def test_candidates_that_add_up_to_more_than_one_are_certain_to_hold_the_account() -> None:
    likely = two_candidates_each(1, 0.9, 0.6)
    assert_allclose(PlattScaling().apply(likely).probabilities, [0.6, 0.4], rtol=1e-5)


def test_the_first_account_of_all_is_an_answer_like_any_other() -> None:
    """Fifty users whose best candidate is right user 0: of one that is true."""
    pairs = gather_pairs(50, 2, [(np.repeat(np.arange(50), 2), np.tile([0, 1], 50))])
    probabilities = np.tile([0.75, 0.25], 50).astype(np.float32)
    likely = Likelihoods(pairs, np.log(probabilities), probabilities)
    all_right = fit_platt(likely, Pairs(np.arange(50), np.zeros(50, np.int64)))
    one_right = fit_platt(likely, Pairs(np.arange(50), (np.arange(50) > 0).astype(np.int64)))
    assert all_right.apply(likely).probabilities[0] > 0.9
    assert one_right.apply(likely).probabilities[0] < 0.15


def test_known_pairs_are_cut_in_half() -> None:
    told, withheld = split_users(Pairs(np.arange(11), np.arange(11)), np.random.default_rng(0))
    assert (len(told), len(withheld)) == (5, 6)


def test_few_pairs_teach_nothing() -> None:
    likely = two_candidates_each(49, 0.75, 0.25)
    assert fit_platt(likely, Pairs(np.arange(49), 2 * np.arange(49))) == PlattScaling()


def test_users_without_candidates_teach_nothing() -> None:
    pairs = gather_pairs(60, 60, [(np.array([0]), np.array([0]))])
    likely = Likelihoods(pairs, np.zeros(1, np.float32), np.array([0.5], np.float32))
    correction = fit_platt(likely, Pairs(np.arange(60), np.arange(60)))
    assert_array_equal([correction.slope, correction.intercept], [1, 0])


def test_the_halves_of_known_pairs_share_no_user() -> None:
    rng = np.random.default_rng(3)
    known = Pairs(rng.integers(0, 40, 90), rng.integers(0, 50, 90))
    told, withheld = split_users(known, np.random.default_rng(0))
    assert not set(told.lefts) & set(withheld.lefts)
    assert not set(told.rights) & set(withheld.rights)
    assert len(told) > 20
    assert len(withheld) > 10
