"""Lists of vectors find what comparing with all finds, also for users who were added later."""

from pathlib import Path

import numpy as np
import pytest

from factlink.candidates.top_k import nearest_stored
from factlink.serve.warm import nearest
from factlink.serve.warm.nearest import ALL, open_nearest


def unit(n: int, seed: int) -> np.ndarray[tuple[int, int], np.dtype[np.float16]]:
    """Vectors around a few centres, as names are."""
    rng = np.random.default_rng(seed)
    centres = np.random.default_rng(0).normal(size=(20, 32))
    found = centres[rng.integers(0, 20, n)] + 0.3 * rng.normal(size=(n, 32))
    return (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float16)


def test_few_vectors_are_all_compared(tmp_path: Path) -> None:
    assert open_nearest(unit(50, 1), unit(50, 2), "key", tmp_path) is ALL
    assert list(tmp_path.iterdir()) == []


def test_lists_find_nearly_all_and_are_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearest, "FEW", 100)
    stored, others, later = unit(2_000, 1), unit(500, 2), unit(40, 3)
    search = open_nearest(stored, others, "k" * 64, tmp_path)
    assert search.recall >= 0.995
    asked = others[:50].astype(np.float32)
    found, wanted = search(asked, [stored, later], 10), nearest_stored(asked, [stored, later], 10)
    same = np.mean([len(np.intersect1d(a, b)) / 10 for a, b in zip(found.rights, wanted.rights, strict=True)])
    assert same >= 0.99
    assert np.allclose(found.scores[:, 0], wanted.scores[:, 0], atol=1e-3)
    monkeypatch.setattr(nearest, "_make_lists", lambda *given: pytest.fail("they are there"))
    assert open_nearest(stored, others, "k" * 64, tmp_path).recall == search.recall
