"""Entries of a TOML table, checked: a mistake is one sentence that names the entry and what it takes."""

from collections.abc import Mapping, Sequence
from typing import Any

from factlink.errors import SettingError


def check_keys(table: Mapping[str, Any], place: str, needed: Sequence[str], allowed: Sequence[str]) -> None:
    """An error for a key that is needed and not there, and for one that is not known."""
    for key in needed:
        if key not in table:
            raise SettingError(f"{place} lacks the key '{key}'")
    for key in table:
        if key not in (*needed, *allowed):
            raise SettingError(f"{place} has no key '{key}'; there are: {', '.join((*needed, *allowed))}")


def part(table: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """A table within the table; empty if it is not there."""
    found: Mapping[str, Any] = value(table, key, dict, {})
    return found


def tables(table: Mapping[str, Any], key: str) -> Sequence[Mapping[str, Any]]:
    """A list of tables, at least one."""
    found: Sequence[Mapping[str, Any]] = value(table, key, list)
    if not found or not all(isinstance(each, dict) for each in found):
        raise SettingError(f"{key} must be tables, each under [[{key}]]")
    return found


_WORDS = {str: "text", bool: "true or false", int: "a whole number", float: "a number", list: "a list", dict: "a table"}


def value(table: Mapping[str, Any], key: str, wanted: type, otherwise: Any = None) -> Any:
    """An entry of the wanted type; whole numbers are numbers too, truth values are not."""
    if key not in table:
        return otherwise
    value = table[key]
    fits = isinstance(value, (int, float) if wanted is float else wanted)
    if not fits or (wanted is not bool and isinstance(value, bool)):
        raise SettingError(f"{key} is {value!r}; it takes {_WORDS[wanted]}")
    return float(value) if wanted is float else value


def word(value: object) -> str:
    """A setting as `--set` would take it."""
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
