"""Decoys: made-up accounts that are not in the release. How often they are linked is the baseline of an attack.

A decoy is new in every column: names and handles are spelt or put together as those of the release are, other values
and the ends of links are drawn one by one. So nobody of the attacker's data is behind it, except by chance.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from factlink.audits.release import in_id_order
from factlink.types import Attribute, Follows, Ints, Kind, Network

SHARE = 0.25
"""Decoys for each person of the release, but at least FEWEST and at most MOST."""
FEWEST, MOST = 50, 2_000
_CONTEXTS = (2, 1, 0)  # letters that the next letter of a decoy's word depends on; fewer where words come out again
_ATTEMPTS = 12
_LONGEST = 60
_END = "\0"
_SPELT = (Kind.NAME, Kind.HANDLE, Kind.URL)

Rng = np.random.Generator


def count_decoys(people: int) -> int:
    """How many decoys join so many people."""
    return min(MOST, max(FEWEST, round(SHARE * people)))


def add_decoys(network: Network, seed: int) -> Network:
    """The network with decoys below its own users, whose rows stay."""
    n, count = len(network), count_decoys(len(network))
    rng = np.random.default_rng([seed, n])
    donors = rng.choice(in_id_order(network), count)  # how many values and links a decoy has
    taken = set(network.users)
    names = (name for number in range(len(taken) + count) if (name := f"decoy {number}") not in taken)
    users = pl.concat([network.users, pl.Series([next(names) for _ in range(count)], dtype=pl.String)])
    attributes = {name: _more(a, donors, n, rng) for name, a in sorted(network.attributes.items())}
    ranks = np.empty(n, np.int64)
    ranks[in_id_order(network)] = np.arange(n)
    links = {name: _more_links(f, donors, ranks, rng) for name, f in sorted(network.links.items())}
    return replace(network, users=users, attributes=attributes, links=links)


def _more(attribute: Attribute, donors: Ints, n: int, rng: Rng) -> Attribute:
    """The column with values of decoys: as many as their donors have; no pictures."""
    if attribute.kind is Kind.IMAGE or not len(attribute.rows):
        return attribute
    counts = np.bincount(attribute.rows, minlength=n)[donors]
    rows = np.repeat(np.arange(n, n + len(donors)), counts)
    values = draw_values(attribute.objects.sort().to_list(), attribute.kind, len(rows), rng)
    objects = pl.concat([attribute.objects, pl.Series(values, dtype=pl.String)])
    return Attribute(attribute.kind, np.concatenate([attribute.rows, rows]), objects)


def draw_values(values: Sequence[str], kind: Kind, count: int, rng: Rng) -> list[str]:
    """Values like some values; names, handles and texts are new: words put together, or single words spelt, anew."""
    drawn = [values[place] for place in rng.integers(0, len(values), count)]
    if kind not in (*_SPELT, Kind.TEXT):
        return drawn
    maker = _Maker(values, kind in _SPELT)
    return [maker.draw(len(value.split()), rng) for value in drawn]


class _Maker:
    """Makes values that are like some values and none of them."""

    def __init__(self, values: Sequence[str], is_spelt: bool) -> None:
        self.there = set(values)
        self.words = [word for value in values for word in value.split()] or ["x"]
        self.firsts = [value.split()[0] for value in values if value.strip()] or self.words
        self.spellings = [_Spelling(self.words, context) for context in _CONTEXTS] if is_spelt else []

    def draw(self, length: int, rng: Rng) -> str:
        """A new value of so many words; spelt ever more freely until it is new."""
        value = ""
        for attempt in range(_ATTEMPTS):
            if length < 2 and self.spellings:
                value = self.spellings[attempt * len(self.spellings) // _ATTEMPTS].draw(rng)
            else:
                first = self.firsts[int(rng.integers(len(self.firsts)))]
                further = [self.words[place] for place in rng.integers(0, len(self.words), max(0, length - 1))]
                value = " ".join([first, *further])
            if value not in self.there:
                break
        return value


class _Spelling:
    """Which letter follows some others, as often as in some words."""

    def __init__(self, words: Sequence[str], context: int) -> None:
        self.start = _END * context
        self.following: dict[str, list[str]] = {}
        for word in words:
            padded = self.start + word + _END
            for place in range(context, len(padded)):
                self.following.setdefault(padded[place - context : place], []).append(padded[place])

    def draw(self, rng: Rng) -> str:
        """A new word."""
        context, word = len(self.start), self.start
        while len(word) < _LONGEST:
            letters = self.following[word[len(word) - context :]]
            letter = letters[int(rng.integers(len(letters)))]
            if letter == _END:
                break
            word += letter
        return word[context:] or "x"


def _more_links(follows: Follows, donors: Ints, ranks: Ints, rng: Rng) -> Follows:
    """The links with those of decoys: as many as their donors have, to and from others by their popularity."""
    if not len(follows):
        return follows
    n, order = len(ranks), np.lexsort((ranks[follows.followees], ranks[follows.followers]))
    rows = np.arange(n, n + len(donors))
    out = np.repeat(rows, np.bincount(follows.followers, minlength=n)[donors])
    back = np.repeat(rows, np.bincount(follows.followees, minlength=n)[donors])
    to = follows.followees[order][rng.integers(0, len(order), len(out))]
    of = follows.followers[order][rng.integers(0, len(order), len(back))]
    pairs = np.unique(np.stack([np.concatenate([out, of]), np.concatenate([to, back])], axis=1), axis=0)
    followers, followees = (
        np.concatenate([ends, new]) for ends, new in zip((follows.followers, follows.followees), pairs.T, strict=True)
    )
    return Follows(followers, followees, np.concatenate([follows.weights, np.ones(len(pairs), np.float32)]))
