"""Handles cut into pieces of names."""

from dataclasses import replace

import numpy as np
import pytest

from factlink.encoders.handles.background import count_runs, letter_chances
from factlink.encoders.handles.pieces import (
    ANY,
    FIRST,
    INITIAL,
    INITIALS,
    INSIDE,
    LEFT,
    MORE,
    START,
    WHOLE,
    Handles,
    NameWords,
    all_gains,
    cut_handle,
    explain_handles,
    learn_gains,
)


def handles(*texts: str) -> Handles:
    letters = np.frombuffer("".join(texts).encode(), np.uint8)
    starts = np.concatenate([[0], np.cumsum([len(text) for text in texts])])
    background = count_runs(letters, starts)
    unknown = np.zeros(len(letters), np.int8)
    return Handles(letters, starts, letter_chances(letters, starts, background), background, unknown)


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


def test_initials_of_all_words_are_one_piece() -> None:
    crowd = handles("govmlg", *(f"gov{letters}ab" for letters in ("qx", "zw", "kv", "pt", "ry")))
    person = names("Michelle Lujan Grisham")
    assert [piece[:2] for piece in cut_handle(0, 0, person, crowd, START)][-1] == (INITIALS, 3)


def test_letters_left_over_in_a_row_cost_less_than_apart() -> None:
    assert share("Anna Bauer", "xxxxannabauer") > share("Anna Bauer", "xxannaxxbauer")


def test_gains_of_earlier_versions_are_still_understood() -> None:
    old = np.array([-1, -2, -3, -4, -5], np.float32)
    unmarked = [float(START[ANY])] * 3  # as often marked at the first letter of a piece as anywhere
    assert all_gains(old).tolist() == [-1, -2, -3, -4, -5, float(START[INITIALS]), -5, *unmarked]
    assert all_gains(START[:7]).tolist() == [*START[:7].tolist(), *unmarked]
    assert all_gains(START).tolist() == START.tolist()


def test_types_of_pieces_are_learned() -> None:
    people = names("Anna Bauer", "Tom Keller", "Uli Wagner")
    initials = handles("abauer", "tkeller", "uwagner")
    same = np.arange(3), np.arange(3)
    gains = learn_gains(same, people, initials)
    assert np.exp(gains[:MORE]).sum() == pytest.approx(1, abs=1e-5)
    assert 0 < np.exp(gains[MORE]) < 1
    assert gains[INITIAL] > START[INITIAL]
    assert gains[WHOLE] > gains[LEFT]


def marked(handle: str, begins: list[int]) -> Handles:
    """A handle of letters that are all as likely as one in ten."""
    made = handles(handle)
    return replace(made, chances=np.full(len(handle), np.log(0.1), np.float32), begins=np.array(begins, np.int8))


def test_a_piece_gains_where_a_word_begins_by_hand() -> None:
    """tk of Tom Keller: two initials with k marked as a beginning, not marked, or in a handle that does not say."""

    def explained(k: int) -> float:
        return float(
            explain_handles((np.array([0]), np.array([0])), names("Tom Keller"), marked("tk", [0, k]), START)[0]
        )

    surprise, initials = 2 * np.log(10), float(START[INITIALS])
    assert explained(0) == pytest.approx((surprise + initials) / surprise, abs=1e-5)
    assert explained(1) == pytest.approx((surprise + initials + np.log(0.8 / 0.2)) / surprise, abs=1e-5)
    assert explained(-1) == pytest.approx((surprise + initials + np.log(0.2 / 0.8)) / surprise, abs=1e-5)


def test_a_word_inside_of_another_one_is_no_piece() -> None:
    """Ann in JoAnna, and in joanna."""
    says = marked("joanna", [0, -1, 1, -1, -1, -1])
    within = marked("joanna", [0, -1, -1, -1, -1, -1])
    one = np.array([0])
    assert explain_handles((one, one), names("Ann"), says, START) > explain_handles(
        (one, one), names("Ann"), within, START
    )


def test_how_often_pieces_begin_at_marks_is_learned() -> None:
    people, same = names("Anna Bauer", "Tom Keller", "Uli Wagner"), np.arange(3)
    plain = handles("annabauer", "tomkeller", "uliwagner")
    begins = np.full(len(plain.letters), -1, np.int8)
    begins[plain.starts[:-1]] = 0
    begins[plain.starts[:-1] + np.array([4, 3, 3])] = 1
    gains = np.exp(learn_gains((same, same), people, replace(plain, begins=begins)))
    assert gains[FIRST] == pytest.approx((3 + 10 * 0.8) / 13, abs=1e-5)  # Bauer, Keller, Wagner
    assert gains[INSIDE] == pytest.approx(10 * 0.02 / (21 + 10), abs=1e-5)  # all other letters but the first ones
    assert gains[ANY] == pytest.approx((3 + 10 * 0.2) / (24 + 10), abs=1e-5)
