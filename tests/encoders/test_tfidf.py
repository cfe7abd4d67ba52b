"""Names as the published program reads them."""

import numpy as np
import pytest

from factlink.encoders.tfidf import TfidfEncoder, ascii_spelling
from factlink.errors import SettingError


def test_spelling_drops_what_the_program_drops() -> None:
    assert ascii_spelling(["Amy.Tan_1 X", "李小龙", "José-M"]).to_list() == ["amytan1x", "", "jos-m"]


def test_names_with_common_grams_are_near_and_others_random() -> None:
    vectors = TfidfEncoder(dim=256, passes=50).encode(["desmond", "Desmond Ng", "priscilla", "李小龙"])
    cosines = vectors @ vectors.T
    assert cosines[0, 1] > 0.7
    assert abs(cosines[0, 2]) < 0.3
    assert not vectors[3].any()


def test_equal_spellings_share_a_vector() -> None:
    vectors = TfidfEncoder(dim=16).encode(["amy tan", "Amy.Tan", "bob"])
    assert np.array_equal(vectors[0], vectors[1])


def test_settings_are_checked_at_birth() -> None:
    with pytest.raises(SettingError, match="dim and cap must be at least 2"):
        TfidfEncoder(cap=1)
