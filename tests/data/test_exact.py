"""What is in a file comes through exactly as it stands there, or is refused in one sentence."""

import re
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

from factlink.data.frames import network_from_frames
from factlink.data.sources.networks import read_network
from factlink.data.tables import read_table
from factlink.errors import InputError
from factlink.types import Network

from .conftest import Folder


def values(network: Network, predicate: str) -> list[str]:
    return list(network.attributes[predicate].objects)


def jsonl(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("9007199254740993", "9007199254740993"),
        ("18446744073709551617", "18446744073709551617"),
        ("-0", "-0"),
        ("1" * 5000, "1" * 5000),
        ("7.0", "7"),
        ("9007199254740993.0", "9007199254740993"),
        ("0.5", "0.5"),
        ("1e400", "1e400"),
        ("3.00000000000000000001", "3.00000000000000000001"),
        ("true", "true"),
        ('"007"', "007"),
        ('"1.0"', "1.0"),
        ('"x "', "x "),
        ('"a\\u0000b"', "a\0b"),
        ('"\\ud83d\\ude00"', "😀"),
        ('"\\\\ud800"', "\\ud800"),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_json_cells_come_as_written(folder: Folder, written: str, found: str) -> None:
    network = read_network(folder(users__jsonl=jsonl(f'{{"id": {written}, "name": {written}}}', '{"id": 0.25}')))
    assert network.users.to_list() == [found, "0.25"]
    assert values(network, "name") == [found]


def test_whole_numbers_beside_fractions_and_in_lists(folder: Folder) -> None:
    lines = jsonl('{"id": 1, "n": [9007199254740993, 0.5, 2.0]}', '{"id": 2, "n": 9007199254740995}', '{"id": 3}')
    network = read_network(folder(users__jsonl=lines))
    assert values(network, "n") == ["9007199254740993", "0.5", "2", "9007199254740995"]
    assert network.attributes["n"].rows.tolist() == [0, 0, 0, 1]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            '{"id": 1, "a": 2, "a": 3}',
            "row 2: the line has the key 'a' twice; keep one of them, or make it a list",
        ),
        ('{"id": NaN}', "row 2: the line holds NaN, which is not JSON; write null for what is missing, or a string"),
        (
            '{"id": -Infinity}',
            "row 2: the line holds -Infinity, which is not JSON; write null for what is missing, or a string",
        ),
        (
            '{"id": "\\ud800"}',
            "row 2: the line holds \\ud800, half a character (a lone surrogate); "
            "write the whole character, or leave it out",
        ),
        (
            '{"id": ' + "[" * 100_000,
            "row 2: the line has lists or objects too deep in each other; write flat lists",
        ),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_json_that_is_not_clear(folder: Folder, line: str, message: str) -> None:
    path = folder(users__jsonl=jsonl('{"id": 0}', line))
    with pytest.raises(InputError, match="^network 'net': users.jsonl " + re.escape(message) + "$"):
        read_network(path)


def test_jsonl_with_a_byte_order_mark_and_other_line_ends(folder: Folder) -> None:
    network = read_network(folder(users__jsonl=b'\xef\xbb\xbf{"id": "a"}\r\n\r\n{"id": "b"}\r{"id": "c"}'))
    assert network.users.to_list() == ["a", "b", "c"]


