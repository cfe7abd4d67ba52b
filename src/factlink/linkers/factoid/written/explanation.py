"""How names met that have several readings, in words."""

import re

import numpy as np
import polars as pl

from factlink.candidates.pairs import gather_pairs
from factlink.encoders.handles.pieces import INITIAL, INITIALS, LEFT, NICK, PREFIX, WHOLE
from factlink.encoders.readings.nicknames import given_names
from factlink.encoders.readings.written import Flags, Written
from factlink.explanations.frames import Met, part_frame
from factlink.explanations.user_names import best_names, user_names
from factlink.linkers.factoid.written.copied import CopyChannel
from factlink.linkers.factoid.written.declared import DeclaredLinks
from factlink.linkers.factoid.written.handles import HandleChannel
from factlink.linkers.factoid.written.letters import handle_letters, name_words
from factlink.linkers.factoid.written.versions import Versions, best_versions
from factlink.types import Floats, Ints, Kind, Network, Pairs

READ_AS = " read as "
_WORD = re.compile(r"[^\W\d_]+")


def explain_versions(
    versions: tuple[Versions, Versions],
    texts: tuple[Written, pl.Series],
    networks: tuple[Network, Network],
    pairs: tuple[Ints, Ints],
    scale: float,
) -> tuple[pl.DataFrame, Flags, Floats]:
    """One part for each pair that agrees best by a reading of a name; which pairs those are; and what names add.

    `texts` are the names as compared, and as the users wrote them. A reading that changes the same on both sides is
    none that a pair needs: their names agree as written.
    """
    products, *rows = best_versions(pairs, *versions)
    spelled = [_readings(side)[places] for side, places in zip(versions, rows, strict=True)]
    read = np.logical_or(*(each >= 0 for each in spelled)) & ~_read_alike(spelled[0], spelled[1], texts)
    left, right = (
        _described(each[read], users[read], texts, network)
        for each, users, network in zip(spelled, pairs, networks, strict=True)
    )
    weights: Floats = scale * products
    met = Met(left, right, _short_for(left, right))
    return part_frame(np.flatnonzero(read), weights[read], Kind.NAME, "names", met), read, weights


def add_up_to(weights: Floats, parts: pl.DataFrame, chosen: Flags) -> pl.DataFrame:
    """The parts of the chosen pairs as written, shrunk by the price of the readings that were tried in vain."""
    parts = parts.filter(chosen[parts["pair"].to_numpy()])
    pairs = parts["pair"].to_numpy()
    totals = np.bincount(pairs, parts["weight"].to_numpy(), len(weights))
    shares = np.divide(weights, totals, out=np.ones(len(weights)), where=totals != 0)
    return parts.with_columns(weight=pl.col("weight") * pl.Series(shares[pairs], dtype=parts["weight"].dtype))


def explain_handles(
    channel: HandleChannel | CopyChannel, networks: tuple[Network, Network], pairs: tuple[Ints, Ints], weights: Floats
) -> pl.DataFrame:
    """How the name of one account makes the handle of the other: GovMLG: initials of Michelle Lujan Grisham."""
    shown = [best_names(network, rows).fill_null("") for network, rows in zip(networks, pairs, strict=True)]
    if isinstance(channel, CopyChannel):
        return _explain_copies(channel, pairs, (shown[0], shown[1]), weights)
    named, handled = shown if channel.names_left else shown[::-1]
    words, letters = name_words(named).to_list(), handle_letters(handled).to_list()
    cuts = [channel.cut(int(left), int(right)) for left, right in zip(*pairs, strict=True)]
    said = [
        f"{handle}: {described}" if (described := describe_pieces(pieces, text, name)) else None
        for handle, pieces, text, name in zip(handled, cuts, letters, words, strict=True)
    ]
    note = pl.Series(said, dtype=pl.String)
    return part_frame(
        np.arange(len(said)), weights, Kind.NAME, "handle made from the name", Met(shown[0], shown[1], note)
    )


def _explain_copies(
    channel: CopyChannel, pairs: tuple[Ints, Ints], shown: tuple[pl.Series, pl.Series], weights: Floats
) -> pl.DataFrame:
    """What both handles have in common: repcindyaxne and axne4congress, axne."""
    shared = [" + ".join(channel.copied(int(a), int(b))) or None for a, b in zip(*pairs, strict=True)]
    met = Met(*shown, pl.Series(shared, dtype=pl.String))
    return part_frame(np.arange(len(shared)), weights, Kind.NAME, "handles with the same pieces", met)


