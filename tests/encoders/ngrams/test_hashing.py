"""The compiled pieces, by hand: which forms a string is read in, and which n-grams they give."""

import numpy as np
import pytest

from factlink.encoders.ngrams.hashing import PARTS, SKELETON, SQUEEZED, WORDS, gram_buckets, merge_equal, write_form


def form_of(text: str, form: int) -> str:
    out = np.empty(3 * len(text) + 3, np.uint8)
    end = write_form(np.frombuffer(text.encode(), np.uint8), form, out, 0)
    return bytes(out[:end]).decode().strip()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("John Doe", "john doe"),
        ("john_doe85", "john doe85"),
        ("RepJohnDoe", "repjohndoe"),
        ("  ..a--b  ", "a b"),
        ("soooo", "soo"),
        ("!!!", ""),
        ("", ""),
    ],
)
def test_words_are_cut_at_punctuation(text: str, expected: str) -> None:
    assert form_of(text, WORDS) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("RepJohnDoe", "rep john doe"),
        ("LGWyman", "lg wyman"),
        ("doe85", "doe 85"),
        ("85doe", "85 doe"),
        ("JOHN", "john"),
        ("JohnDoe_NYC", "john doe nyc"),
    ],
)
def test_parts_are_cut_at_case_and_digits(text: str, expected: str) -> None:
    assert form_of(text, PARTS) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("J. Doe", "jdoe"),
        ("m1ke", "mike"),
        ("j0hn d03", "johnd03"),
        ("Ed4Texas", "ed4texas"),
        ("doe85", "doe85"),
        ("brooooke", "brooke"),
    ],
)
def test_squeezed_is_one_token_without_leet(text: str, expected: str) -> None:
    assert form_of(text, SQUEEZED) == expected


def test_skeleton_keeps_consonants_once() -> None:
    assert form_of("Mohammed Salah", SKELETON) == "mhmdslh"


def test_grams_by_hand() -> None:
    """The token ` ab ` has the 1-grams a, b and the 2-grams ␣a, ab, b␣."""
    tokens, out = np.empty(20, np.uint8), np.empty(100, np.int64)
    text = np.frombuffer(b"ab", np.uint8)
    assert gram_buckets(text, WORDS, (1, 1, 1 << 20), tokens, out) == 2
    assert gram_buckets(text, WORDS, (1, 2, 1 << 20), tokens, out) == 5
    assert gram_buckets(text, WORDS, (2, 2, 1 << 20), tokens, out) == 3
    assert gram_buckets(text, WORDS, (4, 5, 1 << 20), tokens, out) == 1


def test_grams_do_not_cross_words() -> None:
    tokens, out = np.empty(40, np.uint8), np.empty(200, np.int64)
    apart = gram_buckets(np.frombuffer(b"ab cd", np.uint8), WORDS, (3, 3, 1 << 20), tokens, out)
    assert apart == 4  # ␣ab ab␣ ␣cd cd␣
    assert gram_buckets(np.frombuffer(b"abcd", np.uint8), WORDS, (3, 3, 1 << 20), tokens, out) == 4  # ␣ab abc bcd cd␣


def test_skeleton_grams_never_meet_others() -> None:
    tokens, out = np.empty(40, np.uint8), np.empty(200, np.int64)
    text = np.frombuffer(b"bcd", np.uint8)
    end = gram_buckets(text, WORDS, (1, 3, 1 << 20), tokens, out)
    words = set(out[:end].tolist())
    end = gram_buckets(text, SKELETON, (1, 3, 1 << 20), tokens, out)
    assert not words & set(out[:end].tolist())


def test_merge_equal_counts() -> None:
    buckets, counts = np.array([3, 3, 5, 9, 9, 9]), np.empty(6, np.float32)
    assert merge_equal(buckets, 6, counts) == 3
    assert buckets[:3].tolist() == [3, 5, 9]
    assert counts[:3].tolist() == [2, 1, 3]
