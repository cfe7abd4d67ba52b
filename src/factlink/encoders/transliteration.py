"""Any script as plain Latin letters: what every comparison of strings starts from."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from unicodedata import category, normalize

import numpy as np
import numpy.typing as npt
import polars as pl
from anyascii import anyascii

_FOREIGN = r"[^\x00-\x7F]"
_PICTOGRAMS = r"[\p{So}\p{Sk}\p{Cf}]"
_PICTOGRAM, _UNASSIGNED = ("So", "Sk", "Cf"), "Cn"
_BATCH = 100_000  # strings whose letters are looked at together

FEW = 512
"""Strings up to which letters are looked at one by one, without the fixed cost of columns."""


@dataclass(frozen=True, slots=True, eq=False)
class PackedStrings:
    """Strings laid end to end: string *i* is `letters[starts[i]:starts[i + 1]]`."""

    letters: npt.NDArray[np.uint8]  # (n_bytes,) ASCII
    starts: npt.NDArray[np.int64]  # (n + 1,)

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def longest(self) -> int:
        """Bytes of the longest string."""
        return int(np.diff(self.starts).max(initial=0))

    def take(self, kept: npt.NDArray[np.bool_]) -> "PackedStrings":
        """Some of the strings."""
        if kept.all():
            return self
        lengths = np.diff(self.starts)
        starts = np.concatenate([[0], lengths[kept].cumsum()])
        return PackedStrings(self.letters[np.repeat(kept, lengths)], starts)


def transliterate(objects: Sequence[str] | pl.Series) -> pl.Series:
    """Each object in NFKC, without emoji, transliterated to ASCII, case kept: 李小龙 → LiXiaoLong."""
    if len(objects) <= FEW and (few := latin_of_few(objects)) is not None:
        return pl.Series("object", few, dtype=pl.String)
    values = pl.Series("object", objects, dtype=pl.String).str.normalize("NFKC")
    foreign = values.str.contains(_FOREIGN)
    if not foreign.any():
        return values
    kept = values.filter(foreign).str.replace_all(_PICTOGRAMS, " ")
    foreign_letters = _foreign_letters(kept)
    latin = (
        kept.str.replace_many(foreign_letters, [anyascii(letter) for letter in foreign_letters])
        if foreign_letters
        else kept
    )
    return values.scatter(foreign.arg_true(), latin)


def latin_of_few(objects: Sequence[str] | pl.Series) -> list[str] | None:
    """The same for a few strings; None where one holds a letter that this Python does not know."""
    texts = objects.to_list() if isinstance(objects, pl.Series) else objects
    found: list[str] = []
    for text in texts:
        if text is None or not (text.isascii() or all(category(letter) != _UNASSIGNED for letter in text)):
            return None
        found.append(text if text.isascii() else _latin(normalize("NFKC", text)))
    return found


def _latin(text: str) -> str:
    return text if text.isascii() else "".join([_latin_letter(letter) for letter in text])


@cache
def _latin_letter(letter: str) -> str:
    """A letter of a text that is not plain ASCII."""
    if category(letter) in _PICTOGRAM:
        return " "
    return letter if letter.isascii() else anyascii(letter)


def _foreign_letters(values: pl.Series) -> list[str]:
    """The distinct letters outside ASCII, sorted: few, however many strings there are."""
    batches = (values.slice(start, _BATCH).str.join("").item() for start in range(0, len(values), _BATCH))
    return sorted({letter for batch in batches for letter in set(batch) if not letter.isascii()})


def pack(latin: pl.Series) -> PackedStrings:
    """ASCII strings as one run of bytes, ready for compiled code."""
    letters = np.frombuffer(bytearray("".join(latin), "ascii"), np.uint8)
    starts = np.zeros(len(latin) + 1, np.int64)
    starts[1:] = latin.str.len_bytes().to_numpy().cumsum(dtype=np.int64)
    return PackedStrings(letters, starts)


def pack_few(latin: Sequence[str]) -> PackedStrings:
    """The same for a few ASCII strings."""
    starts = np.zeros(len(latin) + 1, np.int64)
    starts[1:] = np.cumsum([len(text) for text in latin])
    return PackedStrings(np.frombuffer(bytearray("".join(latin), "ascii"), np.uint8), starts)
