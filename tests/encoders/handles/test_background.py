"""Chances of letters after others, in a crowd of handles."""

import numpy as np
from numpy.testing import assert_allclose

from factlink.encoders.handles.background import DOUBT, count_runs, letter_chances


def packed(*texts: str) -> tuple[np.ndarray, np.ndarray]:  # type: ignore[type-arg]
    letters = np.frombuffer("".join(texts).encode(), np.uint8)
    return letters, np.concatenate([[0], np.cumsum([len(text) for text in texts])])


def test_chances_are_counted_by_hand() -> None:
    """Of 4 handles `ab`, each run counts twice less than it is there: once for itself and once for chance."""
    letters, starts = packed("ab", "ab", "ab", "ab")
    chances = letter_chances(letters, starts, count_runs(letters, starts))
    first = second = (4 + 1) / (8 + 40)
    for _ in range(5):  # contexts of one to five letters, all of which say the same
        first = second = (2 + DOUBT * first) / (2 + DOUBT)
    assert_allclose(chances, np.log([first, second] * 4), rtol=1e-5)


def test_what_one_handle_has_alone_is_no_context() -> None:
    letters, starts = packed("xyz", "ab", "ab", "ab")
    chances = letter_chances(letters, starts, count_runs(letters, starts))
    assert_allclose(chances[1:3], np.log((1 + 1) / (9 + 40)), rtol=1e-5)


def test_boilerplate_is_hardly_surprising_after_its_first_letter() -> None:
    names = np.random.default_rng(0).integers(97, 123, (60, 6)).astype(np.uint8)
    letters, starts = packed(*(f"rep{row.tobytes().decode()}" for row in names))
    chances = letter_chances(letters, starts, count_runs(letters, starts)).reshape(60, 9)
    assert chances[:, 1:3].min() > np.log(0.9)
    assert chances[:, 3:].mean() < np.log(0.2)


def test_other_handles_are_judged_by_a_background_that_is_given() -> None:
    crowd, other = packed("repaa", "repbb", "repcc", "repdd"), packed("repzz", "zzrep")
    chances = letter_chances(*other, count_runs(*crowd))
    assert chances[1] > chances[6]
    assert chances[2] > chances[7]
