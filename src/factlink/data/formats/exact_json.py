"""JSON values as they are written: numbers of any length as strings, and nothing that libraries read differently.

Refused are a key that an object has twice, NaN and the infinities, half a character and nesting without end.
"""

import json
import re
from typing import NoReturn

_HALF = re.compile(r"\\u[dD][89a-fA-F]")
_WHOLE = re.compile(r"(-?\d+)\.0+")


class UnclearError(ValueError):
    """What JSON libraries read in different ways, and what to write instead."""


def exact_value(text: str) -> object:
    """The value, with numbers as strings but for a trailing '.0'; `ValueError` if it is not JSON or ambiguous."""
    try:
        value: object = _DECODER.decode(text.strip())
    except RecursionError:
        raise UnclearError("has lists or objects too deep in each other; write flat lists") from None
    if _HALF.search(text):
        _refuse_half_characters(value)
    return value


def unique_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """For `json`: an object, refused if it has a key twice, because one of the two values would be lost."""
    record = dict(pairs)
    if len(record) < len(pairs):
        keys = [key for key, _ in pairs]
        key = next(key for key in keys if keys.count(key) > 1)
        raise UnclearError(f"has the key '{key}' twice; keep one of them, or make it a list")
    return record


def _number(text: str) -> str:
    whole = _WHOLE.fullmatch(text)
    return whole[1] if whole else text


def _refuse_constant(name: str) -> NoReturn:
    raise UnclearError(f"holds {name}, which is not JSON; write null for what is missing, or a string")


def _refuse_half_characters(value: object) -> None:
    """Refuses a lone surrogate: it is not a character, and UTF-8 has no bytes for it."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        half = json.dumps(error.object[error.start])[1:-1]
        raise UnclearError(
            f"holds {half}, half a character (a lone surrogate); write the whole character, or leave it out"
        ) from None


_DECODER = json.JSONDecoder(
    object_pairs_hook=unique_keys, parse_int=str, parse_float=_number, parse_constant=_refuse_constant
)
