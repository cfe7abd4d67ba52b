"""Lists of n-grams find what comparing with all finds, also for users who were added later."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from factlink.encoders.ngrams.owned_rows import OwnedRows
from factlink.linkers.factoid.adding.new_users import AskedNames
from factlink.serve.warm import nearest
from factlink.serve.warm.nearest import ALL, Lists, forget_others, open_nearest

USERS = csr_matrix(
    np.array(
        [
            [0.6, 0.8, 0.0, 0.0, 0.0],
            [0.0, 0.8, 0.6, 0.0, 0.0],
            [0.0, 0.8, 0.0, 0.6, 0.0],
            [0.0, 1.0, 0.0, 0.0, 0.0],
        ],
        np.float32,
    )
)


def test_lists_say_who_has_an_n_gram() -> None:
    lists = Lists.of(USERS, 3)
    assert lists.buckets.tolist() == [0, 2, 3]  # four users have the n-gram 1
    assert lists.starts.tolist() == [0, 1, 2, 3]
    assert lists.rows.tolist() == [0, 1, 2]
    assert np.allclose(lists.values, [0.6, 0.6, 0.6])


def test_the_shortest_lists_are_read_until_the_budget_is_spent() -> None:
    lists = Lists.of(USERS, 4)
    asked = np.array([1, 2]), np.array([0.8, 0.6], np.float32)
    users, sums = lists.nearest(asked, 10, 5)
    assert users.tolist() == [1, 3, 0, 2]
    assert np.allclose(sums, [1.0, 0.8, 0.64, 0.64])
    assert lists.nearest(asked, 2, 5)[0].tolist() == [1, 3]
    users, sums = lists.nearest(asked, 10, 4)  # the list of n-gram 1 would need one more
    assert users.tolist() == [1]
    assert np.allclose(sums, [0.36])


def test_n_grams_that_nobody_has_find_nobody() -> None:
    users, sums = Lists.of(USERS, 4).nearest((np.array([4]), np.ones(1, np.float32)), 10, 100)
    assert users.tolist() == []
    assert sums.tolist() == []


def random_rows(n: int, seed: int) -> csr_matrix:
    """Unit rows of six n-grams; small numbers are common ones."""
    rng = np.random.default_rng(seed)
    dense = np.zeros((n, 400), np.float32)
    for row in range(n):
        dense[row, np.minimum(399, rng.exponential(60, 6)).astype(int)] = 1
    return csr_matrix(dense / np.linalg.norm(dense, axis=1, keepdims=True))


def asked_names(rows: csr_matrix, vectors: np.ndarray[Any, np.dtype[np.float32]]) -> AskedNames:
    n = rows.shape[0]
    owned = OwnedRows(rows, np.arange(rows.shape[1]), np.arange(n), np.arange(n + 1))
    return AskedNames(np.arange(n), owned, np.ones(n, np.float32), vectors)


def test_lists_find_nearly_all_and_are_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearest, "FEW", 100)
    stored, others = random_rows(2_000, 1), random_rows(50, 2)
    search = open_nearest(2_000, lambda: (stored, others), "k" * 64, tmp_path)
    assert search.recall >= 0.995
    note = json.loads((tmp_path / f"{'k' * 24}.lists" / "lists.json").read_text())
    assert note == {"budget": search.budget, "recall": search.recall}
    first, later = np.zeros((2_000, 1), np.float16), np.array([[0.5], [-0.5]], np.float16)
    found = search(asked_names(others, np.ones((50, 1), np.float32)), [first, later], 10)
    products = (others @ stored.T).toarray()
    for place in range(50):
        least = np.sort(products[place])[-10]
        met = found.rights[place, :10]
        assert (products[place, met[met >= 0]] >= least - 1e-6).mean() >= 0.8
        assert np.isclose(found.scores[place, 0], products[place].max())
    assert found.rights[:, 10].tolist() == [2_000] * 50  # the nearest of those who came later
    assert open_nearest(2_000, lambda: pytest.fail("they are there"), "k" * 64, tmp_path).recall == search.recall


def test_few_users_are_all_compared(tmp_path: Path) -> None:
    assert open_nearest(50, lambda: pytest.fail("nothing is made"), "key", tmp_path) is ALL
    assert list(tmp_path.iterdir()) == []


def test_lists_of_earlier_runs_are_removed(tmp_path: Path) -> None:
    for name in ("a" * 24, "b" * 24):
        (tmp_path / f"{name}.lists").mkdir()
    forget_others(tmp_path, ["a" * 64, "c" * 64])
    assert [place.name for place in tmp_path.iterdir()] == [f"{'a' * 24}.lists"]
