import numpy as np
import pytest

from factlink.linkers.factoid.spreading.gate import Agreement, measure_agreement, named_share
from factlink.linkers.factoid.spreading.matching import matching_of
from factlink.linkers.factoid.spreading.relations import Relations
from factlink.types import Pairs
from tests.linkers.factoid.spreading.graphs import relations


def test_links_must_name_a_tenth_of_the_likely_pairs_more_than_chance() -> None:
    assert Agreement(0.2, 0.1).is_open
    assert not Agreement(0.2, 0.11).is_open


def test_a_tie_names_each_in_part_and_few_pairs_prove_little() -> None:
    """0 and 2 know the matched 1 alone, so both right users have as many votes; as if ten pairs were not named."""
    star = relations(3, {"knows": [(0, 1), (2, 1)]})
    matching = matching_of((3, 3), Pairs(np.array([1]), np.array([1])), np.ones(1, np.float32))
    both = Pairs(np.array([0, 2]), np.array([0, 2]))
    assert named_share(star, star, matching, both) == pytest.approx((0.5 + 0.5) / 12)


def test_pairs_for_whom_no_neighbour_votes_do_not_count() -> None:
    star = relations(4, {"knows": [(0, 1), (2, 3)]})
    matching = matching_of((4, 4), Pairs(np.array([1]), np.array([1])), np.ones(1, np.float32))
    both = Pairs(np.array([0, 2]), np.array([0, 2]))
    assert named_share(star, star, matching, both) == pytest.approx(1 / 11)


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