def test_a_column_whose_first_list_comes_late(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("factlink.data.formats.jsonl._ROWS_AT_ONCE", 2)
    lines = jsonl('{"id": 1, "x": "a"}', '{"id": 2}', '{"id": 3, "x": ["b", "c"]}', '{"id": 4, "y": true}')
    (tmp_path / "t.jsonl").write_text(lines)
    table = read_table(tmp_path / "t.jsonl", "t")
    assert table.rows() == [("1", ["a"], None), ("2", None, None), ("3", ["b", "c"], None), ("4", None, "true")]


@pytest.mark.parametrize("quote", ["", '"'])
def test_csv_cells_of_any_length(folder: Folder, quote: str) -> None:
    long = "x" * 200_000
    network = read_network(folder(users__csv=f"id,name\n1,{quote}{long}{quote}\n2,\n"))
    assert values(network, "name") == [long]


@pytest.mark.parametrize("quote", ["", '"'])
def test_ragged_rows_of_any_length(folder: Folder, quote: str) -> None:
    path = folder(users__csv=f"id,name\n1,{quote}{'x' * 200_000}{quote}\n2\n")
    with pytest.raises(InputError, match=r"^network 'net': users.csv row 2: 1 cells where the header has 2 \('2'\)"):
        read_network(path)


def test_a_carriage_return_alone_ends_a_line(folder: Folder) -> None:
    network = read_network(folder(users__csv="id,name\r1,Ann\r2,Bob\r"))
    assert (network.users.to_list(), values(network, "name")) == (["1", "2"], ["Ann", "Bob"])
    with pytest.raises(InputError, match=r"^network 'net': users.csv row 1: 1 cells where the header has 2 \('me'\)"):
        read_network(folder(users__csv="id,na\rme\n1,Ann\n"))


@pytest.mark.parametrize(
    ("cell", "found"),
    [
        ("a\0b", "a\0b"),
        ('"a\0b"', "a\0b"),
        ("x ", "x "),
        ("1.0", "1.0"),
        ('say "hi"', 'say "hi"'),
        ('"say ""hi"""', 'say "hi"'),
        ('"two\r\nlines"', "two\r\nlines"),
        ("'=x'", "'=x'"),
        ('"[1e400, 9007199254740993, 7.0]"', ["1e400", "9007199254740993", "7"]),
        ('"[NaN]"', "[NaN]"),
        ('"[""\\ud800""]"', '["\\ud800"]'),
        ("[" * 100_000, "[" * 100_000),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_csv_cells_come_as_written(folder: Folder, cell: str, found: str | list[str]) -> None:
    network = read_network(folder(users__csv=f"id,name\n1,{cell}\n"))
    assert values(network, "name") == ([found] if isinstance(found, str) else found)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ('id,name\n1,"a" b\n', r"line 2 is not valid CSV \(',' expected after '\"'\); put values with quotes"),
        ('id,name\n1,"a\n', r"line 2 is not valid CSV \(unexpected end of data\); put values with quotes"),
        (b"\xff\xfei\0d\0", r"holds no users; give a column 'id' and one row for each user"),
        (
            b"id\n\xff\n",
            r"line 2: byte 0xff is not UTF-8; save the file as UTF-8, or say what it is in: --encoding NAME",
        ),
        (b"id,,\n1,2,3\n", r"has 2 columns ''; give each column its own name"),
    ],
)
def test_csv_that_is_not_clear(folder: Folder, content: str | bytes, problem: str) -> None:
    with pytest.raises(InputError, match=f"^network 'net': users.csv {problem}"):
        read_network(folder(users__csv=content))


def test_a_column_without_a_name_keeps_its_values(folder: Folder) -> None:
    for network in (
        read_network(folder("a", users__csv=",id\n0,x\n1,y\n")),
        read_network(folder("b", users__jsonl=jsonl('{"": "0", "id": "x"}', '{"": "1", "id": "y"}'))),
        network_from_frames("c", pd.DataFrame({"": [0, 1], "id": ["x", "y"]})),
    ):
        assert list(network.attributes) == [""]
        assert values(network, "") == ["0", "1"]


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        ([0.5, 2**53 + 1], ["0.5", "9007199254740993"]),
        ([1, True], ["1", "true"]),
        ([[1], [0.5]], ["1", "0.5"]),
        ([10**60, 1], ["1" + "0" * 60, "1"]),
        ([["a", pd.NA, float("nan")], ["b", None]], ["a", "b"]),
        ([np.array([1.5, 2.0]), "x"], ["1.5", "2", "x"]),
        ([Decimal("1.10"), "x"], ["1.1", "x"]),
        ([date(1980, 1, 2), "x"], ["1980-01-02", "x"]),
        (
            [datetime(2020, 1, 1), datetime(2020, 1, 1, tzinfo=UTC)],
            ["2020-01-01T00:00:00", "2020-01-01T00:00:00+00:00"],
        ),
        ([pd.Timestamp("2020-01-01T00:00:00.123456789"), "x"], ["2020-01-01T00:00:00.123456789", "x"]),
    ],
)
def test_pandas_cells_of_several_types(cells: list[object], found: list[str]) -> None:
    users = pd.DataFrame({"id": ["a", "b"], "x": pd.Series(cells, dtype=object)})
    assert values(network_from_frames("net", users), "x") == found


def test_pandas_keeps_nanoseconds() -> None:
    times = pd.to_datetime(["2020-01-01T00:00:00.123456789", "2020-01-01"], format="ISO8601")
    network = network_from_frames("net", pd.DataFrame({"id": ["a", "b"], "at": times}))
    assert values(network, "at") == ["2020-01-01T00:00:00.123456789", "2020-01-01T00:00:00"]


@pytest.mark.parametrize(
    ("cells", "problem"),
    [
        (["x", b"y"], "row 2: column 'x' holds bytes, b'y'; save them as files"),
        (["x", {"a": 1}], "row 2: column 'x' holds a struct, {'a': 1}; give each of its fields a column"),
        (["x", [["y"]]], r"row 2: column 'x' holds a list of lists, \['y'\]; give each user one flat list"),
        (["x", {"y"}], "row 2: column 'x' holds an object, {'y'}; give strings, numbers, dates or lists"),
        (["x", "\ud800"], r"cannot be read \(.*surrogates not allowed\); give a polars frame"),
    ],
)
def test_pandas_cells_that_are_no_values(cells: list[object], problem: str) -> None:
    users = pd.DataFrame({"id": ["a", "b"], "x": pd.Series(cells, dtype=object)})
    with pytest.raises(InputError, match=f"^the (frame|DataFrame) {problem}"):
        network_from_frames("net", users)


def test_floats_of_parquet_are_as_short_as_their_type_allows() -> None:
    users = pl.DataFrame({"id": [1, 2], "x": pl.Series([0.1, 2.0], dtype=pl.Float32)})
    assert values(network_from_frames("net", users), "x") == ["0.1", "2"]


def test_names_of_the_authors_layout_keep_their_tabs_and_their_doubles(folder: Folder) -> None:
    path = folder(
        "fb_tw", fb_user_names__txt="1\tAnn\tLee\n2\tBob\n", fb_screen_names__txt="1\tann\n2\tbob\n1\tannie\n"
    )
    network = read_network(path / "fb")
    assert values(network, "username") == ["Ann\tLee", "Bob"]
    assert values(network, "screen_name") == ["ann", "annie", "bob"]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ('{"a": "name", "a": "text"}', r"is not JSON \(has the key 'a' twice; .*\); write it like"),
        ("[" * 100_000, r"is not JSON \(maximum recursion depth exceeded.*\); write it like"),
        ("1" * 5000, r"is not JSON \(Exceeds the limit .*\); write it like"),
        ("", r"is not JSON \(Expecting value.*\); write it like"),
    ],
    ids=["twice", "deep", "long", "empty"],
)
def test_damaged_kinds(folder: Folder, content: str, problem: str) -> None:
    with pytest.raises(InputError, match=f"^network 'net': kinds.json {problem}"):
        read_network(folder(users__csv="id\n1\n", kinds__json=content))
