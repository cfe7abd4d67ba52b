"""An index finds the rows that a filter finds, in the same order."""

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from factlink.linkers.factoid.written.keyed import Keyed

WORDS = st.lists(st.sampled_from(["a", "b", "c", "dd", ""]), max_size=12)


@given(WORDS, WORDS)
def test_an_index_finds_what_a_filter_finds(held: list[str], wanted: list[str]) -> None:
    words = pl.Series("word", held, dtype=pl.String)
    frame = pl.DataFrame({"row": pl.Series(range(len(held)), dtype=pl.Int64), "word": words})
    asked = pl.Series(wanted, dtype=pl.String)
    found = Keyed(frame).having("word", [asked, asked])
    assert found.rows() == [(row, word) for row, word in enumerate(held) if word in wanted]


def test_rows_are_found_by_numbers_too() -> None:
    frame = Keyed(pl.DataFrame({"row": [4, 2, 4], "word": ["x", "y", "z"]}))
    assert frame.having("row", [pl.Series([4, 9])])["word"].to_list() == ["x", "z"]
    assert frame.having("row", [pl.Series([], dtype=pl.Int64)]).height == 0
