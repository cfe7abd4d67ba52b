"""What is said of two accounts of one network."""

import numpy as np
import pytest

from factlink.linkers.factoid.within.evidence import LINKED, Columns
from factlink.linkers.factoid.within.explanation import _linked


@pytest.mark.parametrize(
    ("strength", "said"),
    [(0.0, "neither follows the other"), (0.5, "one follows the other"), (1.0, "both follow each other")],
)
def test_who_follows_whom_is_said(strength: float, said: str) -> None:
    assert _linked(Columns({LINKED: np.array([strength], np.float32)})).to_list() == [said]
