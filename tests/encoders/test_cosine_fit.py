"""The fit of vectors to similarities, and Jaro-Winkler under it."""

import numba
import numpy as np
import polars as pl
import pytest

from factlink.encoders.cosine_fit import Similarities, fit_cosines
from factlink.encoders.jaro_winkler import JaroWinklerEncoder, jaro_winkler, spelling
from factlink.errors import SettingError


def some_similarities(n: int = 60) -> Similarities:
    """A fifth of the cosines of hidden vectors."""
    rng = np.random.default_rng(1)
    hidden = rng.standard_normal((n, 8)).astype(np.float32)
    hidden /= np.linalg.norm(hidden, axis=1, keepdims=True)
    lefts, rights = np.triu_indices(n, 1)
    kept = rng.random(len(lefts)) < 0.2
    lefts, rights = lefts[kept], rights[kept]
    return Similarities(n, lefts, rights, (hidden[lefts] * hidden[rights]).sum(1))


def test_cosines_come_back() -> None:
    given = some_similarities()
    vectors = fit_cosines(given, dim=128, passes=200)
    fitted = (vectors[given.lefts] * vectors[given.rights]).sum(1)
    assert np.abs(fitted - given.values).max() < 0.05
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_one_pair_by_hand() -> None:
    pair = Similarities(2, np.array([0]), np.array([1]), np.array([0.25], np.float32))
    vectors = fit_cosines(pair, dim=8, passes=100)
    assert vectors[0] @ vectors[1] == pytest.approx(0.25, abs=1e-3)


def test_more_passes_fit_better() -> None:
    given = some_similarities()
    errors = []
    for passes in (1, 5, 25):
        vectors = fit_cosines(given, dim=64, passes=passes)
        errors.append(float(np.square((vectors[given.lefts] * vectors[given.rights]).sum(1) - given.values).sum()))
    assert errors[0] > errors[1] > errors[2]


def test_same_bytes_with_one_and_two_threads() -> None:
    if numba.config.NUMBA_NUM_THREADS < 2:
        pytest.skip("one core only")
    fits = []
    for n_threads in (1, 2):
        numba.set_num_threads(n_threads)
        fits.append(fit_cosines(some_similarities(), dim=64, passes=3).tobytes())
    numba.set_num_threads(numba.config.NUMBA_NUM_THREADS)
    assert fits[0] == fits[1]


def test_jaro_winkler_by_hand() -> None:
    """MARTHA and MARHTA: Jaro 17/18, three letters of common prefix: .9611 (Winkler 1990)."""
    values = jaro_winkler(pl.Series(["martha", "marhta", "xyz"]), np.array([0, 0]), np.array([1, 2]))
    assert values.tolist() == pytest.approx([2 * 0.96111 - 1, -1], abs=1e-4)


def test_spelling_keeps_letters_and_digits() -> None:
    assert spelling(["Li.Xiao_long", "李小龙", "Ann-Marie 5", "!"]).to_list() == [
        "lixiaolong",
        "lixiaolong",
        "annmarie5",
        "",
    ]


def test_vectors_rank_like_jaro_winkler() -> None:
    names = ["martha", "marhta", "jonathan", "johnathan", "katherine", "catherine", "bob", "bobby", "priscilla", "zed"]
    vectors = JaroWinklerEncoder(passes=100).encode(names)
    cosines = vectors @ vectors.T
    np.fill_diagonal(cosines, -2)
    assert cosines.argmax(1)[:8].tolist() == [1, 0, 3, 2, 5, 4, 7, 6]
    assert cosines[0, 1] == pytest.approx(2 * 0.96111 - 1, abs=0.1)


def test_blocked_names_drawn_at_random_are_held_apart() -> None:
    rng = np.random.default_rng(2)
    names = pl.Series(["smi" + "".join(rng.choice(list("abcdefghij"), 7)) for _ in range(200)]).unique().sort()
    lefts, rights = np.triu_indices(len(names), 1)  # all share "smi"
    true = jaro_winkler(names, lefts, rights)
    errors = {}
    for drawn in (0, 50):
        vectors = JaroWinklerEncoder(dim=128, neighbours=5, apart=0, drawn=drawn, passes=30).encode(names)
        errors[drawn] = float(np.abs((vectors[lefts] * vectors[rights]).sum(1) - true).mean())
    assert errors[50] < 0.9 * errors[0]


def test_settings_are_checked_at_birth() -> None:
    with pytest.raises(SettingError, match="neighbours and passes 1, apart and drawn 0"):
        JaroWinklerEncoder(passes=0)
