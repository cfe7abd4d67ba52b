from dataclasses import dataclass

import numpy as np
import polars as pl
import pytest
from numpy.testing import assert_allclose

from factlink.canonical.networks import reorder
from factlink.decision.likelihoods import estimate_false_rate, estimate_likelihoods, find_threshold, rescale
from factlink.errors import SettingError
from factlink.protocols import Scorer
from factlink.types import Candidates, Floats, Ints, Network

PLAIN = Network("plain", pl.Series(["a", "b"]), {}, {})
TWINS = reorder(PLAIN, np.arange(2), np.array([True, True]))


@dataclass(frozen=True)
class Same(Scorer):
    left: Network
    right: Network

    def scores(self, rows: Ints) -> Floats:
        return np.eye(2, dtype=np.float32)[rows]


@pytest.mark.parametrize(("left", "right"), [(PLAIN, TWINS), (TWINS, PLAIN), (PLAIN, PLAIN)])
def test_who_is_alike_is_only_known_of_two_networks_in_canonical_order(left: Network, right: Network) -> None:
    assert estimate_likelihoods(Same(left, right)).alike is None
    known = estimate_likelihoods(Same(TWINS, TWINS)).alike
    assert known is not None
    assert [side.tolist() for side in known] == [[True, True]] * 2


def test_the_threshold_is_as_low_as_the_rate_allows() -> None:
    probabilities = np.array([0.99, 0.95, 0.8, 0.5, 0.1], np.float32)
    # mean of 1 − p: .01, .03, .087, .19, .332
    assert_allclose(find_threshold(probabilities, 0.9), 0.8, rtol=1e-6)
    assert_allclose(find_threshold(probabilities, 0.98), 0.99, rtol=1e-6)
    assert_allclose(find_threshold(probabilities, 0.6), 0.1, rtol=1e-6)


def test_no_link_is_sure_enough() -> None:
    assert find_threshold(np.array([0.5, 0.4], np.float32), 0.9) == 2
    assert find_threshold(np.empty(0, np.float32), 0.9) == 2


@pytest.mark.parametrize("precision", [0, 1, 90])
def test_a_precision_is_a_share(precision: float) -> None:
    with pytest.raises(SettingError, match="between 0 and 1"):
        find_threshold(np.array([0.5], np.float32), precision)


def test_the_false_rate_is_the_mean_doubt() -> None:
    assert_allclose(estimate_false_rate(np.array([0.9, 0.7], np.float32)), 0.2, rtol=1e-6)
    assert estimate_false_rate(np.empty(0, np.float32)) == 0


def test_scores_of_any_range_become_like_cosines() -> None:
    scores = np.array([[100, 20, 10], [100, 30, 20]], np.float32)
    candidates = Candidates(np.array([[0, 1, 2]] * 2), scores)
    assert_allclose(rescale(scores.ravel(), candidates)[[0, 3]], [0.9, 0.9], rtol=1e-5)
    assert_allclose(rescale(np.array([25], np.float32), candidates), [0.25], atol=1e-5)
    assert len(rescale(np.empty(0, np.float32), candidates)) == 0


def test_scores_of_a_small_range_are_spread_as_much() -> None:
    scores = np.array([[0.64, 0.4], [0.62, 0.38], [0.6, 0.36]], np.float32)  # the median is .5, the top tenth .636
    candidates = Candidates(np.array([[0, 1]] * 3), scores)
    found = rescale(scores.ravel(), candidates)
    assert_allclose(found[[2, 4]], [0.25 + 0.65 * 0.12 / 0.136, 0.25 + 0.65 * 0.1 / 0.136], rtol=1e-4)
    nobody = Candidates(np.array([[0, 1], [0, 1], [-1, -1]]), np.array([[0.6, 0.4], [0.6, 0.4], [9, 9]], np.float32))
    assert_allclose(rescale(np.array([0.4, 0.6], np.float32), nobody), [0.25 - 0.65, 0.9], rtol=1e-4)
