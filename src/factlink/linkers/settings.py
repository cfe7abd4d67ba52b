"""Linkers by name, and their settings from words: `--linker fe --set training.dim=256`."""

import dataclasses
import warnings
from collections.abc import Iterator, Mapping
from importlib import import_module
from types import NoneType, UnionType
from typing import Any, Literal, Protocol, Union, cast, get_args, get_origin, get_type_hints, runtime_checkable

from factlink import plugins
from factlink.decision.soft_assignment import SoftAssignment
from factlink.errors import SettingError, did_you_mean
from factlink.protocols import Linker

LINKERS = {
    "cnl": ("baselines.cnl", "CnlLinker"),
    "cosnet": ("baselines.cosnet", "CosnetLinker"),
    "factoid": ("factoid.linker", "FactoidLinker"),
    "fe": ("fe.linker", "FELinker"),
    "fgw": ("baselines.alignment.fgw", "FgwLinker"),
    "final": ("baselines.alignment.final", "FinalLinker"),
    "ione": ("baselines.ione", "IoneLinker"),
    "line": ("baselines.line", "LineLinker"),
    "lr": ("baselines.lr", "LrLinker"),
    "name": ("baselines.name", "NameLinker"),
    "pale": ("baselines.pale", "PaleLinker"),
    "parrot": ("baselines.alignment.parrot", "ParrotLinker"),
    "regal": ("baselines.alignment.regal", "RegalLinker"),
    "seu": ("baselines.alignment.seu", "SeuLinker"),
    "ulink": ("baselines.ulink", "UlinkLinker"),
    "walks": ("baselines.walks", "WalkLinker"),
}
"""Module under `factlink.linkers` and class of each linker."""


RENAMED = {
    "assignment.alone": "assignment.no_match",
    "fakes.count": "negatives.count",
    "fakes.pool": "negatives.pool",
    "fakes.power": "negatives.power",
    "steps.strangers": "steps.null_model",
    "steps.worth": "steps.weights",
    "strangers": "random_negatives",
}
"""Settings by the names they had in version 0.1.0, which runs of that version hold."""

GONE = {"steps.boilerplate": "False"}  # steps that are no more, as runs hold them that did not take them


@runtime_checkable
class Assigning(Protocol):
    """A linker that assigns users to each other while it fits."""

    @property
    def assignment(self) -> SoftAssignment: ...


@runtime_checkable
class Preset(Protocol):
    """A linker some of whose settings have a name as a whole."""

    @classmethod
    def presets(cls) -> Mapping[str, Linker]: ...


PRESET = "preset"
"""The setting that names a whole to start from; further settings change it."""

LARGEST = 2**32 - 1
"""Of seeds and of all other numbers: libraries take none above."""

_NUMBERS = {int: "a whole number", float: "a number"}


def make_linker(name: str, settings: Mapping[str, str], seed: int = 0) -> Linker:
    """A linker by its name, with settings written as words; a former name of a setting works with a warning."""
    linker_class = linker_class_of(name)
    for key, new in _former_names(linker_class, settings).items():
        warnings.warn(f"setting '{key}' of linker '{name}' is now called '{new}'", FutureWarning, stacklevel=2)
    return _make(name, linker_class, settings, seed)


def linker_class_of(name: str) -> Any:
    """The settings of a linker by its name."""
    if name not in LINKERS:
        return _plugin_linker(name)
    module, linker = LINKERS[name]
    return getattr(import_module(f"factlink.linkers.{module}"), linker)


def linker_names() -> list[str]:
    """All linkers by name, those of plugins included."""
    return sorted({*LINKERS, *plugins.plugins_of(plugins.LINKERS)})


def _plugin_linker(name: str) -> Any:
    if name not in plugins.plugins_of(plugins.LINKERS):
        raise SettingError(
            f"no linker is called '{name}'; there are: {', '.join(linker_names())}{did_you_mean(name, linker_names())}"
        )
    found: Any = plugins.load_plugin(plugins.LINKERS, name, ("name", "supervised", "fit"))
    if found.name != name or not dataclasses.is_dataclass(found):
        raise SettingError(f"plugin '{name}' must be a dataclass whose name is '{name}'; see the guide to plugins")
    return found


def _former_names(linker_class: type, settings: Mapping[str, str]) -> dict[str, str]:
    """Former names of settings, and their present names."""
    keys = _keys(linker_class)
    return {key: RENAMED[key] for key in settings if key not in keys and RENAMED.get(key) in keys}


def _make(name: str, linker_class: type, settings: Mapping[str, str], seed: int) -> Linker:
    former = _former_names(linker_class, settings)
    settings = {former.get(key, key): word for key, word in settings.items()}
    words = {"seed": str(seed)} | dict(settings) if "seed" in setting_types(linker_class) else dict(settings)
    start = _preset(linker_class, words.pop(PRESET)) if PRESET in words and _has_presets(linker_class) else None
    return cast(Linker, _build(linker_class, words, f"linker '{name}'", start))


def _has_presets(linker_class: type) -> bool:
    return isinstance(linker_class, Preset)


