import numpy as np
from numpy.testing import assert_allclose

from factlink.candidates.hubness import correct_pairs
from factlink.candidates.pairs import gather_pairs

SCORES = np.array([[0.9, 0.5, 0.1], [0.8, 0.6, 0.2]], np.float32)


def test_a_hub_is_taken_down_by_hand() -> None:
    pairs = gather_pairs(2, 3, [np.indices((2, 3)).reshape(2, 6)])
    # row means .7, .7; column means .85, .55, .15
    wanted = [1.8 - 0.7 - 0.85, 1 - 0.7 - 0.55, 0.2 - 0.7 - 0.15, 1.6 - 1.55, 1.2 - 1.25, 0.4 - 0.85]
    assert_allclose(correct_pairs(pairs, SCORES.ravel(), k=2), wanted, atol=1e-6)
