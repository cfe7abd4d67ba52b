"""What a file is, by its first bytes, and by its name where these say nothing."""

from enum import StrEnum
from pathlib import Path

from factlink.errors import InputError

GRAPHS = (".graphml", ".gexf", ".gml", ".net", ".paj", ".pajek")
WORDS = (".edges", ".edgelist", ".el")
TABLES = (".csv", ".tsv", ".tab", ".psv", ".txt", ".dat", ".json", ".jsonl", ".ndjson", ".parquet", ".pq", *WORDS)
BOOKS = (".xlsx", ".xlsm", ".xls", ".ods")
DATABASES = (".sqlite", ".sqlite3", ".db", ".duckdb")
PACKED = (".gz", ".zst", ".bz2", ".xz", ".zip")
_SIZE = 4096
_ZIP = b"PK\x03\x04"
_BOOK_MARKS = (b"[Content_Types].xml", b"xl/", b"opendocument.spreadsheet")


class Content(StrEnum):
    """What a file holds."""

    PARQUET = "Parquet"
    BOOK = "a workbook"
    GZIP = "gzip"
    ZSTD = "Zstandard"
    BZIP2 = "bzip2"
    XZ = "xz"
    ZIP = "a zip archive"
    JSON = "JSON"
    TEXT = "text"


_STARTS = {
    b"PAR1": Content.PARQUET,
    b"\x1f\x8b": Content.GZIP,
    b"\x28\xb5\x2f\xfd": Content.ZSTD,
    b"BZh": Content.BZIP2,
    b"\xfd7zXZ": Content.XZ,
    b"\xd0\xcf\x11\xe0": Content.BOOK,
}
_NAMES = {".parquet": Content.PARQUET, ".pq": Content.PARQUET, **dict.fromkeys(BOOKS, Content.BOOK)}
_FOREIGN = {
    b"%PDF": "a PDF; export the table as CSV",
    b"\x89PNG": "a picture; give a table",
    b"\xff\xd8\xff": "a picture; give a table",
    b"GIF8": "a picture; give a table",
    b"7z\xbc\xaf": "a 7z archive; unpack it and give the file inside",
    b"Rar!": "a RAR archive; unpack it and give the file inside",
    b"\x7fELF": "a program; give a table",
    b"\x80\x04": "a Python pickle, which is not read; write the frame as Parquet or CSV",
    b"\x80\x05": "a Python pickle, which is not read; write the frame as Parquet or CSV",
    b"ARROW1": "a Feather (Arrow IPC) file; write it as Parquet",
}
_PAGES = (b"<!doctype html", b"<html")


def content_of(path: Path, origin: str) -> Content:
    """What the file holds; refuses what is not a table at all."""
    with path.open("rb") as file:
        start = file.read(_SIZE)
    for mark, what in _FOREIGN.items():
        if start.startswith(mark):
            raise InputError(f"{origin} is {what}")
    if start.lstrip(b"\xef\xbb\xbf \r\n\t").lower().startswith(_PAGES):
        raise InputError(
            f"{origin} is a web page, not a table; download the file itself, or log in and export it again"
        )
    for mark, content in _STARTS.items():
        if start.startswith(mark):
            return content
    if start.startswith(_ZIP):
        return Content.BOOK if any(mark in start for mark in _BOOK_MARKS) else Content.ZIP
    suffix = path.suffix.lower()
    if suffix in _NAMES:
        return _NAMES[suffix]
    return Content.JSON if suffix in (".json", ".jsonl", ".ndjson") else _text_or_json(start, suffix)


def stem_of(name: str) -> str:
    """'Users' of 'Users.csv.gz': the name without what says how to read it."""
    path = Path(name)
    while path.suffix.lower() in PACKED:
        path = path.with_suffix("")
    return path.with_suffix("").name if path.suffix.lower() in (*TABLES, *BOOKS, *GRAPHS, *DATABASES) else path.name


def is_table_name(name: str) -> bool:
    """Whether a file of this name is one that can hold a table, packed or not."""
    path = Path(name.lower())
    while path.suffix in PACKED:
        path = path.with_suffix("")
    return path.suffix in (*TABLES, *BOOKS)


def _text_or_json(start: bytes, suffix: str) -> Content:
    named_text = suffix in TABLES
    return Content.JSON if not named_text and start.lstrip(b"\xef\xbb\xbf \r\n\t")[:1] in (b"{", b"[") else Content.TEXT
