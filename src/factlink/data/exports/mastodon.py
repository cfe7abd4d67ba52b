"""Mastodon: `following_accounts.csv`, `followers.csv` or `.json`, and the archive with `actor.json` and `outbox.json`.

Accounts are known by their address, `amy@mastodon.example`. The archive has nobody's follows; put the CSV beside it.
"""

import html
import re
from collections.abc import Iterable

from factlink.data.exports.bundles import Bundle, base_of, head_of
from factlink.data.exports.csv_rows import rows_in
from factlink.data.exports.ego_network import EgoNetwork, Values
from factlink.data.exports.json_lists import document_in, list_at, list_in, text_at

_ADDRESS = "Account address"
_CSV = re.compile(r".*(following|followers?).*\.csv")
_JSON = re.compile(r".*(following|followers?).*\.json")
_ACTOR = re.compile(r"https?://([^/@\s]+)/(?:@|users/)([^/@\s]+)/?")
_HREF = re.compile(r'href="([^"]+)"')
_TAG = re.compile(r"<[^>]+>")


def is_here(bundle: Bundle) -> bool:
    """Whether there are follows as Mastodon lists them, or an actor with an outbox."""
    return bool(_csvs(bundle) or _archive_file(bundle, "actor.json") or _jsons(bundle))


def read_ego(bundle: Bundle) -> EgoNetwork:
    """The person, whom they follow, who follows them and whom they mention."""
    ego = EgoNetwork("Mastodon export")
    actor = _archive_file(bundle, "actor.json")
    if actor:
        _add_actor(ego, document_in(bundle, actor))
    for name in _csvs(bundle):
        _add_all(ego, name, ((row.get(_ADDRESS), {}) for row in rows_in(bundle, name, _ADDRESS)))
    for name in _jsons(bundle):
        _add_all(ego, name, map(_account, list_in(bundle, name, _items_key(bundle, name))))
    outbox = _archive_file(bundle, "outbox.json")
    if outbox:
        _add_mentions(ego, bundle, outbox)
    if not ego.following:
        ego.notes.append(
            "there is no following_accounts.csv: get it at Preferences > Import and export, and put it into the folder"
        )
    return ego


def _csvs(bundle: Bundle) -> list[str]:
    names = [name for name in bundle.names if _CSV.fullmatch(base_of(name))]
    return [name for name in names if head_of(bundle, name, 64).startswith(_ADDRESS)]


def _jsons(bundle: Bundle) -> list[str]:
    """Answers of a server: accounts with `acct`, or a collection of actors."""
    names = [name for name in bundle.names if _JSON.fullmatch(base_of(name))]
    heads = ((name, head_of(bundle, name)) for name in names)
    return [name for name, head in heads if '"acct"' in head or '"orderedItems"' in head]


def _items_key(bundle: Bundle, name: str) -> str | None:
    return "orderedItems" if '"orderedItems"' in head_of(bundle, name) else None


def _archive_file(bundle: Bundle, base: str) -> str | None:
    found = [name for name in bundle.names if base_of(name) == base]
    return found[0] if found and "activitystreams" in head_of(bundle, found[0]) else None


def _add_actor(ego: EgoNetwork, actor: object) -> None:
    values = _profile(text_at(actor, "preferredUsername"), text_at(actor, "name"), text_at(actor, "summary"))
    sites = [site for item in list_at(actor, "attachment") for site in _HREF.findall(text_at(item, "value") or "")]
    ego.add_person(_address(text_at(actor, "id") or ""), {**values, "website": sites})


def _add_all(ego: EgoNetwork, name: str, accounts: Iterable[tuple[str | None, Values]]) -> None:
    add = ego.follow if "following" in base_of(name) else ego.followed_by
    ego.add_all(add, map(_addressed, accounts), name, "an address like amy@mastodon.example")


def _addressed(account: tuple[str | None, Values]) -> tuple[str | None, Values]:
    """The account with a whole address, else None; at least the username is known then."""
    user, values = (account[0] or "").lstrip("@"), account[1]
    return (user, values or {"username": user.partition("@")[0]}) if "@" in user else (None, {})


def _account(item: object) -> tuple[str | None, Values]:
    """From an answer of a server: an account, or the address of an actor; local ones are without their server."""
    if isinstance(item, str):
        return _address(item), {}
    acct, url = text_at(item, "acct"), text_at(item, "url") or ""
    values = _profile(text_at(item, "username"), text_at(item, "display_name"), text_at(item, "note"))
    if acct and "@" not in acct:
        acct = _address(url)
    return acct, values


def _profile(username: str | None, name: str | None, note: str | None) -> dict[str, str | list[str] | None]:
    return {"username": username, "name": name, "bio": _plain(note or "")}


def _address(actor: str) -> str | None:
    """`https://mastodon.example/users/amy` is amy@mastodon.example."""
    found = _ACTOR.fullmatch(actor)
    return f"{found[2]}@{found[1]}" if found else None


def _plain(note: str) -> str:
    return html.unescape(_TAG.sub(" ", note)).strip()


def _add_mentions(ego: EgoNetwork, bundle: Bundle, outbox: str) -> None:
    unknown = 0
    for activity in list_in(bundle, outbox, "orderedItems"):
        for tag in list_at(activity, "object", "tag"):
            if text_at(tag, "type") == "Mention":
                user = _mentioned(tag)
                if user is None:
                    unknown += 1
                else:
                    ego.mention(user, {"username": user.partition("@")[0]})
    ego.leave_out(outbox, unknown, "an address of the account that is mentioned")
    ego.notes.append("posts themselves are not kept")


def _mentioned(tag: object) -> str | None:
    name = (text_at(tag, "name") or "").lstrip("@")
    return name if "@" in name else _address(text_at(tag, "href") or "")
