"""Inputs as people have them: each is read rightly, or refused with a sentence that leads to success in one step."""

import bz2
import gzip
import io
import lzma
import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import openpyxl
import polars as pl
import pytest
import zstandard

from factlink.data.frames import Reading, ReadOptions
from factlink.data.protocol import SourceOptions
from factlink.data.sources.networks import distinct_names, read_source
from factlink.errors import InputError

PEOPLE = "user_id,screen name\n100,amy_tan\n200,bob.ray\n300,cid\n"
GUESSED = "ids: column 'user_id' (guessed; set another with --id COLUMN)"
BY_NAME = " (guessed; set others with --source COLUMN --target COLUMN)"
Content = str | bytes


def parquet(**columns: list[object]) -> bytes:
    buffer = io.BytesIO()
    pl.DataFrame(columns).write_parquet(buffer)
    return buffer.getvalue()


def workbook(**sheets: list[list[object]]) -> bytes:
    book = openpyxl.Workbook()
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.remove(book["Sheet"])
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def zipped(**files: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "."), content)
    return buffer.getvalue()


@dataclass(frozen=True)
class Messy:
    """Files by name; what is given is the only one, or the folder 'net' that holds them."""

    files: Mapping[str, Content]
    users: list[str] = field(default_factory=list)
    links: list[tuple[str, str]] = field(default_factory=list)
    notes: tuple[str, ...] = ()
    said: Mapping[str, object] = field(default_factory=dict)

    def place(self, home: Path) -> Path:
        for name, content in self.files.items():
            path = home / "net" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return home / "net" / next(iter(self.files)) if len(self.files) == 1 else home / "net"

    def read(self, home: Path, said: Mapping[str, object] | None = None) -> Reading:
        source = self.place(home)
        options = {name: value for name, value in (self.said if said is None else said).items() if name != "drop"}
        drop = bool((said or self.said).get("drop"))
        return read_source(source, distinct_names([source])[0], SourceOptions(**options), ReadOptions({}, drop))  # type: ignore[arg-type]


