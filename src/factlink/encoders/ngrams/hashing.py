"""Compiled pieces that turn one ASCII string into the hashed character n-grams of its forms.

A string is read in several forms at once, each a run of tokens between gaps: `RepJohnDoe_4` is the word
`repjohndoe` and `4`, the parts `rep john doe 4`, squeezed `repjohndoe4`, and the skeleton `rpjhnd`.
"""

import numba
import numpy as np
import numpy.typing as npt

WORDS, PARTS, SQUEEZED, SKELETON = 1, 2, 4, 8  # forms, to be summed
_GAP = 32
_NO_LETTER, _SMALL, _CAPITAL, _DIGIT = 0, 1, 2, 3

Bytes = npt.NDArray[np.uint8]
Buckets = npt.NDArray[np.int64]
Sizes = tuple[int, int, int]  # smallest n, largest n, number of buckets (a power of two)


@numba.njit(cache=True)
def _class_of(char: int) -> int:
    if 97 <= char <= 122:
        return _SMALL
    if 65 <= char <= 90:
        return _CAPITAL
    return _DIGIT if 48 <= char <= 57 else _NO_LETTER


@numba.njit(cache=True)
def _is_letter(char: int) -> bool:
    return _class_of(char) in (_SMALL, _CAPITAL)


@numba.njit(cache=True)
def _small(char: int) -> int:
    return char + 32 if _class_of(char) == _CAPITAL else char


@numba.njit(cache=True)
def _unleet(text: Bytes, i: int) -> int:
    """The letter that a lone digit between letters stands for; 2 and 4 are left, they mean *to* and *for*."""
    char = int(text[i])
    if i == 0 or i + 1 == len(text) or not (_is_letter(text[i - 1]) and _is_letter(text[i + 1])):
        return char
    if char == 48:
        return 111
    if char == 49:
        return 105
    if char == 51:
        return 101
    if char == 53:
        return 115
    return 116 if char == 55 else char


@numba.njit(cache=True)
def _starts_part(text: Bytes, i: int) -> bool:
    """Whether case or digits change before position i: John|Doe, LG|Wyman, doe|85."""
    if i == 0:
        return False
    before, here = _class_of(text[i - 1]), _class_of(text[i])
    if before == _NO_LETTER:
        return False
    if (before == _DIGIT) != (here == _DIGIT):
        return True
    if here != _CAPITAL:
        return False
    return before == _SMALL or (i + 1 < len(text) and _class_of(text[i + 1]) == _SMALL)


@numba.njit(cache=True)
def _is_vowel(char: int) -> bool:
    return char in (97, 101, 105, 111, 117)


@numba.njit(cache=True)
def write_form(text: Bytes, form: int, out: Bytes, end: int) -> int:
    """Writes one form as tokens between gaps from `out[end]` on; the new end.

    Runs of one letter are cut to two, in skeletons to one.
    """
    out[end] = _GAP
    end += 1
    for i in range(len(text)):
        if _class_of(text[i]) == _NO_LETTER or (form == PARTS and _starts_part(text, i)):
            if form in (WORDS, PARTS) and out[end - 1] != _GAP:
                out[end] = _GAP
                end += 1
            if _class_of(text[i]) == _NO_LETTER:
                continue
        char = _small(_unleet(text, i)) if form in (SQUEEZED, SKELETON) else _small(text[i])
        repeated = out[end - 1] == char and (form == SKELETON or out[end - 2] == char)
        if not repeated and not (form == SKELETON and _is_vowel(char)):
            out[end] = char
            end += 1
    if out[end - 1] != _GAP:
        out[end] = _GAP
        end += 1
    return end


@numba.njit(cache=True)
def _mix(state: np.uint64) -> np.uint64:
    state ^= state >> np.uint64(29)
    state *= np.uint64(0xBF58476D1CE4E5B9)
    return state ^ (state >> np.uint64(32))


@numba.njit(cache=True)
def hash_grams(tokens: Bytes, sizes: Sizes, odd: int, out: Buckets, end: int) -> int:
    """Writes the bucket of every n-gram inside a token and its two gaps from `out[end]` on; the new end.

    Odd buckets are for skeletons, even ones for all else.
    """
    for first in range(len(tokens)):
        state = np.uint64(0xCBF29CE484222325)
        for last in range(first, min(first + sizes[1], len(tokens))):
            if last > first + 1 and tokens[last - 1] == _GAP:
                break
            if last == first + 1 and tokens[first] == _GAP and tokens[last] == _GAP:
                break
            state = (state ^ np.uint64(tokens[last])) * np.uint64(0x100000001B3)
            size = last - first + 1
            if size >= sizes[0] and not (size == 1 and tokens[first] == _GAP):
                out[end] = (np.int64(_mix(state) & np.uint64(sizes[2] - 1)) & ~1) | odd
                end += 1
    return end


@numba.njit(cache=True)
def gram_buckets(text: Bytes, forms: int, sizes: Sizes, tokens: Bytes, out: Buckets) -> int:
    """Fills `out` with the sorted buckets of all n-grams of all forms of a string; how many."""
    end = list_grams(text, forms, sizes, tokens, out)
    out[:end].sort()
    return end


@numba.njit(cache=True)
def list_grams(text: Bytes, forms: int, sizes: Sizes, tokens: Bytes, out: Buckets) -> int:
    """The same in the order in which they come."""
    end = 0
    for form in (WORDS, PARTS, SQUEEZED):
        if forms & form:
            length = write_form(text, form, tokens, 0)
            end = hash_grams(tokens[:length], sizes, 0, out, end)
    if forms & SKELETON:
        length = write_form(text, SKELETON, tokens, 0)
        end = hash_grams(tokens[:length], sizes, 1, out, end)
    return end


@numba.njit(cache=True)
def merge_equal(buckets: Buckets, end: int, counts: npt.NDArray[np.float32]) -> int:
    """Makes sorted `buckets[:end]` distinct in place and counts them; how many are left."""
    kept = 0
    for i in range(end):
        if kept and buckets[kept - 1] == buckets[i]:
            counts[kept - 1] += 1
        else:
            buckets[kept] = buckets[i]
            counts[kept] = 1
            kept += 1
    return kept
