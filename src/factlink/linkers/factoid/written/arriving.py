"""Users who join a finished run: what their names, handles and declarations say of pairs with the other side."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from factlink.encoders.readings.written import Flags
from factlink.explanations.user_names import best_names
from factlink.linkers.factoid.channels.channel import Channel
from factlink.linkers.factoid.written.declarations import KnownDeclarations, bearing_on, read_declarations
from factlink.linkers.factoid.written.declared import Declared, believe_new, meet
from factlink.linkers.factoid.written.handles import (
    HandleState,
    count_handle_letters,
    find_initials,
    find_runs,
    meet_initials,
)
from factlink.linkers.factoid.written.keyed import Keyed
from factlink.types import Floats, Ints, Network


@dataclass(frozen=True, slots=True, eq=False)
class Initials:
    """Initials of the names of one side and runs of letters of the other's handles; and all letters of handles."""

    words: tuple[Keyed, Keyed]  # by side: row, word
    letters: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """What all users of a run call themselves and declare, gathered once for everybody who joins."""

    handles: HandleState | None = None
    initials: Initials | None = None
    trust: Mapping[str, float] | None = None
    declared: tuple[KnownDeclarations, KnownDeclarations] | None = None
    linked: tuple[Flags, Flags] | None = None  # by side: who has a partner


def settle(
    handles: HandleState | None,
    trust: Mapping[str, float] | None,
    networks: tuple[Network, Network],
    linked: tuple[Flags, Flags],
) -> Settled:
    """Reads both networks as far as the run makes use of handles or of declared links."""
    left, right = networks
    initials = None if handles is None else _initials(handles, networks)
    declared = None
    if trust is not None:
        forth, back = read_declarations(left, right.name), read_declarations(right, left.name)
        declared = KnownDeclarations.of(forth), KnownDeclarations.of(back)
    return Settled(handles, initials, trust, declared, linked)


NOTHING = Settled()


class Arriving:
    """New users of one side (0 left, 1 right) among what is settled."""

    def __init__(self, settled: Settled, side: int, new: Network) -> None:
        self.settled, self.side, self.new = settled, side, new
        self.declared = self._declared()

    def proposals(self) -> list[tuple[Ints, Ints]]:
        """Pairs of new users with rows of the other side, by declarations and by initials."""
        found = [] if self.declared is None else [(self.declared.pairs.lefts, self.declared.pairs.rights)]
        return [*found, *self._by_initials()]

    def channels(self, others: Network) -> list[Channel]:
        """The channel of handles made from names, with some users of the other side."""
        handles, initials = self.settled.handles, self.settled.initials
        if handles is None or initials is None:
            return []
        mine, theirs = _called(self.new), _called(others)
        if self._are_named:
            return [handles.channel(mine, theirs, True, initials.letters)]
        return [handles.channel(theirs, mine, False, initials.letters + count_handle_letters(mine))]

    def beliefs(self, lefts: Ints, rights: Ints) -> Floats | None:
        """(n_pairs,): how far it is believed that new users (left) and rows of the other side declare each other."""
        if self.declared is None or self.settled.trust is None or self.settled.linked is None:
            return None
        linked = self.settled.linked[1 - self.side]
        return believe_new(self.declared, self.settled.trust, linked, lefts, rights)

    @property
    def _are_named(self) -> bool:
        """Whether the new users have the names, and the other side the handles."""
        assert self.settled.handles is not None
        return self.settled.handles.names_left == (self.side == 0)

    def _declared(self) -> Declared | None:
        if self.settled.declared is None:
            return None
        mine, other = self.settled.declared[self.side], self.settled.declared[1 - self.side]
        new = read_declarations(self.new, other.whole.name, mine.whole.posts)
        old, others = bearing_on(new, mine, other)
        n_old = len(self.settled.linked[self.side]) if self.settled.linked else 0
        found = meet(old.beside(new.shifted(n_old)), others)
        return found.of_rows_from(n_old)

    def _by_initials(self) -> list[tuple[Ints, Ints]]:
        if self.settled.initials is None:
            return []
        mine, theirs = self.settled.initials.words[self.side], self.settled.initials.words[1 - self.side]
        texts = _called(self.new)
        new = find_initials(texts) if self._are_named else find_runs(texts)
        new = new.with_columns(pl.col("row") - len(self.new))  # before all others
        whole = pl.concat([mine.having("word", [new["word"]]), new])
        there = theirs.having("word", [new["word"]])
        met = meet_initials(whole, there).filter(pl.col("row") < 0)
        return [(met["row"].to_numpy() + len(self.new), met["other"].to_numpy())]


def _initials(handles: HandleState, networks: tuple[Network, Network]) -> Initials:
    left, right = (_called(network) for network in networks)
    words = (find_initials(left), find_runs(right)) if handles.names_left else (find_runs(left), find_initials(right))
    return Initials((Keyed(words[0]), Keyed(words[1])), count_handle_letters(right if handles.names_left else left))


def _called(network: Network) -> pl.Series:
    return best_names(network, np.arange(len(network))).fill_null("")
