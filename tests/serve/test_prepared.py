"""Strings that were prepared are those that would be made when asked; users are read as from their table."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from factlink.data.files import write_network
from factlink.data.frames import ReadOptions, Tables, reading_from_tables
from factlink.encoders.ngrams.rows import NAME_GRAMS
from factlink.encoders.readings.sounds import FAR, NEAR
from factlink.encoders.readings.written import ReadingRules
from factlink.linkers.factoid.written.owned_names import own_names
from factlink.linkers.factoid.written.packed_names import EVERY_FAMILY, PackedNames
from factlink.serve.warm.prepared import Stored, _stored
from factlink.serve.warm.strings import Strings, join_strings
from factlink.serve.warm.users import UserTable
from factlink.types import Kind, Network

USERS = pl.DataFrame(
    {
        "id": ["u0", "u1", "ü2", "u3", "u4"],
        "name": [["Tim Keller"], ["李小龙", "Bruce Lee"], ["Пётр Иванов"], None, ["김철수"]],
        "handle": ["timk", None, "peter", "nobody", "kim"],
    }
)
RULES = ReadingRules(nicknames=True)
WEIGHTS = {"name": 1.0, "handle": 0.5}


def network_of(users: pl.DataFrame) -> Network:
    kinds = {"name": Kind.NAME, "handle": Kind.NAME}
    return reading_from_tables("here", Tables(users), ReadOptions(kinds, False)).network


@pytest.fixture
def home(tmp_path: Path) -> Path:
    write_network(network_of(USERS), tmp_path / "left")
    (tmp_path / "work").mkdir()
    return tmp_path


def texts(names: PackedNames) -> list[str]:
    ends = names.strings.starts.tolist()
    return [names.strings.letters[a:b].tobytes().decode() for a, b in pairwise(ends)]


def described(names: PackedNames) -> list[tuple[object, ...]]:
    """Every string with all that is known of it, in an order of its own."""
    marks, n = names.marks, len(names.owners)
    objects = [
        (int(owner), text, bool(foreign), round(float(weight), 3))
        for owner, text, foreign, weight in zip(
            names.owners, texts(names)[:n], marks.foreign, names.weights, strict=True
        )
    ]
    more = zip(marks.sources, texts(names)[n:], marks.families, marks.alternatives, marks.sounds, strict=True)
    return sorted(objects) + sorted((objects[s][:2], text, int(f), int(a), bool(h)) for s, text, f, a, h in more)


def names_of(rows: list[int], families: tuple[int, ...]) -> PackedNames:
    network = network_of(USERS[rows])
    return PackedNames.of(own_names(network, WEIGHTS), RULES, NAME_GRAMS, np.array(families, np.int64))


def stored_names() -> Strings:
    packed, network = names_of([0, 1, 2, 3, 4], EVERY_FAMILY), network_of(USERS)
    columns = np.repeat([0, 1], [len(network.attributes[name].rows) for name in WEIGHTS])
    return Strings.of(packed, columns)


def gathered(strings: Strings | Stored, rows: list[int], families: tuple[int, ...]) -> PackedNames:
    return strings.gather(np.array(rows), np.array(families, np.int64), np.array([1, 0.5], np.float32))


@pytest.mark.parametrize("families", [(), (NEAR,), (NEAR, FAR)])
@pytest.mark.parametrize("row", [0, 1, 2, 3, 4])
def test_strings_of_a_user_are_those_that_would_be_made(row: int, families: tuple[int, ...]) -> None:
    assert described(gathered(stored_names(), [row], families)) == described(names_of([row], families))


def test_objects_come_first_and_belong_to_their_users() -> None:
    found = gathered(stored_names(), [0, 2], ())
    assert texts(found)[:4] == ["Tim Keller", "timk", "Petr Ivanov", "peter"]
    assert found.owners.tolist() == [0, 0, 1, 1]
    assert found.weights.tolist() == [1, 0.5, 1, 0.5]
    assert "Timothy Keller" in texts(found)


def test_users_who_came_later_are_behind_those_who_were_first() -> None:
    whole = stored_names()
    first, later = (
        Strings.of(names_of(rows, EVERY_FAMILY), np.repeat([0, 1], counts))
        for rows, counts in (([0, 1, 2], [4, 2]), ([3, 4], [1, 2]))
    )
    both = gathered(Stored(first, later), [1, 3, 4], (FAR,))
    assert described(both) == described(gathered(whole, [1, 3, 4], (FAR,)))
    assert described(gathered(join_strings([first, later]), [1, 4], ())) == described(gathered(whole, [1, 4], ()))


def test_users_are_read_as_from_their_table(home: Path) -> None:
    users = UserTable.open(home / "left", "here", home / "work")
    assert users.rows_of(["ü2", "u2", "u0"]).tolist() == [2, -1, 0]
    assert users.objects(1) == {"name": ["李小龙", "Bruce Lee"]}
    assert users.shown_name(3) == "nobody"
    read = users.read(np.array([1, 3, 4]))
    assert read.users.to_list() == ["u1", "u3", "u4"]
    assert read.attributes["name"].rows.tolist() == [0, 0, 2]
    assert read.attributes["name"].objects.to_list() == ["李小龙", "Bruce Lee", "김철수"]
    assert read.attributes["handle"].objects.to_list() == ["nobody", "kim"]


def test_what_was_prepared_is_used_again_and_only_for_the_same_users(home: Path) -> None:
    users, made = UserTable.open(home / "left", "here", home / "work"), list[tuple[int, int]]()

    def make(first: int, last: int) -> Strings:
        made.append((first, last))
        return Strings.of(names_of(list(range(first, last)), EVERY_FAMILY), np.zeros(_objects(first, last), np.int64))

    for _ in range(2):
        stored = _stored(users, ["name"], "a key", make, home / "work")
    assert (made, len(stored.first), stored.later) == ([(0, 5)], 5, None)
    changed = USERS.with_columns(handle=pl.lit("x"), name=pl.lit("Somebody Else"))
    write_network(network_of(changed), home / "other" / "left")
    _stored(UserTable.open(home / "other" / "left", "here", home / "work"), ["name"], "a key", make, home / "work")
    assert made == [(0, 5), (0, 5)]


def _objects(first: int, last: int) -> int:
    network = network_of(USERS[first:last])
    return sum(len(attribute.rows) for attribute in network.attributes.values())
