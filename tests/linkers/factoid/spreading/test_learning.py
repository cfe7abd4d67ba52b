"""Ridge regression, letters as written, and names learned from pairs."""

import numpy as np
import polars as pl
from numpy.testing import assert_allclose
from scipy.sparse import csr_matrix

from factlink.linkers.factoid.spreading.learned_names import NameLearner
from factlink.linkers.factoid.spreading.raw_grams import raw_gram_rows
from factlink.linkers.factoid.spreading.ridge import ridge, times
from factlink.types import Attribute, Kind, Network, Pairs
from factlink.vectors import unit_rows


def test_ridge_agrees_with_the_closed_form() -> None:
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(40, 6)).astype(np.float32)
    wanted = rng.normal(size=(40, 3)).astype(np.float32)
    solved = np.linalg.solve(rows.T @ rows + 2 * np.eye(6), rows.T @ wanted)
    assert_allclose(ridge(csr_matrix(rows), wanted, 2.0), solved, atol=1e-3)
    assert_allclose(times(csr_matrix(rows), wanted[:6]), rows @ wanted[:6], rtol=1e-4, atol=1e-5)


def named(names: list[str]) -> Network:
    attribute = Attribute(Kind.NAME, np.arange(len(names)), pl.Series(names))
    return Network("left", pl.Series([str(row) for row in range(len(names))]), {"name": attribute}, {})


def test_names_are_compared_as_they_are_written() -> None:
    rows = raw_gram_rows(named(["カール", "カーター", "Karl"]), {"name": 1.0})
    products = (rows @ rows.T).toarray()
    assert products[0, 1] > 0
    assert products[0, 2] == 0
    assert_allclose(np.diag(products)[:2], [1, 1], rtol=1e-5)


def test_a_run_of_letters_that_one_user_alone_has_counts_nothing() -> None:
    """Two users share `a` and `a` at the beginning; all have a beginning and an end, which say nothing."""
    rows = raw_gram_rows(named(["aa", "ab", "xx"]), {"name": 1.0})
    assert rows.shape == (3, 4)
    assert_allclose((rows @ rows.T).toarray(), [[1, 1, 0], [1, 1, 0], [0, 0, 0]], atol=0.05)


def test_words_of_another_script_are_learned_from_pairs_and_no_pair_vouches_for_itself() -> None:
    """Two words each; right names are sums of one vector for each word. The last pair is one of a kind."""
    rng = np.random.default_rng(0)
    first, last = ["あか", "あお", "しろ", "くろ"], ["やま", "かわ", "うみ", "そら"]
    ways = [(a, b) for a in range(4) for b in range(4)] * 2
    names = [f"{first[a]} {last[b]}" for a, b in ways] + ["みどり"]
    words = rng.normal(size=(9, 16)).astype(np.float32)
    vectors = unit_rows(np.stack([words[a] + words[4 + b] for a, b in ways] + [words[8]]))
    learner = NameLearner(raw_gram_rows(named(names), {"name": 1.0}), vectors, 0)
    expected = learner.predict(Pairs(np.arange(33), np.arange(33)))
    assert expected.shape == (33, 16)
    cosines = expected @ vectors.T
    assert (cosines[:32].argmax(axis=1) % 16 == np.arange(32) % 16).mean() > 0.9
    assert cosines[32, 32] < 0.5
