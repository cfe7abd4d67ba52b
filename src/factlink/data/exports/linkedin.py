"""LinkedIn's copy of your data: `Connections.csv`, with notes above the header, and `Profile.csv`.

Accounts are known by the end of their address (linkedin.com/in/amy-tan). Connections follow each other.
"""

import re
from collections import Counter
from collections.abc import Mapping
from urllib.parse import unquote

from factlink.data.exports.bundles import Bundle, base_of, head_of
from factlink.data.exports.csv_rows import rows_in
from factlink.data.exports.ego_network import EgoNetwork

_FIRST = "First Name"
_CONNECTIONS = re.compile(r".*connections.*\.csv")
_SLUG = re.compile(r".*linkedin\.com/in/([^/?#]+).*")
_PROFILE = {"headline": "Headline", "bio": "Summary", "location": "Geo Location", "industry": "Industry"}


def is_here(bundle: Bundle) -> bool:
    """Whether there is a list of connections."""
    return bool(_connections(bundle))


def read_ego(bundle: Bundle) -> EgoNetwork:
    """The person and their connections."""
    ego = EgoNetwork("LinkedIn export")
    _add_person(ego, bundle)
    for name in _connections(bundle):
        _add_connections(ego, bundle, name)
    ego.notes.append("connections follow each other: each is two links; e-mail addresses are not kept")
    return ego


def _connections(bundle: Bundle) -> list[str]:
    names = [name for name in bundle.names if _CONNECTIONS.fullmatch(base_of(name))]
    return [name for name in names if f"{_FIRST},Last Name" in head_of(bundle, name)]


def _add_person(ego: EgoNetwork, bundle: Bundle) -> None:
    name = next((name for name in bundle.names if base_of(name) == "profile.csv"), None)
    for row in rows_in(bundle, name, _FIRST) if name else ():
        ego.add_person(None, {"name": _full_name(row), **{column: row.get(key) for column, key in _PROFILE.items()}})


def _add_connections(ego: EgoNetwork, bundle: Bundle, name: str) -> None:
    seen: Counter[str] = Counter()
    left_out = 0
    for row in rows_in(bundle, name, _FIRST):
        full_name, slug = _full_name(row), _SLUG.fullmatch(row.get("URL", ""))
        user = unquote(slug[1]) if slug else full_name
        if not user:
            left_out += 1
            continue
        seen[user] += 1
        user = f"{user} ({seen[user]})" if seen[user] > 1 and not slug else user
        handle = user if slug else None
        values = {"name": full_name, "username": handle, "company": row.get("Company"), "position": row.get("Position")}
        ego.follow(user, values)
        ego.followed_by(user, values)
    ego.leave_out(name, left_out, "a name or an address")


def _full_name(row: Mapping[str, str]) -> str:
    return " ".join(part for part in (row.get(_FIRST), row.get("Last Name")) if part)
