import numpy as np
import polars as pl
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from factlink.errors import SettingError
from factlink.evaluation.open_world import calibration_error, hide_partners, keep_users
from factlink.types import Attribute, Follows, Kind, Network, Pairs


def population(n: int) -> Network:
    names = Attribute(Kind.NAME, np.arange(n), pl.Series([f"name {i}" for i in range(n)]))
    ring = Follows(np.arange(n), np.roll(np.arange(n), 1), np.ones(n, np.float32))
    return Network("people", pl.Series([f"u{i}" for i in range(n)]), {"name": names}, {"follows": ring})


def test_kept_users_keep_their_objects_and_the_links_among_them() -> None:
    kept = keep_users(population(4), np.array([True, False, True, True]))
    assert kept.users.to_list() == ["u0", "u2", "u3"]
    assert kept.attributes["name"].objects.to_list() == ["name 0", "name 2", "name 3"]
    assert_array_equal(kept.attributes["name"].rows, [0, 1, 2])
    assert_array_equal(kept.links["follows"].followers, [0, 2])
    assert_array_equal(kept.links["follows"].followees, [2, 1])


def test_hiding_takes_the_share_and_the_rest_still_match() -> None:
    left, right = population(10), population(12)
    world = hide_partners(left, right, Pairs(np.arange(10), np.arange(10)), share=0.7, seed=1)
    assert len(world.right) == 5
    assert len(world.truth) == 3
    assert len(world.hidden) == 7
    assert world.right.users.gather(world.truth.rights).to_list() == left.users.gather(world.truth.lefts).to_list()
    assert not set(world.hidden) & set(world.truth.lefts)


def test_a_person_with_an_account_left_is_not_hidden() -> None:
    truth = Pairs(np.array([0, 0, 1]), np.array([0, 1, 2]))
    worlds = [hide_partners(population(2), population(3), truth, share=0.34, seed=seed) for seed in range(6)]
    assert {tuple(world.hidden) for world in worlds} == {(), (1,)}


def test_a_share_of_everything_is_refused() -> None:
    with pytest.raises(SettingError, match=r"share is 1\.0"):
        hide_partners(population(2), population(2), Pairs(np.array([0]), np.array([0])), share=1.0)


def test_calibration_error_by_hand() -> None:
    probabilities = np.array([0.95, 0.95, 0.15, 1.0])
    # the upper bin promises 2.9 and holds 2; the lower promises .15 and holds 0
    assert_allclose(calibration_error(probabilities, np.array([True, True, False, False])), (0.9 + 0.15) / 4)
