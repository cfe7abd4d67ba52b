"""How well a name explains a handle: the best way to cut the handle into pieces of the name and leftovers.

A piece gains log p(its type) − log p(its letters in any handle here); a letter left over costs log p(leftover).
"""

from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from factlink.types import Floats, Ints

WHOLE, PREFIX, INITIAL, NICK, LEFT = range(5)
"""Types of pieces: a whole word, its beginning, its first letter, a nickname of it; and a letter of none."""

START = np.log(np.array([0.5, 0.1, 0.25, 0.1, 0.4], np.float32))
"""Logarithms of how often each type is used, before anything is learned."""

MOST_WORDS = 5
"""Words of a name that may have a piece each."""

_PRIOR = np.array([5.0, 1.0, 2.5, 1.0, 4.0])  # pieces of each type counted before any was seen
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
    """Handles laid end to end, with the logarithm of the chance of each letter after the two before it."""

    letters: npt.NDArray[np.uint8]
    starts: Ints  # (n_handles + 1,)
    chances: Floats  # (n_letters,)


def count_letters(letters: npt.NDArray[np.uint8], starts: Ints) -> Floats:
    """(128, 128, 128): how often each letter follows two others in these handles."""
    return np.asarray(_count(letters, starts))


def letter_chances(letters: npt.NDArray[np.uint8], starts: Ints, counts: Floats) -> Floats:
    """(n_letters,): log chances of letters after two others, given such counts; rare contexts lean on shorter ones."""
    return np.asarray(_chances(letters, starts, counts))


def explain_handles(pairs: tuple[Ints, Ints], names: NameWords, handles: Handles, gains: Floats) -> Floats:
    """(n_pairs,): the share of what is surprising about a handle that a name explains, between 0 and 1."""
    return np.asarray(_explain(_arrays(names), _arrays_of(handles), gains, pairs[0], pairs[1])[0])


def learn_gains(pairs: tuple[Ints, Ints], names: NameWords, handles: Handles, rounds: int = 3) -> Floats:
    """(5,): log shares of the types of pieces in pairs that belong together."""
    gains = START
    for _ in range(rounds):
        counts = _explain(_arrays(names), _arrays_of(handles), gains, pairs[0], pairs[1])[1] + _PRIOR
        pieces = counts[:LEFT] / counts[:LEFT].sum()
        left = counts[LEFT] / counts.sum()
        gains = np.log(np.append(pieces * (1 - left), left)).astype(np.float32)
    return gains


def cut_handle(name: int, handle: int, names: NameWords, handles: Handles, gains: Floats) -> list[tuple[int, int, int]]:
    """The pieces of one handle in their order: type, letters, and which word of the name; −1 for a letter left over."""
    pieces = _cut(_arrays(names), _arrays_of(handles), gains, name, handle)
    return [(int(kind), int(length), int(word)) for kind, length, word in pieces[::-1]]


def _arrays(names: NameWords) -> Any:
    return names.letters, names.word_starts, names.places, names.nick, names.starts


def _arrays_of(handles: Handles) -> Any:
    return handles.letters, handles.starts, handles.chances


@numba.njit(cache=True)
def _count(letters: Any, starts: Any) -> Any:
    three = np.zeros((128, 128, 128), np.float32)
    for i in range(len(starts) - 1):
        a, b = 0, 0
        for at in range(starts[i], starts[i + 1]):
            c = letters[at]
            three[a, b, c] += 1
            a, b = b, c
    return three


@numba.njit(cache=True)
def _chances(letters: Any, starts: Any, three: Any) -> Any:
    two = three.sum(axis=0).astype(np.float64)
    one = two.sum(axis=0)
    total, after_one, after_two = one.sum(), two.sum(axis=1), three.sum(axis=2)
    found = np.zeros(len(letters), np.float32)
    for i in range(len(starts) - 1):
        a, b = 0, 0
        for at in range(starts[i], starts[i + 1]):
            c = letters[at]
            plain = (one[c] + 1) / (total + 40)
            pair = (two[b, c] + 5 * plain) / (after_one[b] + 5)
            found[at] = np.log((three[a, b, c] - 0.5 * (three[a, b, c] > 0) + 5 * pair) / (after_two[a, b] + 5))
            a, b = b, c
    return found


