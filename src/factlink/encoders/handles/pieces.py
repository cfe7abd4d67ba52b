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

WHOLE, PREFIX, INITIAL, NICK, LEFT, INITIALS, MORE, FIRST, INSIDE, ANY = range(10)
"""Types of pieces: a whole word, its beginning, its first letter, a nickname of it; a letter of none; the first letters
of all words; and a letter of none after another such. Then how often a letter is marked as the beginning of a word:
the first one of a piece, one inside of a piece, and any."""

START = np.log(np.array([0.36, 0.08, 0.16, 0.08, 0.28, 0.04, 0.9, 0.8, 0.02, 0.2], np.float32))
"""Logarithms of how often each type is used, letters left over go on, and letters are marked, before learning."""

MARKED, UNMARKED, UNKNOWN = 1, -1, 0
"""Whether a letter is written as the beginning of a word: GovMLG has four such letters; govmlg does not say."""

MOST_WORDS = 5
"""Words of a name that may have a piece each."""

_BEFORE = 10  # pieces, and letters that are marked or not, counted before any was seen
_PRIOR = _BEFORE * np.exp(START[: MORE + 1].astype(np.float64))
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
    begins: npt.NDArray[np.int8]  # (n_letters,) MARKED, UNMARKED or UNKNOWN


def explain_handles(pairs: tuple[Ints, Ints], names: NameWords, handles: Handles, gains: Floats) -> Floats:
    """(n_pairs,): the share of what is surprising about a handle that a name explains, between 0 and 1."""
    return np.asarray(_explain(_arrays(names), _arrays_of(handles, gains), gains, pairs[0], pairs[1])[0])


def learn_gains(pairs: tuple[Ints, Ints], names: NameWords, handles: Handles, rounds: int = 3) -> Floats:
    """(10,): log shares of the types of pieces in pairs that belong together, how often runs left over go on, and how
    often letters are marked."""
    gains = START.copy()
    gains[ANY] = _log_share(_of_handles(handles.begins), gains[ANY])
    for _ in range(rounds):
        counts, marks = _explain(_arrays(names), _arrays_of(handles, gains), gains, pairs[0], pairs[1])[1:]
        counts += _PRIOR
        gains[:MORE] = np.log(counts[:MORE] / counts[:MORE].sum())
        gains[MORE] = np.log(counts[MORE] / (counts[MORE] + counts[LEFT]))
        gains[FIRST], gains[INSIDE] = (
            _log_share(each, START[kind]) for each, kind in zip(marks, (FIRST, INSIDE), strict=True)
        )
    return gains


def _of_handles(begins: npt.NDArray[np.int8]) -> npt.NDArray[np.float64]:
    """(2,): letters that are marked, and letters that are not."""
    return np.array([np.count_nonzero(begins == MARKED), np.count_nonzero(begins == UNMARKED)], np.float64)


def _log_share(counts: npt.NDArray[np.float64], before: np.float32) -> float:
    """The logarithm of the share of the first of two counts, in which ten letters are as before."""
    return float(np.log((counts[0] + _BEFORE * np.exp(before)) / (counts.sum() + _BEFORE)))


def all_gains(gains: Floats) -> Floats:
    """(10,): the gains, of earlier versions too: letters left over were each a run of its own, and no letter marked."""
    if len(gains) == INITIALS:
        gains = np.append(gains, [START[INITIALS], gains[LEFT]])
    return np.append(gains, [START[ANY]] * (ANY + 1 - len(gains))).astype(np.float32)


def cut_handle(name: int, handle: int, names: NameWords, handles: Handles, gains: Floats) -> list[tuple[int, int, int]]:
    """The pieces of one handle in their order: type, letters, and which word of the name; −1 for a letter left over."""
    pieces = _cut(_arrays(names), _arrays_of(handles, gains), gains, name, handle)
    return [(int(kind), int(length), int(word)) for kind, length, word in pieces[::-1]]


def _arrays(names: NameWords) -> Any:
    return names.letters, names.word_starts, names.places, names.nick, names.starts


def _arrays_of(handles: Handles, gains: Floats) -> Any:
    """Letters, starts, chances with those of the marks, marks, and chances of the letters alone."""
    marks = np.array([np.log1p(-np.exp(gains[ANY])), 0, gains[ANY]], np.float32)
    return handles.letters, handles.starts, handles.chances + marks[handles.begins + 1], handles.begins, handles.chances


@numba.njit(cache=True)
def _explain(names: Any, handles: Any, gains: Any, lefts: Any, rights: Any) -> Any:
    """(n_pairs,) shares explained; pieces by type; letters that begin a piece or not, by whether they are marked."""
    shares, counts, marks = np.zeros(len(lefts), np.float32), np.zeros(MORE + 1), np.zeros((2, 2))
    best = np.empty((_LONGEST + 1, _SETS), np.float32)
    moves = np.empty((_LONGEST + 1, _SETS, 3), np.int32)  # type, letters, and the state before
    for p in range(len(lefts)):
        handle = _handle(handles, rights[p])
        words = names[4][lefts[p]], names[4][lefts[p] + 1]
        if len(handle[0]) and words[1] > words[0]:
            _fill(names, words, handle, gains, (best, moves))
            shares[p] = _finish(best, moves, handle, counts, marks)
    return shares, counts, marks


