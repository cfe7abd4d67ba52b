"""A few strings are weighed as many are: the same rows and vectors, whatever was counted later."""

import numpy as np
import pytest

from factlink.encoders.ngrams import spaces
from factlink.encoders.ngrams.rows import NAME_GRAMS
from factlink.encoders.ngrams.spaces import GramSpace, learn_space
from factlink.encoders.texts import TEXT_GRAMS

MANY = ["Amy Tan", "amy.tan", "Bob Lee", "李小龙", "Tan Ah Kow", "bob_lee85", "Amy Lee", "Tim Keller"]
FEW = ["Amy Tan", "Zoë", "!!", "bob bob bob", "qqqq"]


@pytest.mark.parametrize("grams", [NAME_GRAMS, TEXT_GRAMS], ids=["names", "texts"])
def test_few_strings_get_the_rows_and_vectors_of_many(grams: spaces.Grams, monkeypatch: pytest.MonkeyPatch) -> None:
    space = learn_space(MANY, grams, 64, 3)[0].grown(["Zoë Tan", "Amy"])
    monkeypatch.setattr(GramSpace, "_are_few", lambda self, strings: True)
    rows, vectors = space.rows(FEW), space.encode(FEW)
    monkeypatch.setattr(GramSpace, "_are_few", lambda self, strings: False)
    assert abs(rows - space.rows(FEW)).max() < 1e-6
    assert vectors == pytest.approx(space.encode(FEW), abs=1e-6)
    assert np.diff(rows.indptr)[2] == 0
