"""Calibration on known pairs that are held out."""

import numpy as np
import polars as pl
import pytest

from factlink.decision.calibration import calibrate
from factlink.decision.platt import PlattScaling
from factlink.protocols import Scorer
from factlink.types import Floats, Ints, Network, Pairs


class Diagonal(Scorer):
    """Scores of two networks whose users are each other's in their order."""

    def __init__(self, left: Network, right: Network) -> None:
        self.left, self.right = left, right

    def scores(self, rows: Ints) -> Floats:
        return np.eye(len(self.left), dtype=np.float32)[rows]


def network(name: str, n: int) -> Network:
    return Network(name, pl.Series([f"{name}{row}" for row in range(n)]), {}, {})


@pytest.mark.parametrize(("n_known", "fits"), [(99, []), (100, [50])])
def test_fewer_than_a_hundred_known_users_are_not_held_out(n_known: int, fits: list[int]) -> None:
    given: list[int] = []

    def fit(left: Network, right: Network, known: Pairs) -> Scorer:
        given.append(len(known.lefts))
        return Diagonal(left, right)

    rows = np.arange(n_known)
    found = calibrate(fit, Diagonal(network("a", 120), network("b", 120)), Pairs(rows, rows), one_to_one=True)
    assert given == fits
    assert (found == PlattScaling()) == (not fits)