def describe_pieces(pieces: list[tuple[int, int, int]], letters: str, words: list[str]) -> str:
    """Pieces in words, those left over aside: initials of Ann Lee, Tim short for Timothy."""
    said: list[str] = []
    initials: list[str] = []
    at = 0
    for kind, length, place in [*pieces, _END]:
        text, at = letters[at : at + length], at + length
        if kind == INITIAL:
            initials.append(words[place].capitalize())
            continue
        if kind == INITIALS:
            said.append(f"initials of {' '.join(word.capitalize() for word in words)}")
            continue
        if initials:
            said.append(f"{'initials' if len(initials) > 1 else 'initial'} of {' '.join(initials)}")
            initials = []
        if kind in _SAID:
            said.append(_SAID[kind].format(text.capitalize(), words[place].capitalize()))
    return ", ".join(said)


_END = (LEFT, 0, -1)  # after the last piece
_SAID = {WHOLE: "{}", PREFIX: "{} for {}", NICK: "{} short for {}"}


def explain_declared(links: DeclaredLinks, networks: tuple[Network, Network], asked: tuple[Ints, Ints]) -> pl.DataFrame:
    """One part for each declared pair: how far the declaration is believed."""
    pairs = gather_pairs(len(networks[0]), len(networks[1]), [asked])
    places = pairs.places(*asked)
    declared = links.declared
    said = np.full(len(pairs), "", object)
    at = pairs.places(declared.pairs.lefts, declared.pairs.rights)
    said[at[at >= 0]] = declared.said.to_numpy()[at >= 0]
    left, right = (user_names(network, rows) for network, rows in zip(networks, asked, strict=True))
    note = pl.Series(said[places].tolist(), dtype=pl.String)
    beliefs = links.beliefs_in(Pairs(*asked))
    return part_frame(np.arange(len(places)), beliefs, Kind.HANDLE, "declared link", Met(left, right, note))


def _short_for(left: pl.Series, right: pl.Series) -> pl.Series:
    """Tim: short for Timothy, where a Latin name is read as another; null for others."""
    both = [[found for name in names if (found := _nickname(name))] for names in zip(left, right, strict=True)]
    return pl.Series(["; ".join(found) or None for found in both], dtype=pl.String)


def _nickname(name: str | None) -> str | None:
    written, _, read = (name or "").partition(READ_AS)
    words = _WORD.findall(written), _WORD.findall(read)
    if not read or len(words[0]) != len(words[1]):
        return None
    other = [(nick, given) for nick, given in zip(*words, strict=True) if nick.lower() != given.lower()]
    given = given_names()
    return next(
        (f"{nick}: short for {name}" for nick, name in other if name.lower() in given.get(nick.lower(), ())), None
    )


def _read_alike(left: Ints, right: Ints, texts: tuple[Written, pl.Series]) -> Flags:
    """Which pairs have both names read, and the same words of both replaced by the same ones."""
    written, shown = texts
    alike = (left >= 0) & (right >= 0)
    changed = (
        map(_changed, shown.gather(written.sources[side[alike]]), written.more.gather(side[alike]))
        for side in (left, right)
    )
    alike[alike] = [mine == theirs for mine, theirs in zip(*changed, strict=True)]
    return alike


def _changed(written: str, read: str) -> tuple[set[str], set[str]]:
    """Words that were written and are not read, and the other way round."""
    words = set(_WORD.findall(written.lower())), set(_WORD.findall(read.lower()))
    return words[0] - words[1], words[1] - words[0]


def _described(spelled: Ints, users: Ints, texts: tuple[Written, pl.Series], network: Network) -> pl.Series:
    """魏雅凯 read as Wei Yakai; the name alone where it counts as written."""
    written, shown = texts
    read = np.maximum(spelled, 0)
    found = pl.DataFrame(
        {
            "name": best_names(network, users),
            "object": shown.gather(written.sources[read]),
            "text": written.more.gather(read),
            "read": spelled >= 0,
        }
    )
    text = pl.when("read").then(pl.format("{}" + READ_AS + "{}", "object", "text")).otherwise("name")
    return found.select(text.alias("shown"))["shown"]


def _readings(side: Versions) -> Ints:
    """By place of a version: the reading that it holds, −1 for a name as written."""
    n_users = len(side.foreign)
    further = np.append(side.places, -1)[side.starts[:-1] + 1]  # of foreign users: the version with the first reading
    first = np.where(side.foreign & (further >= n_users), further, -1)
    spelled = np.append(np.full(n_users, -1), side.spelled)
    spelled[:n_users] = np.where(first >= 0, spelled[first], -1)
    return spelled
