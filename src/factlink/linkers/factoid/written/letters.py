"""The words of names and the letters of handles, as they are compared with each other."""

import polars as pl

from factlink.encoders.handles.background import Background, count_runs, letter_chances
from factlink.encoders.handles.pieces import Handles
from factlink.encoders.transliteration import pack, transliterate


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
    return Handles(packed.letters, packed.starts, letter_chances(packed.letters, packed.starts, background), background)


def count_handles(texts: pl.Series) -> Background:
    """The background of letters that handles are compared with."""
    packed = pack(handle_letters(texts))
    return count_runs(packed.letters, packed.starts)
