import numpy as np
import polars as pl
import pytest

from factlink.embedding.objectives import centred, list_objectives
from factlink.embedding.settings import LinkSettings
from factlink.errors import InputError
from factlink.types import FactoidTable, Follows, Has, Kind, Objects
from factlink.vectors import unit_rows


def follows(*pairs: tuple[int, int]) -> Follows:
    ends = np.array(pairs, np.int32)
    return Follows(ends[:, 0], ends[:, 1], np.ones(len(pairs), np.float32))


TABLE = FactoidTable(
    n_rows=4,
    rows={"left": np.array([0, 1]), "right": np.array([2, 3])},
    objects={"name": Objects(Kind.NAME, pl.Series(["ann", "bob", "?"]))},
    has={"name": Has(np.array([0, 1, 2, 3]), np.array([0, 1, 0, 2]))},
    links={"knows": follows((0, 1), (2, 3)), "likes": follows((0, 1)), "rates": follows((3, 2))},
)
VECTORS = {"name": np.array([[1, 0], [0, 1], [0, 0]], np.float32)}


def test_objects_without_a_vector_push_nobody() -> None:
    name = list_objectives(TABLE, VECTORS, LinkSettings(), centre=False)[0]
    assert name.users.tolist() == [0, 1, 2]
    assert not name.is_link


def test_pooled_links_count_once_for_each_predicate() -> None:
    pooled = list_objectives(TABLE, VECTORS, LinkSettings(both_directions=False, degree_normalised=False))[1]
    assert pooled.predicate == "follows"
    assert list(zip(pooled.users.tolist(), pooled.objects.tolist(), pooled.weights.tolist(), strict=True)) == [
        (0, 1, 2.0),
        (2, 3, 1.0),
        (3, 2, 1.0),
    ]


def test_separate_keeps_what_every_network_has_and_pools_the_rest() -> None:
    listed = list_objectives(TABLE, VECTORS, LinkSettings(predicates="separate", both_directions=False))
    assert [objective.predicate for objective in listed] == ["name", "knows", "follows"]
    assert listed[2].users.tolist() == [0, 3]


def test_both_directions_and_degrees() -> None:
    table = FactoidTable(3, {"left": np.arange(3)}, {}, {}, {"follows": follows((0, 1), (0, 2))})
    both = list_objectives(table, {}, LinkSettings())[0]
    assert both.users.tolist() == [0, 0, 1, 2]
    assert both.out_degrees is not None
    assert both.out_degrees.tolist() == [2, 1, 1]
    assert both.weights == pytest.approx([2**-0.5] * 4)


def test_a_known_pair_counts_by_the_links_of_one_account() -> None:
    rows = {"left": np.array([0, 1]), "right": np.array([0, 2])}
    table = FactoidTable(3, rows, {}, {}, {"follows": follows((0, 1), (0, 2))})
    both = list_objectives(table, {}, LinkSettings())[0]
    assert both.users.tolist() == [0, 0, 1, 2]
    assert both.weights == pytest.approx([1, 1, 0.5, 0.5])  # links of one account each; the pair's vector is longer


def test_links_of_no_weight_are_left_out() -> None:
    assert [o.predicate for o in list_objectives(TABLE, VECTORS, LinkSettings(weight=0.0))] == ["name"]


def test_vectors_must_cover_the_objects() -> None:
    with pytest.raises(InputError, match="predicate 'name' has 3 objects but 1 vectors; encode them all"):
        list_objectives(TABLE, {"name": np.ones((1, 2), np.float32)}, LinkSettings())


def test_centring_takes_out_what_all_objects_share() -> None:
    vectors = np.array([[3, 1], [3, -1], [0, 0]], np.float32)
    moved = centred(vectors, vectors.any(axis=1))
    assert moved == pytest.approx(unit_rows(np.array([[1.5, 1], [1.5, -1], [0, 0]], np.float32)))
    assert moved[0] @ moved[1] < vectors[0] @ vectors[1] / 10
