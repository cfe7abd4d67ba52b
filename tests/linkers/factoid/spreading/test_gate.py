import numpy as np
from numpy.testing import assert_array_equal

from factlink.linkers.factoid.spreading.gate import Agreement, measure_agreement, most_voted, named_share
from factlink.linkers.factoid.spreading.matching import matching_of
from factlink.linkers.factoid.spreading.relations import Relations
from factlink.types import Pairs
from tests.linkers.factoid.spreading.graphs import relations


def test_links_must_name_a_tenth_of_the_likely_pairs_more_than_chance() -> None:
    assert Agreement(0.2, 0.1).is_open
    assert not Agreement(0.2, 0.11).is_open


def test_few_pairs_prove_little() -> None:
    """Two of two, as if ten others had not been named."""
    assert named_share(Pairs(np.array([0, 1]), np.array([1, 0])), np.array([1, 0, -1])) == 2 / 12
    assert named_share(Pairs(np.array([0, 2]), np.array([1, 0])), np.array([1, 0, -1])) == 1 / 12


def test_a_tie_names_nobody() -> None:
    """0 and 2 are each linked to the matched 1 alone, so nothing tells them apart."""
    star = relations(3, {"knows": [(0, 1), (2, 1)]})
    matching = matching_of((3, 3), Pairs(np.array([1]), np.array([1])), np.ones(1, np.float32))
    assert_array_equal(most_voted(star, star, matching), [-1, -1, -1])


def drawn(seed: int, n_users: int = 100, n_links: int = 400) -> Relations:
    ends = np.random.default_rng(seed).integers(0, n_users, (n_links, 2)).tolist()
    return relations(n_users, {"knows": [(one, other) for one, other in ends]})


def test_the_same_links_open_the_gate_and_other_links_close_it() -> None:
    rows = np.arange(0, 100, 2)
    matching = matching_of((100, 100), Pairs(rows, rows), np.ones(50, np.float32))
    same, other = (measure_agreement(drawn(0), drawn(seed), matching, 0) for seed in (0, 1))
    assert same.named > 0.7
    assert same.is_open
    assert not other.is_open
