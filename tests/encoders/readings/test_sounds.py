"""Names by their sounds."""

import polars as pl
import pytest

from factlink.encoders.readings.sounds import CLIPPED, FAR, NEAR, sound_codes


@pytest.mark.parametrize(
    ("name", "family", "code"),
    [
        ("Rachel Adatto", NEAR, "rl t"),
        ("Rachel Adatto", FAR, "lsl t"),
        ("Mark Robb", FAR, "mlk lb"),
        ("Mark Robb", CLIPPED, "mk lb"),
        ("Xavier Ching", CLIPPED, "ksb sn"),
        ("Phil Schmidt-Thatcher", NEAR, "bl smt tsr"),
        ("Campbell Ng", FAR, "knbl n"),
        ("Wei", NEAR, "b"),
        ("Wei", FAR, ""),
        ("42", FAR, ""),
    ],
)
def test_spellings_of_one_sound_have_one_code(name: str, family: int, code: str) -> None:
    assert sound_codes(pl.Series([name]), family).to_list() == [code]


def test_codes_of_many_names_are_those_of_each() -> None:
    assert sound_codes(pl.Series(["Bob", "", "Vivaldi"]), NEAR).to_list() == ["b", "", "blt"]
