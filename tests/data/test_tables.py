import re
from itertools import product
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from factlink.data.sources.networks import read_network
from factlink.data.tables import read_table, write_table
from factlink.errors import InputError, SettingError

from .conftest import Folder


def refused(path: Path, message: str) -> None:
    with pytest.raises(InputError, match="^" + message + "$"):
        read_network(path)


def test_csv_infers_nothing(folder: Folder) -> None:
    path = folder(t__csv='\ufeffid,"a ""b"", c"\r\n007,1e5\r\n\r\n1.0,"x\r\ny"\r\n\r\n') / "t.csv"
    table = read_table(path, "t.csv")
    assert table.columns == ["id", 'a "b", c']
    assert table.rows() == [("007", "1e5"), ("1.0", "x\r\ny")]


@pytest.mark.parametrize(
    ("content", "row", "cells", "shown"),
    [
        ("id,name\n1,Ann\n2,Bob,Cid\n", 2, 3, "2,Bob,Cid"),
        ("id,name\n1,Ann\n\n2\n", 2, 1, "2"),
        ("id,name\n1,Lee, Ann\n2,Bob\n", 1, 3, "1,Lee, Ann"),
    ],
)
def test_ragged_csv(folder: Folder, content: str, row: int, cells: int, shown: str) -> None:
    refused(
        folder(users__csv=content),
        re.escape(
            f"network 'net': users.csv row {row}: {cells} cells where the header has 2 ('{shown}'); "
            "put values that hold commas in double quotes, and give every row all its cells"
        ),
    )


def test_empty_last_cells_are_not_ragged(folder: Folder) -> None:
    table = read_table(folder(t__csv='id,name\n1,\n2,""\n3,x\n') / "t.csv", "t.csv")
    assert table.rows() == [("1", None), ("2", None), ("3", "x")]


def test_csv_with_a_quote_that_never_ends(folder: Folder) -> None:
    refused(
        folder(users__csv='id,name\n1,"Ann\n2,Bob\n'),
        r"network 'net': users.csv line 2 is not valid CSV \(unexpected end of data\); "
        "put values with quotes, commas or line ends in double quotes, and double the quotes in them",
    )


def test_repeated_columns(folder: Folder) -> None:
    refused(
        folder(users__csv="id,name,name\n1,a,b\n"),
        "network 'net': users.csv has 2 columns 'name'; give each column its own name",
    )


SAY = r", or say what it is in: --encoding NAME \(cp1252, cp1251, shift_jis, gbk, …\)"


@pytest.mark.parametrize(
    "content", ["id,name\n1,Ann\n2,René\n".encode() + b"3,Ren\xe9\n", b"id,n\n1,\xc8\xe2\xe0\xed\n"]
)
def test_csv_that_is_not_utf8(folder: Folder, content: bytes) -> None:
    line, byte = (4, "e9") if b"Ren" in content else (2, "c8")
    refused(
        folder(users__csv=content),
        f"network 'net': users.csv line {line}: byte 0x{byte} is not UTF-8; save the file as UTF-8{SAY}",
    )


def test_jsonl_that_is_not_utf8(folder: Folder) -> None:
    refused(
        folder(users__jsonl=b'{"id": "1"}\n{"id": "\xff"}\n'),
        "network 'net': users.jsonl line 2: byte 0xff is not UTF-8; save the file as UTF-8" + SAY,
    )


@pytest.mark.parametrize("line", ['{"id": 2', "[2]", "2", "{'id': 2}"])
def test_broken_jsonl_line(folder: Folder, line: str) -> None:
    refused(
        folder(users__jsonl='{"id": 1}\n\n' + line + '\n{"id": 3}\n'),
        re.escape(f"network 'net': users.jsonl row 2: '{line}' is not a JSON object; write one {{...}} on each line"),
    )


@pytest.mark.parametrize("kept", [0, 5, 100, -1])
def test_truncated_parquet(folder: Folder, kept: int) -> None:
    path = folder()
    pl.DataFrame({"id": [str(i) for i in range(1000)]}).write_parquet(path / "users.parquet")
    whole = (path / "users.parquet").read_bytes()
    (path / "users.parquet").write_bytes(whole[:kept])
    refused(path, r"network 'net': users.parquet is not a complete Parquet file \(.*\); copy or write it again")


def test_damaged_parquet(folder: Folder) -> None:
    path = folder()
    pl.DataFrame({"id": [str(i) for i in range(1000)]}).write_parquet(path / "users.parquet")
    whole = bytearray((path / "users.parquet").read_bytes())
    whole[20:80] = bytes(60)
    (path / "users.parquet").write_bytes(whole)
    refused(path, r"network 'net': users.parquet is not a complete Parquet file \(.*\); copy or write it again")


