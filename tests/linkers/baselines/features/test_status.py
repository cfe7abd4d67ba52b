"""PageRank and classes on graphs small enough to solve by hand."""

import numpy as np
import pytest

from factlink.linkers.baselines.features.friends import degrees_of, friends_of
from factlink.linkers.baselines.features.status import Status, compare_status, page_rank, status_of
from tests.linkers.pair_worlds import network

STAR = network("star", {"name": [f"user {i}" for i in range(5)]}, np.array([[0, 1], [0, 2], [3, 0], [0, 3]]))


def test_friends_are_linked_either_way_once_and_never_to_themselves() -> None:
    looped = network("n", {"name": ["a", "b", "c"]}, np.array([[0, 1], [1, 0], [2, 2]]))
    assert friends_of(looped).toarray().tolist() == [[0, 1, 0], [1, 0, 0], [0, 0, 0]]
    assert degrees_of(friends_of(looped)).tolist() == [1, 1, 0]


def test_a_network_without_links_has_no_friends() -> None:
    assert friends_of(network("n", {"name": ["a", "b"]})).nnz == 0


def test_page_rank_of_a_star_with_a_loner_by_hand() -> None:
    """Hub h, leaves l, loner a: h = c + .85·3l, l = c + .85·h/3, a = c, where c = .03 + .85·a/5."""
    ranks = page_rank(friends_of(STAR))
    base = 0.03 / (1 - 0.17)
    hub = base * (1 + 0.85 * 3) / (1 - 0.85**2)
    assert ranks.tolist() == pytest.approx([hub, *3 * [base + 0.85 * hub / 3], base], abs=1e-3)
    assert ranks.sum() == pytest.approx(1)


def test_users_that_tie_share_their_percentile() -> None:
    status = status_of(STAR)
    assert status.percentiles.tolist() == pytest.approx([0.2, 0.6, 0.6, 0.6, 1.0])
    assert status.classes.tolist() == [2, 2, 2, 2, 2]


def test_the_best_connected_hundredth_leads() -> None:
    ends = np.array([[i, j] for i in range(20) for j in range(i + 1, 200) if j % (i + 1) == 0])
    status = status_of(network("n", {"name": [str(i) for i in range(200)]}, ends))
    assert np.bincount(status.classes).tolist() == [2, 18, 180]
    assert status.classes[0] == 0


def test_columns_compare_two_users_by_hand() -> None:
    left = Status(np.array([1.0], np.float32), np.array([0.005], np.float32), np.array([0]))
    right = Status(np.array([1.0, np.e], np.float32), np.array([0.5, 0.005], np.float32), np.array([2, 0]))
    columns = compare_status(left, right)
    assert np.stack(columns, axis=1).tolist() == [
        pytest.approx([0, 0, 0, 1, 0.505, 1.0], abs=1e-6),
        pytest.approx([1, 1, 0, 0, 1.0, 0.9], abs=1e-6),
    ]
