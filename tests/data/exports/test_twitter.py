import json
from pathlib import Path

import pytest

from factlink.errors import InputError
from tests.data.exports.conftest import Pack
from tests.data.exports.reading import found_in, links, users


def js(what: str, entries: list[object], part: int = 0) -> str:
    return f"window.YTD.{what}.part{part} = " + json.dumps(entries, indent=2)


ACCOUNT = {
    "email": "amy@example.org",
    "createdVia": "web",
    "username": "amytan",
    "accountId": "11",
    "createdAt": "2011-06-23T13:04:14.000Z",
    "accountDisplayName": "Amy Tan ☃",
}
PROFILE = {"description": {"bio": "Reads a lot.", "website": "https://amy.example", "location": "Oslo"}}
MENTION = {"name": "Bob Lee", "screen_name": "boblee", "indices": ["0", "7"], "id_str": "22", "id": "22"}
FILES = {
    "data/account.js": js("account", [{"account": ACCOUNT}]),
    "data/profile.js": js("profile", [{"profile": PROFILE}]),
    "data/following.js": js("following", [{"following": {"accountId": "22", "userLink": "https://x.com/i/user/22"}}]),
    "data/following-part1.js": js("following", [{"following": {"accountId": "33"}}, {"following": {}}], 1),
    "data/follower.js": js("follower", [{"follower": {"accountId": "22"}}]),
    "data/tweets.js": js(
        "tweets",
        [
            {"tweet": {"full_text": "@boblee hi", "entities": {"user_mentions": [MENTION]}}},
            {"tweet": {"full_text": "@boblee again", "entities": {"user_mentions": [MENTION, {"id_str": "-1"}]}}},
            {"tweet": {"full_text": "alone", "entities": {}}},
        ],
    ),
    "data/direct-messages.js": js("direct_messages", [{"secret": "hush"}]),
}


def test_the_person_whom_they_follow_and_who_follows_them(pack: Pack) -> None:
    found = found_in(pack("twitter-2024", FILES))
    assert users(found) == {
        "11": {
            "username": "amytan",
            "name": "Amy Tan ☃",
            "joined": "2011-06-23T13:04:14.000Z",
            "bio": "Reads a lot.",
            "location": "Oslo",
            "website": "https://amy.example",
        },
        "22": {"username": "boblee", "name": "Bob Lee"},
        "33": {},
    }
    assert links(found) == {
        ("11", "22", "follows", 1),
        ("11", "33", "follows", 1),
        ("22", "11", "follows", 1),
        ("11", "22", "mentions", 2),
    }
    assert found.notes == (
        "X archive of '11': follows 2, followed by 1, mentions 1; something is known of 1 of 2 other accounts",
        "following.js: 1 entry without an account id left out",
        "e-mail addresses, messages and posts are not kept",
    )


def test_an_older_archive_without_a_data_folder(pack: Pack) -> None:
    files = {"following.js": FILES["data/following.js"], "tweet.js": FILES["data/tweets.js"].replace("tweets", "tweet")}
    found = found_in(pack("old", files))
    assert links(found) == {("me", "22", "follows", 1), ("me", "22", "mentions", 2)}
    assert "there is no follower.js: these links are missing" in found.notes
    assert "the files do not say whose export it is: the person has the id 'me'" in found.notes


def test_a_long_list_is_read_in_parts(folder_of: Pack) -> None:
    entries = [
        {"following": {"accountId": str(n), "userLink": "https://x.com/i/user?" + "x" * 50}} for n in range(30_000)
    ]
    found = found_in(folder_of("long", {"data/following.js": js("following", entries)}))
    assert found.tables.users.height == 30_001
    assert found.tables.users["id"][-1] == "29999"


def test_a_part_of_an_archive(folder_of: Pack) -> None:
    path = folder_of("part", {"data/account.js": FILES["data/account.js"]})
    with pytest.raises(InputError, match=r"has neither data/following.js nor data/follower.js; request the archive"):
        found_in(path)


@pytest.mark.parametrize("end", [-1, -20, 40])
def test_a_file_that_is_cut_off(folder_of: Pack, end: int) -> None:
    path = folder_of("cut", {**FILES, "data/following.js": FILES["data/following.js"][:end]})
    with pytest.raises(InputError, match=r"following.js is damaged or cut off .*; download the export again"):
        found_in(path)


def test_a_file_that_is_not_text(folder_of: Pack) -> None:
    path = folder_of("bytes", {**FILES, "data/follower.js": b"window.YTD.follower.part0 = [\xff"})
    with pytest.raises(InputError, match=r"follower.js cannot be read \('utf-8' codec .*; download the export again"):
        found_in(path)


def test_links_out_of_the_folder_are_not_followed(folder_of: Pack, tmp_path: Path) -> None:
    path = folder_of("linked", {"data/following.js": FILES["data/following.js"]})
    (tmp_path / "follower.js").write_text(FILES["data/follower.js"])
    (path / "data" / "follower.js").symlink_to(tmp_path / "follower.js")
    assert ("22", "me", "follows", 1) not in links(found_in(path))
