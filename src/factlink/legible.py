"""Text that a page can hold: names on the internet contain anything, HTML does not."""

import re

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_NONCHARACTERS = "\ufdd0-\ufdef" + "".join(
    f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0, 0x110000, 0x10000)
)
_FORBIDDEN = re.compile(f"[\0-\x08\x0b\x0e-\x1f\x7f-\x9f\ud800-\udfff{_NONCHARACTERS}]")
"""NUL, control characters other than white space, halves of surrogate pairs and noncharacters (HTML, 13.2.3.5)."""


def legible(text: str) -> str:
    """The text with U+FFFD in place of each character that HTML forbids; all of it can be encoded as UTF-8."""
    return _FORBIDDEN.sub(REPLACEMENT, text)


def forbidden_in(text: str) -> str | None:
    """The first character that HTML forbids, as `U+0000`; None if there is none."""
    found = _FORBIDDEN.search(text)
    return f"U+{ord(found[0]):04X}" if found else None
