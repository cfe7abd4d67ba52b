"""Texts made from templates, each person by another one, a column at a time."""

import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import polars as pl

from factlink.synthetic.stock import Rng
from factlink.types import Ints

_SLOT = re.compile(r"{(\w+)(?::(\w+))?}")


def choose(weights: Sequence[float], n: int, rng: Rng) -> Ints:
    """`n` places in `weights`, each as likely as its weight."""
    bounds = np.cumsum(weights) / np.sum(weights)
    return np.searchsorted(bounds[:-1], rng.random(n), side="right")


def compose(lines: pl.DataFrame, choices: Ints, templates: Sequence[pl.Expr]) -> pl.Series:
    """Each line's text by the template that was chosen for it."""
    order = np.argsort(choices, kind="stable")
    ends = np.searchsorted(choices[order], np.arange(len(templates) + 1))
    texts = [pl.Series("text", [], pl.String)]
    for k, template in enumerate(templates):
        texts.append(lines[order[ends[k] : ends[k + 1]]].select(template.alias("text")).to_series())
    places = np.empty(len(order), np.int64)
    places[order] = np.arange(len(order))
    return pl.concat(texts).gather(places)


def compose_any(lines: pl.DataFrame, weights: Mapping[str, float], rng: Rng) -> pl.Series:
    """Each line's text by a template drawn by its weight; see `template`."""
    choices = choose(list(weights.values()), len(lines), rng)
    return compose(lines, choices, [template(text) for text in weights])


def template(text: str) -> pl.Expr:
    """The text with its slots filled: `{f}` by column f, `{f:1}` by its first letter, `{f:up}` by one of _WRITINGS."""
    parts: list[pl.Expr] = []
    end = 0
    for slot in _SLOT.finditer(text):
        parts += [pl.lit(text[end : slot.start()]), _written(pl.col(slot[1]), slot[2] or "")]
        end = slot.end()
    return pl.concat_str([*parts, pl.lit(text[end:])])


def _written(column: pl.Expr, how: str) -> pl.Expr:
    return column.str.slice(0, int(how)) if how.isdigit() else _WRITINGS[how](column)


def _title(column: pl.Expr) -> pl.Expr:
    return column.str.slice(0, 1).str.to_uppercase() + column.str.slice(1)


def _consonants(column: pl.Expr) -> pl.Expr:
    return column.str.slice(0, 1) + column.str.slice(1).str.replace_all("[aeiou]", "")


def _unless_too_short(shortened: pl.Expr, column: pl.Expr) -> pl.Expr:
    return pl.when(shortened.str.len_chars() < 3).then(column).otherwise(shortened)


_WRITINGS: dict[str, Callable[[pl.Expr], pl.Expr]] = {
    "": lambda column: column,
    "up": lambda column: column.str.to_uppercase(),
    "title": _title,
    "leet": lambda column: column.str.replace_many(["a", "e", "i", "o", "s"], ["4", "3", "1", "0", "5"]),
    "consonants": _consonants,
    "short": lambda column: _unless_too_short(column.str.head(-2), column),
    "letters": lambda column: _unless_too_short(column.str.replace_all("[^a-z]", ""), column),
    "underscored": lambda column: column.str.replace_all(".", "_", literal=True),
}