def _preset(linker_class: type, word: str) -> Linker:
    presets = cast(Preset, linker_class).presets()
    return presets[_as_one_of(word, tuple(presets), PRESET)]


def remake_linker(name: str, settings: Mapping[str, Any], *, within: bool = False) -> Linker:
    """The linker whose settings a manifest holds; `within` for the one that finds pairs within one network."""
    linker_class = within_class() if within else linker_class_of(name)
    return _make(name, linker_class, {key: word for key, word in _words(settings) if GONE.get(key) != word}, seed=0)


def within_class() -> Any:
    """The settings of the linker that finds several accounts of one person in one network."""
    return import_module("factlink.linkers.factoid.within.linker").WithinLinker


def make_within_linker(settings: Mapping[str, str], seed: int = 0) -> Any:
    """That linker, with settings written as words."""
    return _make("factoid", within_class(), settings, seed)


def settings_of(linker: Linker) -> dict[str, Any]:
    """All settings of a linker as plain values, for a manifest."""
    return dataclasses.asdict(cast(Any, linker))


def agree_one_to_one(linker: Linker, *, wanted: bool) -> tuple[Linker, bool]:
    """The linker and the rule for links: one-to-one is off in both if it is off in one of them.

    A linker that assigns nothing itself stays as it is.
    """
    if not isinstance(linker, Assigning):
        return linker, wanted
    both = wanted and linker.assignment.one_to_one
    assignment = dataclasses.replace(linker.assignment, one_to_one=both)
    return cast(Linker, dataclasses.replace(cast(Any, linker), assignment=assignment)), both


def _words(settings: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    """Plain values as `key` or `part.key` words."""
    for key, value in settings.items():
        if isinstance(value, Mapping):
            yield from _words(value, f"{before}{key}.")
        else:
            yield f"{before}{key}", ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def setting_types(settings_class: type) -> dict[str, Any]:
    """The type of each setting."""
    hints = get_type_hints(settings_class)
    return {field.name: hints[field.name] for field in dataclasses.fields(settings_class)}


def _build(settings_class: type, words: Mapping[str, str], owner: str, start: Any = None) -> object:
    """A settings object from `key` or `part.key` words; what is not named is as at the start, or its default."""
    types = setting_types(settings_class)
    parts: dict[str, dict[str, str]] = {}
    values: dict[str, object] = {}
    for key, word in words.items():
        head, _, rest = key.partition(".")
        if head not in types or bool(rest) != dataclasses.is_dataclass(types[head]):
            keys = [PRESET] * _has_presets(settings_class) + _keys(settings_class)
            raise SettingError(f"{owner} has no setting '{key}'; there are: {', '.join(keys)}")
        if rest:
            parts.setdefault(head, {})[rest] = word
        else:
            values[head] = _convert(word, types[head], key)
    for head, inner in parts.items():
        values[head] = _build(types[head], inner, owner, start and getattr(start, head))
    return dataclasses.replace(start, **values) if start else settings_class(**values)


def _keys(settings_class: type) -> list[str]:
    """Every setting that can be set, parts with their dots."""
    keys = []
    for name, wanted in setting_types(settings_class).items():
        nested = isinstance(wanted, type) and dataclasses.is_dataclass(wanted)
        keys += [f"{name}.{inner}" for inner in _keys(wanted)] if nested else [name]
    return keys


def _convert(word: str, wanted: Any, key: str) -> object:
    """One word as the wanted type."""
    known: tuple[str, ...] = ()
    if get_origin(wanted) in (Union, UnionType):
        options = get_args(wanted)
        if NoneType in options and word.lower() == "none":
            return None
        known = tuple(each for option in options for each in get_args(option))
        if word in known:
            return word
        wanted = next(option for option in options if option is not NoneType)
    if get_origin(wanted) is Literal:
        return _as_one_of(word, get_args(wanted), key)
    if get_origin(wanted) is tuple:
        return tuple(_convert(part.strip(), get_args(wanted)[0], key) for part in word.split(",") if part.strip())
    if wanted is bool:
        return _as_bool(word, key)
    try:
        value = check_seed(int(word)) if key == "seed" else wanted(word)
    except ValueError:
        taken = " or: ".join([_NUMBERS.get(wanted, "a word"), *known])
        raise SettingError(f"setting '{key}' is '{word}'; it takes {taken}") from None
    if isinstance(value, int | float) and not abs(value) <= LARGEST:  # nan is not
        raise SettingError(f"setting '{key}' is {word}; it takes a number up to {LARGEST:,}")
    return cast(object, value)


def check_seed(seed: int) -> int:
    """The seed, if all that draw by it can take it."""
    if not 0 <= seed <= LARGEST:
        raise SettingError(f"seed is {seed}; use a whole number from 0 to {LARGEST:,}")
    return seed


def _as_one_of(word: str, options: tuple[str, ...], key: str) -> str:
    if word not in options:
        raise SettingError(f"setting '{key}' is '{word}'; there are: {', '.join(options)}")
    return word


def _as_bool(word: str, key: str) -> bool:
    known = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
    if word.lower() not in known:
        raise SettingError(f"setting '{key}' is '{word}'; it is yes or no")
    return known[word.lower()]
