"""Bios that name an account in the next network: the person's own, or falsely one of a few celebrities."""

from dataclasses import replace

import numpy as np
import polars as pl

from factlink.synthetic.dials import TextDials
from factlink.synthetic.impersonators import Shown
from factlink.synthetic.stock import Rng
from factlink.types import Attribute, Kind, Network

_STARS = 8  # accounts of a network that others falsely name
_WAYS = ("{}: @{}", "also @{1} on {0}")


def add_declarations(shown: list[Shown], dials: TextDials, rng: Rng) -> list[Shown]:
    """The same accounts, some of whose bios name one of the next network; those without usernames name nobody."""
    others = [*shown[1:], shown[0]]
    return [_declaring(mine, theirs, dials, rng) for mine, theirs in zip(shown, others, strict=True)]


def _declaring(mine: Shown, theirs: Shown, dials: TextDials, rng: Rng) -> Shown:
    handles = theirs.network.attributes.get("username")
    if handles is None or "bio" not in mine.network.attributes:
        return mine
    named = dict(zip(handles.rows.tolist(), handles.objects, strict=True))
    own = {int(person): row for row, person in enumerate(theirs.persons)}
    stars = rng.choice(len(theirs.network), min(_STARS, len(theirs.network)), replace=False)
    draws, fans, ways = (
        rng.random(len(mine.persons)),
        rng.choice(stars, len(mine.persons)),
        rng.integers(0, 2, len(mine.persons)),
    )
    said: dict[int, str] = {}
    for row, person in enumerate(mine.persons.tolist()):
        other = _named(draws[row], dials, own.get(person), int(fans[row]))
        if other in named:
            said[row] = _WAYS[ways[row]].format(theirs.network.name, named[other])
    return replace(mine, network=_with_bios(mine.network, said))


def _named(draw: float, dials: TextDials, own: int | None, star: int) -> int | None:
    """The row of the account that a bio names; None for nobody."""
    if draw < dials.declared:
        return own
    return star if draw >= 1 - dials.celebrities else None


def _with_bios(network: Network, said: dict[int, str]) -> Network:
    """The network with these sentences after what bios say."""
    old = network.attributes["bio"]
    texts = dict(zip(old.rows.tolist(), old.objects, strict=True))
    texts |= {row: f"{texts[row]} {more}" if row in texts else more for row, more in said.items()}
    rows = sorted(texts)
    bio = Attribute(Kind.TEXT, np.array(rows, np.int64), pl.Series([texts[row] for row in rows], dtype=pl.String))
    return replace(network, attributes={**network.attributes, "bio": bio})
