"""How well a name explains a handle: the best way to cut the handle into pieces of the name and leftovers.

A piece gains log p(its type) − log p(its letters in any handle here); a letter left over costs log p(leftover).
"""

from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from factlink.encoders.handles.background import Background
from factlink.types import Floats, Ints

WHOLE, PREFIX, INITIAL, NICK, LEFT, INITIALS, MORE = range(7)
"""Types of pieces: a whole word, its beginning, its first letter, a nickname of it; a letter of none; the first letters
of all words; and a letter of none after another such."""

START = np.log(np.array([0.36, 0.08, 0.16, 0.08, 0.28, 0.04, 0.9], np.float32))
"""Logarithms of how often each type is used, and of how often a run of letters left over goes on, before learning."""

MOST_WORDS = 5
"""Words of a name that may have a piece each."""

_PRIOR = 10 * np.exp(START.astype(np.float64))  # pieces of each type counted before any was seen
_LONGEST = 60  # letters of a handle that are looked at
_SETS = 2 << MOST_WORDS
_UNSEEN = np.float32(-1e9)


@dataclass(frozen=True, slots=True, eq=False)
class NameWords:
    """Words of names laid end to end; name i has words `starts[i]` … `starts[i + 1] − 1`."""

    letters: npt.NDArray[np.uint8]
    word_starts: Ints  # (n_words + 1,)
    places: Ints  # (n_words,) which word of the name it is, or is a nickname of
    nick: npt.NDArray[np.bool_]  # (n_words,)
    starts: Ints  # (n_names + 1,)


@dataclass(frozen=True, slots=True, eq=False)
class Handles:
    """Handles laid end to end, with the logarithm of the chance of each letter after those before it."""

    letters: npt.NDArray[np.uint8]
    starts: Ints  # (n_handles + 1,)
    chances: Floats  # (n_letters,)
    background: Background  # that these are taken from


def explain_handles(pairs: tuple[Ints, Ints], names: NameWords, handles: Handles, gains: Floats) -> Floats:
    """(n_pairs,): the share of what is surprising about a handle that a name explains, between 0 and 1."""
    return np.asarray(_explain(_arrays(names), _arrays_of(handles), gains, pairs[0], pairs[1])[0])


def learn_gains(pairs: tuple[Ints, Ints], names: NameWords, handles: Handles, rounds: int = 3) -> Floats:
    """(7,): log shares of the types of pieces in pairs that belong together, and how often runs left over go on."""
    gains = START
    for _ in range(rounds):
        counts = _explain(_arrays(names), _arrays_of(handles), gains, pairs[0], pairs[1])[1] + _PRIOR
        go_on = counts[MORE] / (counts[MORE] + counts[LEFT])
        gains = np.log(np.append(counts[:MORE] / counts[:MORE].sum(), go_on)).astype(np.float32)
    return gains


def all_gains(gains: Floats) -> Floats:
    """(7,): the gains, of earlier versions too, in which letters left over were each a run of its own."""
    return np.append(gains, [START[INITIALS], gains[LEFT]]).astype(np.float32) if len(gains) == INITIALS else gains


def cut_handle(name: int, handle: int, names: NameWords, handles: Handles, gains: Floats) -> list[tuple[int, int, int]]:
    """The pieces of one handle in their order: type, letters, and which word of the name; −1 for a letter left over."""
    pieces = _cut(_arrays(names), _arrays_of(handles), gains, name, handle)
    return [(int(kind), int(length), int(word)) for kind, length, word in pieces[::-1]]


def _arrays(names: NameWords) -> Any:
    return names.letters, names.word_starts, names.places, names.nick, names.starts


def _arrays_of(handles: Handles) -> Any:
    return handles.letters, handles.starts, handles.chances


@numba.njit(cache=True)
def _explain(names: Any, handles: Any, gains: Any, lefts: Any, rights: Any) -> Any:
    shares, counts = np.zeros(len(lefts), np.float32), np.zeros(len(gains))
    best = np.empty((_LONGEST + 1, _SETS), np.float32)
    moves = np.empty((_LONGEST + 1, _SETS, 3), np.int32)  # type, letters, and the state before
    for p in range(len(lefts)):
        first, last = handles[1][rights[p]], min(handles[1][rights[p] + 1], handles[1][rights[p]] + _LONGEST)
        words = names[4][lefts[p]], names[4][lefts[p] + 1]
        if last > first and words[1] > words[0]:
            _fill(names, words, handles[0][first:last], handles[2][first:last], gains, (best, moves))
            shares[p] = _finish(best, moves, last - first, handles[2][first:last], counts)
    return shares, counts


