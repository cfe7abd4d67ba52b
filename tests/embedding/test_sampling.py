import numpy as np
import pytest

from factlink.embedding.objectives import Objective
from factlink.embedding.sampling import Draw, Noise, batches_per_pass, draw_order, generator, noise_of, take_batch
from factlink.embedding.settings import NegativeSampling

NONE = np.zeros(10, np.int32)


def links(degrees: list[float]) -> Objective:
    return Objective("follows", NONE, NONE, np.ones(10, np.float32), None, np.array(degrees, np.float32))


def test_the_same_counters_give_the_same_numbers() -> None:
    first, again, other = (generator(7, Draw.NEGATIVES, 1, i).random(5).tolist() for i in (3, 3, 4))
    assert first == again
    assert first != other


def test_a_pass_takes_every_factoid_once() -> None:
    order = draw_order(103, seed=0, place=1, pass_=2)
    taken = np.concatenate([take_batch(order, number, 10) for number in range(10)])
    assert sorted(taken.tolist()) == list(range(103))
    assert {len(take_batch(order, number, 10)) for number in range(10)} == {10, 11}


def test_the_largest_predicate_decides_how_many_batches_there_are() -> None:
    assert batches_per_pass([links([1.0])], batch=3) == 4


def test_every_factoid_has_its_own_fakes_or_all_share_a_pool() -> None:
    random = np.random.default_rng(0)
    assert Noise(50, None, np.zeros(1, np.int64), NegativeSampling(count=3, pool=0)).draw(8, random).shape == (8, 3)
    assert Noise(50, None, np.zeros(1, np.int64), NegativeSampling(count=3, pool=20)).draw(8, random).shape == (20,)


def test_fakes_of_links_follow_the_degree_to_three_quarters() -> None:
    noise = noise_of(links([16.0, 0.0, 1.0, 81.0]), 4, NegativeSampling(count=1, pool=0))
    drawn = noise.draw(36_000, np.random.default_rng(0)).ravel()
    assert np.bincount(drawn, minlength=4) == pytest.approx([8000, 0, 1000, 27000], rel=0.06)


def test_fakes_of_attributes_are_uniform() -> None:
    objective = Objective("name", NONE, NONE, np.ones(10, np.float32), np.ones((1, 2), np.float32), None)
    drawn = noise_of(objective, 4, NegativeSampling(count=1, pool=0)).draw(40_000, np.random.default_rng(0)).ravel()
    assert np.bincount(drawn, minlength=4) == pytest.approx([10_000] * 4, rel=0.05)


def test_fakes_are_found_as_by_bisection() -> None:
    degrees = np.array([0, 5, 0, 0, 1, 100, 0, 2, 0], np.float64)
    drawn = noise_of(links(degrees.tolist()), 9, NegativeSampling(count=4, pool=0)).draw(500, np.random.default_rng(1))
    shares = np.cumsum(degrees**0.75)
    shares /= shares[-1]
    assert drawn.ravel().tolist() == np.searchsorted(shares, np.random.default_rng(1).random(2000), "right").tolist()


def test_a_fixed_pool_is_drawn_without_repetition_from_those_who_follow() -> None:
    noise = noise_of(links([16.0, 0.0, 1.0, 81.0]), 4, NegativeSampling(count=2, pool=256, fixed=True))
    assert sorted(noise.draw(8, np.random.default_rng(0)).tolist()) == [0, 2, 3]