ABC = ["100", "200", "300"]
GOOD = {
    "other names of columns": Messy({"a.csv": PEOPLE}, ABC, notes=(GUESSED,)),
    "a number for each member": Messy(
        {"a.csv": "Member No.,E-Mail\n7,a@x.org\n8,a@x.org\n9,\n"},
        ["7", "8", "9"],
        notes=(GUESSED.replace("user_id", "Member No."),),
    ),
    "a title above the table": Messy(
        {
            "a.xlsx": workbook(
                Sheet1=[
                    ["Members of the club"],
                    [],
                    ["Nr.", "Name ", "Joined"],
                    [1, "Ann", 1999],
                    [2, "Bob", "?"],
                    [3, "Cy", 2001],
                ]
            )
        },
        ["1", "2", "3"],
        notes=(
            "a.xlsx: sheet 'Sheet1': the row 'Members of the club' above the names of columns is left out",
            GUESSED.replace("user_id", "Nr."),
        ),
    ),
    "semicolons": Messy(
        {"a.csv": "ID;Name\n1;Ann, B.\n2;Bob\n"},
        ["1", "2"],
        notes=("a.csv: columns are separated by semicolons", GUESSED.replace("user_id", "ID")),
    ),
    "tabs": Messy({"a.tsv": "id\tname\n1\tAnn\n"}, ["1"], notes=("a.tsv: columns are separated by tabs",)),
    "tabs in a .csv": Messy({"a.csv": "id\tname\n1\tAnn\n"}, ["1"], notes=("a.csv: columns are separated by tabs",)),
    "bars": Messy({"a.txt": "id|name\n1|Ann\n"}, ["1"], notes=("a.txt: columns are separated by vertical bars",)),
    "a line for Excel": Messy(
        {"a.csv": "sep=;\nid;name\n1;Ann\n"},
        ["1"],
        notes=("a.csv: columns are separated by semicolons", "a.csv: the first line is not data"),
    ),
    "byte order mark": Messy({"a.csv": b"\xef\xbb\xbfid,name\n1,Ann\n"}, ["1"]),
    "Latin-1": Messy(
        {"a.csv": "id,name\nzoë,Zoë\nrené,René\n".encode("latin-1")},
        ["zoë", "rené"],
        notes=("a.csv: read as Windows-1252 (Latin-1)",),
    ),
    "UTF-16": Messy(
        {"a.csv": "id\tname\nzoë\tZ\n".encode("utf-16")},
        ["zoë"],
        notes=("a.csv: read as UTF-16", "a.csv: columns are separated by tabs"),
    ),
    "gzip": Messy({"a.csv.gz": gzip.compress(PEOPLE.encode())}, ABC, notes=(GUESSED,)),
    "Zstandard": Messy({"a.csv.zst": zstandard.compress(PEOPLE.encode())}, ABC, notes=(GUESSED,)),
    "bzip2": Messy({"a.csv.bz2": bz2.compress(PEOPLE.encode())}, ABC, notes=(GUESSED,)),
    "xz, misnamed": Messy({"a.csv": lzma.compress(PEOPLE.encode())}, ABC, notes=(GUESSED,)),
    "zip of one table": Messy({"a.zip": zipped(people__csv=PEOPLE)}, ABC, notes=(GUESSED,)),
    "zip of a network": Messy(
        {"a.zip": zipped(users__csv=PEOPLE, edges__csv="from,to\n100,200\n")},
        ABC,
        [("100", "200")],
        ("unpacked from a.zip", "links: edges.csv", GUESSED, f"links: 'from' follows 'to'{BY_NAME}"),
    ),
    "JSON list": Messy({"a.json": '[{"id": 9007199254740993, "name": "Ann"}, {"id": 2}]'}, ["9007199254740993", "2"]),
    "JSON of ids": Messy({"a.json": '{"u1": {"name": "Ann"}, "u2": {"name": "Bob"}}'}, ["u1", "u2"]),
    "node-link JSON": Messy(
        {"a.json": '{"nodes": [{"id": 1}, {"id": 2}], "links": [{"source": 1, "target": 2}]}'},
        ["1", "2"],
        [("1", "2")],
        ("a.json: users from 'nodes' and links from 'links'",),
    ),
    "JSON Lines called .json": Messy({"a.json": '{"id": 1}\n{"id": 2}\n'}, ["1", "2"]),
    "workbook": Messy(
        {
            "a.xlsx": workbook(
                Accounts=[["user_id", "name"], [1, "Ann"], [2, "Bob"]], Follows=[["follower_id", "followee_id"], [1, 2]]
            )
        },
        ["1", "2"],
        [("1", "2")],
        (
            "a.xlsx: users from 'Accounts' and links from 'Follows'",
            GUESSED,
            f"links: 'follower_id' follows 'followee_id'{BY_NAME}",
        ),
    ),
    "folder of Parquet files": Messy(
        {"part-0.parquet": parquet(id=["1"], name=["Ann"]), "part-1.parquet": parquet(id=["2"], name=["Bob"])},
        ["1", "2"],
        notes=("net: 2 Parquet files are one table",),
    ),
    "parts in folders": Messy(
        {
            "users/c=NO/0.parquet": parquet(id=["1"]),
            "users/c=SG/0.parquet": parquet(id=["2"]),
            "links/0.parquet": parquet(source=["1"], target=["2"]),
        },
        ["1", "2"],
        [("1", "2")],
        ("users: 2 Parquet files are one table", "links: 1 Parquet files are one table"),
    ),
    "edge list": Messy(
        {"a.csv": "src,dst\namy,bob\nbob,cid\n"},
        ["amy", "bob", "cid"],
        [("amy", "bob"), ("bob", "cid")],
        (
            f"links: 'src' follows 'dst'{BY_NAME}",
            "an edge list: its ends are the users (3)",
            "the ids look like names and are compared as 'username'",
        ),
    ),
    "edge list without a header": Messy(
        {"a.edges": "# a comment\namy bob\nbob amy {'weight': 2.0}\n"},
        ["amy", "bob"],
        [("amy", "bob"), ("bob", "amy")],
        (
            "a.edges: an edge list of words",
            "links: the first line is a link, not a header",
            f"links: 'column_1' follows 'column_2'{BY_NAME}",
            "an edge list: its ends are the users (2)",
            "the ids look like names and are compared as 'username'",
        ),
    ),
    "links by username": Messy(
        {"users.csv": PEOPLE, "links.csv": "from,to\namy_tan,cid\nbob.ray,amy_tan\n"},
        ABC,
        [("100", "300"), ("200", "100")],
        (GUESSED, f"links: 'from' follows 'to'{BY_NAME}", "the ends of links are given by 'screen name', not by id"),
    ),
    "links by @Username": Messy(
        {"users.csv": PEOPLE, "links.csv": "from,to\n@Amy_Tan,@cid\n"},
        ABC,
        [("100", "300")],
        (
            GUESSED,
            f"links: 'from' follows 'to'{BY_NAME}",
            "the ends of links are given by 'screen name', apart from '@' and capitals",
        ),
    ),
    "ids as 100.0": Messy(
        {"users.csv": PEOPLE, "links.csv": "follower_id,followee_id\n100.0,200.0\n"},
        ABC,
        [("100", "200")],
        (
            GUESSED,
            f"links: 'follower_id' follows 'followee_id'{BY_NAME}",
            "the ends of links are given by id with '.0' behind it",
        ),
    ),
    "who follows a user": Messy(
        {"users.csv": PEOPLE, "followers.csv": "user_id,follower_id\n100,200\n"},
        ABC,
        [("200", "100")],
        ("links: followers.csv", GUESSED, f"links: 'follower_id' follows 'user_id'{BY_NAME}"),
    ),
    "Gephi's edges": Messy(
        {"nodes.csv": "Id,Label\n1,Ann\n2,Bob\n", "edges.csv": "Source,Target,Type,Weight\n1,2,Undirected,1\n"},
        ["1", "2"],
        [("1", "2"), ("2", "1")],
        (
            "links: edges.csv",
            "users: nodes.csv",
            GUESSED.replace("user_id", "Id"),
            f"links: 'Source' follows 'Target'{BY_NAME}",
            "1 undirected links count in both directions",
        ),
    ),
    "a handle is an id and a name": Messy(
        {"a.jsonl": '{"acct": "ann@x.org"}\n{"acct": "bob@x.org"}\n'},
        ["ann@x.org", "bob@x.org"],
        notes=(
            "ids: column 'acct' (guessed; set another with --id COLUMN), which is also compared "
            "(--kind 'acct=ignore' turns that off)",
        ),
    ),
}


