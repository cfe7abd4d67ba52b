"""The archive of X (Twitter): `data/account.js`, `profile.js`, `following.js`, `follower.js`, `tweets.js`.

Each file assigns a list to a variable: `window.YTD.following.part0 = [ {"following": {"accountId": "12"}} ]`. Other
accounts have ids alone; those that the person mentions in posts have their names there.
"""

import re
from collections.abc import Iterator

from factlink.data.exports.bundles import Bundle, base_of, head_of
from factlink.data.exports.ego_network import Add, EgoNetwork, Values
from factlink.data.exports.json_lists import list_at, list_in, text_at, value_at
from factlink.errors import InputError

_NOTHING: Values = {}
_FILE = re.compile(r"(account|profile|following|follower|tweets?)(?:-part\d+)?\.js")


def is_here(bundle: Bundle) -> bool:
    """Whether there is a file that assigns one of the lists."""
    return any(head_of(bundle, name, 64).startswith("window.YTD.") for name in _names(bundle))


def read_ego(bundle: Bundle) -> EgoNetwork:
    """The person, whom they follow, who follows them and whom they mention."""
    ego = EgoNetwork("X archive")
    if not any(_what(name) in ("following", "follower") for name in _names(bundle)):
        raise InputError(
            f"{bundle.shown} has neither data/following.js nor data/follower.js; "
            "request the archive again at x.com/settings/download_your_data, and give the whole of it"
        )
    _add_person(ego, bundle)
    for what, add in (("following", ego.follow), ("follower", ego.followed_by)):
        _add_accounts(ego, bundle, what, add)
    _add_mentions(ego, bundle)
    ego.notes.append("e-mail addresses, messages and posts are not kept")
    return ego


def _names(bundle: Bundle) -> list[str]:
    return [name for name in bundle.names if _FILE.fullmatch(base_of(name))]


def _what(name: str) -> str:
    found = _FILE.fullmatch(base_of(name))
    return found[1] if found else ""


def _entries(bundle: Bundle, what: str) -> Iterator[object]:
    """Of all parts of a list; each is wrapped in an object with one key."""
    for name in _names(bundle):
        if _what(name).removesuffix("s") == what.removesuffix("s"):
            for entry in list_in(bundle, name):
                yield value_at(entry, what) or value_at(entry, what.removesuffix("s"))


def _add_person(ego: EgoNetwork, bundle: Bundle) -> None:
    for account in _entries(bundle, "account"):
        values = {"username": text_at(account, "username"), "name": text_at(account, "accountDisplayName")}
        ego.add_person(text_at(account, "accountId"), {**values, "joined": text_at(account, "createdAt")})
    for profile in _entries(bundle, "profile"):
        values = {column: text_at(profile, "description", column) for column in ("bio", "location", "website")}
        ego.add_person(None, values)


def _add_accounts(ego: EgoNetwork, bundle: Bundle, what: str, add: Add) -> None:
    if not any(_what(name) == what for name in _names(bundle)):
        ego.notes.append(f"there is no {what}.js: these links are missing")
    accounts = ((text_at(entry, "accountId"), _NOTHING) for entry in _entries(bundle, what))
    ego.add_all(add, accounts, f"{what}.js", "an account id")


def _add_mentions(ego: EgoNetwork, bundle: Bundle) -> None:
    for tweet in _entries(bundle, "tweets"):
        for entry in list_at(tweet, "entities", "user_mentions"):
            user = text_at(entry, "id_str")
            if user is not None and user != "-1":
                ego.mention(user, {"username": text_at(entry, "screen_name"), "name": text_at(entry, "name")})
