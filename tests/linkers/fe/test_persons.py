"""Person factoids: who becomes a person, and what that teaches."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from factlink.embedding.settings import Training
from factlink.embedding.space import Space
from factlink.embedding.state import Trail
from factlink.errors import SettingError
from factlink.evaluation.metrics import evaluate
from factlink.linkers.fe.linker import FELinker
from factlink.linkers.fe.persons import Persons, Taught, add_persons
from factlink.synthetic.worlds import Dials, LinkDials, Population, twins
from factlink.types import FactoidTable, Floats, Kind, Objects


def space_of(vectors: Floats, table: FactoidTable) -> Space:
    return Space(vectors, table.rows, (), {}, {}, Trail(np.empty(0, np.int64)))


def table_of(n: int, shared: int = 0) -> FactoidTable:
    """Two networks of n users; the first `shared` of both are known pairs."""
    rights = np.concatenate([np.arange(shared), np.arange(n, 2 * n - shared)])
    rows = {"left": np.arange(n), "right": rights}
    return FactoidTable(2 * n - shared, rows, {}, {}, {})


def test_mutual_best_users_become_one_person_where_they_met() -> None:
    table = table_of(2)
    vectors = np.array([[1, 0], [0, 1], [0.8, 0.6], [0, 1]], np.float32)  # left 0, 1; right 0, 1
    taught = add_persons(Taught(table, {}), space_of(vectors, table), share=1.0)
    assert taught.table.objects["is"].values.to_list() == ["person 1", "person 2"]
    has = taught.table.has["is"]
    assert sorted(zip(has.users.tolist(), has.objects.tolist(), strict=True)) == [(0, 1), (1, 0), (2, 1), (3, 0)]
    assert taught.vectors["is"][0] == pytest.approx([0, 1], abs=1e-6)  # the widest margin first
    assert taught.vectors["is"][1] == pytest.approx(np.array([1.8, 0.6]) / np.sqrt(3.6), abs=1e-6)


def test_a_smaller_share_keeps_the_wider_margin() -> None:
    table = table_of(2)
    vectors = np.array([[1, 0], [0.6, 0.8], [1, 0.1], [0.9, 0.5]], np.float32)
    taught = add_persons(Taught(table, {}), space_of(vectors, table), share=0.5)
    assert taught.table.has["is"].users.tolist() == [0, 2]


def test_known_pairs_need_no_person_and_a_column_of_that_name_is_kept() -> None:
    table = table_of(2, shared=1)
    table = replace(table, objects={"is": Objects(Kind.TEXT, pl.Series(["x"]))})
    vectors = np.array([[1, 0], [0, 1], [0, 1]], np.float32)
    taught = add_persons(Taught(table, {}), space_of(vectors, table), share=1.0)
    assert list(taught.table.objects) == ["is", "is a person"]
    assert taught.table.has["is a person"].users.tolist() == [1, 2]


def test_persons_teach_links_what_names_do_not_know() -> None:
    world = twins(Dials(Population(people=500), links=LinkDials(mean=20, kept=0.8, own=0.1)))
    left, right = world.networks
    truth = world.truth(left.name, right.name)
    once = FELinker(Training(dim=128), persons=Persons(rounds=0, less_hubness=False))
    taught = replace(once, persons=Persons(rounds=4, less_hubness=False))
    assert evaluate(taught.fit(left, right), truth).mrr > evaluate(once.fit(left, right), truth).mrr + 0.03


@pytest.mark.parametrize(
    ("settings", "message"),
    [({"rounds": -1}, "persons.rounds is -1"), ({"first": 0.0}, "persons.first is 0.0; it lies above 0")],
)
def test_settings_are_checked_at_birth(settings: dict[str, float], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        Persons(**settings)  # type: ignore[arg-type]
