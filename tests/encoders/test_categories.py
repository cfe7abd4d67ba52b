"""Categories, dates, numbers, places: equal meet at 1, near in part, and what is common weighs little."""

import numpy as np
import pytest

from factlink.encoders.categories import CategoryEncoder, DateEncoder, LocationEncoder, NumberEncoder, rarity
from factlink.encoders.dates import parse_dates
from factlink.encoders.texts import TextEncoder
from factlink.errors import SettingError
from factlink.protocols import Encoder


def cosines(encoder: Encoder, objects: list[str]) -> np.ndarray:
    vectors = encoder.encode(objects)
    return vectors @ vectors.T


def test_rarity_by_hand() -> None:
    assert rarity(np.array([1, 10, 100]), 100).tolist() == pytest.approx([1, 0.5, 0], abs=1e-6)
    assert rarity(np.array([1]), 1).tolist() == [1]
    assert rarity(np.array([], int), 5).tolist() == []


def test_categories_meet_but_for_case_and_accents() -> None:
    found = cosines(CategoryEncoder(), ["Républicain", "republicain ", "Democrat"])
    assert found[0, 1] == pytest.approx(1, abs=1e-6)
    assert abs(found[0, 2]) < 0.25


def test_categories_do_not_depend_on_company() -> None:
    alone = CategoryEncoder().encode(["male"])
    assert np.array_equal(alone[0], CategoryEncoder().encode(["female", "male"])[1])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1950-07-15", (1950, 7, 15)),
        ("1950-07-15T00:00:00Z", (1950, 7, 15)),
        ("1950-07-15 10:20:30.5+02:00", (1950, 7, 15)),
        ("19500715", (1950, 7, 15)),
        ("+1950-07-15T00:00:00Z", (1950, 7, 15)),
        ("1950-07", (1950, 7, None)),
        ("1950-07-00T00:00:00Z", (1950, 7, None)),
        ("1950", (1950, None, None)),
        ("1950-00-00T00:00:00Z", (1950, None, None)),
        ("1950-13-01", (None, None, None)),
        ("15/07/1950", (None, None, None)),
        ("hello", (None, None, None)),
    ],
)
def test_parse_dates(text: str, expected: tuple[int | None, ...]) -> None:
    assert parse_dates([text]).row(0) == expected


def test_dates_meet_as_far_as_they_agree() -> None:
    found = cosines(
        DateEncoder(), ["1950-07-15", "19500715", "1950-07-16", "1950-02-03", "1983-07-15", "1950", "1811-01-01"]
    )
    expected = [1, 1, 2 / 3, 1 / 3, 1 / 3, 3**-0.5, 0]
    assert found[0].tolist() == pytest.approx(expected, abs=0.12)


def test_date_dim_is_checked() -> None:
    with pytest.raises(SettingError, match="dim is 256; use a multiple of 48"):
        DateEncoder(dim=256)


def test_numbers_meet_on_a_log_scale() -> None:
    found = cosines(NumberEncoder(dim=4096, width=0.1), ["1000", "1,000.0", "1105", "5000", "-1000"])
    assert found[0].tolist() == pytest.approx([1, 1, np.exp(-0.5), 0, 0], abs=0.07)


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "many", ""])
def test_what_is_no_number_has_no_vector(text: str) -> None:
    assert not NumberEncoder().encode([text]).any()


def test_number_width_is_checked() -> None:
    with pytest.raises(SettingError, match="width is 0; use a number above 0"):
        NumberEncoder(width=0)


def test_places_meet_by_their_rare_part() -> None:
    places = ["Paris, France", "paris", "Nice, France", "Lyon, France", "Lille, France", "London, UK", "Leeds, UK"]
    found = cosines(LocationEncoder(), places)
    assert found[0, 1:].argmax() == 0


def test_texts_meet_in_any_language() -> None:
    texts = [
        "Mother, runner, and physician. Fighting for #ClimateAction",
        "physician and mother. climate action now!",
        "Мать двоих детей, врач, люблю горы",
        "врач и мать, горы",
        "咖啡 和 猫",
        "我喜欢猫和咖啡",
        "Official account of the football club",
        "football club news, official",
    ]
    found = cosines(TextEncoder(), texts)
    np.fill_diagonal(found, -2)
    assert found.argmax(1).tolist() == [1, 0, 3, 2, 5, 4, 7, 6]


def test_long_texts_are_cut() -> None:
    vectors = TextEncoder(dim=64).encode(["word " * 100_000, "word", "other thing"])
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1, 1], abs=1e-5)
