"""The channel of handles that people make from their names, where one network has names and the other handles."""

import re
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import groupby
from typing import TypeVar

import numpy as np
import polars as pl

from factlink.candidates.pairs import CandidatePairs
from factlink.decision.channel_weights import rank_among_rivals
from factlink.encoders.handles.background import Background
from factlink.encoders.handles.pieces import (
    ANY,
    MOST_WORDS,
    START,
    Handles,
    NameWords,
    all_gains,
    cut_handle,
    explain_handles,
    learn_gains,
)
from factlink.encoders.readings.nicknames import given_names
from factlink.encoders.transliteration import pack
from factlink.evidence import ChannelWeight, EvidenceSource
from factlink.execution.workers import HERE, Workers, spans
from factlink.explanations.user_names import best_names
from factlink.linkers.factoid.channels.channel import Channel
from factlink.linkers.factoid.written.compared import Compared
from factlink.linkers.factoid.written.copied import WEIGHT, CopyChannel, copy_channel
from factlink.linkers.factoid.written.letters import name_words, read_handles
from factlink.types import Floats, Ints, Network, Pairs

MOST_USERS = 100_000
"""Users of both networks together up to which handles are cut into pieces: a pair takes some 20 µs."""

_WORDED, _BARE = 0.2, 0.05  # shares of names of several words, in a network of names and in one of handles
_WEIGHT = 0.5  # beside names, times the mean reciprocal rank of confident pairs
_LEARNED = 0.5  # of the gains; confident pairs have more whole names than others
_SAMPLE = 1_000  # confident pairs that gains are learned on
_FEWEST, _BUSY = 3, 20  # letters of initials, and users who may have the same
_NICKS = 8  # of one word


@dataclass(frozen=True, slots=True, eq=False)
class HandleChannel(Channel):
    """How much of the surprise of a handle a name explains; rows are empty, products come from pieces."""

    names: NameWords | None = None
    handles: Handles | None = None
    gains: Floats | None = None
    names_left: bool = True
    compared: Compared | None = None  # of users who are called otherwise
    renamings: "dict[int, tuple[pl.Series, HandleChannel]]" = field(default_factory=dict)  # the last by side

    def products(self, pairs: CandidatePairs | Pairs, workers: Workers = HERE) -> Floats:
        """(n_pairs,) between 0 and 1."""
        if self.compared is None:
            return self._products(pairs, workers)
        return self.compared.products(pairs, lambda new: self._products(new, workers))

    def _products(self, pairs: CandidatePairs | Pairs, workers: Workers) -> Floats:
        sides = (pairs.lefts, pairs.rights) if self.names_left else (pairs.rights, pairs.lefts)
        parts = [(sides[0][start:stop], sides[1][start:stop]) for start, stop in spans(len(pairs), workers.parts)]
        return workers.stack(explain_handles, parts, self.names, self.handles, self.gains)

    def cut(self, left: int, right: int) -> list[tuple[int, int, int]]:
        """The pieces of the handle of a pair, as `cut_handle` gives them."""
        assert self.names is not None
        assert self.handles is not None
        assert self.gains is not None
        name, handle = (left, right) if self.names_left else (right, left)
        return cut_handle(name, handle, self.names, self.handles, self.gains)

    def renamed(self, side: int, texts: pl.Series) -> "HandleChannel":
        """The channel with other users on one side, who are called so; the same again for the same series."""
        last = self.renamings.get(side)
        if last is None or last[0] is not texts:
            last = self.renamings[side] = texts, self._with_names(side, texts)
        return replace(last[1], weighting=self.weighting)

    def _with_names(self, side: int, texts: pl.Series) -> "HandleChannel":
        if (side == 0) == self.names_left:
            return replace(self, names=_words(texts), compared=Compared(), renamings={})
        assert self.handles is not None
        return replace(self, handles=read_handles(texts, self.handles.background), compared=Compared(), renamings={})


def handle_channel(
    left: Network, right: Network, pairs: CandidatePairs, confident: Pairs
) -> HandleChannel | CopyChannel | None:
    """The channel where one network has bare handles and the other names of several words, or handles too; or None."""
    texts = [best_names(network, np.arange(len(network))).fill_null("") for network in (left, right)]
    worded = [float(text.str.contains(r"\S\s+\S").mean() or 0.0) for text in texts]  # type: ignore[arg-type]
    if min(worded) > _BARE or len(left) + len(right) > MOST_USERS or not len(confident):
        return None
    if max(worded) < _WORDED:
        return weighed(copy_channel((texts[0], texts[1]), WEIGHT), pairs, confident)
    names_left = worded[0] > worded[1]
    names, handles = _words(texts[1 - names_left]), read_handles(texts[int(names_left)])
    ends = (confident.lefts, confident.rights) if names_left else (confident.rights, confident.lefts)
    learned = learn_gains((ends[0][:_SAMPLE], ends[1][:_SAMPLE]), names, handles)
    gains = (_LEARNED * learned + (1 - _LEARNED) * START).astype(np.float32)
    gains[ANY] = learned[ANY]
    channel = HandleChannel(
        ChannelWeight(EvidenceSource.HANDLES, "", "", _WEIGHT, ""),
        np.zeros((len(left), 0), np.float32),
        np.zeros((len(right), 0), np.float32),
        names=names,
        handles=handles,
        gains=gains,
        names_left=names_left,
    )
    return weighed(channel, pairs, confident)


