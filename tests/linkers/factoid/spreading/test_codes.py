import numpy as np
from numpy.testing import assert_allclose
from scipy.sparse import csr_matrix

from factlink.linkers.factoid.spreading.codes import DIM, spread_codes
from factlink.linkers.factoid.spreading.matching import matching_of
from factlink.types import Pairs

PATH = csr_matrix(np.array([[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]], np.float32))


def codes(matched: list[int]) -> tuple[np.ndarray, np.ndarray]:
    rows = np.array(matched)
    matching = matching_of((4, 4), Pairs(rows, rows), np.ones(len(rows), np.float32))
    return spread_codes(PATH, PATH, matching, 0)


def test_neighbours_of_a_matched_pair_have_its_code_one_hop_away() -> None:
    left, right = codes([0])
    products = left[:, :DIM] @ right[:, :DIM].T
    assert_allclose(products[1], [0, 0.5, 0, 0], atol=1e-6)


def test_users_two_hops_away_meet_and_the_pair_itself_gets_nothing_back() -> None:
    left, right = codes([0])
    products = left[:, DIM:] @ right[:, DIM:].T
    assert_allclose(np.diag(products), [0, 0, 0.5, 0], atol=1e-5)


def test_codes_depend_on_the_seed_and_the_pairs_alone() -> None:
    one, other = codes([0, 3]), codes([0, 3])
    assert one[0].tobytes() == other[0].tobytes()
    assert one[1].tobytes() == other[1].tobytes()


def test_two_pairs_have_codes_that_hardly_resemble_each_other() -> None:
    left, right = codes([0, 3])
    products = left[:, :DIM] @ right[:, :DIM].T
    assert_allclose(np.diag(products)[1:3], [0.5, 0.5], atol=1e-5)
    assert abs(products[1, 2]) < 0.15  # 1 is next to the one pair, 2 to the other


def test_stronger_pairs_weigh_more_in_a_mixture() -> None:
    star = csr_matrix(np.array([[0, 1, 1], [1, 0, 0], [1, 0, 0]], np.float32))
    rows = np.array([1, 2])
    matching = matching_of((3, 3), Pairs(rows, rows), np.array([0.9, 0.3], np.float32))
    mixed, _ = spread_codes(star, star, matching, 0)
    alone = [
        spread_codes(star, star, matching_of((3, 3), Pairs(rows, rows), np.array(each, np.float32)), 0)[0][0, :DIM]
        for each in ([0.9, 1e-6], [1e-6, 0.3])
    ]
    shares = [2 * float(mixed[0, :DIM] @ code) for code in alone]
    assert shares[0] > 0.9
    assert shares[1] < 0.5
