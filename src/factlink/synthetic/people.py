"""Persons: their names, years, towns, trades, interests and communities."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import polars as pl

from factlink.synthetic.dials import GroupDials
from factlink.synthetic.stock import Rng, draw_words, read_stock, words
from factlink.types import Ints

INTERESTS = ("first", "second", "third", "fourth")


def draw_people(people: int, cultures: Sequence[str], groups: GroupDials, rng: Rng) -> pl.DataFrame:
    """One line per person; neighbours in the table have nothing in common.

    Columns: community, culture, G S F (given, second given or "", family name, in Latin), g s f (the same as
    typed on any keyboard), native and native_given ("" where that is Latin), nick, year, town, trade, four
    interests.
    """
    communities = _draw_communities(people, groups.size, rng)
    named = _draw_names(communities, cultures, groups.mixing, rng)
    years = pl.Series("year", np.clip(rng.normal(1990, 11, people), 1940, 2008).astype(np.int64)).cast(pl.String)
    trades = draw_words("trade", people, rng)
    towns = _draw_local("city", communities, 0.8, rng).alias("town")
    interests = [_draw_local("interest", communities, 0.3, rng).alias(name) for name in INTERESTS]
    return named.with_columns(pl.Series("community", communities), years, towns, trades, *interests)


def _draw_communities(people: int, size: float, rng: Rng) -> Ints:
    """The community of each person; some are several times larger than others."""
    n = max(1, round(people / size))
    weights = rng.lognormal(0, 0.7, n)
    return np.searchsorted(np.cumsum(weights / weights.sum())[:-1], rng.random(people))


def _draw_names(communities: Ints, cultures: Sequence[str], mixing: float, rng: Rng) -> pl.DataFrame:
    n = len(communities)
    stock = read_stock(cultures, n)
    home = rng.choice(len(cultures), communities.max() + 1, p=stock.weights)
    anywhere = rng.choice(len(cultures), n, p=stock.weights)
    culture = np.where(rng.random(n) < mixing, anywhere, home[communities])
    given = stock.given.names[stock.given.draw(culture, rng)]
    second = stock.given.names[stock.given.draw(culture, rng)]
    family = stock.family.names[stock.family.draw(culture, rng)]
    return pl.DataFrame(
        {
            "culture": pl.Series(cultures).gather(culture),
            "G": given["latin"],
            "S": second["latin"],
            "F": family["latin"],
            "g": given["plain"],
            "s": second["plain"],
            "f": family["plain"],
            "native_given": given["native"],
            "native_family": family["native"],
            "nick": _where(rng.random(n) < 0.6, given["nick"], given["pet"]),
            "family_first": stock.family_first.gather(culture),
            "spaced": stock.spaced.gather(culture),
            "has_second": pl.Series(rng.random(n) < 0.3) & ~stock.family_first.gather(culture),
        }
    ).select(
        pl.exclude("S", "s", "native_family", "family_first", "spaced", "has_second"),
        *(pl.when("has_second").then(name).otherwise(pl.lit("")).alias(name) for name in ("S", "s")),
        _native_name().alias("native"),
    )


def _native_name() -> pl.Expr:
    joiner = pl.when("spaced").then(pl.lit(" ")).otherwise(pl.lit(""))
    first = pl.when("family_first").then("native_family").otherwise("native_given")
    last = pl.when("family_first").then("native_given").otherwise("native_family")
    complete = (pl.col("native_given") != "") & (pl.col("native_family") != "")
    return pl.when(complete).then(pl.concat_str(first, joiner, last)).otherwise(pl.lit(""))


def _where(chosen: npt.NDArray[np.bool_], yes: pl.Series, no: pl.Series) -> pl.Series:
    return pl.select(pl.when(pl.Series(chosen)).then(yes).otherwise(no)).to_series()


def _draw_local(key: str, communities: Ints, local: float, rng: Rng) -> pl.Series:
    """A word for each person; with probability `local` the one that the community is known for."""
    stock = words(key)
    famous = rng.integers(0, len(stock), communities.max() + 1)
    skewed = (len(stock) * rng.random(len(communities)) ** 1.6).astype(np.int64)
    return stock.gather(np.where(rng.random(len(communities)) < local, famous[communities], skewed))
