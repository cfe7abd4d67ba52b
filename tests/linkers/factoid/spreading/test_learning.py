"""Ridge regression, letters as written, and names learned from pairs."""

import numpy as np
import polars as pl
from numpy.testing import assert_allclose
from scipy.sparse import csr_matrix

from factlink.embedding.ridge import ridge, times
from factlink.linkers.factoid.adding.spreading import expected_names, pick_rows
from factlink.linkers.factoid.learned.learned_names import NameLearner
from factlink.linkers.factoid.learned.raw_grams import RawGrams, count_raw_grams, learn_raw_grams
from factlink.linkers.factoid.state.state import LearnedNameState
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


def learned(names: list[str]) -> tuple[RawGrams, csr_matrix]:
    counts = count_raw_grams(named(names), {"name": 1.0})
    grams = learn_raw_grams(counts)
    return grams, grams.rows(counts)


def test_names_are_compared_as_they_are_written() -> None:
    _, rows = learned(["カール", "カーター", "Karl"])
    products = (rows @ rows.T).toarray()
    assert products[0, 1] > 0
    assert products[0, 2] == 0
    assert_allclose(np.diag(products)[:2], [1, 1], rtol=1e-5)


def test_a_run_of_letters_that_one_user_alone_has_counts_nothing() -> None:
    """Two users share `a` and `a` at the beginning; all have a beginning and an end, which say nothing."""
    _, rows = learned(["aa", "ab", "xx"])
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
    learner = NameLearner(*learned(names), vectors, 0)
    expected = learner.learn(Pairs(np.arange(33), np.arange(33))).expected
    assert expected.shape == (33, 16)
    cosines = expected @ vectors.T
    assert (cosines[:32].argmax(axis=1) % 16 == np.arange(32) % 16).mean() > 0.9
    assert cosines[32, 32] < 0.5


def test_a_lesson_says_what_the_right_name_of_a_further_user_looks_like() -> None:
    """Every user who was not taught is expected to have what the kept lesson says; unknown letters say nothing."""
    vectors = unit_rows(np.random.default_rng(1).normal(size=(8, 16)).astype(np.float32))
    names = ["ab cd", "ab ef", "gh cd", "gh ef", "ab cd", "gh ef", "ab ef", "gh cd"]
    learner = NameLearner(*learned(names), vectors, 0)
    lesson = learner.learn(Pairs(np.arange(4), np.arange(4)))
    kept = LearnedNameState(0.5, lesson.grams, lesson.lesson.astype(np.float16), [])
    again = expected_names(kept, named(["ab cd", "gh ef", "zz"]), {"name": 1.0})
    assert_allclose(again[:2], lesson.expected[4:6], atol=5e-3)
    assert_allclose(again[2], np.zeros(16))


def test_rows_are_picked_from_consecutive_arrays() -> None:
    stored = [np.arange(6, dtype=np.float16).reshape(3, 2), np.array([[7, 8]], np.float16)]
    assert pick_rows(stored, np.array([3, 0, 2])).tolist() == [[7, 8], [0, 1], [4, 5]]
