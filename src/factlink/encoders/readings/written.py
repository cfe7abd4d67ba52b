"""Names as they are compared: as written, and the further spellings and sounds that they may be read as."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt
import polars as pl

from factlink.encoders.readings.nicknames import given_for_few, without_nicknames
from factlink.encoders.readings.readers import FOREIGN, Reading, is_japanese, read
from factlink.encoders.readings.sounds import PLAIN, sound_codes, sound_list
from factlink.encoders.transliteration import FEW
from factlink.types import Ints

Flags = npt.NDArray[np.bool_]

_Row = tuple[str, int, int, str, int, bool]  # object, alternative, place, text, family, sound
_SEVERAL = re.compile(r"[^{0}][{0}]+[^{0}]".format("\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"))
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
class Marks:
    """What is known of the rows of names: first one of each object, then further ones of objects."""

    foreign: Flags  # (n_objects,) in another script
    sources: Ints  # (n_more,) whose object
    families: Ints  # (n_more,) of sounds; PLAIN for a spelling
    alternatives: Ints  # (n_more,) or ALWAYS
    sounds: Flags  # (n_more,) a sound and not a spelling


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
    def marks(self) -> Marks:
        """All but the texts."""
        return Marks(self.foreign, self.sources, self.families, self.alternatives, self.sounds)

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
    if len(objects) <= FEW:
        return _write_few(objects, rules, families)
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


def _write_few(objects: pl.Series, rules: ReadingRules, families: Sequence[int]) -> Written:
    """The same, name by name."""
    names = objects.to_list()
    foreign = [any(_is_foreign(letter) for letter in name) if not name.isascii() else False for name in names]
    rows = {name: list[_Row]() for name, is_foreign in zip(names, foreign, strict=True) if is_foreign}
    for row in _readings(list(rows), rules.japanese):
        rows[row[0]].append(row)
    first = {row[0]: row[3] for some in rows.values() for row in some if row[1] == 0 and row[2] == 0}
    more = [(source, *_kept(row)) for source, name in enumerate(names) for row in rows.get(name, ())]
    latin = [source for source, is_foreign in enumerate(foreign) if not is_foreign]
    for family in sorted({*(row[4] for some in rows.values() for row in some), *families} - {PLAIN}):
        codes = sound_list([names[source] for source in latin], family)
        more += [(source, code, family, ALWAYS, True) for source, code in zip(latin, codes, strict=True)]
    if rules.nicknames:
        worded = [source for source in latin if _SEVERAL.search(names[source])]
        more += [
            (source, text, PLAIN, alternative, False)
            for source in worded
            for alternative, text in enumerate(given_for_few(names[source]))
        ]
    more = [row for row in more if row[1] != ""]
    sources, texts, of_family, alternatives, sounds = zip(*more, strict=True) if more else ((),) * 5
    return Written(
        pl.Series("object", [first.get(name, name) for name in names], dtype=pl.String),
        np.array(foreign, np.bool_),
        pl.Series("object", texts, dtype=pl.String),
        np.array(sources, np.int64),
        np.array(of_family, np.int64),
        np.array(alternatives, np.int64),
        np.array(sounds, np.bool_),
    )


def _kept(row: _Row) -> tuple[str, int, int, bool]:
    _, alternative, _, text, family, sound = row
    return text, family, alternative, sound


@cache
def _is_foreign(letter: str) -> bool:
    """By the tables that whole columns are read by."""
    return bool(pl.Series([letter]).str.contains(FOREIGN)[0])


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
    """Spellings and sounds of names in another script, as a table."""
    return _frame(_readings(distinct.to_list(), japanese))


def _readings(distinct: Sequence[str], japanese: bool) -> list[_Row]:
    """Spellings and then sounds of names in another script, by alternative; `place` among the spellings of one."""
    read_as = [(name, alternative, way) for name in distinct for alternative, way in enumerate(read(name, japanese))]
    rows = [
        (name, alternative, place, text, way.family, False)
        for name, alternative, way in read_as
        for place, text in enumerate(way.spellings)
    ]
    return [*rows, *_sounds_of(read_as)]


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


def _sounds_of(read_as: list[tuple[str, int, Reading]]) -> list[_Row]:
    heard = [(name, alternative, way.family, text) for name, alternative, way in read_as for text in way.sounds]
    rows: dict[_Row, None] = {}
    for family in sorted({entry[2] for entry in heard}):
        some = [entry for entry in heard if entry[2] == family]
        codes = sound_list([entry[3] for entry in some], family)
        for (name, alternative, _, _), code in zip(some, codes, strict=True):
            rows[name, alternative, -1, code, family, True] = None
    return list(rows)


def _frame(rows: list[_Row]) -> pl.DataFrame:
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
