"""One list of ways, asked in order: each kind of source finds its own."""

import json
import sqlite3
from pathlib import Path

import polars as pl
import pytest

from factlink.data import authors, databases, exports
from factlink.data.graphs import files as graph_files
from factlink.data.sources import files, folders, objects
from factlink.data.sources.networks import distinct_names, read_networks
from factlink.data.sources.registry import WAYS, source_shown, way_for

ADDRESS = "postgresql://amy:secret@db.org:5432/forum?users=accounts&sslpassword=hidden&links=follows"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "net").mkdir()
    (tmp_path / "net" / "users.csv").write_text("id\n1\n")
    (tmp_path / "a.csv").write_text("id\n1\n")
    (tmp_path / "a.gexf").write_text("<gexf/>")
    (tmp_path / "fb_user_names.txt").write_text("1\tAnn\n")
    (tmp_path / "following_accounts.csv").write_text("Account address,Show boosts\nann@x.org,true\n")
    with sqlite3.connect(tmp_path / "forum.sqlite") as database:
        database.executescript(
            "CREATE TABLE users (user_id, name); INSERT INTO users VALUES (1, 'Ann'), (2, 'Bob');"
            "CREATE TABLE follows (follower, followee); INSERT INTO follows VALUES ('Ann', 'Bob');"
        )
    return tmp_path


def test_each_source_finds_its_way(place: Path) -> None:
    sources = {
        place / "net": folders,
        place / "gone": folders,
        place / "a.csv": files,
        place / "a.gexf": graph_files,
        place / "fb": authors,
        place / "following_accounts.csv": exports,
        place / "forum.sqlite": databases,
        ADDRESS: databases,
    }
    assert {source: way_for(source) for source in sources} == sources
    assert way_for(pl.DataFrame()) is objects
    assert {*sources.values(), objects} == set(WAYS)


def test_a_database_gets_its_columns_and_ends_as_any_source_does(place: Path) -> None:
    source = f"{place / 'forum.sqlite'}?users=users&links=follows"
    reading = read_networks([source])[0]
    assert reading.network.name == "forum"
    assert reading.network.users.to_list() == ["1", "2"]
    assert reading.network.links["follows"].followees.tolist() == [1]
    assert "the ends of links are given by 'name', not by id" in reading.notes


def test_an_export_is_read_as_the_network_around_a_person(place: Path) -> None:
    reading = read_networks([place / "following_accounts.csv"])[0]
    assert "ann@x.org" in reading.network.users.to_list()
    assert sum(map(len, reading.network.links.values())) == 1


def test_passwords_are_not_shown(tmp_path: Path) -> None:
    assert source_shown(ADDRESS) == "postgresql://db.org:5432/forum?users=accounts&links=follows"
    assert distinct_names([ADDRESS]) == ["forum"]
    assert source_shown(tmp_path) == str(tmp_path)
    assert source_shown(pl.DataFrame()) == "a DataFrame"


def test_an_instagram_download_in_a_folder(tmp_path: Path) -> None:
    path = tmp_path / "connections" / "followers_and_following" / "following.json"
    path.parent.mkdir(parents=True)
    one = {"string_list_data": [{"href": "https://www.instagram.com/ann", "value": "ann", "timestamp": 1}]}
    path.write_text(json.dumps({"relationships_following": [one]}))
    assert "ann" in read_networks([tmp_path])[0].network.users.to_list()
