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

[data]                          # … or three folders or more, with the truth of any two of them in each file
networks = ["facebook", "twitter", "foursquare"]
truth = ["truth.parquet", "truth_twitter_foursquare.parquet"]

[quick]                         # what --quick replaces
scale = 0.1
folds = 2

[[rows]]
block = "names by Jaro-Winkler"  # rows of one block stand together under its name; optional
code = "SS3"
title = "FE*"
linker = "fe"                   # a row without a linker is quoted only
known = true                    # give known pairs to a linker that can do without
alone = true                    # of three networks or more, link pairs of networks one by one
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

from factlink.data.tables import require_file
from factlink.errors import FactlinkError, InputError, SettingError
from factlink.evaluation.metrics import CUTS
from factlink.experiments.entries import check_keys, part, tables, value, word
from factlink.linkers.settings import check_seed, make_linker

METRICS = (*(f"hr@{cut}" for cut in CUTS), "mrr")
_FILES = ("left", "right", "truth")
_PUBLISHED = "HR@" + ", ".join(map(str, CUTS)) + " and MRR"


@dataclass(frozen=True, slots=True)
class Data:
    """Made-up networks by their preset, or two network folders with their truth, or more of them."""

    preset: str | None = None
    pictures: bool = False
    scale: float = 1.0
    left: Path | None = None
    right: Path | None = None
    truth: Path | None = None
    known: Path | None = None
    networks: tuple[Path, ...] = ()  # three or more, in place of left and right
    truths: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: a linker with its settings, or a quotation."""

    title: str
    linker: str | None = None
    code: str = ""
    known: bool = False
    alone: bool = False  # pairs of networks one by one
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
    if path.exists():
        require_file(path, str(path))
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read ({error}); name the TOML file of an experiment") from None
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not TOML: {error}") from None
    try:
        return _experiment(table, data_folder or path.parent, quick)
    except FactlinkError as error:
        raise type(error)(f"{path}: {error}") from None


def _experiment(table: Mapping[str, Any], folder: Path, quick: bool) -> Experiment:
    check_keys(table, "the experiment", ("title", "data", "rows"), ("folds", "seeds", "quick", "figures", "beside"))
    data = _data(part(table, "data"), folder)
    rows = [_row(row, number) for number, row in enumerate(tables(table, "rows"), 1)]
    _check_titles(rows)
    if data.known and "folds" in table:
        raise SettingError("data.known and folds exclude each other; drop one")
    seeds = value(table, "seeds", list, [0])
    if not seeds or not all(isinstance(seed, int) for seed in seeds):
        raise SettingError(f"seeds is {seeds}; it is a list of whole numbers, like [0, 1]")
    seeds = [check_seed(seed) for seed in seeds]
    figures = _figures(part(table, "figures"), rows)
    title, folds = value(table, "title", str), value(table, "folds", int, 5)
    whole = Experiment(title, data, rows, folds, tuple(seeds), figures, value(table, "beside", str, "published"))
    return _quicker(whole, part(table, "quick")) if quick else whole


def _quicker(whole: Experiment, quick: Mapping[str, Any]) -> Experiment:
    """The experiment with a smaller made-up set, fewer folds and one seed."""
    check_keys(quick, "[quick]", (), ("scale", "folds"))
    data = replace(whole.data, scale=value(quick, "scale", float, whole.data.scale))
    folds = value(quick, "folds", int, min(2, whole.folds))
    return replace(whole, title=f"{whole.title} (quick)", data=data, folds=folds, seeds=whole.seeds[:1])


def _data(table: Mapping[str, Any], folder: Path) -> Data:
    if "preset" in table:
        check_keys(table, "[data]", ("preset",), ("pictures", "scale"))
        made_up = Data(
            value(table, "preset", str), value(table, "pictures", bool, False), value(table, "scale", float, 1.0)
        )
        if not 0 < made_up.scale <= 1:
            raise SettingError(f"scale is {made_up.scale}; it lies above 0 and is at most 1")
        return made_up
    if "networks" in table:
        return _joint(table, folder)
    if not any(key in table for key in _FILES):
        raise SettingError("[data] needs a preset, or left, right and truth, or networks and truth")
    check_keys(table, "[data]", _FILES, ("known",))
    files = {key: folder / value(table, key, str) for key in table}
    return Data(**files)


def _joint(table: Mapping[str, Any], folder: Path) -> Data:
    check_keys(table, "[data]", ("networks", "truth"), ())
    networks, truths = (tuple(folder / str(each) for each in value(table, key, list)) for key in ("networks", "truth"))
    if len(networks) < 3 or not truths:
        raise SettingError(
            f"networks names {len(networks)} folders; it takes three or more, and truth at least one file"
        )
    return Data(networks=networks, truths=truths)


def _row(table: Mapping[str, Any], number: int) -> Row:
    place = f"row {number} ('{table.get('title', '?')}')"
    check_keys(table, place, ("title",), ("code", "linker", "known", "alone", "block", "settings", "published"))
    linker = value(table, "linker", str, None)
    settings = {key: word(value) for key, value in value(table, "settings", dict, {}).items()}
    published = _published(value(table, "published", list, []), place)
    if linker is None and not published:
        raise SettingError(f"{place} has neither a linker nor published figures")
    if linker is not None:
        _check_linker(linker, settings, place)
    known, alone = value(table, "known", bool, False), value(table, "alone", bool, False)
    title, code, block = value(table, "title", str), value(table, "code", str, ""), value(table, "block", str, "")
    return Row(title, linker, code, known, alone, block, settings, published)


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
    check_keys(table, "[figures]", (), ("curve", "dims", "strata", "annotated", "pairs"))
    figures = Figures(
        value(table, "curve", str, ""),
        tuple(value(table, "dims", list, [])),
        tuple(value(table, "strata", list, [])),
        tuple(value(table, "annotated", list, [])),
        value(table, "pairs", int, 100),
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
