"""An experiment as in its TOML file: one data set, linkers in rows, and published figures beside them.

title = "…"
folds = 5                       # of the truth; not with data.known
seeds = [0]                     # of linkers that know pairs each fold takes one, of the others every fold takes all

[data]                          # a made-up set …
preset = "fb-tw"
pictures = true
scale = 1.0                     # of its numbers of people, links and pairs

[data]                          # … or two network folders, relative to this file or to --data
left = "facebook"
right = "twitter"
truth = "truth.parquet"
known = "known.parquet"         # optional: tested on the rest of the truth, without folds

[quick]                         # what --quick replaces
scale = 0.1
folds = 2

[[rows]]
block = "names by Jaro-Winkler"  # rows of one block stand together under its name; optional
code = "SS3"
title = "FE*"
linker = "fe"                   # a row without a linker is quoted only
known = true                    # give known pairs to a linker that can do without
settings = {"training.dim" = 256}
published = [0.6851, …]         # HR@1, 2, 3, 4, 5, 10, 30 and MRR; nan where there is none

[figures]                       # what --figures draws; see factlink.experiments.analyses
"""

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from factlink.errors import FactlinkError, InputError, SettingError
from factlink.evaluation.metrics import CUTS
from factlink.linkers.settings import make_linker

METRICS = (*(f"hr@{cut}" for cut in CUTS), "mrr")
_FILES = ("left", "right", "truth")
_PUBLISHED = "HR@" + ", ".join(map(str, CUTS)) + " and MRR"


@dataclass(frozen=True, slots=True)
class Data:
    """Made-up networks by their preset, or network folders with their truth."""

    preset: str | None = None
    pictures: bool = False
    scale: float = 1.0
    left: Path | None = None
    right: Path | None = None
    truth: Path | None = None
    known: Path | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: a linker with its settings, or a quotation."""

    title: str
    linker: str | None = None
    code: str = ""
    known: bool = False
    block: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    published: Mapping[str, float] = field(default_factory=dict)  # by METRICS, those that are published


@dataclass(frozen=True, slots=True)
class Figures:
    """What the paper draws beside its tables; rows are named by their titles."""

    curve: str = ""  # the row of linker fe whose dimension and iterations are varied, and whose trace is drawn
    dims: Sequence[int] = ()
    strata: Sequence[str] = ()
    annotated: Sequence[str] = ()
    pairs: int = 100  # of each annotated row


@dataclass(frozen=True, slots=True)
class Experiment:
    """What to run, checked."""

    title: str
    data: Data
    rows: Sequence[Row]
    folds: int = 5
    seeds: Sequence[int] = (0,)
    figures: Figures = field(default_factory=Figures)
    beside: str = "published"  # what the figures beside ours are


def read_experiment(path: Path, *, quick: bool = False, data_folder: Path | None = None) -> Experiment:
    """The experiment in a TOML file; a mistake in it is one sentence that names the file and the place."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read ({error}); name the TOML file of an experiment") from None
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path} is not TOML: {error}") from None
    try:
        return _experiment(table, data_folder or path.parent, quick)
    except FactlinkError as error:
        raise type(error)(f"{path}: {error}") from None


def _experiment(table: Mapping[str, Any], folder: Path, quick: bool) -> Experiment:
    _check_keys(table, "the experiment", ("title", "data", "rows"), ("folds", "seeds", "quick", "figures", "beside"))
    data = _data(_part(table, "data"), folder)
    rows = [_row(row, number) for number, row in enumerate(_tables(table, "rows"), 1)]
    _check_titles(rows)
    if data.known and "folds" in table:
        raise SettingError("data.known and folds exclude each other; drop one")
    seeds = _value(table, "seeds", list, [0])
    if not seeds or not all(isinstance(seed, int) for seed in seeds):
        raise SettingError(f"seeds is {seeds}; it is a list of whole numbers, like [0, 1]")
    figures = _figures(_part(table, "figures"), rows)
    title, folds = _value(table, "title", str), _value(table, "folds", int, 5)
    whole = Experiment(title, data, rows, folds, tuple(seeds), figures, _value(table, "beside", str, "published"))
    return _quicker(whole, _part(table, "quick")) if quick else whole


def _quicker(whole: Experiment, quick: Mapping[str, Any]) -> Experiment:
    """The experiment with a smaller made-up set, fewer folds and one seed."""
    _check_keys(quick, "[quick]", (), ("scale", "folds"))
    data = replace(whole.data, scale=_value(quick, "scale", float, whole.data.scale))
    folds = _value(quick, "folds", int, min(2, whole.folds))
    return replace(whole, title=f"{whole.title} (quick)", data=data, folds=folds, seeds=whole.seeds[:1])


