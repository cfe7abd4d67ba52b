"""Which reader reads a name, and the alternatives that it gives."""

import re
from dataclasses import dataclass

import polars as pl
from anyascii import anyascii

from factlink.encoders.readings.cantonese import read_cantonese
from factlink.encoders.readings.foreign import may_be_foreign, read_foreign
from factlink.encoders.readings.han import read_han, respell_pinyin
from factlink.encoders.readings.hangul import read_hangul
from factlink.encoders.readings.hokkien import read_hokkien
from factlink.encoders.readings.japanese import has_dictionary, read_japanese
from factlink.encoders.readings.semitic import read_arabic, read_hebrew
from factlink.encoders.readings.sounds import CLIPPED, FAR, NEAR, PLAIN

FOREIGN = r"[\p{L}--\p{Latin}]"
"""A letter of another script than Latin, as polars writes it."""

_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_KANA = re.compile("[\u3041-\u309f\u30a1-\u30fa]")
_HANGUL = re.compile("[\uac00-\ud7a3]")
_HEBREW = re.compile("[\u0590-\u05ff]")
_ARABIC = re.compile("[\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufeff]")
_PARTS = re.compile("[·‧・•]")
_ASIDE = re.compile(r"[（(].*$|[\s,，]+$")  # what follows a name
_MIXED = r"[\u3041-\u309f\u30a1-\u30fa]"
_SOME = 0.02  # of the names with Chinese characters
_SHORT = 4  # characters; a longer Chinese name is a foreign one, written by its sound


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a name: spellings that count together, and what to take the sound from."""

    family: int  # of sounds
    spellings: tuple[str, ...]
    sounds: tuple[str, ...] = ()  # empty where the spelling alone counts


def is_japanese(names: pl.Series) -> bool:
    """Whether Chinese characters here are Japanese: some names mix them with kana."""
    characters = names.filter(names.str.contains(r"\p{Han}"))
    return len(characters) > 0 and float(characters.str.contains(_MIXED).mean() or 0.0) >= _SOME  # type: ignore[arg-type]


def read(name: str, japanese: bool = False) -> list[Reading]:
    """The ways to read a name in another script, the most usual first; at least one."""
    found: list[Reading] = []
    if _KANA.search(name):
        found = [Reading(FAR, tuple(forms), (forms[-1],)) for forms in read_japanese(name)]
    elif _HAN.search(name):
        found = _read_characters(name, japanese)
    elif _HANGUL.search(name):
        forms = tuple(read_hangul(name))
        found = [Reading(FAR, forms, forms)] if forms else []
    elif _HEBREW.search(name):
        found = [_near(*read_hebrew(name))]
    elif _ARABIC.search(name):
        found = [_near(*read_arabic(name))]
    return found or [_near(anyascii(name).strip() or name)]


def _near(*forms: str) -> Reading:
    return Reading(NEAR, forms, forms)


def _read_characters(name: str, japanese: bool) -> list[Reading]:
    """Chinese characters in Mandarin; short names also in Cantonese and Japanese, foreign ones by sound."""
    name = _ASIDE.sub("", name)
    said = [] if _PARTS.search(name) or not has_dictionary() else read_japanese(name)[:1]
    there = [Reading(FAR if japanese else PLAIN, tuple(forms), (forms[-1],) if japanese else ()) for forms in said]
    pinyin = tuple(read_han(name))
    if not pinyin or (japanese and there):
        return there
    if _PARTS.search(name) or len(name) > _SHORT:
        heard = [] if japanese else [_heard(" ".join(read_foreign(part) for part in _han_parts(name)))]
        return [*heard, *(Reading(CLIPPED, pinyin, (sound,)) for sound in respell_pinyin(pinyin[0])), *there]
    perhaps = [_heard(read_foreign(name))] if may_be_foreign(name) and not japanese else []
    south = [*read_cantonese(name), *read_hokkien(name)]
    return [Reading(PLAIN, pinyin), *(Reading(FAR, (form,), (form,)) for form in south), *there, *perhaps]


def _han_parts(name: str) -> list[str]:
    """Characters of the parts of a foreign name."""
    parts = ("".join(_HAN.findall(part)) for part in _PARTS.split(name))
    return [part for part in parts if part]


def _heard(latin: str) -> Reading:
    return Reading(CLIPPED, (latin.title(),), (latin,))
