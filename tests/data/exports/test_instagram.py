import json

import pytest

from factlink.errors import InputError
from tests.data.exports.conftest import Pack
from tests.data.exports.reading import found_in, links, users


def entry(username: str) -> dict[str, object]:
    data = {"href": f"https://www.instagram.com/{username}", "value": username, "timestamp": 1749860021}
    return {"title": "", "media_list_data": [], "string_list_data": [data]}


def newer(username: str) -> dict[str, object]:
    return {
        "title": username,
        "string_list_data": [{"href": f"https://www.instagram.com/_u/{username}", "timestamp": 1}],
    }


PLACE = "connections/followers_and_following/"
PERSON = "personal_information/personal_information/personal_information.json"
PROFILE = {
    "profile_user": [
        {
            "title": "",
            "string_map_data": {
                "Email": {"href": "", "value": "amy@example.org"},
                "Username": {"href": "", "value": "amy.tan"},
                "Name": {"href": "", "value": "Am\u00c3\u00a9lie Tan"},
                "Bio": {"value": "Reads \u00f0\u009f\u0093\u009a"},
            },
        }
    ]
}
FILES = {
    f"{PLACE}followers_1.json": json.dumps([entry("bob")]),
    f"{PLACE}followers_2.json": json.dumps([entry("eve"), {"string_list_data": []}]),
    f"{PLACE}following.json": json.dumps({"relationships_following": [newer("bob"), newer("cy")]}),
    PERSON: json.dumps(PROFILE),
}


def test_a_download(pack: Pack) -> None:
    found = found_in(pack("instagram-amy.tan-2025-06-13-YOudpLi7", FILES))
    assert users(found) == {
        "amy.tan": {"username": "amy.tan", "name": "Amélie Tan", "bio": "Reads 📚"},
        "bob": {"username": "bob"},
        "eve": {"username": "eve"},
        "cy": {"username": "cy"},
    }
    assert links(found) == {
        ("amy.tan", "bob", "follows", 1),
        ("amy.tan", "cy", "follows", 1),
        ("bob", "amy.tan", "follows", 1),
        ("eve", "amy.tan", "follows", 1),
    }
    assert found.notes[1] == f"{PLACE}followers_2.json: 1 entry without a username left out"


def test_a_part_of_a_download_is_named_by_its_folder(folder_of: Pack) -> None:
    files = {f"{PLACE}followers_1.json": json.dumps({"relationships_followers": [entry("bob")]})}
    found = found_in(folder_of("instagram-amy-2025-06-13-x", files))
    assert links(found) == {("bob", "amy", "follows", 1)}
    assert "there is no following*.json: these links are missing; choose them when you download" in found.notes


def test_the_other_format(pack: Pack) -> None:
    path = pack("instagram", {f"{PLACE}followers_1.html": "<html></html>"})
    with pytest.raises(InputError, match="was downloaded as HTML; request the download again with the format JSON"):
        found_in(path)


def test_a_username_that_is_in_the_address_alone(folder_of: Pack) -> None:
    entries = [{"string_list_data": [{"href": f"https://www.instagram.com/{end}"}]} for end in ("_u/bob", "eve/?hl=en")]
    odd = {"string_list_data": [{"href": "https://w[ww.instagram.com/cy"}]}
    files = {f"{PLACE}followers_1.json": json.dumps([*entries, odd])}
    assert set(users(found_in(folder_of("address", files)))) == {"me", "bob", "eve", "cy"}


def test_empty_lists(folder_of: Pack) -> None:
    files = {f"{PLACE}following.json": '{"relationships_following": []}'}
    assert found_in(folder_of("none", files)).tables.users["id"].to_list() == ["me"]


def test_damage(folder_of: Pack) -> None:
    name = f"{PLACE}following.json"
    with pytest.raises(InputError, match=r"following.json is damaged or cut off"):
        found_in(folder_of("cut", {**FILES, name: FILES[name][:-10]}))
    with pytest.raises(InputError, match=r"personal_information.json is damaged or cut off"):
        found_in(folder_of("cut2", {**FILES, PERSON: "{"}))
    assert found_in(folder_of("odd", {**FILES, PERSON: "[1]"})).tables.users["id"][0] == "me"
