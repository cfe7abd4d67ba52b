"""Given names behind nicknames: Tim Keller may be Timothy Keller."""

from functools import cache
from itertools import groupby
from unicodedata import category

import polars as pl

_WORDS = r"[\p{L}]+"
_MOST = 10  # given names that a nickname is tried as
_SHORTEST = 2  # letters of a nickname


@cache
def given_names() -> dict[str, tuple[str, ...]]:
    """The given names of every English nickname, at most ten, the shortest first."""
    from nicknames import NickNamer

    behind: dict[str, set[str]] = {}
    for given, nicks in NickNamer.default_lookup().items():
        for nick in nicks:
            if nick != given and nick.isalpha() and given.isalpha() and len(nick) >= _SHORTEST:
                behind.setdefault(nick, set()).add(given)
    return {nick: tuple(sorted(names, key=lambda n: (len(n), n))[:_MOST]) for nick, names in sorted(behind.items())}


def without_nicknames(names: pl.Series) -> pl.DataFrame:
    """Columns place, alternative, text, nick, given: names with the first nickname in them replaced.

    A nickname is one of several words, not the last, or the name as it stands has none.
    """
    table = given_names()
    words = pl.DataFrame({"place": pl.arange(len(names), eager=True), "words": names.str.extract_all(_WORDS)})
    several = words.filter(pl.col("words").list.len() > 1)
    first = several.with_columns(word=pl.col("words").list.head(pl.col("words").list.len() - 1)).explode("word")
    nicks = first.filter(pl.col("word").str.to_lowercase().is_in(list(table))).unique("place", maintain_order=True)
    rows = [
        (place, *found)
        for place, words, word in nicks.select("place", "words", "word").iter_rows()
        for found in _given(words, word)
    ]
    columns = {"place": pl.Int64, "alternative": pl.Int64, "text": pl.String, "nick": pl.String, "given": pl.String}
    return pl.DataFrame(rows, schema=columns, orient="row")


def given_for_few(name: str) -> list[str]:
    """The texts that `without_nicknames` gives for one name."""
    words = _words(name)
    nick = next((word for word in words[:-1] if word.lower() in given_names()), None)
    return [] if nick is None else [text for _, text, _, _ in _given(words, nick)]


def _words(name: str) -> list[str]:
    runs = groupby(name, lambda letter: category(letter)[0] == "L")
    return ["".join(letters) for are_letters, letters in runs if are_letters]


def _given(words: list[str], nick: str) -> list[tuple[int, str, str, str]]:
    """Alternative, text, nickname and given name, for each name that may be behind the nickname."""
    return [
        (alternative, _replaced(words, nick, given), nick, given.capitalize())
        for alternative, given in enumerate(given_names()[nick.lower()])
    ]


def _replaced(words: list[str], nick: str, given: str) -> str:
    at = words.index(nick)
    return " ".join([*words[:at], given.capitalize(), *words[at + 1 :]])
