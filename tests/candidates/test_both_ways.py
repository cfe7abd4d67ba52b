"""The nearest of both directions from one pass, by hand and against the whole table."""

import numpy as np
import pytest

from factlink.candidates import both_ways
from factlink.candidates.both_ways import nearest_each_way
from factlink.types import Ints


def test_both_directions_by_hand() -> None:
    scores = np.array([[0.1, 0.9, 0.9], [0.5, 0.2, 0.3]], np.float32)
    forth, back = nearest_each_way(lambda rows: scores[rows], 2, 3, 2)
    assert forth.rights.tolist() == [[1, 2], [0, 2]]  # of equal scores the first
    assert forth.scores.tolist() == scores[[[0], [1]], [[1, 2], [0, 2]]].tolist()
    assert back.rights.tolist() == [[1, 0], [0, 1], [0, 1]]


def test_blocks_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = np.random.default_rng(3).integers(0, 5, (30, 20)).astype(np.float32)  # with many ties

    def rows_at_a_time(n_rows: int, n_columns: int) -> list[Ints]:
        return [np.arange(first, min(first + 7, n_rows)) for first in range(0, n_rows, 7)]

    monkeypatch.setattr(both_ways, "blocks", rows_at_a_time)
    forth, back = nearest_each_way(lambda rows: scores[rows], 30, 20, 6)
    for near, table in ((forth, scores), (back, scores.T)):
        order = np.lexsort((np.broadcast_to(np.arange(table.shape[1]), table.shape), -table), axis=1)[:, :6]
        assert near.rights.tolist() == order.tolist()
        assert near.scores.tolist() == np.take_along_axis(table, order, axis=1).tolist()
