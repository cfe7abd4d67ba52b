"""Groups of equal pictures on vectors made by hand, and against all pairs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from factlink.encoders.pictures.duplicates import picture_groups, picture_weights
from factlink.errors import InputError


def unit(vectors: np.ndarray) -> np.ndarray:  # type: ignore[type-arg]
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def population(seed: int, n: int, copies: int, noise: float) -> np.ndarray:  # type: ignore[type-arg]
    """`n` random vectors, each `copies` times with a little noise, copies n apart."""
    rng = np.random.default_rng(seed)
    vectors = unit(rng.standard_normal((n, 64)))
    return unit(np.tile(vectors, (copies, 1)) + noise / 8 * rng.standard_normal((n * copies, 64)))


def test_equal_and_nearly_equal_pictures_are_grouped() -> None:
    right = [1, 0, 0]
    vectors = unit(np.array([right, [0, 1, 0], right, [0.99, 0.05, 0], [0, 0.9, 0.9]]))
    groups = picture_groups(vectors)
    assert groups[0] == groups[2] == groups[3]
    assert len({groups[0], groups[1], groups[4]}) == 3


def test_no_picture_is_in_no_group() -> None:
    assert picture_groups(np.array([[0, 0], [1, 0], [0, 0]], np.float32)).tolist()[::2] == [-1, -1]
    assert picture_groups(np.empty((0, 8), np.float32)).shape == (0,)


def test_noisy_copies_are_found_and_non_matches_are_not() -> None:
    groups = picture_groups(population(0, 400, 2, 0.2))
    assert (groups[:400] == groups[400:]).mean() > 0.98
    assert len(np.unique(groups[:400])) == 400


def test_a_thousand_noisy_copies_of_one_picture_are_one_group() -> None:
    assert len(np.unique(picture_groups(population(1, 1, 1000, 0.2)))) == 1


@settings(max_examples=15, deadline=None)
@given(st.permutations(range(30)))
def test_the_order_of_pictures_does_not_matter(order: list[int]) -> None:
    vectors = population(2, 10, 3, 0.3)
    plain, shuffled = picture_groups(vectors), picture_groups(vectors[order])
    assert ((plain[order][:, None] == plain[order]) == (shuffled[:, None] == shuffled)).all()


def test_groups_agree_with_all_pairs() -> None:
    vectors = population(3, 60, 2, 0.15)
    groups = picture_groups(vectors)
    alike = vectors @ vectors.T >= 0.9
    assert ((groups[:, None] == groups) == alike).all()


def test_weight_falls_with_the_number_of_holders() -> None:
    groups = np.array([0, 1, 1, 2, 3, 3, -1])
    holders = np.array([1, 1, 1, 3, 50, 51, 9])
    weights = picture_weights(groups, holders)
    assert weights.tolist() == pytest.approx([1, 1, 1, 1 / 2, 1 / 100, 1 / 100, 0])


def test_three_networks_expect_three_holders() -> None:
    assert picture_weights(np.array([0]), np.array([3]), expected=3).tolist() == [1]
    assert picture_weights(np.empty(0, np.int64), np.empty(0, np.int64)).shape == (0,)


def test_groups_and_holders_of_other_lengths_are_refused() -> None:
    with pytest.raises(InputError, match="2 groups and 1 numbers of holders"):
        picture_weights(np.array([0, 1]), np.array([1]))