C = TypeVar("C", HandleChannel, CopyChannel)


def weighed(channel: C, pairs: CandidatePairs, confident: Pairs) -> C:
    """The channel with its weight times the rank of confident pairs."""
    held = pairs.places(confident.lefts, confident.rights) >= 0
    rank = rank_among_rivals(pairs, channel.products(pairs), Pairs(confident.lefts[held], confident.rights[held]))
    reason = f"handles rank confident pairs with MRR {rank:.3f}"
    return channel.weighed(channel.weight * rank, reason)


def propose_initials(left: Network, right: Network, names_left: bool) -> tuple[Ints, Ints]:
    """Pairs of a name of three or more words and a handle with its initials: GovMLG, DWStweets, repdmb."""
    networks = (left, right) if names_left else (right, left)
    texts = [best_names(network, np.arange(len(network))).fill_null("") for network in networks]
    met = meet_initials(find_initials(texts[0]), find_runs(texts[1]))
    found = met["row"].to_numpy(), met["other"].to_numpy()
    return found if names_left else (found[1], found[0])


def find_initials(names: pl.Series) -> pl.DataFrame:
    """Columns row and word: the initials of names of three or more words."""
    return _found([(row, word) for row, text in enumerate(names) for word in _initials(text)])


def find_runs(handles: pl.Series) -> pl.DataFrame:
    """Columns row and word: letters of handles that may be initials."""
    return _found([(row, word) for row, text in enumerate(handles) for word in sorted(_runs(text))])


def meet_initials(initials: pl.DataFrame, runs: pl.DataFrame) -> pl.DataFrame:
    """Columns row and other: who has initials that are in whose handle, as long as few have them."""
    few = [side.filter(pl.len().over("word") <= _BUSY) for side in (initials, runs)]
    met = few[0].join(few[1].rename({"row": "other"}), on="word")
    return met.select("row", "other").unique().sort("row", "other")


def _found(entries: list[tuple[int, str]]) -> pl.DataFrame:
    return pl.DataFrame(entries, {"row": pl.Int64, "word": pl.String}, orient="row")


def _initials(name: str) -> list[str]:
    words = re.findall(r"[^\W\d_]+", name)
    return ["".join(word[0] for word in words).lower()] if len(words) >= _FEWEST else []


def _runs(handle: str) -> set[str]:
    """Capitals in a row, without one that begins a word; and the first and last three and four letters."""
    small = handle.lower()
    capitals = re.findall(r"[A-Z]{3,}(?![a-z])|[A-Z]{3,}(?=[A-Z][a-z])|[A-Z]{3,}", handle)
    ends = [part for n in (3, 4) for part in (small[:n], small[-n:]) if len(small) >= n]
    return {run.lower() for run in capitals} | set(ends)


@cache
def _nicknames() -> dict[str, list[str]]:
    """Nicknames by given name."""
    pairs = sorted((given, nick) for nick, names in given_names().items() for given in names)
    return {given: [nick for _, nick in group][:_NICKS] for given, group in groupby(pairs, key=lambda pair: pair[0])}


def _words(names: pl.Series) -> NameWords:
    """The first words of each name, each followed by its nicknames."""
    plain = name_words(names).to_list()
    nicknames = _nicknames()
    entries = [
        (row, place, text, text is not word)
        for row, words in enumerate(plain)
        for place, word in enumerate(words[:MOST_WORDS])
        for text in (word, *nicknames.get(word, ()))
    ]
    packed = pack(pl.Series([entry[2] for entry in entries], dtype=pl.String))
    counts = np.bincount(np.array([entry[0] for entry in entries], np.int64), minlength=len(plain))
    places = np.array([entry[1] for entry in entries], np.int64)
    nick = np.array([entry[3] for entry in entries], np.bool_)
    return NameWords(packed.letters, packed.starts, places, nick, np.concatenate([[0], counts.cumsum()]))


Backgrounds = tuple[Background | None, Background | None]
"""By side; none where the users have names and no handles."""


@dataclass(frozen=True, slots=True, eq=False)
class HandleState:
    """How names make handles in a finished run, or that handles are compared with each other."""

    weight: float
    names_left: bool
    gains: Floats  # (10,); (5,) or (7,) in runs of earlier versions; none where both sides have handles

    @property
    def copies(self) -> bool:
        """Whether both sides have bare handles."""
        return not len(self.gains)

    def channel(
        self, called: tuple[pl.Series, pl.Series], names_left: bool, backgrounds: Backgrounds
    ) -> HandleChannel | CopyChannel:
        """The channel of other users, who are called so."""
        if self.copies:
            return copy_channel(called, self.weight, backgrounds)
        named, handled = called if names_left else called[::-1]
        return HandleChannel(
            ChannelWeight(EvidenceSource.HANDLES, "", "", self.weight, ""),
            np.zeros((len(called[0]), 0), np.float32),
            np.zeros((len(called[1]), 0), np.float32),
            names=_words(named),
            handles=read_handles(handled, backgrounds[1] if names_left else backgrounds[0]),
            gains=all_gains(self.gains),
            names_left=names_left,
        )
