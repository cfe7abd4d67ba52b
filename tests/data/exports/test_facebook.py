import json

import pytest

from factlink.errors import InputError
from tests.data.exports.conftest import Pack
from tests.data.exports.reading import found_in, links, users

FRIENDS = {"friends_v2": [{"name": "Ann Lee", "timestamp": 1}, {"name": "Ann Lee", "timestamp": 2}, {"timestamp": 3}]}
PROFILE = {
    "profile_v2": {
        "name": {"full_name": "Am\u00c3\u00a9lie Tan", "first_name": "Am\u00c3\u00a9lie"},
        "username": "amy.tan",
        "current_city": {"name": "Oslo", "timestamp": 0},
        "emails": {"emails": ["amy@example.org"]},
    }
}
FILES = {
    "connections/friends/your_friends.json": json.dumps(FRIENDS),
    "connections/followers/people_who_followed_you.json": json.dumps({"followers_v3": [{"name": "Eve"}]}),
    "connections/followers/who_you've_followed.json": json.dumps({"following_v3": [{"name": "Some Page"}]}),
    "personal_information/profile_information/profile_information.json": json.dumps(PROFILE),
}


def test_a_download(pack: Pack) -> None:
    found = found_in(pack("facebook-amy", FILES))
    assert users(found) == {
        "amy.tan": {"username": "amy.tan", "name": "Amélie Tan", "location": "Oslo"},
        "Ann Lee": {"name": "Ann Lee"},
        "Ann Lee (2)": {"name": "Ann Lee"},
        "Eve": {"name": "Eve"},
        "Some Page": {"name": "Some Page"},
    }
    both = {
        (a, b, "follows", 1) for name in ("Ann Lee", "Ann Lee (2)") for a, b in ((name, "amy.tan"), ("amy.tan", name))
    }
    assert links(found) == {*both, ("Eve", "amy.tan", "follows", 1), ("amy.tan", "Some Page", "follows", 1)}
    place = "connections/friends/your_friends.json"
    assert found.notes[1:] == (
        f"{place}: accounts with the name of another one: 1; their ids end in (2), (3) …",
        f"{place}: 1 entry without a name left out",
        "friends follow each other: each is two links",
    )


def test_an_older_download(folder_of: Pack) -> None:
    found = found_in(folder_of("old", {"friends/friends.json": json.dumps({"friends": [{"name": "Bob"}]})}))
    assert links(found) == {("me", "Bob", "follows", 1), ("Bob", "me", "follows", 1)}


def test_the_other_format(folder_of: Pack) -> None:
    path = folder_of("html", {"connections/friends/your_friends.html": "<html>"})
    with pytest.raises(InputError, match="was downloaded as HTML"):
        found_in(path)


def test_damage(folder_of: Pack) -> None:
    name = "connections/friends/your_friends.json"
    with pytest.raises(InputError, match=r"your_friends.json is damaged or cut off"):
        found_in(folder_of("cut", {**FILES, name: FILES[name][:-5]}))
