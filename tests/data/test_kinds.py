import os
from pathlib import Path
from random import Random

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from factlink.data.kinds import guess_kind, kind_named
from factlink.data.sources.networks import read_networks
from factlink.errors import SettingError
from factlink.types import Kind

DATA = Path(os.environ.get("FACTLINK_DATA", Path(__file__).parents[3] / "shared" / "data"))

NAMES = ["Ann Lee", "bob_99", "Chen Wei", "d.evans", "Élise", "frank"]
BIOS = ["I write about trains, tea and old maps of the north"] * 2 + ["Mother of two; views are mine and nobody else's"]
PLACES = ["Oslo", "Bergen, Norway", "Kyoto", "Lima", "Oslo", "Accra"]
FILES = ["avatars/1.jpg", "avatars/2.PNG", "x.webp"]
ADDRESSES = ["https://a.org/1.jpg", "http://b.org", "https://c.org/me"]
DATES = ["1950-07-15T00:00:00Z", "1937-12-20", "1972-02-19 12:00"]
COUNTS = ["12", "7", "1530", "2.5", "88", "9"]
CODES = [
    "0f8fad5b-d9cb-469f-a165-70867728950e",
    "7c9e6679-7425-40de-944b-e07fc1f90ae7",
    "e02fd0e4-00fd-090a-ca30-0d00a0038ba0",
]
HASHES = ["0bc83cb571cd1c50ba6f3e8a78ef1346", "9e26471d35a78862c17e467d87cddedf", "c" * 32]
GRAVATARS = [f"https://www.gravatar.com/avatar/{each}?s=80" for each in HASHES]
IDS = ["100000123", "100000456", "100000789"]


@pytest.mark.parametrize(
    ("predicate", "values", "kind"),
    [
        ("email_md5", HASHES, Kind.HANDLE),
        ("gravatar", HASHES, Kind.HANDLE),
        ("md5", HASHES, Kind.IGNORE),
        ("avatar", GRAVATARS, Kind.URL),
        *[
            (name, NAMES, Kind.NAME)
            for name in ("name", "username", "screen_name", "screenName", "handle", "display_name")
        ],
        *[
            (name, NAMES, Kind.NAME)
            for name in ("nickname", "first", "last", "full name", "login", "alias", "who", "email")
        ],
        *[(name, BIOS, Kind.TEXT) for name in ("bio", "about me", "posts", "summary", "x", "name", "location")],
        ("status", BIOS, Kind.TEXT),
        ("status", ["on", "off"] * 20, Kind.CATEGORY),
        ("avatar", ["a1", "b2", "c3"], Kind.IMAGE),
        ("file", FILES, Kind.IMAGE),
        ("photo", FILES, Kind.IMAGE),
        ("has_photo", ["true", "false"] * 20, Kind.CATEGORY),
        ("photo", ADDRESSES, Kind.IGNORE),
        ("website", ADDRESSES, Kind.URL),
        ("birthday", DATES, Kind.DATE),
        ("x", DATES, Kind.DATE),
        ("created_at", ["Mon Jan 3 2011", "Tue Feb 4 2014"], Kind.DATE),
        ("born", ["1950", "1971", "1988"], Kind.DATE),
        ("born", PLACES, Kind.NAME),
        ("followers_count", COUNTS, Kind.NUMBER),
        ("x", COUNTS, Kind.NUMBER),
        ("friends", NAMES, Kind.NAME),
        *[(name, PLACES, Kind.LOCATION) for name in ("location", "homeTown", "city_name", "birthplace", "Country")],
        *[(name, ["f", "m"] * 20, Kind.CATEGORY) for name in ("gender", "sex", "x")],
        ("district", ["1", "2", "13", "27"] * 9, Kind.CATEGORY),
        ("company_name", ["Acme", "Apex", "Ajax"], Kind.CATEGORY),
        ("user_id", IDS, Kind.IGNORE),
        ("x", IDS, Kind.IGNORE),
        ("x", CODES, Kind.IGNORE),
        ("name", ["Ann"] * 3, Kind.IGNORE),
        ("name", ["Ann"], Kind.NAME),
        ("name", [], Kind.IGNORE),
        ("", NAMES, Kind.IGNORE),
        ("名前", ["山田太郎", "鈴木花子", "佐藤健"], Kind.NAME),
        ("x", ["山" * 50, "田" * 60], Kind.TEXT),
    ],
)
def test_guesses(predicate: str, values: list[str], kind: Kind) -> None:
    assert guess_kind(predicate, pl.Series(values, dtype=pl.String)).kind is kind


@pytest.mark.parametrize(
    ("predicate", "values", "reason"),
    [
        ("bio", BIOS, "the column's name says 'bio'"),
        ("last", NAMES, "the column is called 'last'"),
        ("x", [], "no values"),
        ("x", ["a"] * 9, "the same value everywhere"),
        ("x", ["a", "b"] * 20, "few different values (2 among 40)"),
    ],
)
def test_reasons(predicate: str, values: list[str], reason: str) -> None:
    assert guess_kind(predicate, pl.Series(values, dtype=pl.String)).reason == reason


@settings(deadline=None)
@given(
    st.text(max_size=8),
    st.lists(st.text(min_size=1, max_size=20) | st.sampled_from([*NAMES, *BIOS, *DATES, *COUNTS, *IDS]), max_size=30),
    st.randoms(),
)
def test_the_order_of_values_does_not_matter(predicate: str, values: list[str], random: Random) -> None:
    mixed = list(values)
    random.shuffle(mixed)
    before = guess_kind(predicate, pl.Series(values, dtype=pl.String))
    assert guess_kind(predicate, pl.Series(mixed, dtype=pl.String)) == before


def test_kinds_by_name() -> None:
    assert kind_named("text") is kind_named(Kind.TEXT) is Kind.TEXT
    with pytest.raises(SettingError, match="no kind is called 'Text'; there are: name, text, image, category"):
        kind_named("Text")


@pytest.mark.skipif(not DATA.is_dir(), reason="needs the real networks: set FACTLINK_DATA to their folder")
def test_real_columns() -> None:
    official, twitter, wikidata = read_networks(
        [DATA / "congress" / "official", DATA / "congress" / "twitter", DATA / "us_politicians" / "wikidata"]
    )
    assert {predicate: guess.kind.value for predicate, guess in official.guesses.items()} == {
        "name": "name",
        "first": "name",
        "last": "name",
        "nickname": "name",
        "birthday": "date",
        "gender": "category",
        "chamber": "category",
        "state": "location",
        "district": "category",
        "party": "category",
        "committees": "text",
        "first_term": "date",
    }
    assert [guess.kind.value for guess in twitter.guesses.values()] == ["name", "name", "text"]
    assert [guess.kind.value for guess in wikidata.guesses.values()] == [
        "name",
        "category",
        "location",
        "date",
        "category",
    ]
