"""Categories, dates, numbers and places as vectors: equal ones meet at cosine 1, near ones in part.

How much a meeting is worth is another matter: `rarity` gives common objects little weight.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from factlink.encoders.dates import parse_dates
from factlink.encoders.ngrams.encoder import GramEncoder
from factlink.encoders.ngrams.hashing import PARTS, WORDS
from factlink.encoders.ngrams.projection import check_dim
from factlink.encoders.ngrams.rows import Grams
from factlink.encoders.transliteration import transliterate
from factlink.errors import SettingError
from factlink.types import Floats, Ints
from factlink.vectors import unit_rows

PLACE_GRAMS = Grams(forms=WORDS | PARTS, smallest=2, largest=5)
_SPACES = r"[^a-z0-9]+"


def rarity(counts: Ints, n_users: int) -> Floats:
    """Weight of objects held by that many of n users: ln(n / count) / ln(n), 1 for one holder, 0 for all."""
    if n_users < 2:
        return np.ones(len(counts), np.float32)
    shares = np.clip(np.asarray(counts), 1, n_users) / n_users
    return np.asarray(-np.log(shares) / np.log(n_users), np.float32)


@dataclass(frozen=True, slots=True)
class CategoryEncoder:
    """Equal but for case, accents and punctuation: cosine 1; otherwise about 0."""

    dim: int = 256
    seed: int = 0

    def __post_init__(self) -> None:
        check_dim(self.dim)

    def encode(self, objects: Sequence[str] | pl.Series) -> Floats:
        """(n, dim) unit rows of random signs, drawn from the seed and the object's own letters."""
        words = transliterate(objects).str.to_lowercase().str.replace_all(_SPACES, " ").str.strip_chars()
        return _signs(words.to_list(), self.dim, self.seed)


@dataclass(frozen=True, slots=True)
class DateEncoder:
    """Same day 1; same year and month 2/3, same year or same month and day 1/3 for full dates.

    A date known to the year or the month alone is compared by what it has.
    """

    dim: int = 768
    seed: int = 0

    def __post_init__(self) -> None:
        check_dim(self.dim)
        if self.dim % 3:
            raise SettingError(f"dim is {self.dim}; use a multiple of 48, such as 768")

    def encode(self, objects: Sequence[str] | pl.Series) -> Floats:
        """(n, dim) unit rows: a third each for the year, the month of that year, and the day; zero if unread."""
        parts = parse_dates(objects)
        year = parts["year"].cast(pl.String)
        month = year + "-" + parts["month"].cast(pl.String)
        day = parts["month"].cast(pl.String) + "-" + parts["day"].cast(pl.String)
        thirds = [_signs(part.fill_null("").to_list(), self.dim // 3, self.seed) for part in (year, month, day)]
        return unit_rows(np.hstack(thirds))


@dataclass(frozen=True, slots=True)
class NumberEncoder:
    """Cosine exp(−(Δ log)² / 2·width²) on the signed log scale ±log(1 + |x|): equal 1, a factor apart less.

    Random Fourier features: about 1/√dim of noise.
    """

    dim: int = 256
    width: float = 0.1
    seed: int = 0

    def __post_init__(self) -> None:
        check_dim(self.dim)
        if self.width <= 0:
            raise SettingError(f"width is {self.width}; use a number above 0, such as 0.1")

    def encode(self, objects: Sequence[str] | pl.Series) -> Floats:
        """(n, dim) unit rows; zero for what is not a finite number."""
        text = pl.Series("object", objects, dtype=pl.String).str.strip_chars().str.replace_all("[,_ ]", "")
        numbers = text.cast(pl.Float64, strict=False).fill_null(np.nan).to_numpy()
        finite = np.isfinite(numbers)
        logs = np.where(finite, np.sign(numbers) * np.log1p(np.abs(np.where(finite, numbers, 0))), 0)
        speeds = np.random.default_rng(self.seed).standard_normal(self.dim // 2) / self.width
        angles = logs[:, None] * speeds
        waves = np.hstack([np.cos(angles), np.sin(angles)]) / np.sqrt(self.dim // 2)
        return np.asarray(waves * finite[:, None], np.float32)


@dataclass(frozen=True, slots=True)
class LocationEncoder(GramEncoder):
    """Pieces of place names, rare ones heavier: `Paris, France` is near `paris` and far from `Nice, France`."""

    dim: int = 512
    grams: Grams = PLACE_GRAMS


def _signs(words: list[str], dim: int, seed: int) -> Floats:
    """(n, dim) unit rows of ±1/√dim that depend on seed and word alone; zero for the empty word."""
    distinct = {word: i for i, word in enumerate(dict.fromkeys(words))}
    signs = np.zeros((len(distinct), dim), np.float32)
    for word, i in distinct.items():
        if word:
            drawn = hashlib.shake_128(f"{seed}:{word}".encode()).digest((dim + 7) // 8)
            signs[i] = np.unpackbits(np.frombuffer(drawn, np.uint8))[:dim] * 2.0 - 1.0
    rows: npt.NDArray[np.int64] = np.array([distinct[word] for word in words], np.int64)
    return np.asarray(signs[rows] / np.sqrt(dim), np.float32)
