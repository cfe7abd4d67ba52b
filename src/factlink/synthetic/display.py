"""Screen names: the name in full, in part, in another script, adorned or mistyped."""

import numpy as np
import polars as pl

from factlink.synthetic.dials import NameDials
from factlink.synthetic.stock import Rng, draw_words
from factlink.synthetic.wording import choose, compose, compose_any

_PLAIN = "{G} {F}"
_STYLED = {
    "{G}": 12,
    "{G} {F:1}.": 8,
    "{G:1}. {F}": 5,
    "{nick:title}": 6,
    "{nick:title} {F}": 9,
    "{F} {G}": 8,
    "{F}, {G}": 2,
    "{G} {S} {F}": 10,
    "{G} {S:1}. {F}": 5,
    "{title} {G} {F}": 5,
    "{G} {F} {emoji}": 7,
    "{emoji} {G} {emoji}": 3,
    "{g} {f}": 7,
    "{G:up} {F:up}": 3,
    "{G} {F} | {first}": 3,
    "{G} the {trade:title}": 2,
    "{F}": 2,
    "{username}": 5,
}
_ALIAS = {
    "{adjective:title} {word:title}": 5,
    "{word:title}": 2,
    "{adjective} {word} {emoji}": 2,
    "{emoji}{word:title}{emoji}": 2,
    "{word:title} {number}": 1,
    "{first:title} {word:title}": 2,
}
_SHORT = {"{nick:title} {F}": 1}
_NATIVE = {"{native}": 8, "{native_given}": 2, "{native} {emoji}": 1, "{native} ({G})": 1}


def draw_screen_names(accounts: pl.DataFrame, hidden: pl.Series, dials: NameDials, typos: float, rng: Rng) -> pl.Series:
    """A screen name for each account of one network, whose usernames are there already."""
    lines = _with_ingredients(accounts, rng)
    n = len(lines)
    writes_native = (rng.random(n) < dials.native) & (accounts["native"] != "").to_numpy()
    chosen = choose([dials.plain, 1 - dials.plain], n, rng)
    chosen = np.where(hidden, 3, np.where(writes_native, 2, chosen))
    manners = [compose_any(lines, manner, rng) for manner in ({_PLAIN: 1}, _STYLED, _NATIVE, _ALIAS)]
    table = pl.DataFrame({str(k): texts for k, texts in enumerate(manners)})
    names = compose(table, chosen, [pl.col(name) for name in table.columns])
    if dials.nicknames:
        short = (rng.random(n) < dials.nicknames) & (chosen < 2)
        names = compose_any(lines, _SHORT, rng).zip_with(pl.Series(short), names)
    return _mistyped(_tidied(names), typos, rng).alias("screen_name")


def _with_ingredients(accounts: pl.DataFrame, rng: Rng) -> pl.DataFrame:
    n = len(accounts)
    drawn = [draw_words(key, n, rng) for key in ("word", "emoji", "title")]
    digits = pl.Series("number", rng.integers(1, 100, n)).cast(pl.String)
    return accounts.with_columns(*drawn, draw_words("word", n, rng).alias("adjective"), digits)


def _tidied(names: pl.Series) -> pl.Series:
    """Without the gaps that an absent second name leaves."""
    return names.str.replace(" . ", " ", literal=True).str.replace("  ", " ", literal=True)


def _mistyped(names: pl.Series, typos: float, rng: Rng) -> pl.Series:
    lengths = names.str.len_chars().to_numpy()
    places = 1 + (rng.random(len(names)) * (lengths - 1)).astype(np.int64)
    slips = np.where((rng.random(len(names)) < typos) & (lengths > 3), 1 + rng.integers(0, 2, len(names)), 0)
    table = pl.DataFrame({"name": names, "at": places})
    name, at = pl.col("name"), pl.col("at")
    dropped, doubled = (name.str.slice(0, at) + name.str.slice(at + step) for step in (1, -1))
    return compose(table, slips, [name, dropped, doubled])
