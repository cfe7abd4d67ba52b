"""Links as a table of a database."""

import sqlite3
from pathlib import Path

import pytest

from factlink.errors import FactlinkError
from factlink.export import databases
from factlink.export.databases import Target, export_to_database, is_database
from factlink.export.selection import Selection


@pytest.mark.parametrize("out", ["links.sqlite", "a/links.DB", "x.duckdb", "postgresql://ann@host/db", "sqlite:///x"])
def test_databases_are_recognised(out: str) -> None:
    assert is_database(out)


@pytest.mark.parametrize("out", ["links.csv", "http://host/links.csv", "links", "a.b/links.parquet"])
def test_files_are_not(out: str) -> None:
    assert not is_database(out)


def test_a_table_is_written_and_replaced_only_if_wanted(run: Path, tmp_path: Path) -> None:
    file = str(tmp_path / "links.sqlite")
    export_to_database(run, Target(file), Selection("link"))
    with sqlite3.connect(file) as db:
        assert db.execute('SELECT "left", "right" FROM links').fetchall() == [("a", "1"), ("b", "2"), ("c", "3")]
    assert Path(file).stat().st_mode & 0o777 == 0o600
    with pytest.raises(FactlinkError, match="already has a table 'links'"):
        export_to_database(run, Target(file))
    export_to_database(run, Target(file, replace=True))


def test_a_table_that_cannot_be_written_leaves_no_new_file(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "links.sqlite"

    def fill_the_disk(*_: object, **__: object) -> None:
        file.touch()
        raise OSError("no space left")

    monkeypatch.setattr(databases, "write_table", fill_the_disk)
    with pytest.raises(OSError, match="no space left"):
        export_to_database(run, Target(str(file)))
    assert not file.exists()
    file.write_bytes(b"of somebody else")
    with pytest.raises(OSError, match="no space left"):
        export_to_database(run, Target(str(file)))
    assert file.read_bytes() == b"of somebody else"
