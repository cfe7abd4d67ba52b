"""What a request asks for, checked."""

import json
import re
from urllib.parse import parse_qsl

from starlette.requests import Request

from factlink.errors import InputError
from factlink.review.accounts import Side
from factlink.review.queue import Filters


def wants_json(request: Request) -> bool:
    """Whether a machine asks: by the path, or by what it accepts."""
    accepted = request.headers.get("accept", "")
    return request.url.path.endswith(".json") or ("application/json" in accepted and "text/html" not in accepted)


def fields_of(content_type: str, body: bytes) -> dict[str, str]:
    """What a form or a JSON object sends."""
    try:
        found = json.loads(body) if content_type.startswith("application/json") else dict(parse_qsl(body.decode()))
    except (ValueError, UnicodeDecodeError):
        raise InputError("the body is neither a form nor JSON") from None
    if not isinstance(found, dict) or not all(isinstance(text, str) for text in found.values()):
        raise InputError("the body is no JSON object of strings")
    return found


def filters_of(asked: dict[str, str], *, blind: bool) -> tuple[Filters, int]:
    """Filters, and how many pairs were skipped; a blind reviewer cannot filter by what the run thinks."""
    skipped = _whole(asked.get("skip", "0"), "skip")
    predicate, network = asked.get("predicate", ""), asked.get("network", "")
    if blind:
        return Filters(predicate=predicate, network=network), skipped
    low, high = _share(asked.get("at_least", ""), 0.0), _share(asked.get("at_most", ""), 1.0)
    return Filters(asked.get("outcome", ""), low, high, predicate, network), skipped


def _share(word: str, default: float) -> float:
    try:
        return float(word) if word else default
    except ValueError:
        raise InputError(f"'{word}' is no probability; give a number from 0 to 1") from None


def query_of(filters: Filters, skipped: int) -> dict[str, str]:
    """What differs from no filter at all, as an address says it."""
    plain = Filters()
    fields = ("outcome", "at_least", "at_most", "predicate", "network")
    set_ones = {name: str(getattr(filters, name)) for name in fields if getattr(filters, name) != getattr(plain, name)}
    return set_ones | ({"skip": str(skipped)} if skipped else {})


def asked_for(request: Request, name: str) -> str:
    """A parameter that the page cannot do without."""
    found = request.query_params.get(name, "")
    if not found:
        raise InputError(f"this page needs '{name}' in its address")
    return found


def side_of(request: Request) -> Side:
    """Which of the two networks is meant."""
    found = asked_for(request, "side")
    if found not in ("left", "right"):
        raise InputError(f"no side is called '{found[:20]}'; there are: left, right")
    return "left" if found == "left" else "right"


def whole_number(request: Request, name: str) -> int:
    """A count in the address, 0 if there is none."""
    return _whole(request.query_params.get(name, "0"), name)


def _whole(found: str, name: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", found):
        raise InputError(f"'{name}' is '{found[:20]}'; it takes a whole number")
    return int(found)
