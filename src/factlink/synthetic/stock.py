"""The stock of names and words in `stock/`, and the rarer names made from it.

A culture's file lists given and family names, the most frequent first, each as `Latin/Native` or `Latin`.
The `rare-…` lines are parts: one of each, joined, is a rarer name; `-` is not a part.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
import polars as pl
from anyascii import anyascii

from factlink.types import Ints

Rng = np.random.Generator
_EVEN = 12.0  # Zipf–Mandelbrot offset: the commonest family name of a culture has about 2 % of its people


@dataclass(frozen=True, slots=True)
class NameList:
    """Names of all cultures, one after another, those of a culture from the most to the least frequent."""

    names: pl.DataFrame  # latin, native ("" where that is Latin), plain (a–z and digits)
    starts: Ints  # (n_cultures + 1,) where each culture's names begin

    def draw(self, cultures: Ints, rng: Rng) -> Ints:
        """A name row for each person, by the frequencies of the person's culture."""
        sizes = np.diff(self.starts)[cultures]
        low, high = np.log(_EVEN), np.log(_EVEN + sizes)
        ranks = np.exp(low + rng.random(len(cultures)) * (high - low)) - _EVEN
        rows: Ints = self.starts[cultures] + np.minimum(ranks.astype(np.int64), sizes - 1)
        return rows


@dataclass(frozen=True, slots=True)
class Stock:
    """All that people of the chosen cultures are called."""

    weights: list[float]  # by culture, summing to one
    family_first: pl.Series  # by culture
    spaced: pl.Series  # by culture: whether native names have a space between their parts
    given: NameList  # its names also have two nicknames each, `nick` and `pet`
    family: NameList


def read_stock(cultures: Sequence[str], people: int) -> Stock:
    """The names of some cultures; the more people, the more rare names."""
    pages = [_read(culture) for culture in cultures]
    weights = np.array([float(page["weight"][0]) for page in pages])
    given, family = (_list_names(pages, key, people) for key in ("given", "family"))
    return Stock(
        weights=list(weights / weights.sum()),
        family_first=pl.Series(["order" in page for page in pages]),
        spaced=pl.Series(["join" not in page for page in pages]),
        given=NameList(_with_nicknames(given.names, pages), given.starts),
        family=family,
    )


@cache
def words(key: str) -> pl.Series:
    """The words of one sort: interest, trade, city, word, emoji, title, prefix, suffix or phrase."""
    return pl.Series(key, [word.replace("+", " ") for word in _read("words")[key]])


def draw_words(key: str, n: int, rng: Rng) -> pl.Series:
    """`n` words of one sort, all equally likely."""
    stock = words(key)
    return stock.gather(rng.integers(0, len(stock), n))


@cache
def _read(page: str) -> dict[str, list[str]]:
    """The words of each key; a key that comes again goes on, parts of rare names being kept apart by '|'."""
    entries: dict[str, list[str]] = {}
    for line in (files(__package__) / "stock" / f"{page}.txt").read_text("utf-8").splitlines():
        key, _, rest = line.partition(":")
        divider = ["|"] if key.startswith("rare") and key in entries else []
        entries.setdefault(key, []).extend(divider + rest.split())
    return entries


def _list_names(pages: Sequence[dict[str, list[str]]], key: str, people: int) -> NameList:
    tables = [_split(page[key] + _rare(page.get(f"rare-{key}", []), people // 20)) for page in pages]
    starts = np.cumsum([0, *(len(table) for table in tables)])
    return NameList(pl.concat(tables), starts)


def _rare(parts: Sequence[str], most: int) -> list[str]:
    """At most `most` names joined from one of each part, in an order that shows no pattern."""
    if not parts:
        return []
    names = [("", "")]
    for part in " ".join(parts).split(" | "):
        pieces = [_halves(piece) for piece in part.split()]
        names = [(latin + a, native + b) for latin, native in names for a, b in pieces]
    order = np.random.default_rng(len(names)).permutation(len(names))[:most]
    return [f"{names[i][0].capitalize()}/{names[i][1]}" for i in order]


def _halves(piece: str) -> tuple[str, str]:
    latin, _, native = ("" if piece == "-" else piece).partition("/")
    return latin, native


def _split(names: Sequence[str]) -> pl.DataFrame:
    halves = [_halves(name) for name in names]
    latin = pl.Series("latin", [first for first, _ in halves])
    plain = pl.Series("plain", [anyascii(first).lower() for first, _ in halves]).str.replace_all("[^a-z]", "")
    return pl.DataFrame([latin, pl.Series("native", [second for _, second in halves]), plain])


def _with_nicknames(names: pl.DataFrame, pages: Sequence[dict[str, list[str]]]) -> pl.DataFrame:
    """Two nicknames for each given name, from the stock or made by cutting it short."""
    pairs = [entry.split("=") for page in pages for entry in page.get("nick", [])]
    first, last = dict(reversed(pairs)), dict(pairs)
    plain = dict(zip(names["latin"], names["plain"], strict=True))
    nick = [anyascii(first[name]).lower() if name in first else plain[name][:4] for name in names["latin"]]
    pet = [anyascii(last[name]).lower() if name in last else plain[name][:3] + "y" for name in names["latin"]]
    return names.with_columns(nick=pl.Series(nick), pet=pl.Series(pet))
