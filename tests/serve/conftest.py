"""A small made-up world that is linked once, without its last five left users; and the service of it."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from starlette.testclient import TestClient

from factlink.data.files import write_network
from factlink.data.frames import frames_from_network
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.runs.inputs import LinkRequest
from factlink.runs.making import make_run
from factlink.serve.app import Service, make_app
from factlink.serve.guard import Entry
from factlink.serve.measures import Measures
from factlink.serve.warm.holding import Held
from factlink.synthetic.dials import Dials, Population
from factlink.synthetic.worlds import twins

TOKEN = "a-token-of-some-length"
ENTRY = Entry(TOKEN, ("testserver",))
BEARER = {"Authorization": f"Bearer {TOKEN}"}


@dataclass(frozen=True)
class World:
    """A run, and the left users that it does not hold."""

    place: Path
    new: list[dict[str, Any]]

    @property
    def run(self) -> Path:
        return self.place / "run"

    def account(self, at: int) -> dict[str, Any]:
        """A new user as it is asked about."""
        user = self.new[at]
        attributes = {name: held for name, held in user.items() if name not in ("id", "links") and held is not None}
        return {"id": user["id"], "attributes": attributes, "links": user["links"]}


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    place = tmp_path_factory.mktemp("served")
    made = twins(Dials(Population(people=80, presence=1.0, networks=("left", "right")), seed=3))
    left, right = made.networks
    write_network(right, place / "right")
    users, links = frames_from_network(left)
    old = users.head(users.height - 5)
    known = set(old["id"])
    (place / "left").mkdir()
    old.write_parquet(place / "left" / "users.parquet")
    links.filter(pl.col("source").is_in(known), pl.col("target").is_in(known)).write_parquet(
        place / "left" / "links.parquet"
    )
    new = [user | {"links": _links(user["id"], links, known)} for user in users.tail(5).to_dicts()]
    make_run(LinkRequest(place / "left", place / "right", place / "run"), FactoidLinker())
    return World(place, new)


def _links(user: str, links: pl.DataFrame, known: set[str]) -> list[dict[str, str]]:
    followees = links.filter(pl.col("source") == user)["target"]
    followers = links.filter(pl.col("target") == user)["source"]
    return [
        *({"followee": other} for other in followees if other in known),
        *({"follower": other} for other in followers if other in known),
    ]


@pytest.fixture
def copy(world: World, tmp_path: Path) -> Path:
    """The run in a place of its own, to be written."""
    shutil.copytree(world.run, tmp_path / "run")
    return tmp_path / "run"


def client_of(run: Path, folder: Path, *, write: bool = False, entry: Entry = ENTRY) -> TestClient:
    """A client that sends the token."""
    folder.mkdir(exist_ok=True)
    measures = Measures()
    app = make_app(Service(Held(run, folder), entry, measures, folder, write=write), entry, measures)
    return TestClient(app, headers=BEARER, raise_server_exceptions=False)


@pytest.fixture(scope="session")
def client(world: World) -> Iterator[TestClient]:
    with client_of(world.run, world.place / "work") as made:
        yield made
