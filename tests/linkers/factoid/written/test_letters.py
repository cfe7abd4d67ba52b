"""Where words begin in handles, as they are written."""

import polars as pl
import pytest

from factlink.linkers.factoid.written.letters import find_beginnings, handle_letters


@pytest.mark.parametrize(
    ("handle", "marks"),
    [
        ("GovMLG", "?..|||"),
        ("DWStweets", "?||?....."),  # t may go on with S
        ("4congress", "?|......."),
        ("john.y_brown3", "?...||....|"),
        ("Åsa_Lindh", "?..|...."),
        ("govmlg", "??????"),
        ("GOVMLG", "??????"),
        ("12", "??"),
        ("", ""),
    ],
)
def test_capitals_signs_and_digits_mark_words(handle: str, marks: str) -> None:
    found = find_beginnings(pl.Series([handle])).tolist()
    assert found == [{"|": 1, ".": -1, "?": 0}[mark] for mark in marks]


def test_marks_of_many_handles_are_those_of_each_and_as_many_as_letters() -> None:
    handles = ["GovMLG", "", "_amy", "bobK", "4x"]
    alone = [mark for each in handles for mark in find_beginnings(pl.Series([each])).tolist()]
    assert find_beginnings(pl.Series(handles)).tolist() == alone
    assert len(alone) == sum(handle_letters(pl.Series(handles)).str.len_chars())
