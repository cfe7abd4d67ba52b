"""Facebook's download as JSON: `your_friends.json`, `people_who_followed_you.json`, `who_you've_followed.json`.

Accounts are known by their name alone: two friends of one name are 'Ann Lee' and 'Ann Lee (2)'. Friends follow each
other.
"""

import re
from collections import Counter
from collections.abc import Iterator

from factlink.data.exports.bundles import Bundle, base_of, head_of
from factlink.data.exports.ego_network import EgoNetwork
from factlink.data.exports.json_lists import document_in, list_in, text_at
from factlink.data.exports.meta_text import html_in_place_of_json, mended
from factlink.errors import InputError

_LISTS = {
    "friends": re.compile(r"(your_)?friends\.json"),
    "followers": re.compile(r"(people_who_followed_you|followers)\.json"),
    "following": re.compile(r"(who_you(_follow|.?_?ve_followed)|following)\.json"),
}
_PAGES = ("your_friends.html", "friends.html", "people_who_followed_you.html")
_PERSON = "profile_information.json"


def is_here(bundle: Bundle) -> bool:
    """Whether one of the lists is there, as JSON or as HTML."""
    return bool(_lists(bundle)) or any(base_of(name) in _PAGES for name in bundle.names)


def read_ego(bundle: Bundle) -> EgoNetwork:
    """The person, their friends, whom they follow and who follows them."""
    lists = _lists(bundle)
    if not lists:
        raise InputError(html_in_place_of_json(bundle.shown))
    ego = EgoNetwork("Facebook download")
    _add_person(ego, bundle)
    for name, what in lists:
        for user, full_name in _accounts(ego, bundle, name, what):
            if what in ("friends", "following"):
                ego.follow(user, {"name": full_name})
            if what in ("friends", "followers"):
                ego.followed_by(user, {"name": full_name})
    if not any(what == "friends" for _, what in lists):
        ego.notes.append("there is no your_friends.json: choose 'Friends' when you download")
    ego.notes.append("friends follow each other: each is two links")
    return ego


def _lists(bundle: Bundle) -> list[tuple[str, str]]:
    found = [(name, what) for name in bundle.names for what, form in _LISTS.items() if form.fullmatch(base_of(name))]
    return [(name, what) for name, what in found if re.search(rf'^\s*\{{\s*"{what}(_v\d)?"', head_of(bundle, name))]


def _add_person(ego: EgoNetwork, bundle: Bundle) -> None:
    name = next((name for name in bundle.names if base_of(name) == _PERSON), None)
    document = document_in(bundle, name) if name else {}
    keys = [key for key in document if key.startswith("profile")] if isinstance(document, dict) else []
    profile = document[keys[0]] if keys else None
    wanted = {
        "username": ("username",),
        "name": ("name", "full_name"),
        "bio": ("about_me",),
        "location": ("current_city", "name"),
        "hometown": ("hometown", "name"),
    }
    values = {column: mended(text_at(profile, *path)) for column, path in wanted.items()}
    ego.add_person(values["username"] or values["name"], values)


def _accounts(ego: EgoNetwork, bundle: Bundle, name: str, what: str) -> Iterator[tuple[str, str]]:
    """Ids and names; the second of one name in one list has another id."""
    seen: Counter[str] = Counter()
    left_out = 0
    for entry in list_in(bundle, name, rf"{what}(?:_v\d)?"):
        full_name = mended(text_at(entry, "name"))
        if full_name is None:
            left_out += 1
            continue
        seen[full_name] += 1
        number = seen[full_name] + (full_name == ego.person)
        yield (f"{full_name} ({number})" if number > 1 else full_name), full_name
    repeated = sum(count - 1 for count in seen.values())
    if repeated:
        ego.notes.append(f"{name}: accounts with the name of another one: {repeated:,}; their ids end in (2), (3) …")
    ego.leave_out(name, left_out, "a name")
