import json
import zipfile
from pathlib import Path

import pytest

from factlink.data.exports import recognises
from factlink.errors import InputError
from tests.data.exports.conftest import Pack
from tests.data.exports.reading import found_in, links, users

CONTEXT = "https://www.w3.org/ns/activitystreams"
ACTOR = {
    "@context": [CONTEXT],
    "id": "https://mastodon.example/users/amy",
    "type": "Person",
    "preferredUsername": "amy",
    "name": "Amy Tan",
    "summary": "<p>Reads &amp; writes</p>",
    "attachment": [{"type": "PropertyValue", "name": "Home", "value": '<a href="https://amy.example" rel="me">x</a>'}],
}
POST = {
    "type": "Create",
    "object": {
        "type": "Note",
        "content": "hello",
        "tag": [
            {"type": "Mention", "href": "https://else.example/users/bob", "name": "@bob@else.example"},
            {"type": "Mention", "href": "https://mastodon.example/@cy", "name": "@cy"},
            {"type": "Mention", "href": "nowhere", "name": "@dan"},
            {"type": "Hashtag", "href": "https://mastodon.example/tags/x", "name": "#x"},
        ],
    },
}
OUTBOX = {
    "@context": CONTEXT,
    "type": "OrderedCollection",
    "totalItems": 2,
    "orderedItems": [POST, {"type": "Announce", "object": "https://x"}],
}
FOLLOWING = (
    "Account address,Show boosts,Notify on new posts,Languages\nbob@else.example,true,false,\nnobody,true,false,\n"
)
FILES = {
    "actor.json": json.dumps(ACTOR),
    "outbox.json": json.dumps(OUTBOX),
    "following_accounts.csv": FOLLOWING,
    "followers.csv": "Account address\n@eve@else.example\n",
}


def test_archive_beside_the_list_of_follows(tmp_path: Path) -> None:
    """As people download them: the list at once, the archive a day later, into one folder."""
    (tmp_path / "following_accounts.csv").write_text(FOLLOWING)
    with zipfile.ZipFile(tmp_path / "archive-20240301.zip", "w") as archive:
        archive.writestr("actor.json", json.dumps(ACTOR))
        archive.writestr("outbox.json", json.dumps(OUTBOX))
        archive.writestr("following_accounts.csv", "Account address\nold@else.example\n")
    found = found_in(tmp_path)
    assert links(found) == {
        ("amy@mastodon.example", "bob@else.example", "follows", 1.0),
        ("amy@mastodon.example", "bob@else.example", "mentions", 1.0),
        ("amy@mastodon.example", "cy@mastodon.example", "mentions", 1.0),
    }
    (tmp_path / "archive-20240301.zip").write_bytes(b"PK\x03\x04 and no more")
    assert recognises(tmp_path)
    with pytest.raises(InputError, match=r"archive-20240301\.zip cannot be read .*; download the export again"):
        found_in(tmp_path)


def test_archive_and_lists(pack: Pack) -> None:
    found = found_in(pack("mastodon", FILES))
    assert users(found) == {
        "amy@mastodon.example": {
            "username": "amy",
            "name": "Amy Tan",
            "bio": "Reads & writes",
            "website": ["https://amy.example"],
        },
        "bob@else.example": {"username": "bob"},
        "eve@else.example": {"username": "eve"},
        "cy@mastodon.example": {"username": "cy"},
    }
    assert links(found) == {
        ("amy@mastodon.example", "bob@else.example", "follows", 1),
        ("eve@else.example", "amy@mastodon.example", "follows", 1),
        ("amy@mastodon.example", "bob@else.example", "mentions", 1),
        ("amy@mastodon.example", "cy@mastodon.example", "mentions", 1),
    }
    assert found.notes[1:] == (
        "following_accounts.csv: 1 entry without an address like amy@mastodon.example left out",
        "outbox.json: 1 entry without an address of the account that is mentioned left out",
        "posts themselves are not kept",
    )


def test_the_list_of_follows_alone(folder_of: Pack) -> None:
    path = folder_of("one", {"following_accounts (1).csv": FOLLOWING}) / "following_accounts (1).csv"
    found = found_in(path)
    assert links(found) == {("me", "bob@else.example", "follows", 1)}
    assert found.notes[-1] == "the files do not say whose export it is: the person has the id 'me'"


def test_answers_of_a_server(folder_of: Pack) -> None:
    local = {
        "id": "1",
        "username": "bob",
        "acct": "bob",
        "display_name": "Bob",
        "note": "<p>hi</p>",
        "url": "https://m.example/@bob",
    }
    collection = {"type": "OrderedCollectionPage", "orderedItems": ["https://else.example/users/eve", "https://odd/"]}
    files = {"following.json": json.dumps([local]), "followers.json": json.dumps(collection)}
    found = found_in(folder_of("api", files))
    assert users(found)["bob@m.example"] == {"username": "bob", "name": "Bob", "bio": "hi"}
    assert links(found) == {("me", "bob@m.example", "follows", 1), ("eve@else.example", "me", "follows", 1)}


def test_an_archive_without_follows_says_where_to_get_them(folder_of: Pack) -> None:
    found = found_in(folder_of("bare", {"actor.json": json.dumps(ACTOR)}))
    assert found.tables.users["id"].to_list() == ["amy@mastodon.example"]
    assert "there is no following_accounts.csv: get it at Preferences > Import and export" in found.notes[1]


def test_damage(folder_of: Pack) -> None:
    with pytest.raises(InputError, match=r"outbox.json is damaged or cut off"):
        found_in(folder_of("cut", {**FILES, "outbox.json": FILES["outbox.json"][:-30]}))
    with pytest.raises(InputError, match=r"actor.json is damaged or cut off"):
        found_in(folder_of("cut2", {**FILES, "actor.json": FILES["actor.json"][:-1]}))
