"""What is written to a database is read back."""

from datetime import date
from pathlib import Path

import polars as pl
import pytest

from factlink.data.databases import read
from factlink.data.databases.writing import write_table
from factlink.data.protocol import SourceOptions
from factlink.errors import InputError
from tests.servers import Server

FRAME = pl.DataFrame(
    {
        "id": ["a", "b; DROP TABLE x", "'c\""],
        "probability": [0.25, None, 1.0],
        "n": [1, None, -(2**62)],
        "is_link": [True, False, None],
        "words": [["x", "y"], ["z"], None],
        "on": [date(2024, 2, 29), None, date(1, 1, 1)],
        'odd "name"': ["", "ä\n", None],
    }
)

UNWRITABLE = {
    "sqlite": pl.DataFrame({"a": [{"b": 1}]}),
    "duckdb": pl.DataFrame(),
    "postgresql": pl.DataFrame({"a": ["\0"]}),
}


@pytest.fixture(params=["sqlite", "duckdb", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "postgresql":
        server: Server = request.getfixturevalue("postgresql")
        return server.url()
    return f"{request.param}:///{tmp_path}/out.db"


def test_a_frame_is_written_and_read_back(url: str) -> None:
    write_table(url, "link table", FRAME, replace=True)
    back = read(f"{url}?users=link%20table", SourceOptions("out")).tables.users
    if url.startswith("sqlite"):
        assert back["is_link"].to_list() == [1, 0, None]
        assert back["on"].to_list() == ["2024-02-29", None, "0001-01-01"]
        assert back["words"].to_list() == [["x", "y"], ["z"], [None]]
        assert back['odd "name"'].to_list() == [None, "ä\n", None]
        back, kept = back[:, :3], FRAME[:, :3]
    else:
        kept = FRAME
    assert back.equals(kept)


def test_a_table_that_is_there_is_kept(url: str) -> None:
    write_table(url, "kept", FRAME, replace=True)
    with pytest.raises(InputError, match=r"already has a table 'kept'; name another one, or drop it first") as caught:
        write_table(url, "kept", FRAME.head(1))
    assert "s3cr" not in str(caught.value)
    assert read(f"{url}?users=kept", SourceOptions("out")).tables.users.height == 3
    write_table(url, "kept", FRAME.head(1), replace=True)
    assert read(f"{url}?users=kept", SourceOptions("out")).tables.users.height == 1


def test_a_write_that_fails_leaves_the_old_table(url: str) -> None:
    write_table(url, "kept", FRAME, replace=True)
    with pytest.raises(InputError, match=r"; check the table|holds a struct"):
        write_table(url, "kept", UNWRITABLE[url.partition(":")[0]], replace=True)
    assert read(f"{url}?users=kept", SourceOptions("out")).tables.users.height == 3


def test_types_that_not_every_database_has(url: str) -> None:
    decision = pl.Series("decision", ["link", None], dtype=pl.Enum(["link", "unknown"]))
    rank = pl.Series("rank", [1, 2], dtype=pl.UInt32)
    write_table(url, "types", pl.DataFrame([decision, rank]), replace=True)
    back = read(f"{url}?users=types", SourceOptions("out")).tables.users
    assert back.to_dict(as_series=False) == {"decision": ["link", None], "rank": [1, 2]}


def test_a_schema_before_the_table(postgresql: Server) -> None:
    write_table(postgresql.url(), "public.placed", FRAME, replace=True)
    assert read(postgresql.url("?users=placed"), SourceOptions("out")).tables.users.height == 3


def test_mysql_is_only_read() -> None:
    with pytest.raises(InputError, match="tables are written to PostgreSQL, SQLite and DuckDB only"):
        write_table("mysql://localhost/x", "links", FRAME)
