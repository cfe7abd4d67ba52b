import json

import pytest

from factlink.errors import InputError
from tests.data.exports.atproto.writing import car, repository
from tests.data.exports.conftest import Pack
from tests.data.exports.reading import found_in, links, users

MENTION = {"$type": "app.bsky.richtext.facet#mention", "did": "did:plc:bob"}
POST: dict[str, object] = {
    "$type": "app.bsky.feed.post",
    "text": "né @bob.example hi",
    "facets": [
        {"index": {"byteStart": 4, "byteEnd": 16}, "features": [MENTION, {"$type": "app.bsky.richtext.facet#link"}]}
    ],
}
RECORDS: dict[str, dict[str, object]] = {
    "app.bsky.actor.profile/self": {
        "$type": "app.bsky.actor.profile",
        "displayName": "Amy Tan",
        "description": "Reads",
    },
    "app.bsky.feed.post/1": POST,
    "app.bsky.graph.follow/1": {"$type": "app.bsky.graph.follow", "subject": "did:plc:bob"},
    "app.bsky.graph.follow/2": {"$type": "app.bsky.graph.follow", "subject": "did:plc:cy"},
}
BLOCKS = repository("did:plc:amy", RECORDS)
CAR = car(BLOCKS[0][0], BLOCKS)
FOLLOWERS = {
    "subject": {"did": "did:plc:amy", "handle": "amy.example", "displayName": "Amy T."},
    "followers": [{"did": "did:plc:eve", "handle": "eve.example", "displayName": "Eve", "description": "hi"}, {}],
}


def test_a_repository(pack: Pack) -> None:
    found = found_in(pack("bluesky", {"repo.car": CAR}))
    assert users(found) == {
        "did:plc:amy": {"name": "Amy Tan", "bio": "Reads"},
        "did:plc:bob": {"username": "bob.example"},
        "did:plc:cy": {},
    }
    assert links(found) == {
        ("did:plc:amy", "did:plc:bob", "follows", 1),
        ("did:plc:amy", "did:plc:cy", "follows", 1),
        ("did:plc:amy", "did:plc:bob", "mentions", 1),
    }


def test_a_repository_and_an_answer_of_a_server(folder_of: Pack) -> None:
    found = found_in(folder_of("both", {"repo.car": CAR, "followers.json": json.dumps(FOLLOWERS)}))
    assert users(found)["did:plc:amy"] == {"name": "Amy Tan", "bio": "Reads", "username": "amy.example"}
    assert users(found)["did:plc:eve"] == {"username": "eve.example", "name": "Eve", "bio": "hi"}
    assert ("did:plc:eve", "did:plc:amy", "follows", 1) in links(found)


def test_the_file_alone(folder_of: Pack) -> None:
    assert found_in(folder_of("one", {"repo.car": CAR}) / "repo.car").tables.users.height == 3


def test_pages_of_records(folder_of: Pack) -> None:
    record = {"uri": "at://did:plc:amy/app.bsky.graph.follow/1", "value": RECORDS["app.bsky.graph.follow/1"]}
    pages = [{"records": [record], "cursor": "x"}, {"records": [{"uri": "at://did:plc:amy/x/2", "value": POST}]}]
    found = found_in(folder_of("pages", {"records.json": json.dumps(pages)}))
    assert links(found) == {("did:plc:amy", "did:plc:bob", "follows", 1), ("did:plc:amy", "did:plc:bob", "mentions", 1)}


def test_damage(folder_of: Pack) -> None:
    with pytest.raises(InputError, match=r"repo.car is damaged \(it is cut off\); download the repository again"):
        found_in(folder_of("cut", {"repo.car": CAR[:-3]}))
    found = found_in(folder_of("part", {"repo.car": car(BLOCKS[0][0], BLOCKS[:-1])}))
    assert "repo.car: 1 blocks are missing; download the repository again" in found.notes


def test_two_people_in_one_folder(folder_of: Pack) -> None:
    other = {"subject": {"did": "did:plc:zoe"}, "follows": []}
    with pytest.raises(InputError, match="holds data of 'did:plc:amy' and of 'did:plc:zoe'; give one person's"):
        found_in(folder_of("two", {"repo.car": CAR, "follows.json": json.dumps(other)}))
