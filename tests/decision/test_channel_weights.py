import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_matrix

from factlink.candidates.pairs import gather_pairs
from factlink.decision.channel_weights import PredicateRanking, confident_pairs, edge_overlaps, rank_confident_pairs
from factlink.types import Follows, Pairs


def follows(*links: tuple[int, int]) -> Follows:
    followers, followees = np.array(links).T
    return Follows(followers, followees, np.ones(len(links), np.float32))


def test_a_predicate_that_ranks_every_sure_pair_first_is_worth_all() -> None:
    same = np.eye(40, dtype=np.float32)
    ranking = rank_confident_pairs(same, same, Pairs(np.arange(40), np.arange(40)), seed=0)
    assert ranking.confident == 1.0
    assert ranking.shuffled < 0.2
    assert ranking.weight == 1.0


def test_ranks_by_hand_with_ties_in_the_middle() -> None:
    left = np.array([[1, 0], [0, 1]], np.float32)
    right = np.array([[0.5, 1], [1, 1], [0.2, 0]], np.float32)
    # row 0 scores .5, 1, .2: its partner 0 is second; row 1 scores 1, 1, 0: its partner 1 ties, rank 1.5
    ranking = rank_confident_pairs(left, right, Pairs(np.array([0, 1]), np.array([0, 1])), seed=0)
    assert_allclose(ranking.confident, (1 / 2 + 1 / 1.5) / 2)


def test_sparse_rows_rank_as_dense_ones() -> None:
    rng = np.random.default_rng(1)
    left, right = rng.random((30, 6)).astype(np.float32), rng.random((20, 6)).astype(np.float32)
    confident = Pairs(np.arange(20), np.arange(20))
    assert rank_confident_pairs(left, right, confident, 3) == rank_confident_pairs(
        csr_matrix(left), csr_matrix(right), confident, 3
    )


def test_noise_is_worth_nothing() -> None:
    rng = np.random.default_rng(0)
    left, right = (rng.standard_normal((1500, 16)).astype(np.float32) for _ in range(2))
    assert rank_confident_pairs(left, right, Pairs(np.arange(1500), np.arange(1500)), seed=0).weight == 0


def test_who_has_nothing_to_say_is_ranked_nowhere() -> None:
    nothing = np.zeros((5, 3), np.float32)
    assert rank_confident_pairs(nothing, nothing, Pairs(np.arange(5), np.arange(5)), seed=0).confident == 0
    assert rank_confident_pairs(
        nothing, nothing, Pairs(np.empty(0, int), np.empty(0, int)), seed=0
    ) == PredicateRanking(0.0, 0.0)


def test_weight_is_what_is_left_after_chance() -> None:
    assert_allclose(PredicateRanking(0.6, 0.2).weight, 0.5)
    assert PredicateRanking(0.015, 0.0).weight == 0
    assert "0.600" in PredicateRanking(0.6, 0.2).reason


def test_the_clearer_half_of_mutual_pairs_is_sure() -> None:
    pairs = gather_pairs(3, 3, [np.indices((3, 3)).reshape(2, 9)])
    scores = np.array([[0.9, 0.0, 0.0], [0.0, 0.5, 0.4], [0.0, 0.5, 0.5]], np.float32).ravel()
    confident = confident_pairs(pairs, scores)  # all three are mutual; the third leads by the least
    assert_array_equal(confident.lefts, [0, 1])
    assert_array_equal(confident.rights, [0, 1])


def test_echoed_links_count_and_noise_does_not() -> None:
    other = csr_matrix(np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], np.float32))
    partners = np.array([0, 1, 2, -1])
    friends, noise = follows((0, 1), (1, 2), (3, 0)), follows((0, 2), (2, 0))
    rates, _ = edge_overlaps([friends, noise], partners, other, seed=0)
    assert_allclose(rates, [(2 + 20 * 0.5) / 22, (0 + 20 * 0.5) / 22], rtol=1e-6)
