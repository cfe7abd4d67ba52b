"""Users by what people call them."""

from pathlib import Path

import polars as pl
import pytest

from factlink.errors import InputError
from factlink.linkers.settings import make_linker
from factlink.runs.finding import FoundUser, Resolved, find_users, resolve_users
from factlink.runs.inputs import LinkRequest
from factlink.runs.making import make_run


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("finding")
    users = {
        "old": {"id": ["1", "2", "3"], "name": ["Jon Ossoff", "Ann Lee", "Ann Lee"], "handle": ["jon", "ann", "lee"]},
        "new": {
            "id": ["9", "8", "2"],
            "name": ["Jon  OSSOFF", "Bea Day", "Cid Moe"],
            "handle": ["@ossoff", "bea", "cid"],
        },
    }
    for name, columns in users.items():
        (place / name).mkdir()
        pl.DataFrame(columns).write_parquet(place / name / "users.parquet")
    make_run(LinkRequest(place / "old", place / "new", place / "run"), make_linker("name", {}))
    return place / "run"


@pytest.mark.parametrize(
    ("words", "users"),
    [
        (["1"], ("1",)),
        (["jon ossoff"], ("1",)),
        (["@ossoff"], ("9",)),
        (["Bea"], ("8",)),
        (["oss"], ("1",)),
        (["Jon Ossoff", "Jon Ossoff"], ("1", "9")),
        (["bea day", "jon"], ("1", "8")),
        (["2", "2"], ("2", "2")),
        (["3", "Jon Ossoff"], ("3", "9")),
        (["Jon Ossoff", "3"], ("3", "9")),
        (["Jon Ossoff", "8"], ("1", "8")),
        (["8", "Jon Ossoff"], ("1", "8")),
    ],
)
def test_ids_names_and_handles_are_understood(run: Path, words: list[str], users: tuple[str, ...]) -> None:
    assert resolve_users(run, words) == Resolved(users)


def test_several_are_listed(run: Path) -> None:
    anns = (FoundUser("left", "old", "2", "Ann Lee"), FoundUser("left", "old", "3", "Ann Lee"))
    assert resolve_users(run, ["ann lee"]) == Resolved((), "ann lee", anns)
    assert resolve_users(run, ["ann lee", "9"]) == Resolved((), "ann lee", anns)


def test_nobody_is_one_sentence(run: Path) -> None:
    with pytest.raises(InputError, match="no user is called 'zoe' in network 'old' or 'new'; give an id, a name"):
        find_users(run, "zoe")
