"""Which linkers there are and what can be set of each, for people who choose."""

import dataclasses
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from factlink.linkers.meanings import meaning_of
from factlink.linkers.settings import linker_class_of, linker_names, setting_types

_NAMES = {int: "whole number", float: "number", bool: "yes or no", str: "text"}


@dataclasses.dataclass(frozen=True, slots=True)
class LinkerEntry:
    """A linker in one line."""

    name: str
    needs_known_pairs: bool
    summary: str


@dataclasses.dataclass(frozen=True, slots=True)
class SettingEntry:
    """One `--set KEY=VALUE`."""

    key: str
    default: str
    takes: str
    meaning: str


def list_linkers() -> list[LinkerEntry]:
    """All linkers by name."""
    classes = {name: linker_class_of(name) for name in linker_names()}
    return [LinkerEntry(name, bool(c.supervised), _first_line(c)) for name, c in classes.items()]


def list_settings(linker: str) -> list[SettingEntry]:
    """All settings of a linker, as `--set` takes them."""
    return list(_entries(linker, linker_class_of(linker)(), ""))


def _entries(linker: str, settings: Any, before: str) -> list[SettingEntry]:
    found: list[SettingEntry] = []
    for name, wanted in setting_types(type(settings)).items():
        value, key = getattr(settings, name), f"{before}{name}"
        if dataclasses.is_dataclass(value):
            found += _entries(linker, value, f"{key}.")
        else:
            found.append(SettingEntry(key, _word(value), _takes(wanted), meaning_of(linker, key)))
    return found


def _first_line(linker: type) -> str:
    return (linker.__doc__ or "").partition("\n")[0].rstrip(".")


def _word(value: object) -> str:
    """A value as `--set` takes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(str, value)) if isinstance(value, tuple) else "none" if value is None else str(value)


def _takes(wanted: Any) -> str:
    if get_origin(wanted) in (Union, UnionType):
        return " or ".join("none" if option is NoneType else _takes(option) for option in get_args(wanted))
    if get_origin(wanted) is Literal:
        return ", ".join(map(str, get_args(wanted)))
    if get_origin(wanted) is tuple:
        return "words, separated by commas"
    return _NAMES.get(wanted, "text")
