"""Bluesky: the repository (`repo.car`), or answers of a server as JSON (`getFollows`, `getFollowers`, `listRecords`).

A repository has the accounts that the person follows by their DIDs alone; those that the person mentions in posts have
their handles there. Answers of a server have handles, names and descriptions, and also the followers.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from factlink.data.exports.atproto.car import DamagedError, Repository, read_repository
from factlink.data.exports.bundles import Bundle, base_of, head_of, opened
from factlink.data.exports.ego_network import EgoNetwork, Values
from factlink.data.exports.json_lists import document_in, list_at, text_at, value_at
from factlink.errors import InputError

_FOLLOW, _PROFILE, _POST = "app.bsky.graph.follow", "app.bsky.actor.profile", "app.bsky.feed.post"
_MENTION = "app.bsky.richtext.facet#mention"
_ANSWER = re.compile(r".*(?:follow|record|bsky|bluesky).*\.json")
_SIGNS = ('"did:', "did:plc:", "did:web:", _FOLLOW)


def is_here(bundle: Bundle) -> bool:
    """Whether there is a repository, or an answer of a server."""
    return bool(_repositories(bundle) or _answers(bundle))


def read_ego(bundle: Bundle) -> EgoNetwork:
    """The person, whom they follow, who follows them and whom they mention."""
    ego = EgoNetwork("Bluesky export")
    for name in _repositories(bundle):
        _add_repository(ego, _repository(bundle, name), name)
    for name in _answers(bundle):
        for page in _pages(document_in(bundle, name)):
            _add_page(ego, page)
    if not ego.followers:
        ego.notes.append("followers are not in a repository: save the answer of getFollowers as JSON beside it")
    return ego


def _repositories(bundle: Bundle) -> list[str]:
    return [name for name in bundle.names if base_of(name).endswith(".car")]


def _answers(bundle: Bundle) -> list[str]:
    names = [name for name in bundle.names if _ANSWER.fullmatch(base_of(name))]
    return [name for name in names if _is_answer(head_of(bundle, name))]


def _is_answer(head: str) -> bool:
    keys = any(f'"{key}"' in head for key in ("follows", "followers", "records"))
    return keys and any(sign in head for sign in _SIGNS)


def _repository(bundle: Bundle, name: str) -> Repository:
    try:
        with opened(bundle, name) as file:
            return read_repository(file, (_FOLLOW, _PROFILE, _POST))
    except DamagedError as error:
        raise InputError(f"{bundle.shown}: {name} is damaged ({error}); download the repository again") from None


def _add_repository(ego: EgoNetwork, repository: Repository, name: str) -> None:
    ego.add_person(repository.did, {})
    for record in repository.records.values():
        _add_record(ego, record)
    if repository.n_missing:
        ego.notes.append(f"{name}: {repository.n_missing:,} blocks are missing; download the repository again")
    ego.notes.append("posts themselves are not kept")


def _add_record(ego: EgoNetwork, record: Mapping[str, object]) -> None:
    kind = record.get("$type")
    if kind == _PROFILE:
        ego.add_person(None, {"name": text_at(record, "displayName"), "bio": text_at(record, "description")})
    elif kind == _FOLLOW:
        followed = text_at(record, "subject")
        if followed:
            ego.follow(followed, {})
    else:
        for did, handle in _mentions(record):
            ego.mention(did, {"username": handle})


def _mentions(post: Mapping[str, object]) -> Iterator[tuple[str, str | None]]:
    """The accounts that a post mentions; where a mention stands is counted in bytes."""
    text = str(post.get("text", "")).encode("utf-8", "replace")
    for facet in list_at(post, "facets"):
        for feature in list_at(facet, "features"):
            did = text_at(feature, "did")
            if did and text_at(feature, "$type") == _MENTION:
                yield did, _handle(text, facet)


def _handle(text: bytes, facet: object) -> str | None:
    start, end = value_at(facet, "index", "byteStart"), value_at(facet, "index", "byteEnd")
    if not isinstance(start, int) or not isinstance(end, int):
        return None
    return text[start:end].decode("utf-8", "replace").lstrip("@").strip() or None


def _pages(document: Any) -> list[Any]:
    return document if isinstance(document, list) else [document]


def _add_page(ego: EgoNetwork, page: Any) -> None:
    ego.add_person(text_at(page, "subject", "did"), _profile(value_at(page, "subject")))
    for key, add in (("follows", ego.follow), ("followers", ego.followed_by)):
        for account in list_at(page, key):
            did = text_at(account, "did")
            if did:
                add(did, _profile(account))
    for record in list_at(page, "records"):
        owner = (text_at(record, "uri") or "").removeprefix("at://").partition("/")[0]
        ego.add_person(owner or None, {})
        _add_record(ego, value_at(record, "value") or {})


def _profile(account: object) -> Values:
    return {
        "username": text_at(account, "handle"),
        "name": text_at(account, "displayName"),
        "bio": text_at(account, "description"),
    }
