"""Maps between spaces: closed form by hand, gradients against differences, and what they can learn."""

import numpy as np
import pytest

from factlink.linkers.baselines.latent.vector_maps import _slopes, _through, linear_map, network_map
from factlink.types import Floats


def points(n: int, dim: int, seed: int = 0) -> Floats:
    return np.random.default_rng(seed).normal(size=(n, dim)).astype(np.float32)


def test_a_linear_map_by_hand() -> None:
    carry = linear_map(np.array([[2.0]], np.float32), np.array([[6.0]], np.float32), penalty=2.0)
    assert carry(np.array([[1.0]], np.float32)).tolist() == [[2.0]]  # 2·6 / (2·2 + 2)


def test_a_linear_map_finds_a_rotation() -> None:
    rotation = np.linalg.qr(points(5, 5))[0].astype(np.float32)
    seen, unseen = points(50, 5, 1), points(10, 5, 2)
    carry = linear_map(seen, seen @ rotation, penalty=1e-6)
    np.testing.assert_allclose(carry(unseen), unseen @ rotation, atol=1e-4)


def test_slopes_are_those_of_the_squared_distance() -> None:
    parameters = [points(3, 6, 0), points(1, 6, 1)[0], points(6, 3, 2), points(1, 3, 3)[0]]
    parameters = [p.astype(np.float64) for p in parameters]
    inputs, outputs = points(4, 3, 4).astype(np.float64), points(4, 3, 5).astype(np.float64)
    slopes = _slopes(parameters, inputs, outputs)
    for place, slope in enumerate(slopes):
        ends = []
        for shift in (1e-6, -1e-6):
            moved = [p.copy() for p in parameters]
            moved[place].flat[1] += shift
            ends.append(np.sum((_through(moved, inputs)[1] - outputs) ** 2) / 4)
        assert slope.flat[1] == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-4)


def test_a_network_map_learns_what_no_linear_map_can() -> None:
    seen = points(200, 2)
    bent = np.tanh(2 * seen[:, ::-1] * seen)  # products of coordinates
    carry = network_map(seen, bent, seed=0)
    straight = linear_map(seen, bent, penalty=1e-6)
    assert np.mean((carry(seen) - bent) ** 2) < 0.6 * np.mean((straight(seen) - bent) ** 2)


def test_a_network_map_is_that_of_its_seed() -> None:
    seen = points(40, 2)
    one, again, other = (network_map(seen, seen, seed)(seen).tobytes() for seed in (1, 1, 2))
    assert one == again != other
