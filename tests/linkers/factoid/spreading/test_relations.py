import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from factlink.linkers.factoid.spreading.relations import _fans
from tests.linkers.factoid.spreading.graphs import relations


def test_every_link_is_listed_from_both_ends_and_links_to_oneself_are_not() -> None:
    found = relations(3, {"knows": [(0, 1), (0, 1), (2, 2)], "born in": [(0, 2)]})
    assert_array_equal(found.starts, [0, 2, 3, 4])
    assert_array_equal(found.neighbours, [1, 2, 0, 0])
    assert_array_equal(found.relations, [0, 2, 1, 3])


def test_a_relation_that_a_user_has_often_is_less_rare() -> None:
    found = relations(4, {"born in": [(0, 3), (1, 3)], "knows": [(0, 1)]})
    half = 1 / (1 + np.log(2))
    # user 0 was born in 3 and knows 1; two were born in 3
    assert_allclose(found.rarity[:2], [1, 1])
    assert_allclose(found.rarity_there[:2], [1, half], rtol=1e-6)
    assert_allclose(found.rarity[-2:], [half, half], rtol=1e-6)
    assert_allclose(found.rarity_there[-2:], [1, 1])


def test_entries_are_counted_by_user_and_relation_together() -> None:
    assert _fans(np.array([0, 2, 2, 0]), np.array([1, 0, 0, 0]), 2).tolist() == [1, 2, 2, 1]


def test_a_relation_is_described_by_its_predicate_and_direction() -> None:
    found = relations(2, {"knows": [(0, 1)], "born in": [(0, 1)]})
    assert [found.describe(relation) for relation in range(4)] == ["knows", "knows ←", "born in", "born in ←"]


def test_networks_without_links_have_no_relations() -> None:
    found = relations(2, {})
    assert_array_equal(found.starts, [0, 0, 0])
    assert found.n_users == 2
