"""Instagram's download as JSON: `connections/followers_and_following/followers_1.json`, `following.json`.

Accounts are known by their username alone. The person's own profile is in `personal_information.json`.
"""

import re
from pathlib import PurePath

from factlink.data.exports.bundles import Bundle, base_of, head_of
from factlink.data.exports.ego_network import EgoNetwork, Values
from factlink.data.exports.json_lists import document_in, list_in, text_at, value_at
from factlink.data.exports.meta_text import html_in_place_of_json, mended
from factlink.errors import InputError

_LIST = re.compile(r"(followers|following)(?:_\d+)?\.(json|html)")
_PERSON = "personal_information.json"
_DOWNLOAD = re.compile(r"instagram-(.+?)-\d{4}-\d{2}-\d{2}.*")


def is_here(bundle: Bundle) -> bool:
    """Whether one of the lists is there, as JSON or as HTML."""
    return bool(_lists(bundle, "json") or _pages(bundle))


def read_ego(bundle: Bundle) -> EgoNetwork:
    """The person, whom they follow and who follows them."""
    lists = _lists(bundle, "json")
    if not lists:
        raise InputError(html_in_place_of_json(bundle.shown))
    ego = EgoNetwork("Instagram download")
    _add_person(ego, bundle)
    for name in lists:
        add = ego.follow if "following" in base_of(name) else ego.followed_by
        ego.add_all(add, map(_account, list_in(bundle, name)), name, "a username")
    for what in ("followers", "following"):
        if not any(base_of(name).startswith(what) for name in lists):
            ego.notes.append(f"there is no {what}*.json: these links are missing; choose them when you download")
    return ego


def _lists(bundle: Bundle, suffix: str) -> list[str]:
    found = [(name, _LIST.fullmatch(base_of(name))) for name in bundle.names]
    names = [name for name, match in found if match and match[2] == suffix]
    return [name for name in names if suffix == "html" or _is_list(head_of(bundle, name))]


def _is_list(head: str) -> bool:
    return '"string_list_data"' in head or '"relationships_follow' in head


def _pages(bundle: Bundle) -> list[str]:
    return [name for name in _lists(bundle, "html") if "followers_and_following" in name]


def _add_person(ego: EgoNetwork, bundle: Bundle) -> None:
    name = next((name for name in bundle.names if base_of(name) == _PERSON), None)
    values = value_at(document_in(bundle, name), "profile_user", 0, "string_map_data") if name else None
    wanted = {"username": "Username", "name": "Name", "bio": "Bio", "website": "Website"}
    profile = {column: mended(text_at(values, key, "value")) for column, key in wanted.items()}
    download = _DOWNLOAD.fullmatch(PurePath(bundle.shown).name)
    username = profile["username"] or (download[1] if download else None)
    ego.add_person(username, {**profile, "username": username})


def _account(entry: object) -> tuple[str | None, Values]:
    """Newer downloads have the username as the title and in the address, older ones as the value."""
    first = value_at(entry, "string_list_data", 0)
    address = (text_at(first, "href") or "").partition("?")[0].strip("/")
    username = text_at(first, "value") or text_at(entry, "title") or address.rpartition("/")[2] or None
    return username, {"username": username}
