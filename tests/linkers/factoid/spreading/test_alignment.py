import numpy as np
import pytest

from factlink.linkers.factoid.spreading.alignment import align_relations
from factlink.linkers.factoid.spreading.matching import matching_of
from factlink.types import Pairs
from tests.linkers.factoid.spreading.graphs import relations

ROWS = np.arange(4)


def test_a_relation_implies_the_one_that_joins_the_partners() -> None:
    """Of two `knows` between matched users one is `friend of` there and one nothing: (1 + .15) / (2 + 3)."""
    left, right = relations(4, {"knows": [(0, 1), (2, 3)]}), relations(4, {"friend of": [(0, 1)], "likes": []})
    found = align_relations(left, right, matching_of((4, 4), Pairs(ROWS, ROWS), np.ones(4, np.float32)))
    assert found.left.share(0, 0) == pytest.approx(1.15 / 5)
    assert found.left.share(0, 2) == pytest.approx(0.15 / 5)
    assert found.right.share(0, 0) == pytest.approx(1.15 / 4)
    assert found.right.share(2, 0) == pytest.approx(0.15 / 3)


def test_directions_are_relations_of_their_own() -> None:
    left, right = relations(4, {"parent of": [(0, 1)]}), relations(4, {"child of": [(1, 0)]})
    found = align_relations(left, right, matching_of((4, 4), Pairs(ROWS, ROWS), np.ones(4, np.float32)))
    assert found.left.share(0, 1) == pytest.approx(1.15 / 4)
    assert found.left.share(0, 0) == pytest.approx(0.15 / 4)


def test_weakly_matched_pairs_teach_less() -> None:
    left, right = relations(4, {"knows": [(0, 1)]}), relations(4, {"knows": [(0, 1)]})
    weak = align_relations(left, right, matching_of((4, 4), Pairs(ROWS, ROWS), np.full(4, 0.5, np.float32)))
    assert weak.left.share(0, 0) == pytest.approx((0.25 + 0.15) / (0.25 + 3))


def test_links_of_unmatched_users_teach_nothing() -> None:
    left, right = relations(4, {"knows": [(0, 1)]}), relations(4, {"knows": [(0, 1)]})
    some = Pairs(np.array([0]), np.array([0]))
    found = align_relations(left, right, matching_of((4, 4), some, np.ones(1, np.float32)))
    assert found.left.share(0, 0) == pytest.approx(0.05)
