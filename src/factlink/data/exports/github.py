"""GitHub: `followers.json` and `following.json` as its API answers, with `user.json` for the person themselves."""

import re

from factlink.data.exports.bundles import Bundle, base_of, head_of
from factlink.data.exports.ego_network import EgoNetwork, Values
from factlink.data.exports.json_lists import document_in, list_in, text_at

_LIST = re.compile(r".*(followers|following).*\.json")
_COLUMNS = {"name": "name", "bio": "bio", "company": "company", "location": "location", "website": "blog"}


def is_here(bundle: Bundle) -> bool:
    """Whether there is a list of accounts."""
    return bool(_lists(bundle))


def read_ego(bundle: Bundle) -> EgoNetwork:
    """The person, whom they follow and who follows them."""
    ego = EgoNetwork("GitHub export")
    person = next((name for name in bundle.names if base_of(name) == "user.json"), None)
    if person:
        account = document_in(bundle, person)
        ego.add_person(text_at(account, "login"), _profile(account))
    for name in _lists(bundle):
        add = ego.follow if "following" in base_of(name) else ego.followed_by
        accounts = ((text_at(account, "login"), _profile(account)) for account in list_in(bundle, name))
        ego.add_all(add, accounts, name, "a login")
    return ego


def _lists(bundle: Bundle) -> list[str]:
    names = [name for name in bundle.names if _LIST.fullmatch(base_of(name))]
    heads = ((name, head_of(bundle, name)) for name in names)
    return [name for name, head in heads if '"login"' in head and "github" in head]


def _profile(account: object) -> Values:
    values: Values = {column: text_at(account, key) for column, key in _COLUMNS.items()}
    return {"username": text_at(account, "login"), **values}
