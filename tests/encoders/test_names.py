"""Names: the right partner is the nearest, in any script; vectors keep the exact cosine."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from factlink.encoders.names import NameEncoder
from factlink.encoders.ngrams.projection import centre, project_plainly
from factlink.encoders.ngrams.rows import Grams, ngram_matrix, weigh
from factlink.errors import SettingError

VARIANTS = [
    ("李小龙", "Li Xiaolong"),
    ("王菲", "Wang Fei"),
    ("毛泽东", "Mao Zedong"),
    ("محمد صلاح", "Mohamed Salah"),
    ("نجيب محفوظ", "Naguib Mahfouz"),
    ("أم كلثوم", "Umm Kulthum"),
    ("Владимир Путин", "Vladimir Putin"),
    ("Лев Толстой", "Lev Tolstoy"),
    ("Сергей Брин", "Sergey Brin"),
    ("எம். எஸ். தோனி", "M. S. Dhoni"),
    ("விஜய்", "Vijay"),
    ("ரஜினிகாந்த்", "Rajinikanth"),
    ("김정은", "Kim Jong-un"),
    ("Ελευθέριος Βενιζέλος", "Eleftherios Venizelos"),
    ("नरेन्द्र मोदी", "Narendra Modi"),
]
PEOPLE = ["Mohamed Ali", "Vladimir Klitschko", "Jet Li", "Faye Wong", "Sergey Lavrov", "Viktor Orban", "Mahmoud Abbas"]
HANDLES = [
    ("Jonathan Smith", "jon.smith"),
    ("Alexandra Müller", "AlexMueller_"),
    ("Mike Brown", "m1ke_brown"),
    ("Brooke Taylor", "brookeeee.taylor"),
    ("Lucy McBath", "RepLucyMcBath"),
    ("Peter Parker", "parkerpeter99"),
]


def nearest(lefts: list[str], rights: list[str]) -> list[int]:
    vectors = NameEncoder().encode(lefts + rights)
    return (vectors[: len(lefts)] @ vectors[len(lefts) :].T).argmax(1).tolist()


def test_names_meet_across_scripts() -> None:
    lefts, rights = [list(side) for side in zip(*VARIANTS, strict=True)]
    assert nearest(lefts, rights + PEOPLE) == list(range(len(VARIANTS)))


def test_names_meet_handles() -> None:
    lefts, rights = [list(side) for side in zip(*HANDLES, strict=True)]
    assert nearest(lefts, rights + PEOPLE) == list(range(len(HANDLES)))


def test_a_rare_surname_beats_a_common_first_name() -> None:
    population = [f"John {name}" for name in ("Miller", "Baker", "Cooper", "Turner", "Mason", "Porter", "Fisher")]
    vectors = NameEncoder().encode(["John Zawinul", "J. Zawinul", *population])
    assert (vectors[1:] @ vectors[0]).argmax() == 0


def test_case_accents_and_punctuation_do_not_matter_much() -> None:
    vectors = NameEncoder().encode(["José García", "jose garcia", "JOSE_GARCIA", "Mary Jones", "Peter Quint", "X Y"])
    cosines = vectors[:3] @ vectors.T
    assert cosines[:, :3].min() > 0.8
    assert cosines[:, 3:].max() < 0.3


def test_vectors_keep_the_exact_cosine() -> None:
    rng = np.random.default_rng(0)
    syllables = ["ka", "ro", "min", "del", "su", "tha", "per", "lo", "vin", "gas"]
    names = [" ".join("".join(rng.choice(syllables, 3)) for _ in range(2)) for _ in range(300)]
    exact = ngram_matrix(names)
    whole = np.asarray(exact.todense())
    vectors = centre(project_plainly(weigh(names, Grams()), 4096, 0))
    expected = centre(whole.copy())
    assert np.abs(vectors @ vectors.T - expected @ expected.T).max() < 0.12


def test_ngram_matrix_has_unit_rows_without_lonely_columns() -> None:
    matrix = ngram_matrix(["anna", "anne", "bob", "bobby", "!!", *["bob"] * 200])
    squares = matrix.multiply(matrix).sum(1)
    np.testing.assert_allclose(np.asarray(squares).ravel()[:5], [1, 1, 1, 1, 0], atol=1e-5)
    assert np.bincount(matrix.indices).min() >= 2


def test_a_name_that_shares_nothing_still_has_a_row() -> None:
    matrix = ngram_matrix(["abc", "xyz"])
    assert (matrix @ matrix.T).toarray().round(5).tolist() == [[1, 0], [0, 1]]


def test_seeds_differ() -> None:
    assert not np.array_equal(NameEncoder(seed=1).encode(["anna", "bob"]), NameEncoder(seed=2).encode(["anna", "bob"]))


@pytest.mark.parametrize("dim", [0, -16, 100])
def test_dim_is_checked_at_birth(dim: int) -> None:
    with pytest.raises(SettingError, match=f"dim is {dim}; use a multiple of 16"):
        NameEncoder(dim=dim)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text(max_size=400), max_size=8))
def test_any_text_gives_finite_unit_or_zero_rows(names: list[str]) -> None:
    norms = np.linalg.norm(NameEncoder(dim=64).encode(names), axis=1)
    assert np.all((np.abs(norms - 1) < 1e-4) | (norms == 0))


def test_centre_takes_the_common_direction_out() -> None:
    vectors = np.array([[1, 1, 0], [1, -1, 0], [1, 1, 0], [1, -1, 0], [0, 0, 0]], np.float32)
    centred = centre(vectors)
    assert centred[0] @ centred[1] < -0.8
    assert not centred[4].any()
