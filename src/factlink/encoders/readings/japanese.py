"""Japanese names by a dictionary (extra `scripts`: cutlet and UniDic), kana by their sounds without it."""

import re
from functools import cache
from importlib.util import find_spec
from typing import Any

from anyascii import anyascii

_LONG = ((re.compile("oo|ou"), "o"), (re.compile("uu"), "u"), (re.compile("ii"), "i"), (re.compile("aa"), "a"))
_SEPARATORS = re.compile(r"[/=\s]+")


def has_dictionary() -> bool:
    """Whether the extra is installed."""
    return find_spec("cutlet") is not None and find_spec("unidic_lite") is not None


def read_japanese(name: str) -> list[list[str]]:
    """Alternatives, each with and without long vowels: by dictionary words, loan words as English; and by sound alone.

    None for characters that no Japanese dictionary has.
    """
    if not has_dictionary():
        return [_forms(anyascii(name))]
    words, sounds = (reader.romaji(name) for reader in _readers())
    return [] if "?" in words else [_forms(text) for text in dict.fromkeys([words, sounds])]


def _forms(latin: str) -> list[str]:
    """Tooru Doi; Toru Doi."""
    plain = _SEPARATORS.sub(" ", latin).strip()
    short = plain
    for long, one in _LONG:
        short = long.sub(one, short)
    return [plain, short] if short != plain else [plain]


@cache
def _readers() -> tuple[Any, Any]:
    """One that spells loan words as in English, and one that writes all kana by their sound."""
    import cutlet

    sounds = cutlet.Cutlet()
    sounds.use_foreign_spelling = False
    return cutlet.Cutlet(), sounds
