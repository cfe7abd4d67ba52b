import numpy as np
import pytest

from factlink.candidates.pairs import gather_pairs
from factlink.decision.channel_weights import rank_among_rivals
from factlink.types import Pairs

PAIRS = gather_pairs(2, 4, [(np.array([0, 0, 0, 1, 1]), np.array([0, 1, 2, 1, 3]))])
PRODUCTS = np.array([0.9, 0.5, 0.5, 0.0, 0.2], np.float32)


@pytest.mark.parametrize(
    ("lefts", "rights", "expected"),
    [
        ([0], [0], 1.0),  # first of three
        ([0], [1], 1 / 2.5),  # second and third are equal, so both are in the middle
        ([1], [3], 1.0),  # candidates of other users are no rivals
        ([1], [1], 0.0),  # no product is no rank
        ([0, 0, 1], [0, 2, 1], (1 + 1 / 2.5 + 0) / 3),
        ([], [], 0.0),
    ],
)
def test_reciprocal_ranks_among_the_candidates_of_one_user(
    lefts: list[int], rights: list[int], expected: float
) -> None:
    confident = Pairs(np.array(lefts, np.int64), np.array(rights, np.int64))
    assert rank_among_rivals(PAIRS, PRODUCTS, confident) == pytest.approx(expected)
