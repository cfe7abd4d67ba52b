"""Draws against their weights."""

import numpy as np

from factlink.embedding.walks.draws import Lots, draw, lots_of, random_below, start_of
from factlink.types import Ints


def draws(lots: Lots, n: int, seed: int = 0) -> Ints:
    state = start_of(seed)
    return np.array([draw(lots.bars, lots.others, lots.rows, state) for _ in range(n)])


def test_rows_come_as_often_as_they_weigh() -> None:
    drawn = draws(lots_of(np.array([1, 0, 2, 5], np.float32)), 4000)
    shares = np.bincount(drawn, minlength=4) / 4000
    assert shares[1] == 0
    np.testing.assert_allclose(shares, [0.125, 0, 0.25, 0.625], atol=0.03)


def test_one_row_is_always_drawn() -> None:
    assert draws(lots_of(np.array([0, 0, 3], np.float32)), 20).tolist() == [2] * 20


def test_numbers_below_a_limit_reach_every_value_and_no_other() -> None:
    state = start_of(1)
    assert {random_below(3, state) for _ in range(100)} == {0, 1, 2}


def test_a_seed_gives_its_draws_again_and_another_gives_others() -> None:
    lots = lots_of(np.ones(1000, np.float32))
    assert draws(lots, 20, seed=3).tolist() == draws(lots, 20, seed=3).tolist()
    assert draws(lots, 20, seed=3).tolist() != draws(lots, 20, seed=4).tolist()
    assert start_of(3, 0) != start_of(3, 1)