def _data(table: Mapping[str, Any], folder: Path) -> Data:
    if "preset" in table:
        _check_keys(table, "[data]", ("preset",), ("pictures", "scale"))
        made_up = Data(
            _value(table, "preset", str), _value(table, "pictures", bool, False), _value(table, "scale", float, 1.0)
        )
        if not 0 < made_up.scale <= 1:
            raise SettingError(f"scale is {made_up.scale}; it lies above 0 and is at most 1")
        return made_up
    if not any(key in table for key in _FILES):
        raise SettingError("[data] needs a preset, or left, right and truth")
    _check_keys(table, "[data]", _FILES, ("known",))
    files = {key: folder / _value(table, key, str) for key in table}
    return Data(**files)


def _row(table: Mapping[str, Any], number: int) -> Row:
    place = f"row {number} ('{table.get('title', '?')}')"
    _check_keys(table, place, ("title",), ("code", "linker", "known", "block", "settings", "published"))
    linker = _value(table, "linker", str, None)
    settings = {key: _word(value) for key, value in _value(table, "settings", dict, {}).items()}
    published = _published(_value(table, "published", list, []), place)
    if linker is None and not published:
        raise SettingError(f"{place} has neither a linker nor published figures")
    if linker is not None:
        _check_linker(linker, settings, place)
    known = _value(table, "known", bool, False)
    title, code, block = _value(table, "title", str), _value(table, "code", str, ""), _value(table, "block", str, "")
    return Row(title, linker, code, known, block, settings, published)


def _check_linker(linker: str, settings: Mapping[str, str], place: str) -> None:
    try:
        make_linker(linker, settings)
    except FactlinkError as error:
        raise SettingError(f"{place}: {error}") from None


def _published(figures: Sequence[Any], place: str) -> dict[str, float]:
    if not figures:
        return {}
    if len(figures) != len(METRICS) or not all(isinstance(each, int | float) for each in figures):
        raise SettingError(
            f"{place}: published has {len(figures)} entries; it takes the {len(METRICS)} of {_PUBLISHED}"
        )
    return {metric: float(each) for metric, each in zip(METRICS, figures, strict=True) if not math.isnan(each)}


def _figures(table: Mapping[str, Any], rows: Sequence[Row]) -> Figures:
    _check_keys(table, "[figures]", (), ("curve", "dims", "strata", "annotated", "pairs"))
    figures = Figures(
        _value(table, "curve", str, ""),
        tuple(_value(table, "dims", list, [])),
        tuple(_value(table, "strata", list, [])),
        tuple(_value(table, "annotated", list, [])),
        _value(table, "pairs", int, 100),
    )
    linkers = {row.title: row.linker for row in rows if row.linker}
    for title in (*figures.strata, *figures.annotated, *filter(None, [figures.curve])):
        if title not in linkers:
            raise SettingError(f"[figures] names '{title}'; the rows with a linker are: {', '.join(linkers)}")
    if figures.curve and linkers[figures.curve] != "fe":
        raise SettingError(f"[figures] curve names '{figures.curve}'; it must be a row of linker 'fe'")
    return figures


def _check_titles(rows: Sequence[Row]) -> None:
    titles = [row.title for row in rows]
    for title in titles:
        if titles.count(title) > 1:
            raise SettingError(f"two rows are called '{title}'; titles must differ")


def _check_keys(table: Mapping[str, Any], place: str, needed: Sequence[str], allowed: Sequence[str]) -> None:
    for key in needed:
        if key not in table:
            raise SettingError(f"{place} lacks the key '{key}'")
    for key in table:
        if key not in (*needed, *allowed):
            raise SettingError(f"{place} has no key '{key}'; there are: {', '.join((*needed, *allowed))}")


def _part(table: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    part: Mapping[str, Any] = _value(table, key, dict, {})
    return part


def _tables(table: Mapping[str, Any], key: str) -> Sequence[Mapping[str, Any]]:
    tables: Sequence[Mapping[str, Any]] = _value(table, key, list)
    if not tables or not all(isinstance(each, dict) for each in tables):
        raise SettingError(f"{key} must be tables, each under [[{key}]]")
    return tables


_WORDS = {str: "text", bool: "true or false", int: "a whole number", float: "a number", list: "a list", dict: "a table"}


def _value(table: Mapping[str, Any], key: str, wanted: type, otherwise: Any = None) -> Any:
    """An entry of the wanted type; whole numbers are numbers too, truth values are not."""
    if key not in table:
        return otherwise
    value = table[key]
    fits = isinstance(value, (int, float) if wanted is float else wanted)
    if not fits or (wanted is not bool and isinstance(value, bool)):
        raise SettingError(f"{key} is {value!r}; it takes {_WORDS[wanted]}")
    return float(value) if wanted is float else value


def _word(value: object) -> str:
    """A setting as `--set` would take it."""
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