@numba.njit(cache=True)
def _cut(names: Any, handles: Any, gains: Any, name: int, handle: int) -> Any:
    """(n_pieces, 3): type, letters and word of each piece, the last one first."""
    first, last = handles[1][handle], min(handles[1][handle + 1], handles[1][handle] + _LONGEST)
    pieces = np.empty((last - first, 3), np.int64)
    words = names[4][name], names[4][name + 1]
    if last == first or words[1] == words[0]:
        return pieces[:0]
    best, moves = np.empty((_LONGEST + 1, _SETS), np.float32), np.empty((_LONGEST + 1, _SETS, 3), np.int32)
    _fill(names, words, handles[0][first:last], handles[2][first:last], gains, (best, moves))
    at, state, n = last - first, int(np.argmax(best[last - first])), 0
    while at > 0:
        kind, length, before = moves[at, state]
        word, new = -1, (state >> 1) ^ (before >> 1)
        while new > 0:
            word, new = word + 1, new >> 1
        pieces[n, 0], pieces[n, 1], pieces[n, 2] = kind, length, word
        at, state, n = at - length, before, n + 1
    return pieces[:n]


@numba.njit(cache=True)
def _fill(names: Any, words: Any, handle: Any, chances: Any, gains: Any, table: Any) -> None:
    """The best way to every position; a state is the set of words used, doubled, and 1 more within a run left over."""
    best, moves = table
    n = len(handle)
    best[: n + 1] = _UNSEEN
    best[0, 0] = 0
    for i in range(n):
        for state in range(_SETS):
            here = best[i, state]
            if here == _UNSEEN:
                continue
            kind = MORE if state & 1 else LEFT
            if here + gains[kind] > best[i + 1, state | 1]:
                best[i + 1, state | 1] = here + gains[kind]
                moves[i + 1, state | 1] = kind, 1, state
            for word in range(words[0], words[1]):
                bit = 2 << names[2][word]
                if not state & bit:
                    _place(names, word, i, state, handle, chances, gains, table)
            if state < 2:
                _place_initials(names, words, i, state, handle, chances, gains, table)


@numba.njit(cache=True)
def _place(names: Any, word: int, i: int, state: int, handle: Any, chances: Any, gains: Any, table: Any) -> None:  # noqa: PLR0913, PLR0917
    """Tries all beginnings of a word at position i of the handle."""
    best, moves = table
    first, last = names[1][word], names[1][word + 1]
    then, surprise = (state & ~1) | (2 << names[2][word]), np.float32(0)
    for length in range(1, min(last - first, len(handle) - i) + 1):
        if names[0][first + length - 1] != handle[i + length - 1]:
            break
        surprise -= chances[i + length - 1]
        whole = length == last - first
        kind = WHOLE if whole else INITIAL if length == 1 else PREFIX
        if names[3][word]:
            if not whole:
                continue
            kind = NICK
        if length == 1:
            kind = INITIAL
        value = best[i, state] + gains[kind] + surprise
        if value > best[i + length, then]:
            best[i + length, then] = value
            moves[i + length, then] = kind, length, state


@numba.njit(cache=True)
def _place_initials(  # noqa: PLR0913, PLR0917
    names: Any, words: Any, i: int, state: int, handle: Any, chances: Any, gains: Any, table: Any
) -> None:
    """Tries the first letters of all words at position i of the handle."""
    best, moves = table
    then, surprise, length = 0, np.float32(0), 0
    for word in range(words[0], words[1]):
        if names[3][word]:
            continue
        if i + length == len(handle) or names[0][names[1][word]] != handle[i + length]:
            return
        surprise -= chances[i + length]
        then, length = then | (2 << names[2][word]), length + 1
    value = best[i, state] + gains[INITIALS] + surprise
    if length > 1 and value > best[i + length, then]:
        best[i + length, then] = value
        moves[i + length, then] = INITIALS, length, state


@numba.njit(cache=True)
def _finish(best: Any, moves: Any, n: int, chances: Any, counts: Any) -> Any:
    """The share explained; adds the pieces of the best cut to `counts`."""
    state = int(np.argmax(best[n]))
    value, at = best[n, state], n
    while at > 0:
        kind, length, before = moves[at, state]
        counts[kind] += 1
        at, state = at - length, before
    return max(np.float32(0), value / -chances.sum())
