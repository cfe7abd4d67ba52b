"""Candidates both ways, and scorers that rank what they did not score after what they did."""

from functools import cache

import numpy as np
import pytest

from factlink.candidates.products import sparse_products, vector_products
from factlink.candidates.top_k import best_of_block
from factlink.linkers.baselines.features.candidate_pairs import (
    CandidateScorer,
    best_pairs,
    find_pairs,
    nearest_pairs,
    united,
)
from factlink.linkers.baselines.features.comparisons import best_names
from factlink.linkers.baselines.features.similarities import SparseCosine, VectorCosine
from factlink.types import NO_PAIRS, Pairs
from tests.linkers.pair_worlds import network

LEFT = network("left", {"name": ["amy tan", "des ng", "nicole wu", None]})
RIGHT = network("right", {"handle": ["amytan", "amytan8", "desng", "wu nicole", "amy t"]})


def pairs(*of: tuple[int, int]) -> Pairs:
    ends = np.array(of, np.int64).reshape(-1, 2)
    return Pairs(ends[:, 0], ends[:, 1])


def as_set(some: Pairs) -> set[tuple[int, int]]:
    return set(zip(some.lefts.tolist(), some.rights.tolist(), strict=True))


def test_union_is_ordered_and_distinct() -> None:
    both = united([pairs((1, 2), (0, 7)), pairs((0, 3), (1, 2))])
    assert (both.lefts.tolist(), both.rights.tolist()) == ([0, 0, 1], [3, 7, 2])
    assert len(united([])) == 0


def test_places_of_pairs() -> None:
    some = united([pairs((0, 3), (0, 7), (1, 2))])
    assert find_pairs(pairs((0, 7), (1, 2), (1, 3), (5, 0)), some).tolist() == [1, 2, -1, -1]
    assert find_pairs(pairs((0, 7)), NO_PAIRS).tolist() == [-1]
    assert find_pairs(NO_PAIRS, some).tolist() == []


def test_candidates_go_both_ways() -> None:
    """Amy Tan's best is amytan; amytan8 and amy t have nobody nearer, so they come in from the other side."""
    found = as_set(nearest_pairs(best_names(LEFT, RIGHT), 1))
    assert found == {(0, 0), (0, 1), (0, 4), (1, 2), (2, 3)}


@cache
def scorer() -> CandidateScorer:
    (names,) = best_names(LEFT, RIGHT)
    scored = united([pairs((0, 4), (0, 2), (2, 0))])
    return CandidateScorer(LEFT, RIGHT, scored, np.array([-3.0, 5.0, 1.0], np.float32), names.scorer)


def test_what_was_not_scored_comes_after_in_the_order_of_names() -> None:
    order = np.argsort(-scorer().scores(np.array([0]))[0], kind="stable")
    assert order.tolist()[:2] == [4, 2]  # 5.0 and −3.0, the lowest of all scores
    assert order.tolist()[2:4] == [0, 1]  # amytan, amytan8


def test_short_cut_agrees_with_all_scores() -> None:
    """Right users that share no 3-gram with anyone tie at the end, and the short cut does not list them."""
    for k in (1, 2, 3):
        whole = best_of_block(scorer().scores(np.arange(3)), k)
        quick = scorer().candidates(k)
        listed = quick.rights[:3] >= 0
        assert listed[:, 0].all()
        np.testing.assert_array_equal(quick.rights[:3][listed], whole.rights[listed])
        np.testing.assert_allclose(quick.scores[:3][listed], whole.scores[listed], atol=1e-5)


def test_rows_may_repeat_and_come_in_any_order() -> None:
    whole = scorer().scores(np.arange(4))
    np.testing.assert_array_equal(scorer().scores(np.array([2, 0, 2])), whole[[2, 0, 2]])


def test_who_has_no_name_and_no_scored_pair_is_not_scored() -> None:
    assert np.isneginf(scorer().scores(np.array([3]))).all()
    assert scorer().candidates(2).rights[3].tolist() == [-1, -1]


def test_best_pairs_by_hand() -> None:
    best = best_pairs(pairs((0, 1), (0, 2), (2, 0), (0, 5)), np.array([1, 3, 2, 3], np.float32), 3, 2)
    assert best.rights.tolist() == [[2, 5], [-1, -1], [0, -1]]
    assert best.scores[0].tolist() == [3, 3]


def test_products_of_listed_rows() -> None:
    from scipy.sparse import random_array

    rng = np.random.default_rng(0)
    left, right = (random_array((6, 9), density=0.5, rng=rng, dtype=np.float32, format="csr") for _ in range(2))
    lefts, rights = np.array([0, 5, 3]), np.array([2, 2, 1])
    expected = [pytest.approx((left @ right.T).toarray()[i, j], abs=1e-6) for i, j in zip(lefts, rights, strict=True)]
    assert sparse_products(left, right, lefts, rights).tolist() == expected
    assert vector_products(left.toarray(), right.toarray(), lefts, rights).tolist() == expected
    assert SparseCosine(left, right).turned().of_pairs(rights, lefts).tolist() == expected
    assert VectorCosine(left.toarray(), right.toarray()).turned().of_pairs(rights, lefts).tolist() == expected
