import numpy as np
import pytest
from numpy.testing import assert_array_equal

from factlink.candidates import top_k
from factlink.candidates.heaps import keep_row_best
from factlink.candidates.top_k import nearest_both_ways
from factlink.types import Floats


def brute_force(left: Floats, right: Floats, k: int) -> set[tuple[int, int]]:
    scores = left @ right.T
    by_left = {(i, j) for i in range(len(left)) for j in np.argsort(-scores[i])[:k]}
    by_right = {(i, j) for j in range(len(right)) for i in np.argsort(-scores[:, j])[:k]}
    return by_left | by_right


def test_nearest_of_both_sides_agree_with_brute_force(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(top_k, "BLOCK_ENTRIES", 700)
    rng = np.random.default_rng(0)
    left, right = rng.standard_normal((40, 8)).astype(np.float32), rng.standard_normal((300, 8)).astype(np.float32)
    lefts, rights = nearest_both_ways(left, right, 5)
    assert {(int(i), int(j)) for i, j in zip(lefts, rights, strict=True)} == brute_force(left, right, 5)


def test_fewer_users_than_asked_for() -> None:
    left, right = np.eye(2, 3, dtype=np.float32), np.eye(3, dtype=np.float32)
    lefts, rights = nearest_both_ways(left, right, 10)
    assert_array_equal(np.unique(lefts * 3 + rights), np.arange(6))


def test_an_empty_side_has_no_pairs() -> None:
    lefts, rights = nearest_both_ways(np.empty((0, 3), np.float32), np.eye(3, dtype=np.float32), 2)
    assert len(lefts) == len(rights) == 0


def test_of_equal_scores_the_first_are_kept() -> None:
    assert sorted(keep_row_best(np.ones((1, 5), np.float32), 2)[0].tolist()) == [0, 1]
