"""The parameters of a request, validated."""

import json
import re
from urllib.parse import parse_qsl, unquote

from starlette.exceptions import HTTPException
from starlette.requests import Request

from factlink.errors import InputError
from factlink.review.accounts import Side
from factlink.review.queue import Filters

FORM, JSON = "application/x-www-form-urlencoded", "application/json"
MOST_FIELDS = 100
SURE = 0.98
"""The probability from which links are accepted together, unless another is given."""
QUOTED = ".quoted"
"""Ends the name of a form's field whose text is percent-encoded: forms change line ends and NUL, ids may hold both."""


def wants_json(request: Request) -> bool:
    """Whether JSON is requested, by the path or the Accept header."""
    accepted = request.headers.get("accept", "")
    return request.scope["path"].endswith(".json") or ("application/json" in accepted and "text/html" not in accepted)


def fields_of(content_type: str, body: bytes) -> dict[str, str]:
    """What a form or a JSON object sends; a form's `left.quoted` is `left`, percent-encoded."""
    kind = content_type.partition(";")[0].strip().lower()
    if not body:
        return {}
    if kind not in (FORM, JSON):
        raise HTTPException(415, f"the body is neither {FORM} nor {JSON}; send one of them")
    try:
        found = json.loads(body) if kind == JSON else _form_fields(body)
    except (ValueError, RecursionError):
        raise InputError("the body is neither a form nor JSON in UTF-8") from None
    if not isinstance(found, dict) or not all(isinstance(text, str) for text in found.values()):
        raise InputError("the body is not a JSON object of strings")
    if any("\ud800" <= char <= "\udfff" for text in (*found, *found.values()) for char in text):
        raise InputError("the body holds half of a surrogate pair (\\ud800 to \\udfff), which is not a character")
    return found


def _form_fields(body: bytes) -> dict[str, str]:
    pairs = parse_qsl(body.decode(), errors="strict", max_num_fields=MOST_FIELDS)
    return {
        name.removesuffix(QUOTED): unquote(text, errors="strict") if name.endswith(QUOTED) else text
        for name, text in pairs
    }


def filters_of(asked: dict[str, str], *, blind: bool) -> tuple[Filters, int]:
    """Filters, and how many pairs were skipped; a blind reviewer cannot filter by results of the run."""
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
        raise InputError(f"'{word[:20]}' is not a probability; give a number from 0 to 1") from None


def bulk_threshold(word: str, *, blind: bool) -> float:
    """The probability from which links are judged together; a blind reviewer sees no probabilities."""
    if blind:
        raise InputError("a blind review judges one pair at a time; start one without --blind to accept links together")
    at_least = _share(word, SURE)
    if not 0.5 <= at_least <= 1.0:
        raise InputError(f"links are accepted together from a probability of 0.5 to 1, not from {at_least:g}")
    return at_least


def query_of(filters: Filters, skipped: int) -> dict[str, str]:
    """The active filters as parameters of an address."""
    plain = Filters()
    fields = ("outcome", "at_least", "at_most", "predicate", "network")
    set_ones = {name: str(getattr(filters, name)) for name in fields if getattr(filters, name) != getattr(plain, name)}
    return set_ones | ({"skip": str(skipped)} if skipped else {})


def asked_for(request: Request, name: str) -> str:
    """A parameter that the page cannot do without."""
    asked = request.query_params
    found = asked.get(name, "") or unquote(asked.get(f"{name}{QUOTED}", ""))
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
