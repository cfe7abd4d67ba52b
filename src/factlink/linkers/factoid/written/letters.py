"""The words of names and the letters of handles, as they are compared with each other."""

from enum import IntEnum

import numpy as np
import numpy.typing as npt
import polars as pl

from factlink.encoders.handles.background import Background, count_runs, letter_chances
from factlink.encoders.handles.pieces import MARKED, UNKNOWN, UNMARKED, Handles
from factlink.encoders.transliteration import PackedStrings, pack, transliterate


class _Kind(IntEnum):
    """What a letter is."""

    NOTHING = 0
    SMALL = 1
    DIGIT = 2
    CAPITAL = 3
    SIGN = 4


def name_words(names: pl.Series) -> pl.Series:
    """Lists of the words of names in small Latin letters."""
    return transliterate(names).str.to_lowercase().str.replace_all("'", "").str.extract_all("[a-z]+")


def handle_letters(texts: pl.Series) -> pl.Series:
    """Handles in small letters and digits, nothing else."""
    return transliterate(texts).str.to_lowercase().str.replace_all("[^a-z0-9]", "")


def read_handles(texts: pl.Series, background: Background | None = None) -> Handles:
    """Handles against a background, their own unless another is given."""
    packed = pack(handle_letters(texts))
    background = background or count_runs(packed.letters, packed.starts)
    chances = letter_chances(packed.letters, packed.starts, background)
    return Handles(packed.letters, packed.starts, chances, background, find_beginnings(texts))


def find_beginnings(texts: pl.Series) -> npt.NDArray[np.int8]:
    """(n_letters,) of all handles end to end: MARKED where their writing says that a word begins there.

    A capital in a handle that has small letters too, a letter after another sign, a digit after a letter and the other
    way round. Handles without such a sign say nothing, nor do first letters and the one after several capitals.
    """
    packed = pack(transliterate(texts))
    kinds, owners = _kinds(packed), np.repeat(np.arange(len(packed)), np.diff(packed.starts))
    before = _before(kinds, packed)
    several = (before == _Kind.CAPITAL) & (_before(before, packed) == _Kind.CAPITAL)
    begins = (kinds == _Kind.CAPITAL) | (before == _Kind.SIGN) | ((kinds == _Kind.DIGIT) != (before == _Kind.DIGIT))
    found = np.where(begins, MARKED, np.where(several, UNKNOWN, UNMARKED))
    found[before == _Kind.NOTHING] = UNKNOWN
    kept = kinds != _Kind.SIGN
    said = np.bincount(owners[kept], found[kept] == MARKED, minlength=len(packed)) > 0
    return np.asarray(np.where(said[owners], found, UNKNOWN)[kept], np.int8)


def _kinds(packed: PackedStrings) -> npt.NDArray[np.int8]:
    """(n_letters,): capitals, where there are small letters too, small letters, digits, and signs."""
    letters = packed.letters
    capital, small, digit = (
        (letters >= ord(first)) & (letters <= ord(last)) for first, last in (("A", "Z"), ("a", "z"), ("0", "9"))
    )
    owners = np.repeat(np.arange(len(packed)), np.diff(packed.starts))
    mixed = np.bincount(owners, small, minlength=len(packed)) > 0
    kinds = np.select(
        [capital & mixed[owners], capital | small, digit], [_Kind.CAPITAL, _Kind.SMALL, _Kind.DIGIT], _Kind.SIGN
    )
    return kinds.astype(np.int8)


def _before(kinds: npt.NDArray[np.int8], packed: PackedStrings) -> npt.NDArray[np.int8]:
    """(n_letters,): of the letter before each; NOTHING before the first one of a handle."""
    before = np.concatenate([[_Kind.NOTHING], kinds[:-1]])[: len(kinds)].astype(np.int8)
    before[packed.starts[:-1][np.diff(packed.starts) > 0]] = _Kind.NOTHING
    return before


def count_handles(texts: pl.Series) -> Background:
    """The background of letters that handles are compared with."""
    packed = pack(handle_letters(texts))
    return count_runs(packed.letters, packed.starts)
