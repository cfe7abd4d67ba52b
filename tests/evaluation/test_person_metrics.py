import numpy as np
import pytest

from factlink.evaluation.person_metrics import evaluate_persons


def test_by_hand() -> None:
    """Found {0, 1, 2}, {3}, {4}; true {0, 1}, {2, 3}, {4}."""
    metrics = evaluate_persons(np.array([0, 0, 0, 1, 2]), np.array([7, 7, 8, 8, 9]))
    assert (metrics.precision, metrics.recall) == pytest.approx((1 / 3, 1 / 2))
    assert metrics.f1 == pytest.approx(0.4)
    assert metrics.bcubed_precision == pytest.approx((2 / 3 + 2 / 3 + 1 / 3 + 1 + 1) / 5)
    assert metrics.bcubed_recall == pytest.approx((1 + 1 + 0.5 + 0.5 + 1) / 5)


def test_all_right() -> None:
    metrics = evaluate_persons(np.array([3, 3, 1]), np.array([0, 0, 5]))
    assert (metrics.f1, metrics.bcubed_f1, metrics.accounts) == (1, 1, 3)


def test_nobody_together() -> None:
    metrics = evaluate_persons(np.array([0, 1]), np.array([0, 0]))
    assert (metrics.precision, metrics.recall, metrics.f1, metrics.bcubed_recall) == (0, 0, 0, 0.5)