def test_parquet_pages_that_promise_too_much(folder: Folder) -> None:
    path = folder()
    pl.DataFrame({"id": ["a", "b", "c"]}).write_parquet(path / "users.parquet")
    whole = (path / "users.parquet").read_bytes()
    header = b"\x2c\x15\x06\x15"  # a data page of 3 values, as Thrift writes it
    assert whole.count(header) == 1
    for byte, values in ((0x7B, -62), (0x7C, 62)):
        (path / "users.parquet").write_bytes(whole.replace(header, bytes([0x2C, 0x15, byte, 0x15])))
        refused(
            path,
            rf"network 'net': users.parquet is not a complete Parquet file "
            rf"\(a page of {values} values in a column of 3\); copy or write it again",
        )


def test_parquet_of_other_writers_is_read(tmp_path: Path) -> None:
    users = pa.table({"id": [str(i) for i in range(3000)], "tags": [["a", None, str(i)] for i in range(3000)]})
    for version, dictionary, compression in product(("1.0", "2.0"), (True, False), ("none", "snappy", "zstd")):
        path = tmp_path / "t.parquet"
        options = {"data_page_version": version, "use_dictionary": dictionary, "compression": compression}
        pq.write_table(users, path, row_group_size=1000, data_page_size=500, **options)
        assert read_table(path, "t").rows() == list(zip(*users.to_pydict().values(), strict=True))


def test_lists_of_lists_in_jsonl(folder: Folder) -> None:
    refused(
        folder(users__jsonl='{"id": 1}\n{"id": 2, "tags": [["a"], ["b"]]}\n'),
        re.escape(
            "network 'net': users.jsonl row 2: column 'tags' holds a list of lists, [['a'], ['b']]; "
            "give each user one flat list of values"
        ),
    )


def test_lists_of_lists_among_scalars_in_jsonl(folder: Folder) -> None:
    refused(
        folder(users__jsonl='{"id": 1, "tags": "a"}\n{"id": 2, "tags": [["a"]]}\n'),
        re.escape(
            "network 'net': users.jsonl row 2: column 'tags' holds a list of lists, [['a']]; "
            "give each user one flat list of values"
        ),
    )


def test_lists_and_scalars_in_one_list_in_jsonl(folder: Folder) -> None:
    refused(
        folder(users__jsonl='{"id": 1, "tags": ["a"]}\n{"id": 2, "tags": ["b", ["c"]]}\n'),
        re.escape(
            "network 'net': users.jsonl row 2: column 'tags' holds a list of lists, ['b', ['c']]; "
            "give each user one flat list of values"
        ),
    )


def test_objects_among_scalars_in_jsonl(folder: Folder) -> None:
    path = folder(users__jsonl='{"id": 1, "place": "Oslo"}\n{"id": 2, "place": {"city": "Bergen"}}\n')
    found = read_network(path).attributes
    assert {name: attribute.objects.to_list() for name, attribute in found.items()} == {
        "place": ["Oslo"],
        "place.city": ["Bergen"],
    }
    refused(
        folder("mixed", users__jsonl='{"id": 1}\n{"id": 2, "tags": ["a", {"b": "c"}]}\n'),
        re.escape(
            "network 'mixed': users.jsonl row 2: column 'tags' holds a struct, ['a', {'b': 'c'}]; "
            "give each of its fields a column of its own"
        ),
    )


def test_empty_jsonl(folder: Folder) -> None:
    refused(
        folder(users__jsonl=""),
        "network 'net': users.jsonl holds no users; give a column 'id' and one row for each user",
    )


def test_globs_in_paths_are_plain_letters(tmp_path: Path) -> None:
    table = pl.DataFrame({"id": ["1"]})
    for suffix in (".csv", ".jsonl", ".parquet"):
        path = tmp_path / f"a[1]*{suffix}"
        write_table(table, path)
        assert read_table(path, "t").rows() == [("1",)]


def test_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there is no file .*t.parquet; check the path"):
        read_table(tmp_path / "t.parquet", "t")
    with pytest.raises(
        InputError, match=r"t is of a kind that is not read; give a file that ends in .parquet, .csv, .jsonl"
    ):
        read_table(tmp_path / "t.xlsx", "t")
    with pytest.raises(SettingError, match=r"no table can be written as '.xlsx'; there are: .parquet, .csv, .jsonl"):
        write_table(pl.DataFrame(), tmp_path / "t.xlsx")