@numba.njit(cache=True)
def _handle(handles: Any, row: int) -> Any:
    """Letters, chances with those of the marks, marks, and chances of the letters alone of one handle."""
    first, last = handles[1][row], min(handles[1][row + 1], handles[1][row] + _LONGEST)
    return handles[0][first:last], handles[2][first:last], handles[3][first:last], handles[4][first:last]


@numba.njit(cache=True)
def _cut(names: Any, handles: Any, gains: Any, name: int, handle: int) -> Any:
    """(n_pieces, 3): type, letters and word of each piece, the last one first."""
    text = _handle(handles, handle)
    length_of_all = len(text[0])
    pieces = np.empty((length_of_all, 3), np.int64)
    words = names[4][name], names[4][name + 1]
    if length_of_all == 0 or words[1] == words[0]:
        return pieces[:0]
    best, moves = np.empty((_LONGEST + 1, _SETS), np.float32), np.empty((_LONGEST + 1, _SETS, 3), np.int32)
    _fill(names, words, text, gains, (best, moves))
    at, state, n = length_of_all, int(np.argmax(best[length_of_all])), 0
    while at > 0:
        kind, length, before = moves[at, state]
        word, new = -1, (state >> 1) ^ (before >> 1)
        while new > 0:
            word, new = word + 1, new >> 1
        pieces[n, 0], pieces[n, 1], pieces[n, 2] = kind, length, word
        at, state, n = at - length, before, n + 1
    return pieces[:n]


@numba.njit(cache=True)
def _fill(names: Any, words: Any, handle: Any, gains: Any, table: Any) -> None:
    """The best way to every position; a state is the set of words used, doubled, and 1 more within a run left over."""
    best, moves = table
    n = len(handle[0])
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
                    _place(names, word, i, state, handle, gains, table)
            if state < 2:
                _place_initials(names, words, i, state, handle, gains, table)


@numba.njit(cache=True, inline="always")
def _said(gains: Any, kind: int, begins: int) -> Any:
    """What it costs that a letter, the first of a piece or one inside, is marked so."""
    if begins == MARKED:
        return gains[kind]
    return np.float32(0) if begins == UNKNOWN else np.log1p(-np.exp(gains[kind]))


@numba.njit(cache=True)
def _place(names: Any, word: int, i: int, state: int, handle: Any, gains: Any, table: Any) -> None:
    """Tries all beginnings of a word at position i of the handle."""
    best, moves = table
    letters, chances, begins, _ = handle
    first, last = names[1][word], names[1][word + 1]
    then, gained = (state & ~1) | (2 << names[2][word]), np.float32(0)
    for length in range(1, min(last - first, len(letters) - i) + 1):
        at = i + length - 1
        if names[0][first + length - 1] != letters[at]:
            break
        gained += _said(gains, FIRST if length == 1 else INSIDE, begins[at]) - chances[at]
        whole = length == last - first
        kind = WHOLE if whole else INITIAL if length == 1 else PREFIX
        if names[3][word]:
            if not whole:
                continue
            kind = NICK
        if length == 1:
            kind = INITIAL
        value = best[i, state] + gains[kind] + gained
        if value > best[i + length, then]:
            best[i + length, then] = value
            moves[i + length, then] = kind, length, state


@numba.njit(cache=True)
def _place_initials(names: Any, words: Any, i: int, state: int, handle: Any, gains: Any, table: Any) -> None:
    """Tries the first letters of all words at position i of the handle."""
    best, moves = table
    letters, chances, begins, _ = handle
    then, gained, length = 0, np.float32(0), 0
    for word in range(words[0], words[1]):
        if names[3][word]:
            continue
        at = i + length
        if at == len(letters) or names[0][names[1][word]] != letters[at]:
            return
        gained += _said(gains, FIRST, begins[at]) - chances[at]
        then, length = then | (2 << names[2][word]), length + 1
    value = best[i, state] + gains[INITIALS] + gained
    if length > 1 and value > best[i + length, then]:
        best[i + length, then] = value
        moves[i + length, then] = INITIALS, length, state


@numba.njit(cache=True)
def _finish(best: Any, moves: Any, handle: Any, counts: Any, marks: Any) -> Any:
    """The share explained; adds the pieces of the best cut to `counts`, and their letters to `marks`."""
    letters, _, begins, plain = handle
    at = len(letters)
    state = int(np.argmax(best[at]))
    value = best[at, state]
    while at > 0:
        kind, length, before = moves[at, state]
        counts[kind] += 1
        for place in range(at - length, at):
            if begins[place] != UNKNOWN and kind not in (LEFT, MORE):
                inside = 0 if place == at - length or kind == INITIALS else 1
                marks[inside, 0 if begins[place] == MARKED else 1] += 1
        at, state = at - length, before
    return min(np.float32(1), max(np.float32(0), value / -plain.sum()))
