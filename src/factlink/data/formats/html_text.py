"""Text that a page can hold: names on the internet contain anything, HTML does not."""

import re
from collections.abc import Mapping
from typing import Any

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_NONCHARACTERS = "\ufdd0-\ufdef" + "".join(
    f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0, 0x110000, 0x10000)
)
_FORBIDDEN = re.compile(f"[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff{_NONCHARACTERS}]")
"""NUL, control characters, halves of surrogate pairs and noncharacters (HTML, 13.2.3.5), and form feed (XML, 2.2)."""


def legible(text: str) -> str:
    """The text with U+FFFD in place of each character that HTML or SVG forbids; all of it can be encoded as UTF-8."""
    return _FORBIDDEN.sub(REPLACEMENT, text)


def legible_values(values: Any) -> Any:
    """Nested mappings and sequences with every text in them made legible."""
    if isinstance(values, str):
        return legible(values)
    if isinstance(values, Mapping):
        return {legible_values(key): legible_values(value) for key, value in values.items()}
    return [legible_values(value) for value in values] if isinstance(values, (list, tuple)) else values


def forbidden_in(text: str) -> str | None:
    """The first character that HTML forbids, as `U+0000`; None if there is none."""
    found = _FORBIDDEN.search(text)
    return f"U+{ord(found[0]):04X}" if found else None