@pytest.mark.parametrize("case", GOOD.values(), ids=GOOD.keys())
def test_read_rightly(tmp_path: Path, case: Messy) -> None:
    reading = case.read(tmp_path)
    network = reading.network
    assert network.users.to_list() == case.users
    follows = network.links.get("follows")
    links = [] if follows is None else zip(follows.followers.tolist(), follows.followees.tolist(), strict=True)
    assert [(case.users[follower], case.users[followee]) for follower, followee in links] == case.links
    assert reading.notes == case.notes


@dataclass(frozen=True)
class Wrong:
    """What is wrong, the sentence on it, and the one step that mends it: another option or another file."""

    case: Messy
    sentence: str
    said: Mapping[str, object] = field(default_factory=dict)
    files: Mapping[str, Content] = field(default_factory=dict)
    users: int = 2


BAD = {
    "Cyrillic": Wrong(
        Messy({"a.csv": "id,name\n1,Иван\n2,Пётр\n".encode("cp1251")}),
        "a.csv line 2: byte 0xc8 is not UTF-8; save the file as UTF-8, or say what it is in: --encoding NAME",
        {"encoding": "cp1251"},
    ),
    "damaged UTF-8": Wrong(
        Messy({"a.csv": "id,name\n1,Zoë\n".encode() + b"2,Ren\xe9\n"}),
        "a.csv line 3: byte 0xe9 is not UTF-8; save the file as UTF-8, or say",
        files={"a.csv": "id,name\n1,Zoë\n2,René\n"},
    ),
    "no encoding of that name": Wrong(
        Messy({"a.csv": "id\n1\n2\n"}, said={"encoding": "cp9999"}),
        "no encoding is called 'cp9999'; there are: utf-8, utf-16, cp1252",
        {"encoding": "utf-8"},
    ),
    "no id": Wrong(
        Messy({"a.csv": "place,born\nOslo,1980\nRome,1980\n"}),
        "a.csv has no column that is called like an id (columns found: 'place', 'born'); name a column that tells "
        "users apart, for example --id 'place'; if the rows are links, set --source 'place' --target 'born'",
        {"columns": {"id": "place"}},
    ),
    "a row for each post": Wrong(
        Messy({"a.csv": "user_id,tweet\n1,hello\n1,again\n2,bye\n"}),
        "a.csv row 2: 'user_id' looks like the id, but '1' is also in row 1; give each user one row, with a list where "
        "there are several values, or name a column that tells users apart, for example --id 'tweet'",
        files={"a.csv": 'user_id,tweet\n1,"[""hello"", ""again""]"\n2,bye\n'},
    ),
    "ids rounded by a spreadsheet": Wrong(
        Messy({"a.csv": "id,name\n1.23E+17,Ann\n1.24E+17,Bob\n"}),
        "a.csv row 1: '1.23E+17' in column 'id' was rounded by a spreadsheet; export the data again with this column "
        "as text, or name another column with --id",
        {"columns": {"id": "name"}},
    ),
    "ids rounded in a workbook": Wrong(
        Messy({"a.xlsx": workbook(s=[["id"], [1234567890123456789], [1234567890123456999]])}),
        "a.xlsx sheet 's': column 'id' holds numbers of more than 15 digits (1234567890123457024), which Excel rounds; "
        "export the data again with this column as text, or as CSV",
        files={"a.xlsx": workbook(s=[["id"], ["1234567890123456789"], ["1234567890123456999"]])},
    ),
    "commas in names": Wrong(
        Messy({"a.csv": "id,name\n1,Lee, Ann\n2,Bob\n"}),
        "a.csv row 1: 3 cells where the header has 2 ('1,Lee, Ann'); put values that hold commas in double quotes",
        files={"a.csv": 'id,name\n1,"Lee, Ann"\n2,Bob\n'},
    ),
    "a page that asks to log in": Wrong(
        Messy({"a.csv": "<!DOCTYPE html>\n<html><body>Log in</body></html>\n"}),
        "a.csv is a web page, not a table; download the file itself, or log in and export it again",
        files={"a.csv": "id\n1\n2\n"},
    ),
    "no header": Wrong(
        Messy({"a.csv": "1,Ann Lee\n2,Bob Ray\n"}),
        "a.csv has no names of columns in its first line; add a line such as id,name above it, or name a "
        "column that tells users apart, for example --id 'column_1'",
        {"columns": {"id": "column_1"}},
    ),
    "links under odd names": Wrong(
        Messy({"a.csv": "person,knows\namy,bob\n"}),
        "if the rows are links, set --source 'person' --target 'knows'",
        {"columns": {"source": "person", "target": "knows"}},
    ),
    "links to others": Wrong(
        Messy({"users.csv": "id\n1\n2\n", "links.csv": "from,to\n1,999\n2,1\n"}),
        "links.csv row 1: followee '999' is not in users.csv; add the user or drop the link (--drop-dangling)",
        {"drop": True},
    ),
    "links of another network": Wrong(
        Messy({"users.csv": "id\n1\n2\n", "links.csv": "from,to\nx,y\nz,w\n"}),
        "links.csv: no end of a link is a user ('x', 'y' …), neither by id nor by another column of users.csv; check",
        files={"users.csv": "id\n1\n2\n", "links.csv": "from,to\n1,2\n"},
    ),
    "which columns are the ends": Wrong(
        Messy({"users.csv": "id\n1\n2\n", "links.csv": "day,p,q\nmon,1,2\ntue,2,1\n"}),
        "links.csv: which columns are the followers and the followees? Columns found: 'day', 'p', 'q'; set them, for "
        "example --source 'day' --target 'p', or --no-header",
        {"columns": {"source": "p", "target": "q"}},
    ),
    "a column that is not there": Wrong(
        Messy({"a.csv": "user_id,x\n1,a\n2,b\n"}, said={"columns": {"id": "userid"}}),
        "a.csv has no column 'userid' (columns found: 'user_id', 'x'); set --id 'user_id'",
        {"columns": {"id": "user_id"}},
    ),
    "broken JSON": Wrong(
        Messy({"a.json": '[{"id": 1}, {"id": 2,]'}),
        "a.json is not valid JSON (",
        files={"a.json": '[{"id": 1}, {"id": 2}]'},
    ),
    "a list of words": Wrong(
        Messy({"a.json": '["ann", "bob"]'}),
        "a.json row 1: 'ann' is not a JSON object; write a list of objects like",
        files={"a.json": '[{"id": "ann"}, {"id": "bob"}]'},
    ),
    "a download that broke off": Wrong(
        Messy({"a.csv.gz": gzip.compress(PEOPLE.encode())[:40]}),
        "a.csv.gz is packed and damaged (",
        files={"a.csv.gz": gzip.compress(b"id\n1\n2\n")},
    ),
    "a workbook that broke off": Wrong(
        Messy({"a.xlsx": workbook(s=[["id"], ["1"]])[:900]}),
        "a.xlsx is not a complete workbook (",
        files={"a.xlsx": workbook(s=[["id"], ["1"], ["2"]])},
    ),
    "several sheets": Wrong(
        Messy({"a.xlsx": workbook(y2019=[["id"], ["1"], ["2"]], y2020=[["id"], ["3"]])}),
        "a.xlsx holds several tables that may be the users: 'y2019', 'y2020'; name that of the users with --sheet NAME",
        {"sheet": "y2019"},
    ),
    "no such sheet": Wrong(
        Messy({"a.xlsx": workbook(y2019=[["id"], ["1"], ["2"]], y2020=[["id"], ["3"]])}, said={"sheet": "y"}),
        "a.xlsx has no sheet 'y'; there are: 'y2019', 'y2020'",
        {"sheet": "y2019"},
    ),
    "nothing in it": Wrong(
        Messy({"a.csv": ""}),
        "a.csv holds no users; give a column 'id' and one row for each user",
        files={"a.csv": "id\n1\n2\n"},
    ),
    "a PDF": Wrong(
        Messy({"a.pdf": b"%PDF-1.7"}), "a.pdf is a PDF; export the table as CSV", files={"a.pdf": "id\n1\n2\n"}
    ),
    "a pickle": Wrong(
        Messy({"a.pkl": b"\x80\x04\x95"}),
        "a.pkl is a Python pickle, which is not read; write the frame as Parquet or CSV",
        files={"a.pkl": parquet(id=["1", "2"])},
    ),
    "two tables of users": Wrong(
        Messy({"a.csv": "id\n1\n2\n", "b.csv": "id\n3\n"}),
        "holds a.csv and b.csv, which may all be the users; name one with a path, like ",
        files={"a.csv": "id\n1\n2\n"},
    ),
    "parts of different tables": Wrong(
        Messy({"users/0.parquet": parquet(id=["1"]), "users/1.parquet": parquet(uid=["2"]), "x.csv": "a\n1\n"}),
        "1.parquet and 0.parquet have different columns ('id', 'uid'); give a folder whose files are parts of one "
        "table",
        files={"users/0.parquet": parquet(id=["1"]), "users/1.parquet": parquet(id=["2"]), "x.csv": "a\n1\n"},
    ),
}


@pytest.mark.parametrize("wrong", BAD.values(), ids=BAD.keys())
def test_refused_with_a_sentence_that_mends_it(tmp_path: Path, wrong: Wrong) -> None:
    with pytest.raises(InputError, match=re.escape(wrong.sentence)) as refusal:
        wrong.case.read(tmp_path / "wrong")
    assert "\n" not in str(refusal.value)
    files = wrong.files or wrong.case.files
    mended = Messy(files).read(tmp_path / "mended", wrong.said)
    assert len(mended.network) == wrong.users
