"""One file as people have it → its tables, exactly."""

import datetime
import zipfile
from pathlib import Path

import openpyxl
import pytest

from factlink.data.opening.tables import Opened, Opening, open_tables
from factlink.errors import InputError, MissingExtraError


def opened(tmp_path: Path, name: str, content: str | bytes, **said: object) -> Opened:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return open_tables(path, name, Opening(**said))  # type: ignore[arg-type]


def rows(found: Opened) -> list[tuple[object, ...]]:
    (table,) = found.tables.values()
    return table.rows()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends(tmp_path: Path, encoding: str, line_end: str) -> None:
    text = line_end.join(["id,name,bio", "1,René,I like café", '2,Zoë,"two', 'lines, ""quoted"""', ""])
    found = opened(tmp_path, "a.csv", text.encode(encoding))
    assert rows(found) == [("1", "René", "I like café"), ("2", "Zoë", f'two{line_end}lines, "quoted"')]


@pytest.mark.parametrize("encoding", ["cp1251", "shift_jis", "gbk", "big5", "euc_kr"])
def test_encodings_that_have_to_be_said(tmp_path: Path, encoding: str) -> None:
    names = {"cp1251": "Иван Петров", "shift_jis": "山田太郎", "gbk": "张伟李娜", "big5": "陳大文", "euc_kr": "김철수"}
    content = f"id,name\n1,{names[encoding]}\n".encode(encoding)
    with pytest.raises(
        InputError, match=r"is not UTF-8; save the file as UTF-8, or say what it is in: --encoding NAME"
    ):
        opened(tmp_path, "a.csv", content)
    assert rows(opened(tmp_path, "a.csv", content, encoding=encoding)) == [("1", names[encoding])]


def test_an_encoding_that_does_not_fit(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^a.csv is not valid ascii \(.*\); save it as UTF-8, or set another with"):
        opened(tmp_path, "a.csv", "id\né\n", encoding="ascii")


def test_cells_are_as_written_whatever_separates_them(tmp_path: Path) -> None:
    for mark in ",;\t|":
        text = mark.join(["id", "n", "x"]) + "\n" + mark.join(["007", "1.0", " y "]) + "\n"
        assert rows(opened(tmp_path, "a.csv", text)) == [("007", "1.0", " y ")]


def test_semicolons_in_a_file_of_commas_are_letters(tmp_path: Path) -> None:
    found = opened(tmp_path, "a.csv", "id,name\n1,a;b\n2,c;d;e\n")
    assert rows(found) == [("1", "a;b"), ("2", "c;d;e")]
    assert found.notes == ()


def test_a_column_of_two_words_is_no_edge_list(tmp_path: Path) -> None:
    assert rows(opened(tmp_path, "a.csv", "full name\nAnn Lee\nBob Ray\n")) == [("Ann Lee",), ("Bob Ray",)]


def test_words_on_lines(tmp_path: Path) -> None:
    found = opened(tmp_path, "a.txt", "% a comment\n1\t2\t0.5\n2   3 1\n")
    assert rows(found) == [("1", "2", "0.5"), ("2", "3", "1")]
    with pytest.raises(
        InputError, match=r"^b.txt line 2 \(comments not counted\): '2 3 4' is not 2 words as the other"
    ):
        opened(tmp_path, "b.txt", "1 2\n2 3 4\n3 1\n")


def test_with_and_without_a_header(tmp_path: Path) -> None:
    assert list(opened(tmp_path, "a.csv", "1,2\n3,4\n").tables[""].columns) == ["column_1", "column_2"]
    assert rows(opened(tmp_path, "b.csv", "a,b\nc,d\n", header=False)) == [("a", "b"), ("c", "d")]
    assert rows(opened(tmp_path, "c.csv", '"a","b"\nc,d\n', header=False)) == [("a", "b"), ("c", "d")]
    assert rows(opened(tmp_path, "d.csv", "1,2\n3,4\n", header=True)) == [("3", "4")]


def test_json_is_flat_and_lists_are_kept(tmp_path: Path) -> None:
    first = '{"id": 1, "p": {"n": 7.0, "l": ["a", 12345678901234567890]}, "q": [{"x": 1}, {"x": 2, "y": null}]}'
    text = f'[{first}, {{"id": 2}}]'
    table = opened(tmp_path, "a.json", text).tables[""]
    assert table.columns == ["id", "p.n", "p.l", "q.x", "q.y"]
    assert table.rows() == [("1", "7", ["a", "12345678901234567890"], ["1", "2"], []), ("2", None, None, None, None)]


def test_rows_of_cells_in_json(tmp_path: Path) -> None:
    assert opened(tmp_path, "a.json", '[["id", "name"], [1, "Ann"]]').tables[""].rows(named=True) == [
        {"id": "1", "name": "Ann"}
    ]
    with pytest.raises(
        InputError, match=r"^b.json list 2: 1 cells where the first list has 2; write a list of objects"
    ):
        opened(tmp_path, "b.json", '[["id", "name"], [1]]')


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            '[{"a": {"b": 1}, "a.b": 2}]',
            r"row 1: the object has two values for 'a.b', one of them in an object; rename",
        ),
        ('[{"a": 1, "a": 2}]', r"the file has the key 'a' twice; keep one of them"),
        ('[{"a": NaN}]', r"the file holds NaN, which is not JSON"),
        ('[{"a": "\\ud800"}]', r"the file holds \\ud800, half a character"),
        ("7", r"is not a JSON object"),
    ],
)
def test_json_that_is_not_clear(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(InputError, match=rf"^a.json.*{problem}"):
        opened(tmp_path, "a.json", text)


def test_cells_of_a_workbook(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    day = datetime.datetime(1980, 1, 2)
    for row in ([], ["id", "n", "day", "at", "ok", None], ["007", 7.0, day, day.replace(hour=3), True], [], [8, 0.1]):
        sheet.append(row)
    book.save(tmp_path / "a.xlsx")
    found = open_tables(tmp_path / "a.xlsx", "a.xlsx")
    assert rows(found) == [("007", "7", "1980-01-02", "1980-01-02T03:00:00", "true"), ("8", "0.1", None, None, None)]


def test_a_workbook_without_its_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    openpyxl.Workbook().save(tmp_path / "a.xlsx")
    monkeypatch.setattr("factlink.errors.find_spec", lambda module: None)
    with pytest.raises(
        MissingExtraError, match=r"a workbook: reading it needs fastexcel; pip install 'factlink\[excel\]'$"
    ):
        open_tables(tmp_path / "a.xlsx", "a.xlsx")


def test_names_in_archives_cannot_leave_their_folder(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("../../../escaped.csv", "id\n1\n")
        archive.writestr("__MACOSX/._escaped.csv", "x")
    assert rows(open_tables(path, "a.zip")) == [("1",)]
    assert list(tmp_path.iterdir()) == [path]
