"""What the extra `scripts` would read better, where it is not installed."""

from dataclasses import dataclass

import polars as pl

from factlink.encoders.readings import cantonese, hokkien, japanese

_SCRIPTS = {
    "in Chinese characters": (r"\p{Han}", r"[\u3041-\u309f\u30a1-\u30fa]"),
    "in kana": (r"[\u3041-\u309f\u30a1-\u30fa]", ""),
}
"""By what is said of names: letters that they have, and letters that they have not."""


@dataclass(frozen=True, slots=True)
class Gain:
    """Names of a column that the extra would read better."""

    network: str
    column: str
    names: int
    script: str  # in words: in Chinese characters


def has_extra() -> bool:
    """Whether all dictionaries of the extra are installed."""
    return japanese.has_dictionary() and cantonese.has_dictionary() and hokkien.has_dictionary()


def gains_of(network: str, column: str, names: pl.Series) -> list[Gain]:
    """What the extra would read better of a column of names; nothing where it is installed."""
    if has_extra():
        return []
    counts = {script: _count(names, *letters) for script, letters in _SCRIPTS.items()}
    return [Gain(network, column, n, script) for script, n in counts.items() if n]


def _count(names: pl.Series, letters: str, others: str) -> int:
    found = names.filter(names.str.contains(letters))
    return len(found.filter(~found.str.contains(others)) if others else found)
