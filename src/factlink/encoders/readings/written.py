"""Names as they are compared: as written, and the further spellings and sounds that they may be read as."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from factlink.encoders.readings.nicknames import without_nicknames
from factlink.encoders.readings.readers import FOREIGN, Reading, is_japanese, read
from factlink.encoders.readings.sounds import PLAIN, sound_codes
from factlink.types import Ints

Flags = npt.NDArray[np.bool_]

_WORDED = 0.2  # of the names of a network

ALWAYS = -1
"""The alternative of a row that belongs to every version of its user."""


@dataclass(frozen=True, slots=True)
class ReadingRules:
    """How the names of two networks are read."""

    japanese: bool = False  # Chinese characters are Japanese ones
    nicknames: bool = False  # nicknames are read as given names
    none: bool = False  # nothing is read as anything else


def choose_rules(left: pl.Series, right: pl.Series) -> ReadingRules:
    """What the names of both networks need: nicknames only where names of several words meet such names."""
    worded = [float(names.str.contains(r"\S\s+\S").mean() or 0.0) for names in (left, right)]  # type: ignore[arg-type]
    return ReadingRules(is_japanese(pl.concat([left, right])), min(worded) >= _WORDED)


@dataclass(frozen=True, slots=True, eq=False)
class Written:
    """One text per object, and further rows: the object they are of, and when they count."""

    texts: pl.Series  # (n_objects,) a name in another script as it is read first
    foreign: Flags  # (n_objects,)
    more: pl.Series  # (n_more,) further texts
    sources: Ints  # (n_more,) whose object
    families: Ints  # (n_more,) of sounds; PLAIN for a spelling
    alternatives: Ints  # (n_more,) or ALWAYS
    sounds: Flags  # (n_more,) a sound and not a spelling

    @property
    def all_texts(self) -> pl.Series:
        """(n_objects + n_more,)."""
        return pl.concat([self.texts, self.more])


def write_out(objects: pl.Series, rules: ReadingRules, families: Sequence[int] = ()) -> Written:
    """Objects with the readings of those in another script, and the sounds of the others as far as they are needed.

    `families` are those that other names are compared by, beside those of the objects.
    """
    objects = objects.rename("object")
    if rules.none:
        return as_written(objects)
    foreign = objects.str.contains(FOREIGN)
    if not foreign.any() and not rules.nicknames and not families:
        return as_written(objects)
    if not foreign.any() and not families:
        return _gathered(objects, foreign, _given_rows(objects, foreign, rules))
    distinct = objects.filter(foreign).unique(maintain_order=True)
    rows = _reading_rows(distinct, rules.japanese)
    first = rows.filter((pl.col("alternative") == 0) & (pl.col("place") == 0))
    texts = pl.DataFrame({"object": objects}).join(
        first.select("object", "text"), on="object", how="left", maintain_order="left"
    )
    held = pl.DataFrame({"object": objects, "source": np.arange(len(objects))}).filter(foreign)
    more = held.join(rows, on="object", maintain_order="left").select(_COLUMNS)
    needed = sorted({*rows["family"], *families} - {PLAIN})
    latin = pl.DataFrame({"text": objects, "source": np.arange(len(objects))}).filter(~foreign)
    sounds = [_sound_rows(latin, family) for family in needed]
    return _gathered(
        texts.select(pl.coalesce("text", "object")).to_series(),
        foreign,
        pl.concat([more, *sounds, _given_rows(objects, foreign, rules)]),
    )


_COLUMNS = ("source", "text", "family", "alternative", "sound")


def as_written(objects: pl.Series) -> Written:
    """Objects with nothing else that they could be read as."""
    none = np.empty(0, np.int64)
    nothing = np.zeros(0, np.bool_)
    empty = pl.Series("object", [], dtype=pl.String)
    return Written(objects, np.zeros(len(objects), np.bool_), empty, none, none, none, nothing)


def _gathered(texts: pl.Series, foreign: pl.Series, more: pl.DataFrame) -> Written:
    more = more.filter(pl.col("text") != "")
    return Written(
        texts.rename("object"),
        foreign.to_numpy(),
        more["text"].rename("object"),
        more["source"].to_numpy(),
        more["family"].to_numpy(),
        more["alternative"].to_numpy(),
        more["sound"].to_numpy(),
    )


def _reading_rows(distinct: pl.Series, japanese: bool) -> pl.DataFrame:
    """Spellings and sounds of names in another script, by alternative; `place` among the spellings of one."""
    read_as = [(name, alternative, way) for name in distinct for alternative, way in enumerate(read(name, japanese))]
    rows = [
        (name, alternative, place, text, way.family, False)
        for name, alternative, way in read_as
        for place, text in enumerate(way.spellings)
    ]
    return pl.concat([_frame(rows), _frame(_sounds_of(read_as))])


def _given_rows(objects: pl.Series, foreign: pl.Series, rules: ReadingRules) -> pl.DataFrame:
    """Latin names of several words with the given name in place of a nickname."""
    worded = objects.str.contains(r"\S\s+\S") & rules.nicknames
    latin = (foreign.not_() & worded).arg_true()
    named = without_nicknames(objects.gather(latin))
    return named.select(
        source=latin.gather(named["place"]).cast(pl.Int64),
        text="text",
        family=pl.lit(PLAIN, pl.Int64),
        alternative="alternative",
        sound=pl.lit(False),
    )


def _sounds_of(read_as: list[tuple[str, int, Reading]]) -> list[tuple[str, int, int, str, int, bool]]:
    heard = [(name, alternative, way.family, text) for name, alternative, way in read_as for text in way.sounds]
    rows: dict[tuple[str, int, int, str, int, bool], None] = {}
    for family in sorted({entry[2] for entry in heard}):
        some = [entry for entry in heard if entry[2] == family]
        codes = sound_codes(pl.Series([entry[3] for entry in some], dtype=pl.String), family).to_list()
        for (name, alternative, _, _), code in zip(some, codes, strict=True):
            rows[name, alternative, -1, code, family, True] = None
    return list(rows)


def _frame(rows: list[tuple[str, int, int, str, int, bool]]) -> pl.DataFrame:
    names = ("object", "alternative", "place", "text", "family", "sound")
    types = (pl.String, pl.Int64, pl.Int64, pl.String, pl.Int64, pl.Boolean)
    return pl.DataFrame(rows, schema=dict(zip(names, types, strict=True)), orient="row")


def _sound_rows(latin: pl.DataFrame, family: int) -> pl.DataFrame:
    return latin.with_columns(
        text=sound_codes(latin["text"], family),
        family=pl.lit(family, pl.Int64),
        alternative=pl.lit(ALWAYS, pl.Int64),
        sound=pl.lit(True),
    ).select(_COLUMNS)