@numba.njit(cache=True)
def _explain(names: Any, handles: Any, gains: Any, lefts: Any, rights: Any) -> Any:
    shares, counts = np.zeros(len(lefts), np.float32), np.zeros(5)
    best = np.empty((64, 1 << MOST_WORDS), np.float32)
    moves = np.empty((64, 1 << MOST_WORDS, 3), np.int32)  # type, letters, and the set of words before
    for p in range(len(lefts)):
        first, last = handles[1][rights[p]], min(handles[1][rights[p] + 1], handles[1][rights[p]] + 60)
        words = names[4][lefts[p]], names[4][lefts[p] + 1]
        if last > first and words[1] > words[0]:
            _fill(names, words, handles[0][first:last], handles[2][first:last], gains, (best, moves))
            shares[p] = _finish(best, moves, last - first, handles[2][first:last], counts)
    return shares, counts


@numba.njit(cache=True)
def _cut(names: Any, handles: Any, gains: Any, name: int, handle: int) -> Any:
    """(n_pieces, 3): type, letters and word of each piece, the last one first."""
    first, last = handles[1][handle], min(handles[1][handle + 1], handles[1][handle] + 60)
    pieces = np.empty((last - first, 3), np.int64)
    words = names[4][name], names[4][name + 1]
    if last == first or words[1] == words[0]:
        return pieces[:0]
    best, moves = np.empty((64, 1 << MOST_WORDS), np.float32), np.empty((64, 1 << MOST_WORDS, 3), np.int32)
    _fill(names, words, handles[0][first:last], handles[2][first:last], gains, (best, moves))
    at, used, n = last - first, int(np.argmax(best[last - first])), 0
    while at > 0:
        kind, length, before = moves[at, used]
        word, new = -1, used ^ before
        while new > 0:
            word, new = word + 1, new >> 1
        pieces[n, 0], pieces[n, 1], pieces[n, 2] = kind, length, word
        at, used, n = at - length, before, n + 1
    return pieces[:n]


@numba.njit(cache=True)
def _fill(names: Any, words: Any, handle: Any, chances: Any, gains: Any, table: Any) -> None:
    best, moves = table
    n = len(handle)
    best[: n + 1] = _UNSEEN
    best[0, 0] = 0
    for i in range(n):
        for used in range(1 << MOST_WORDS):
            here = best[i, used]
            if here == _UNSEEN:
                continue
            if here + gains[LEFT] > best[i + 1, used]:
                best[i + 1, used] = here + gains[LEFT]
                moves[i + 1, used] = LEFT, 1, used
            for word in range(words[0], words[1]):
                bit = 1 << names[2][word]
                if not used & bit:
                    _place(names, word, i, used, handle, chances, gains, table)


@numba.njit(cache=True)
def _place(names: Any, word: int, i: int, used: int, handle: Any, chances: Any, gains: Any, table: Any) -> None:  # noqa: PLR0913, PLR0917
    """Tries all beginnings of a word at position i of the handle."""
    best, moves = table
    first, last = names[1][word], names[1][word + 1]
    then, surprise = used | (1 << names[2][word]), np.float32(0)
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
        value = best[i, used] + gains[kind] + surprise
        if value > best[i + length, then]:
            best[i + length, then] = value
            moves[i + length, then] = kind, length, used


@numba.njit(cache=True)
def _finish(best: Any, moves: Any, n: int, chances: Any, counts: Any) -> Any:
    """The share explained; adds the pieces of the best cut to `counts`."""
    used = int(np.argmax(best[n]))
    value, at = best[n, used], n
    while at > 0:
        kind, length, before = moves[at, used]
        counts[kind] += 1
        at, used = at - length, before
    return max(np.float32(0), value / -chances.sum())
