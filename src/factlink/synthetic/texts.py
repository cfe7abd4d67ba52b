"""Bios and locations: partly true of the person, partly anybody's."""

import numpy as np
import polars as pl

from factlink.synthetic.dials import TextDials
from factlink.synthetic.people import INTERESTS
from factlink.synthetic.stock import Rng, draw_words
from factlink.synthetic.wording import compose, compose_any

_BIOS = {
    "{job:title} in {place}. {x:title}, {y} and {z}.": 5,
    "{x} | {y} | {z}": 4,
    "{job:title}. {phrase}": 4,
    "{phrase}": 3,
    "{place} • {job} • {x}": 4,
    "I love {x} and {y}. {phrase}": 4,
    "{emoji} {x} {emoji} {y} {place}": 3,
    "{x:title} lover, {y} addict, {job} by day": 4,
    "{job:title} from {place}, into {x}": 4,
    "#{x} #{y} #{z}": 2,
    "{job:title} / {x} / {y} / {phrase}": 3,
}


def draw_bios(accounts: pl.DataFrame, dials: TextDials, rng: Rng) -> pl.Series:
    """A bio for each account, null where there is none."""
    n = len(accounts)
    drawn = [draw_words(key, n, rng) for key in ("phrase", "emoji")]
    job = _own_or_any(accounts["trade"], "trade", dials.own, rng).alias("job")
    place = _own_or_any(accounts["town"], "city", dials.own, rng).alias("place")
    bios = compose_any(accounts.with_columns(*drawn, job, place, *_draw_interests(accounts, dials, rng)), _BIOS, rng)
    return _blanked(bios, dials.missing, rng).alias("bio")


def draw_locations(accounts: pl.DataFrame, dials: TextDials, rng: Rng) -> pl.Series:
    """A town for each account, null where there is none."""
    towns = _own_or_any(accounts["town"], "city", dials.own, rng)
    return _blanked(towns, dials.missing, rng).alias("location")


def draw_noise(n: int, rng: Rng) -> pl.Series:
    """One of twenty random categories for each account, without information."""
    return pl.Series("noise", rng.integers(0, 20, n)).cast(pl.String).str.pad_start(3, "c")


def _draw_interests(accounts: pl.DataFrame, dials: TextDials, rng: Rng) -> list[pl.Series]:
    """Three different ones of the four interests of each person, or anybody's in their place."""
    turn = rng.integers(0, 4, len(accounts))
    columns = [pl.col(name) for name in INTERESTS]
    own = [compose(accounts, (turn + k) % 4, columns) for k in range(3)]
    return [_own_or_any(own[k], "interest", dials.own, rng).alias("xyz"[k]) for k in range(3)]


def _own_or_any(own: pl.Series, key: str, share: float, rng: Rng) -> pl.Series:
    table = pl.DataFrame({"own": own, "any": draw_words(key, len(own), rng)})
    return compose(table, (rng.random(len(own)) >= share).astype(np.int64), [pl.col("own"), pl.col("any")])


def _blanked(texts: pl.Series, missing: float, rng: Rng) -> pl.Series:
    is_missing = pl.Series(rng.random(len(texts)) < missing)
    return pl.select(pl.when(~is_missing).then(texts)).to_series()
