import re
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal

import polars as pl
import pytest

from factlink.data.columns import is_list_cell, lists_in_cells, texts, values
from factlink.data.formats.cells import scalar_text
from factlink.data.formats.exact_json import exact_value
from factlink.errors import InputError


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (pl.Series(["a", "", " \t\n", None, " b "]), ["a", None, None, None, " b "]),
        (pl.Series([7, None, -1]), ["7", None, "-1"]),
        (pl.Series([7.0, 2.5, float("nan"), 1e20, -0.0]), ["7", "2.5", None, "1e+20", "0"]),
        (pl.Series([7.5], dtype=pl.Float32), ["7.5"]),
        (pl.Series([True, False]), ["true", "false"]),
        (pl.Series([date(2020, 1, 2)]), ["2020-01-02"]),
        (pl.Series([datetime(2020, 1, 2, 3, 4, 5)]), ["2020-01-02T03:04:05"]),
        (pl.Series([datetime(2020, 1, 2, tzinfo=UTC)]), ["2020-01-02T00:00:00+00:00"]),
        (pl.Series([time(1, 2, 3)]), ["01:02:03"]),
        (pl.Series([timedelta(days=1)]), ["P1D"]),
        (pl.Series([Decimal("7.00"), Decimal("7.50"), Decimal("100.00")]), ["7", "7.5", "100"]),
        (pl.Series(["a", "b"], dtype=pl.Categorical), ["a", "b"]),
        (pl.Series([None, None]), [None, None]),
    ],
)
def test_everything_becomes_a_string(column: pl.Series, expected: list[str | None]) -> None:
    assert texts(column, "users").to_list() == expected


def test_values_know_their_rows() -> None:
    rows, objects = values(pl.Series("tags", [["a", "b", "a"], [], None, ["", None, "c"]]), "users")
    assert rows.tolist() == [0, 0, 3]
    assert objects.to_list() == ["a", "b", "c"]


def test_values_of_other_lists() -> None:
    assert values(pl.Series([[1.0, 2.5], [1.0, None]]), "users")[1].to_list() == ["1", "2.5", "1"]
    array = pl.Series([["a", "b"], ["c", None]], dtype=pl.Array(pl.String, 2))
    assert values(array, "users")[0].tolist() == [0, 0, 1]
    assert values(pl.Series([[], []], dtype=pl.List(pl.Null)), "users")[1].to_list() == []
    assert values(pl.Series([None], dtype=pl.Null), "users")[1].dtype == pl.String


@pytest.mark.parametrize(
    ("column", "what", "shown", "remedy"),
    [
        (pl.Series("x", [None, [["a"]]]), "a list of lists", "[['a']]", "give each user one flat list of values"),
        (pl.Series("x", [None, {"a": 1}]), "a struct", "{'a': 1}", "give each of its fields a column of its own"),
        (pl.Series("x", [None, [{"a": 1}]]), "a struct", "[{'a': 1}]", "give each of its fields a column of its own"),
        (
            pl.Series("x", [None, b"\xff"]),
            "bytes",
            "b'\\xff'",
            "save them as files and give their paths, or leave the column out",
        ),
    ],
)
def test_what_cannot_be_a_value(column: pl.Series, what: str, shown: str, remedy: str) -> None:
    message = re.escape(f"users.parquet row 2: column 'x' holds {what}, {shown}; {remedy}")
    with pytest.raises(InputError, match=f"^{message}$"):
        values(column, "users.parquet")


def test_long_values_are_cut_in_messages() -> None:
    with pytest.raises(InputError, match=r"^u row 1: column 'x' holds bytes, b'a{55}\.\.\.; "):
        values(pl.Series("x", [b"a" * 100]), "u")


def test_python_objects() -> None:
    with pytest.raises(InputError, match="column 'x' holds an object"):
        values(pl.Series("x", [object()], dtype=pl.Object), "users")


def test_json_lists_in_csv_cells() -> None:
    column = pl.Series("x", ["a", '["b", "c,d"]', None, "[1, 2.0, true, null]", "[not json]", " [] "])
    assert lists_in_cells(column, "u").to_list() == [
        ["a"],
        ["b", "c,d"],
        [None],
        ["1", "2", "true", None],
        ["[not json]"],
        [],
    ]


def test_cells_without_lists_stay_as_they_are() -> None:
    column = pl.Series("x", ["a", "[b]", "[", None])
    assert lists_in_cells(column, "u").to_list() == ["a", "[b]", "[", None]


def test_lists_of_lists_in_csv_cells() -> None:
    message = re.escape(
        "u row 2: column 'x' holds a list of lists, [['a'], 'b']; give each user one flat list of values"
    )
    with pytest.raises(InputError, match=message):
        lists_in_cells(pl.Series("x", ["a", '[["a"], "b"]']), "u")


@pytest.mark.parametrize(
    ("cell", "is_list"), [('["a"]', True), (" []", True), ("[a]", False), ("a", False), ("{}", False)]
)
def test_list_cells(cell: str, is_list: bool) -> None:
    assert is_list_cell(cell) is is_list


@pytest.mark.parametrize(
    ("written", "text"), [("null", None), ('"a"', "a"), ("7.0", "7"), ("2.50", "2.50"), ("true", "true"), ("3", "3")]
)
def test_json_scalars(written: str, text: str | None) -> None:
    assert scalar_text(exact_value(written)) == text
