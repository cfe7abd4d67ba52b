"""Usernames, made the way people make them."""

import numpy as np
import polars as pl

from factlink.synthetic.dials import NameDials
from factlink.synthetic.stock import Rng, draw_words
from factlink.synthetic.wording import choose, compose, compose_any, template

_TELLING = {
    "{g}{f}": 12,
    "{g}.{f}": 8,
    "{g}_{f}": 7,
    "{g:1}{f}": 10,
    "{f}{g:1}": 3,
    "{f}{g}": 4,
    "{f}.{g}": 2,
    "{g}{f}{yy}": 6,
    "{g}{f}{number}": 5,
    "{g}{year}": 4,
    "{nick}{number}": 4,
    "{nick}{f}": 5,
    "{nick}_{f:1}{yy}": 2,
    "{g}{f:1}{number}": 4,
    "{g:1}{s:1}{f}": 3,
    "{g:1}.{f}{yy}": 3,
    "{g}{s}{f:1}": 2,
    "{prefix}{nick}": 2,
    "{prefix}{g}{f}": 3,
    "{g}{suffix}": 2,
    "{nick}_{first}": 2,
    "{first}{nick}{number}": 2,
    "{g:leet}{yy}": 2,
    "{f:leet}_{g:1}": 1,
    "{f}{year}": 2,
    "{f:5}{g:3}": 3,
    "{g}{f:3}": 3,
    "{g:consonants}{f}": 1,
}
_UNRELATED = {
    "{adjective}{word}": 4,
    "{adjective}_{word}": 3,
    "{adjective}{word}{number}": 4,
    "{first}{word}": 3,
    "{word}{year}": 2,
    "{first}_{second}{yy}": 2,
    "{prefix}{adjective}{word}": 2,
    "{word:leet}{number}": 2,
    "{adjective:1}{word}_{suffix}": 1,
}
_CHANGED = {
    "{usual}{number}": 5,
    "{usual}_": 3,
    "_{usual}": 2,
    "{usual:letters}": 5,
    "{usual:underscored}": 3,
    "{usual}{yy}": 4,
    "{usual:leet}": 2,
    "{prefix}{usual}": 3,
    "{usual}{suffix}": 2,
    "{usual:short}": 3,
    "x{usual}x": 1,
    "{usual:consonants}": 1,
}
_INITIALS = {"{g:1}{s:1}{f:1}{number}": 1, "{g:1}{f:1}{number}": 1}


def usual_handles(people: pl.DataFrame, dials: NameDials, rng: Rng) -> pl.Series:
    """The username that each person would like to have everywhere."""
    return _made_up(_with_ingredients(people, rng), dials.unrelated, rng).alias("usual")


def draw_handles(accounts: pl.DataFrame, hidden: pl.Series, dials: NameDials, rng: Rng) -> pl.Series:
    """A username for each account of one network; no two are equal."""
    lines = _with_ingredients(accounts, rng)
    fresh = _made_up(lines, dials.unrelated, rng).alias("fresh")
    changed = compose_any(lines, _CHANGED, rng).alias("changed")
    alias = compose_any(lines, _UNRELATED, rng).alias("alias")
    chosen = choose([dials.same, dials.near, max(0.0, 1 - dials.same - dials.near)], len(lines), rng)
    chosen = np.where(hidden, 3, chosen)
    table = pl.DataFrame([accounts["usual"], changed, fresh, alias])
    if dials.initials:
        chosen = np.where((rng.random(len(lines)) < dials.initials) & (chosen != 3), 4, chosen)
        table = table.with_columns(compose_any(lines, _INITIALS, rng).alias("initials"))
    return make_distinct(compose(table, chosen, [pl.col(name) for name in table.columns]), rng)


def draw_ids(n: int, rng: Rng) -> pl.Series:
    """Sixteen random hexadecimal digits each."""
    digits = rng.bytes(8 * n).hex()
    return pl.Series("id", np.frombuffer(digits.encode(), "S16").astype("U16"))


def make_distinct(handles: pl.Series, rng: Rng) -> pl.Series:
    """The same usernames, with digits after those that somebody has already."""
    table = pl.DataFrame({"handle": handles})
    while (taken := table.select(~pl.col("handle").is_first_distinct()).to_series()).any():
        table = table.with_columns(number=pl.Series(rng.integers(1, 10_000, len(table))), taken=taken)
        table = table.select(handle=pl.when("taken").then(template("{handle}{number}")).otherwise("handle"))
    return table["handle"].alias("username")


def _made_up(lines: pl.DataFrame, unrelated: float, rng: Rng) -> pl.Series:
    telling = compose_any(lines, _TELLING, rng)
    silent = compose_any(lines, _UNRELATED, rng)
    is_silent = pl.Series(rng.random(len(lines)) < unrelated)
    return pl.select(pl.when(is_silent).then(silent).otherwise(telling)).to_series()


def _with_ingredients(people: pl.DataFrame, rng: Rng) -> pl.DataFrame:
    n = len(people)
    drawn = [draw_words(key, n, rng) for key in ("word", "prefix", "suffix")]
    digits = pl.Series("number", rng.integers(1, 10 ** rng.integers(1, 5, n))).cast(pl.String)
    short_year = people["year"].str.slice(2).alias("yy")
    return people.with_columns(*drawn, draw_words("word", n, rng).alias("adjective"), digits, short_year)
