"""Bits of names by hand, and what they do to a similarity."""

import numpy as np
import pytest

from factlink.linkers.baselines.features.rarity import RareJaroWinkler, name_bits
from factlink.linkers.baselines.features.similarities import JaroWinkler


def test_bits_by_hand() -> None:
    """Three names of one letter behind blanks: a twice, b once, over the letters blank, a and b."""
    bits = name_bits(["a", "b", "a"])
    common, rare = -np.log2(2.1 / 3.3), -np.log2(1.1 / 3.3)
    assert bits.tolist() == pytest.approx([common, rare, common], abs=1e-5)


def test_every_letter_adds_its_bits_given_three_before_it() -> None:
    bits = name_bits(["abab"])
    assert bits[0] == pytest.approx(4 * -np.log2(1.1 / 1.3), abs=1e-5)


def test_case_does_not_matter_and_an_empty_name_tells_nothing() -> None:
    bits = name_bits(["Tan", "tAN", ""])
    assert bits[0] == bits[1] > 0
    assert bits[2] == 0


def test_a_common_name_is_told_by_fewer_bits() -> None:
    bits = name_bits([*["john smith"] * 50, "zbigniew q"])
    assert bits[-1] > 3 * bits[0]


def test_equal_rare_names_beat_equal_common_ones() -> None:
    names = JaroWinkler(["ann", "xq"], ["ann", "xq"])
    rare = RareJaroWinkler(names, np.array([4, 20], np.float32), np.array([4, 20], np.float32))
    assert rare.of_pairs(np.array([0, 1]), np.array([0, 1])).tolist() == pytest.approx([0.1, 0.5])
    assert rare.scores(np.array([1]))[0].tolist() == pytest.approx([0.0, 0.5])
    assert rare.turned().of_pairs(np.array([1]), np.array([1])).tolist() == pytest.approx([0.5])
    assert rare.nearest(np.array([1]), 1).rights.tolist() == [[1]]
