"""Names of decoys, by hand."""

import numpy as np
import pytest

from factlink.linkers.factoid.probability.crossing import cross


def crossed(first: str, second: str) -> set[str]:
    """Everything that two names may be crossed to."""
    return {cross(first, second, np.random.default_rng(seed)) for seed in range(60)}


@pytest.mark.parametrize(
    ("first", "second", "names"),
    [
        ("Amy Tan", "Bo Lindqvist", {"Amy Lindqvist"}),
        ("Amy Lee Tan", "Bo Ek", {"Amy Ek", "Amy Lee Ek"}),
        ("Amy Tan", "Bo van Ek", {"Amy van Ek", "Amy Ek"}),
    ],
)
def test_first_words_of_one_and_last_words_of_the_other(first: str, second: str, names: set[str]) -> None:
    assert crossed(first, second) == names


@pytest.mark.parametrize(
    ("first", "second", "names"),
    [
        ("xabyy", "zzabw", {"xabw"}),  # both have "ab": up to it of one, behind it of the other
        ("abcd", "xaby", {"aby"}),  # also where a name begins with it
        ("xABy", "wabz", {"xABz"}),  # letters of either case are the same
        ("ababx", "zabw", {"abw", "ababw"}),  # wherever one of them has it
    ],
)
def test_single_words_change_behind_two_letters_that_both_have(first: str, second: str, names: set[str]) -> None:
    assert crossed(first, second) == names


@pytest.mark.parametrize(
    ("first", "second", "name"),
    [
        ("abcd", "wxyz", "abyz"),
        ("abc", "xyz", "abyz"),  # the middle letter of either belongs to both of its halves
        ("ab", "xyz", "ayz"),
        ("xab", "abz", "xabz"),  # the last letters of a name are no place to change in, and so its halves are taken
        ("abq", "abr", "abbr"),  # changing behind "ab" would give the second name again
        ("annab", "Bo Lee", "annLee"),  # one word and two: no letters in common
    ],
)
def test_names_that_meet_nowhere_are_halved(first: str, second: str, name: str) -> None:
    assert crossed(first, second) == {name}
