"""Scores that rank: by hand on two users who want the same account."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from factlink.candidates.pairs import gather_pairs
from factlink.decision.decoy_calibration import DecoyCalibration
from factlink.decision.matching import match
from factlink.decision.pair_model import Curve, PairModel
from factlink.linkers.factoid.probability.learning import Probabilities
from factlink.linkers.factoid.probability.ranking import Ranking, rank_pairs
from factlink.types import Pairs

LINE = Curve((0.0,), (1.0,))
FREE = 0.5, 0.25


def ranked(log_odds: list[list[float]], line: DecoyCalibration | None = None) -> Ranking:
    """Of all pairs, in which one channel says exactly these log odds."""
    flat = np.array(log_odds, np.float32)
    lefts, rights = (each.ravel() for each in np.indices(flat.shape))
    pairs = gather_pairs(*flat.shape, [(lefts, rights)])
    matching = match(pairs, flat.ravel(), (np.full(flat.shape[0], FREE[0]), np.full(flat.shape[1], FREE[1])))
    levels = np.zeros(flat.shape[0], np.float32), np.zeros(flat.shape[1], np.float32)
    model = PairModel(0.0, (LINE,), Curve((0.0,), (0.0,)))
    line = line or DecoyCalibration()
    return rank_pairs(Probabilities(model, ("names",), line, FREE, pairs, flat.ravel(), matching, levels, True, True))


def test_a_pair_without_rivals_scores_its_log_odds_and_both_dustbins() -> None:
    found = ranked([[3.0]])
    assert_allclose(found.scores, [3 - np.log(0.5) - np.log(0.25)], rtol=1e-3)


def test_a_second_account_ranks_its_owner_first_though_another_account_took_it() -> None:
    """Four links; the fifth user claims the first right one, more strongly than two links are, or one that is free."""
    log_odds = np.full((5, 5), -9.0)
    np.fill_diagonal(log_odds, [9, 8, 7, 4, -3])
    log_odds[4, 0] = 7.5
    found = ranked(log_odds.tolist())
    assert found.second == pytest.approx(1 / 3)  # one claim, where three links of four are as strong
    assert found.found.values.reshape(5, 5)[4].argmax() == 4
    assert found.scores.reshape(5, 5)[4].argmax() == 0
    open_to_them = 1 / (1 + 2 * np.exp(9) / 0.25)  # the first user has no other candidate
    expected = np.log(open_to_them + (1 - open_to_them) / 3)
    assert_allclose(found.right_discounts(np.array([4]), np.array([0])), [expected], rtol=1e-3)


def test_without_strong_claims_who_is_taken_stays_taken() -> None:
    found = ranked([[9.0, -9.0], [5.0, -4.0]])
    assert found.second == 0
    assert found.scores.reshape(2, 2)[1].argmax() == 1


def test_where_nobody_is_linked_there_are_no_second_accounts() -> None:
    assert ranked([[-9.0, -9.0], [-8.0, -9.0]]).second == 0


def test_rivals_still_decide_between_near_ones() -> None:
    assert ranked([[8.0, -5.0], [4.0, 3.0]]).scores.reshape(2, 2)[1].argmax() == 1


def test_the_best_pair_of_a_user_has_the_calibrated_log_odds_of_its_likeliest() -> None:
    found = ranked([[4.0, 1.0], [2.0, -1.0]], DecoyCalibration(-0.5, 2.0))
    likeliest = found.found.values.reshape(2, 2).max(axis=1)
    assert_allclose(1 / (1 + np.exp(-found.scores.reshape(2, 2).max(axis=1))), likeliest, rtol=1e-4)


def test_priors_curves_and_discounts_add_up_to_the_score() -> None:
    found = ranked([[4.0, 1.0], [2.0, -1.0]], DecoyCalibration(-0.5, 2.0))
    pairs = Pairs(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]))
    said = np.array([4, 1, 2, -1], np.float32)
    taken = found.take_apart(pairs, [said], [said])
    rivals = found.left_discounts(pairs.lefts) + found.right_discounts(pairs.lefts, pairs.rights)
    total = found.priors(pairs.lefts) + taken.channels[0] + taken.resemblance + rivals
    assert_allclose(taken.channels[0], 2 * said)
    assert_allclose(taken.resemblance, 0, atol=1e-6)
    assert (found.right_discounts(pairs.lefts, pairs.rights) <= 1e-6).all()
    assert_allclose(total, found.scores, rtol=1e-3)
