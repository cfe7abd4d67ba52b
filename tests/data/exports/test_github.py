import json

import pytest

from factlink.errors import InputError
from tests.data.exports.conftest import Pack
from tests.data.exports.reading import found_in, links, users


def account(login: str, **more: str) -> dict[str, object]:
    return {"login": login, "id": 1, "html_url": f"https://github.com/{login}", "type": "User", **more}


FILES = {
    "user.json": json.dumps(
        account("amytan", name="Amy Tan", bio="Reads", blog="https://amy.example", location="Oslo")
    ),
    "followers.json": json.dumps([account("bob"), {"id": 7}]),
    "following.json": json.dumps([account("bob")]) + json.dumps([account("cy", name="Cy")]),
}


def test_followers_and_following(pack: Pack) -> None:
    """`gh api --paginate` writes one list behind the other."""
    found = found_in(pack("github", FILES))
    assert users(found) == {
        "amytan": {
            "username": "amytan",
            "name": "Amy Tan",
            "bio": "Reads",
            "location": "Oslo",
            "website": "https://amy.example",
        },
        "bob": {"username": "bob"},
        "cy": {"username": "cy", "name": "Cy"},
    }
    assert links(found) == {
        ("amytan", "bob", "follows", 1),
        ("amytan", "cy", "follows", 1),
        ("bob", "amytan", "follows", 1),
    }
    assert found.notes[1] == "followers.json: 1 entry without a login left out"


def test_pages_in_one_list(folder_of: Pack) -> None:
    pages = json.dumps([[account("bob")], [], [account("cy")]])
    found = found_in(folder_of("one", {"followers.json": pages}) / "followers.json")
    assert links(found) == {("bob", "me", "follows", 1), ("cy", "me", "follows", 1)}


def test_damage(folder_of: Pack) -> None:
    with pytest.raises(InputError, match=r"followers.json is damaged or cut off"):
        found_in(folder_of("cut", {**FILES, "followers.json": FILES["followers.json"][:-1]}))
