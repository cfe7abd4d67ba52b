"""How a name sounds, roughly: consonants in a few classes and no vowels, so that spellings of one sound are equal.

Three families differ in what they take to be equal. NEAR is for scripts with an alphabet: v and b, s and z, k and g are
equal, r and l are not. FAR is for syllables: r and l are equal too, and ng is n. CLIPPED is for Chinese characters,
which leave out an r that no vowel follows: Mark is read as Ma-ke.
"""

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import numba
import numpy as np
import polars as pl

from factlink.encoders.transliteration import FEW, PackedStrings, latin_of_few, pack, pack_few, transliterate

PLAIN, NEAR, FAR, CLIPPED = 0, 1, 2, 3
"""Families of sounds; PLAIN compares spellings and has none."""

_GAP, _NONE, _APART = 32, 0, 255  # between words; no sound; two letters that are two sounds
_CLASSES = {"b": "pbfv", "t": "td", "k": "kgcq", "s": "szj", "\0": "aeiouyhw"}
_TOGETHER = {"b": "ph", "s": "sh zh tz ts ce ci cy", "t": "th dh", "k": "gh"}
_HARD = {NEAR: {"\0": "kh ch"}, FAR: {"k": "kh", "s": "ch"}, CLIPPED: {"k": "kh", "s": "ch"}}

_OTHERS = re.compile("[^a-z]+")

Tables = tuple[Any, Any, Any]


def sound_codes(names: pl.Series, family: int) -> pl.Series:
    """Each name by its sounds, words apart: Rachel Adatto → rl t; empty where there is no consonant."""
    if len(names) <= FEW and (few := latin_of_few(names)) is not None:
        return pl.Series(sounds_of_few(few, family), dtype=pl.String)
    latin = transliterate(names).str.to_lowercase().str.replace_all(r"[^a-z]+", " ").str.strip_chars()
    packed = pack(latin)
    codes = PackedStrings(*_codes(packed.letters, packed.starts, family, _tables(family)))
    return _unpacked(codes).str.replace_all(r" +", " ").str.strip_chars()


def sound_list(names: Sequence[str], family: int) -> list[str]:
    """The same as a list, for a few names without the fixed cost of columns."""
    if len(names) <= FEW and (few := latin_of_few(names)) is not None:
        return sounds_of_few(few, family)
    return sound_codes(pl.Series(names, dtype=pl.String), family).to_list()


def sounds_of_few(latin: Sequence[str], family: int) -> list[str]:
    """The same for a few names in Latin letters."""
    packed = pack_few([_OTHERS.sub(" ", text.lower()).strip() for text in latin])
    letters, starts = _codes(packed.letters, packed.starts, family, _tables(family))
    return [" ".join(code.split()) for code in _texts(PackedStrings(letters, starts))]


@cache
def _tables(family: int) -> Tables:
    """The class of each letter; of each two letters, APART if they are two sounds; and which letters are vowels."""
    one, two = np.arange(128, dtype=np.uint8), np.full((128, 128), _APART, np.uint8)
    for to, letters in _CLASSES.items():
        one[[ord(letter) for letter in letters]] = ord(to)
    for to, spelled in [*_TOGETHER.items(), *_HARD[family].items()]:
        for letters in spelled.split():
            two[ord(letters[0]), ord(letters[1])] = ord(to)
    if family != FAR:
        one[ord("w")] = ord("b")
    if family != NEAR:
        one[ord("r")] = ord("l")
    return one, two, np.isin(np.arange(128), [ord(letter) for letter in "aeiouyr"])


def _unpacked(strings: PackedStrings) -> pl.Series:
    return pl.Series(_texts(strings), dtype=pl.String)


def _texts(strings: PackedStrings) -> list[str]:
    text = strings.letters.tobytes().decode("ascii")
    return [text[first:last] for first, last in pairwise(strings.starts.tolist())]


@numba.njit(cache=True)
def _codes(letters: Any, starts: Any, family: int, tables: Any) -> Any:
    """Letters of all codes end to end, and where each begins; x makes two of one letter."""
    out, ends = np.empty(2 * len(letters) + 2, np.uint8), np.zeros(len(starts), np.int64)
    end = 0
    for i in range(len(starts) - 1):
        end = _code(letters[starts[i] : starts[i + 1]], family, tables, out, end)
        ends[i + 1] = end
    return out[:end], ends


@numba.njit(cache=True)
def _code(text: Any, family: int, tables: Any, out: Any, end: int) -> int:
    """Writes the code of one name from `out[end]` on; the new end."""
    first, i = end, 0
    while i < len(text):
        if text[i] == ord("x"):
            end = _put(out, first, end, ord("k"))
        sound, length = _sound(text, i, family, tables)
        if sound != _NONE:
            end = _put(out, first, end, sound)
        i += length
    return end


@numba.njit(cache=True)
def _put(out: Any, first: int, end: int, sound: int) -> int:
    if end > first and out[end - 1] == sound:
        return end
    out[end] = sound
    return end + 1


@numba.njit(cache=True)
def _sound(text: Any, i: int, family: int, tables: Any) -> Any:
    """The class of the sound at position i, and how many letters it takes."""
    one, two, open_after = tables
    char, after, later = text[i], _GAP, _GAP
    if i + 1 < len(text):
        after = text[i + 1]
    if i + 2 < len(text):
        later = text[i + 2]
    sound, length = one[char], 1
    if char == ord("x"):
        sound = ord("s")
    elif later == ord("h") and after == ord("c") and char in (ord("t"), ord("s")):
        sound, length = ord("s"), 3
    elif two[char, after] != _APART:
        sound, length = two[char, after], 2
    elif family != NEAR and char == ord("n") and after == ord("g") and not open_after[later]:
        sound, length = ord("n"), 2
    elif family != NEAR and char == ord("m") and one[after] == ord("b"):
        sound = ord("n")
    elif family == CLIPPED and char == ord("r") and not open_after[after]:
        sound = _NONE
    return sound, length
