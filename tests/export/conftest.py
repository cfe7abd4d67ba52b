"""A run of a small world with names that are hard on every format."""

from pathlib import Path

import polars as pl
import pytest

from factlink.linkers.settings import make_linker
from factlink.runs.inputs import LinkRequest
from factlink.runs.making import make_run

LEFT = {
    "id": ["a", "b", "c"],
    "name": ['Ann <Lee> & "Co"', "=2+5 Bob", "Cid\x00 Moe"],
    "network": ["one", "two", None],
}
RIGHT = {
    "id": ["1", "2", "3"],
    "name": ['Ann <Lee> & "Co"', "=2+5 Bob", "Cid\x00 Moe"],
    "acct": ["@ann@one.example", "https://two.example/@bob", "cid"],
    "email": ["ann@mail.example", "bob@mail.example", "cid@mail.example"],
    "did": ["did:plc:abc", None, "did:web:cid.example"],
}


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three linked pairs; a follows b, b follows c."""
    place = tmp_path_factory.mktemp("export")
    for side, users, ends in (("old", LEFT, "abc"), ("new", RIGHT, "123")):
        (place / side).mkdir()
        pl.DataFrame(users).write_parquet(place / side / "users.parquet")
        links = pl.DataFrame({"source": [ends[0], ends[1]], "target": [ends[1], ends[2]]})
        links.write_parquet(place / side / "links.parquet")
    request = LinkRequest(place / "old", place / "new", place / "run", kinds={"network": "category", "name": "name"})
    make_run(request, make_linker("factoid", {}))
    return place / "run"
