import numpy as np

from factlink.ranks import middle_ranks


def test_ties_take_the_middle_rank() -> None:
    scores = np.array([[0.5, 0.5, 0.5, 0.1], [0.5, 0.5, 0.9, 0.1]], np.float32)
    assert middle_ranks(scores, np.array([0, 1])).tolist() == [2.0, 2.5]


def test_nan_ranks_last_beside_what_was_never_scored() -> None:
    scores = np.array([[np.nan, 0.1, 0.2, -np.inf]], np.float32)
    assert middle_ranks(scores, np.array([0])).tolist() == [3.5]
    assert middle_ranks(scores, np.array([1])).tolist() == [2.0]


def test_only_free_columns_count() -> None:
    scores = np.array([[0.3, 0.9, 0.3, 0.5]], np.float32)
    free = np.array([True, False, True, True])
    assert middle_ranks(scores, np.array([0]), free).tolist() == [2.5]
    assert middle_ranks(scores, np.array([1]), free).tolist() == [1.0]
