import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from factlink.candidates.pairs import gather_pairs
from factlink.linkers.factoid.spreading.matching import choose, matching_of, with_known
from factlink.types import NO_PAIRS, Pairs


def test_mutual_best_pairs_are_chosen_with_their_margins() -> None:
    pairs = gather_pairs(3, 3, [(np.array([0, 0, 1, 2]), np.array([0, 1, 1, 1]))])
    found = choose(pairs, np.array([2, 1, 3, 0.5], np.float32))
    assert_array_equal(found.pairs.lefts, [0, 1])
    assert_array_equal(found.pairs.rights, [0, 1])
    assert_allclose(found.margins, [1, np.inf])
    assert_allclose(found.strengths, [1 - np.exp(-1.5), 1 - np.exp(-3)], rtol=1e-6)


def test_known_pairs_take_the_place_of_what_was_chosen_for_their_users() -> None:
    pairs = gather_pairs(3, 3, [(np.array([0, 1, 2]), np.array([0, 1, 2]))])
    chosen = choose(pairs, np.array([1, 1, 1], np.float32))
    found = with_known(chosen, Pairs(np.array([1]), np.array([2])), (3, 3))
    assert_array_equal(found.pairs.lefts, [0, 1])
    assert_array_equal(found.pairs.rights, [0, 2])
    assert_allclose(found.strengths, [1 - np.exp(-1), 1], rtol=1e-6)
    assert with_known(chosen, NO_PAIRS, (3, 3)) is chosen


def test_the_share_of_pairs_that_stay() -> None:
    one = matching_of((3, 3), Pairs(np.array([0, 1]), np.array([0, 1])), np.ones(2, np.float32))
    two = matching_of((3, 3), Pairs(np.array([0, 2]), np.array([0, 1])), np.ones(2, np.float32))
    assert two.stay(one) == 0.5
    assert one.stay(one) == 1
    assert matching_of((3, 3), NO_PAIRS, np.empty(0, np.float32)).stay(one) == 1


def test_whoever_is_in_no_pair_has_no_partner() -> None:
    found = matching_of((2, 4), Pairs(np.array([1]), np.array([2])), np.array([0.5], np.float32))
    assert_array_equal(found.partners, [-1, 2])
    assert_array_equal(found.left_partners, [-1, -1, 1, -1])
    assert_array_equal(found.strengths, [0, 0.5])
    assert_array_equal(found.left_strengths, [0, 0, 0.5, 0])
    assert_array_equal(found.pairs.lefts, [1])
    assert_array_equal(found.pairs.rights, [2])
    assert_array_equal(found.pair_strengths, [0.5])


def test_known_pairs_stand_in_the_order_of_left_users_beyond_doubt() -> None:
    pairs = gather_pairs(5, 3, [(np.array([0, 1, 2, 4]), np.array([0, 0, 1, 2]))])
    chosen = choose(pairs, np.array([3, 1, 2, 1], np.float32))
    found = with_known(chosen, Pairs(np.array([3]), np.array([2])), (5, 3))
    assert_array_equal(found.pairs.lefts, [0, 2, 3])
    assert_array_equal(found.pairs.rights, [0, 1, 2])
    assert_allclose(found.scores, [3, 2, 40])
    assert_allclose(found.margins, [np.inf, np.inf, np.inf])


def test_a_score_below_half_of_the_second_best_has_no_strength() -> None:
    pairs = gather_pairs(1, 2, [(np.array([0, 0]), np.array([0, 1]))])
    assert_allclose(choose(pairs, np.array([-3, -1], np.float32)).strengths, [1 - np.exp(-0.5)], rtol=1e-6)
    assert_allclose(choose(pairs, np.array([-3, -2], np.float32)).strengths, [0], atol=1e-6)
