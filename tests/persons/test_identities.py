import numpy as np
import polars as pl

from factlink.persons.identities import name_persons, record_changes


def accounts(*users: str) -> pl.DataFrame:
    """Users such as a:1, where a is the network."""
    return pl.DataFrame([user.split(":") for user in users], schema=["network", "user"], orient="row")


def named(people: dict[str, str], earlier: pl.DataFrame | None = None, used: tuple[str, ...] = ()) -> pl.DataFrame:
    """Members of persons given as words: {"a:1 b:1": ...}."""
    found = accounts(*[user for group in people.values() for user in group.split()])
    numbers = np.repeat(np.arange(len(people)), [len(group.split()) for group in people.values()])
    kept = {} if earlier is None else {"earlier": earlier}
    return found.with_columns(person=name_persons(found, numbers, used=used, **kept))


def ids(members: pl.DataFrame) -> dict[str, str]:
    rows = members.select(key=pl.col("network") + ":" + pl.col("user"), person="person").rows()
    return dict(rows)


def test_an_id_is_made_from_the_accounts_alone() -> None:
    first = ids(named({"x": "a:1 b:1", "y": "a:2"}))
    again = ids(named({"y": "a:2", "x": "b:1 a:1"}))
    assert first == again
    assert first["a:1"] == first["b:1"] != first["a:2"]
    assert len(first["a:1"]) == 12


def test_ids_stay_where_accounts_are_added() -> None:
    before = named({"x": "a:1 b:1", "y": "a:2"})
    after = ids(named({"x": "a:1 b:1 c:1", "y": "a:2 c:2", "z": "c:3"}, before))
    assert (after["c:1"], after["c:2"]) == (ids(before)["a:1"], ids(before)["a:2"])
    assert after["c:3"] not in ids(before).values()
    assert record_changes(before, named({"x": "a:1 b:1 c:1", "y": "a:2 c:2", "z": "c:3"}, before)).rows() == []


def test_when_a_person_splits_the_larger_part_keeps_the_id() -> None:
    before = named({"x": "a:1 b:1 c:1"})
    after = named({"x": "c:1", "y": "a:1 b:1"}, before)
    assert ids(after)["a:1"] == ids(before)["a:1"] != ids(after)["c:1"]
    assert record_changes(before, after).rows() == [(ids(before)["a:1"], "split", ids(after)["c:1"])]


def test_when_persons_merge_the_larger_ones_id_stays_and_the_other_is_retired() -> None:
    before = named({"x": "a:1", "y": "b:1 c:1"})
    after = named({"x": "a:1 b:1 c:1"}, before)
    assert ids(after)["a:1"] == ids(before)["b:1"]
    assert record_changes(before, after).rows() == [(ids(before)["a:1"], "merged", ids(before)["b:1"])]


def test_a_retired_id_is_given_to_nobody_else() -> None:
    first = named({"x": "a:1", "y": "b:1 c:1"})
    retired = ids(first)["a:1"]
    merged = named({"x": "a:1 b:1 c:1"}, first)
    apart = ids(named({"x": "a:1", "y": "b:1 c:1"}, merged, used=(retired,)))
    assert apart["a:1"] not in {retired, apart["b:1"]}
    assert apart["b:1"] == ids(first)["b:1"]


def test_a_person_all_of_whose_accounts_went_away_is_gone() -> None:
    before = named({"x": "a:1", "y": "b:1"})
    after = named({"y": "b:1"}, before)
    assert record_changes(before, after).rows() == [(ids(before)["a:1"], "gone", None)]
