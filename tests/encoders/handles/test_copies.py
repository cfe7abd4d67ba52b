"""Handles that are made of the same pieces."""

from dataclasses import replace

import numpy as np
import pytest

from factlink.encoders.handles.background import count_runs, letter_chances
from factlink.encoders.handles.copies import CHANGE, compare_handles, copied_pieces
from factlink.encoders.handles.pieces import Handles

ONE = np.array([0])


def handles(*texts: str, chance: float | None = None) -> Handles:
    """Against the background that they make, or where all letters are as likely as that."""
    letters = np.frombuffer("".join(texts).encode(), np.uint8)
    starts = np.concatenate([[0], np.cumsum([len(text) for text in texts])])
    background = count_runs(letters, starts)
    chances = letter_chances(letters, starts, background)
    chances = chances if chance is None else np.full_like(chances, np.log(chance))
    return Handles(letters, starts, chances, background, np.zeros(len(letters), np.int8))


def share(left: str, right: str, chance: float = 0.1) -> float:
    return float(compare_handles((ONE, ONE), handles(left, chance=chance), handles(right, chance=chance))[0])


def test_shares_are_what_is_left_of_the_surprise_by_hand() -> None:
    """Both copy all of the other: five letters of log 10, less one piece that begins in one of five places."""
    piece = CHANGE - np.log(5)
    assert share("abcde", "abcde") == pytest.approx((5 * np.log(10) + piece) / (5 * np.log(10)), abs=1e-5)
    """`abcde` in `xxabcde`: a run of other letters before the piece there, and a piece from one of seven here."""
    longer = 5 * np.log(10) + CHANGE + CHANGE - np.log(5)
    shorter = 5 * np.log(10) + CHANGE - np.log(7)
    assert share("abcde", "xxabcde") == pytest.approx((longer + shorter) / (12 * np.log(10)), abs=1e-5)
    assert share("abcde", "fghij") == 0
    assert share("", "abc") == 0


def test_letters_are_no_more_surprising_than_one_of_36() -> None:
    assert share("abcde", "abcde", 1e-9) == pytest.approx(share("abcde", "abcde", 1 / 36))


def test_order_of_sides_makes_no_difference() -> None:
    for one, other in (("repcindyaxne", "axne4congress"), ("johnsmith", "smithjohn"), ("aaa", "aaaa")):
        assert share(one, other) == pytest.approx(share(other, one), rel=1e-5)


def test_what_many_have_counts_less_than_what_few_have() -> None:
    people = np.random.default_rng(1).integers(97, 123, (50, 5)).astype(np.uint8)
    crowd = [f"{row.tobytes().decode()}4congress" for row in people]
    left, right = handles("axne4congress", *crowd), handles("repcindyaxne", *crowd)
    same_person, same_words = compare_handles((np.array([0, 0]), np.array([0, 1])), left, right)
    assert same_person > same_words
    assert copied_pieces(0, 0, left, right) == ["axne"]
    assert copied_pieces(0, 1, left, right) == []


def test_pieces_may_come_in_another_order() -> None:
    alike = handles("johnsmith", chance=0.01), handles("smithjohn", chance=0.01)
    assert copied_pieces(0, 0, *alike) == ["john", "smith"]
    assert copied_pieces(0, 0, handles("abc", chance=0.1), handles("xyz", chance=0.1)) == []


def test_a_piece_gains_that_ends_where_a_word_ends_by_hand() -> None:
    """abc of abcxx in abc: the x after it begins a word or does not; the other handle copies all of it."""

    def shared(begins: int) -> float:
        mine = replace(handles("abcxx", chance=0.1), begins=np.array([0, -1, -1, begins, -1], np.int8))
        return float(compare_handles((ONE, ONE), mine, handles("abc", chance=0.1))[0])

    explained = 3 * np.log(10) + CHANGE - np.log(3) + CHANGE + 3 * np.log(10) + CHANGE - np.log(5)
    assert shared(0) == pytest.approx(explained / (8 * np.log(10)), abs=1e-5)
    assert shared(1) == pytest.approx((explained + np.log(4)) / (8 * np.log(10)), abs=1e-5)
    assert shared(-1) == pytest.approx((explained - np.log(4)) / (8 * np.log(10)), abs=1e-5)
