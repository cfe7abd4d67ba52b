"""How a name sounds, roughly: its consonants in a few classes, without vowels, so that spellings of one sound are equal.

Three families differ in what they take to be equal. NEAR is for scripts with an alphabet: v and b, s and z, k and g are
equal, r and l are not. FAR is for syllables: r and l are equal too, and ng is n. CLIPPED is for Chinese characters,
which leave out an r that no vowel follows: Mark is read as Ma-ke.
"""

from typing import Any

import numba
import numpy as np
import polars as pl

from factlink.encoders.transliteration import PackedStrings, pack, transliterate

PLAIN, NEAR, FAR, CLIPPED = 0, 1, 2, 3
"""Families of sounds; PLAIN compares spellings and has none."""

_A, _Z, _GAP, _NONE = 97, 122, 32, 0
_SAME = np.arange(128, dtype=np.uint8)
for _letters, _class in (("pbfv", "b"), ("td", "t"), ("kgcq", "k"), ("szj", "s")):
    _SAME[np.frombuffer(_letters.encode(), np.uint8)] = ord(_class)
_SAME[np.frombuffer(b"aeiouyhw", np.uint8)] = _NONE
_VOWEL = np.zeros(128, np.bool_)
_VOWEL[np.frombuffer(b"aeiouy", np.uint8)] = True


def sound_codes(names: pl.Series, family: int) -> pl.Series:
    """Each name by its sounds, words apart: Rachel Adatto → rl tt, empty where there is no consonant."""
    latin = transliterate(names).str.to_lowercase().str.replace_all(r"[^a-z]+", " ").str.strip_chars()
    packed = pack(latin)
    letters, starts = _codes(packed.letters, packed.starts, family, (_SAME, _VOWEL))
    return _unpacked(PackedStrings(letters, starts)).str.replace_all(r" +", " ").str.strip_chars()


def _unpacked(strings: PackedStrings) -> pl.Series:
    text, starts = strings.letters.tobytes().decode("ascii"), strings.starts.tolist()
    return pl.Series([text[first:last] for first, last in zip(starts[:-1], starts[1:], strict=True)], dtype=pl.String)


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
        sound, length = _sound(text, i, family, tables)
        if sound == ord("x"):
            end = _put(out, first, end, ord("k"))
            sound = ord("s")
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
def _sound(text: Any, i: int, family: int, tables: Any) -> tuple[int, int]:
    """The class of the sound at position i, and how many letters it takes."""
    same, vowel = tables
    char = text[i]
    after = text[i + 1] if i + 1 < len(text) else np.uint8(_GAP)
    later = text[i + 2] if i + 2 < len(text) else np.uint8(_GAP)
    sound, length = _digraph(char, after, later, family)
    if length:
        return sound, length
    if char == ord("x"):
        return ord("x"), 1
    if char == ord("c") and after in (ord("e"), ord("i"), ord("y")):
        return ord("s"), 1
    if char == ord("w") and family == NEAR:
        return ord("b"), 1
    if family != NEAR:
        if char == ord("n") and after == ord("g") and not vowel[later]:
            return ord("n"), 2
        if char == ord("m") and after in (ord("p"), ord("b"), ord("f"), ord("v")):
            return ord("n"), 1
        if char == ord("r"):
            clipped = family == CLIPPED and not vowel[after] and after != ord("r")
            return (_NONE if clipped else ord("l")), 1
    return int(same[char]), 1


@numba.njit(cache=True)
def _digraph(char: int, after: int, later: int, family: int) -> tuple[int, int]:
    """The sound of two or three letters that make one, and how many; 0 letters if they do not."""
    if after == ord("h"):
        if char == ord("p"):
            return ord("b"), 2
        if char in (ord("s"), ord("z")):
            return ord("s"), 2
        if char in (ord("t"), ord("d")):
            return ord("t"), 2
        if char == ord("g"):
            return ord("k"), 2
        if char == ord("k"):
            return (_NONE if family == NEAR else ord("k")), 2
        if char == ord("c"):
            return (_NONE if family == NEAR else ord("s")), 2
    if char == ord("t") and after in (ord("z"), ord("s")):
        return ord("s"), 2
    if later == ord("h") and after == ord("c") and char in (ord("t"), ord("s")):
        return ord("s"), 3
    return 0, 0
