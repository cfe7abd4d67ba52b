"""Handles cut into pieces of names."""

import numpy as np
import pytest

from factlink.encoders.handles.pieces import (
    INITIAL,
    LEFT,
    START,
    WHOLE,
    Handles,
    NameWords,
    count_letters,
    explain_handles,
    learn_gains,
    letter_chances,
)


def handles(*texts: str) -> Handles:
    letters = np.frombuffer("".join(texts).encode(), np.uint8)
    starts = np.concatenate([[0], np.cumsum([len(text) for text in texts])])
    return Handles(letters, starts, letter_chances(letters, starts, count_letters(letters, starts)))


def names(*texts: str) -> NameWords:
    words = [text.lower().split() for text in texts]
    flat = [word for each in words for word in each]
    letters = np.frombuffer("".join(flat).encode(), np.uint8)
    places = np.array([place for each in words for place in range(len(each))])
    ends = np.concatenate([[0], np.cumsum([len(word) for word in flat])])
    starts = np.concatenate([[0], np.cumsum([len(each) for each in words])])
    return NameWords(letters, ends, places, np.zeros(len(flat), np.bool_), starts)


def share(name: str, handle: str) -> float:
    letters = np.random.default_rng(0).integers(97, 123, (200, 8)).astype(np.uint8)
    crowd = handles(handle, *(row.tobytes().decode() for row in letters))
    return float(explain_handles((np.array([0]), np.array([0])), names(name), crowd, START)[0])


def test_a_name_explains_its_own_handle_better_than_others_do() -> None:
    assert share("Michelle Lujan Grisham", "govmlg") > share("John Grisham", "govmlg")
    assert share("Thomas Barrack", "thomasbarrack") > 0.5
    assert share("Thomas Barrack", "tombarrack") > share("Anna Bauer", "tombarrack")
    assert share("Anna Bauer", "xyz") == 0
    assert share("Thomas Barrack", "thomasbarrack") > share("Thomas Barrack", "tbarrackjr") > 0


def test_chances_of_letters_are_those_of_a_crowd() -> None:
    letters, starts = np.frombuffer(b"abababab", np.uint8), np.array([0, 8])
    chances = letter_chances(letters, starts, count_letters(letters, starts))
    assert np.exp(chances[-1]) > np.exp(chances[0])
    assert chances.max() < 0


def test_types_of_pieces_are_learned() -> None:
    people = names("Anna Bauer", "Tom Keller", "Uli Wagner")
    initials = handles("abauer", "tkeller", "uwagner")
    same = np.arange(3), np.arange(3)
    gains = learn_gains(same, people, initials)
    assert np.exp(gains).sum() == pytest.approx(1, abs=1e-5)
    assert gains[INITIAL] > START[INITIAL]
    assert gains[WHOLE] > gains[LEFT]
