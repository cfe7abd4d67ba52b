"""Any script as plain Latin letters: what every comparison of strings starts from."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl
from anyascii import anyascii

_FOREIGN = r"[^\x00-\x7F]"
_PICTOGRAMS = r"[\p{So}\p{Sk}\p{Cf}]"


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


def to_latin(objects: Sequence[str] | pl.Series) -> pl.Series:
    """Each object in NFKC, without emoji, transliterated to ASCII, case kept: 李小龙 → LiXiaoLong."""
    values = pl.Series("object", objects, dtype=pl.String).str.normalize("NFKC")
    foreign = values.str.contains(_FOREIGN)
    if not foreign.any():
        return values
    kept = values.filter(foreign).str.replace_all(_PICTOGRAMS, " ")
    latin = pl.Series("object", [anyascii(value) for value in kept], dtype=pl.String)
    return values.scatter(foreign.arg_true(), latin)


def pack(latin: pl.Series) -> PackedStrings:
    """ASCII strings as one run of bytes, ready for compiled code."""
    letters = np.frombuffer("".join(latin).encode("ascii"), np.uint8)
    starts = np.zeros(len(latin) + 1, np.int64)
    starts[1:] = latin.str.len_bytes().to_numpy().cumsum(dtype=np.int64)
    return PackedStrings(letters, starts)
