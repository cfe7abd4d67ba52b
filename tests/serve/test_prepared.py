"""Strings that were prepared are those that would be made when asked; users are read as from their table."""

from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl
import pytest

from factlink.data.files import write_network
from factlink.data.frames import ReadOptions, Tables, reading_from_tables
from factlink.encoders.ngrams.rows import NAME_GRAMS
from factlink.encoders.ngrams.spaces import learn_space
from factlink.encoders.readings.written import ReadingRules
from factlink.encoders.transliteration import pack
from factlink.evidence import ChannelWeight, EvidenceSource
from factlink.linkers.factoid.written.name_channel import NameChannel
from factlink.linkers.factoid.written.owned_names import own_names
from factlink.linkers.factoid.written.packed_names import EVERY_FAMILY, PackedNames
from factlink.linkers.factoid.written.versions import find_both_versions, find_versions_of
from factlink.serve.warm.named import Named
from factlink.serve.warm.prepared import PreparedSide, _stored
from factlink.serve.warm.strings import Strings
from factlink.serve.warm.users import UserTable
from factlink.types import Kind, Network, Pairs

USERS = pl.DataFrame(
    {
        "id": ["u0", "u1", "ü2", "u3", "u4"],
        "name": [["Tim Keller"], ["李小龙", "Bruce Lee"], ["Пётр Иванов"], None, ["김철수"]],
        "handle": ["timk", None, "peter", "nobody", "kim"],
    }
)
RULES = ReadingRules(nicknames=True)
WEIGHTS = {"name": 1.0, "handle": 0.5}
WEIGHTING = ChannelWeight(EvidenceSource.NAMES, "", "", 1.0, "")


def network_of(users: pl.DataFrame) -> Network:
    kinds = {"name": Kind.NAME, "handle": Kind.NAME}
    return reading_from_tables("here", Tables(users), ReadOptions(kinds, False)).network


@pytest.fixture
def home(tmp_path: Path) -> Path:
    write_network(network_of(USERS), tmp_path / "left")
    (tmp_path / "work").mkdir()
    return tmp_path


def names_of(rows: list[int]) -> PackedNames:
    network = network_of(USERS[rows])
    return PackedNames.of(own_names(network, WEIGHTS), RULES, NAME_GRAMS, np.array(EVERY_FAMILY))


SPACE = learn_space(["Tim Keller", "Timothy Keller", "Li Xiaolong", "Bruce Lee", "Petr", "Kim"], NAME_GRAMS, 16, 1)[0]
ASKED = pl.DataFrame(
    {
        "id": ["v0", "v1", "v2"],
        "name": [["Timothy Keller"], ["Li Xiaolong"], ["브루스 리", "Kim Chul-soo"]],
        "handle": ["keller", None, "petr"],
    }
)


def compared(parts: tuple[Named, ...], rows: list[int]) -> npt.NDArray[np.float32]:
    """(3, n): the three who ask beside users in some rows, by stored names."""
    mine = PackedNames.of(own_names(network_of(ASKED), WEIGHTS), RULES, NAME_GRAMS, np.array(EVERY_FAMILY))
    owned, weights = mine.rows(SPACE)
    asked = find_versions_of(mine.marks, owned, weights, 3), owned.buckets
    channel = PreparedSide(parts, {}).name_channel(WEIGHTING, asked, SPACE, np.array(rows))
    n = len(rows)
    return channel.products(Pairs(np.repeat(np.arange(3), n), np.tile(np.arange(n), 3))).reshape(3, n)


def made_when_asked(rows: list[int]) -> npt.NDArray[np.float32]:
    """The same by names that are put into Latin letters together, as `factlink add` does."""
    mine = PackedNames.of(own_names(network_of(ASKED), WEIGHTS), RULES, NAME_GRAMS, np.array(EVERY_FAMILY))
    theirs = PackedNames.of(own_names(network_of(USERS[rows]), WEIGHTS), RULES, NAME_GRAMS, mine.families)
    both = mine.beside(theirs)
    owned, weights = both.rows(SPACE)
    own = owned.sums(weights, 0, 3), owned.sums(weights, 3, both.n_users)
    channel = NameChannel(WEIGHTING, *own, versions=find_both_versions(both.marks, owned, weights, own))
    n = len(rows)
    return channel.products(Pairs(np.repeat(np.arange(3), n), np.tile(np.arange(n), 3))).reshape(3, n)


def test_stored_names_are_compared_as_names_made_when_asked() -> None:
    found = compared((Named.of(names_of([0, 1, 2, 3, 4])),), [0, 1, 2, 3, 4])
    assert found == pytest.approx(made_when_asked([0, 1, 2, 3, 4]), abs=1e-6)
    assert found[0, 0] > 0.5  # Timothy Keller beside Tim Keller
    assert found[1, 1] > 0.5  # Li Xiaolong beside 李小龙
    assert found[2, 4] > 0.2  # by the sounds of a name in another script


@pytest.mark.parametrize("rows", [[1, 3, 4], [4], [0, 2]])
def test_users_who_came_later_are_compared_as_those_who_were_first(rows: list[int]) -> None:
    parts = Named.of(names_of([0, 1, 2])), Named.of(names_of([3, 4]))
    found = compared(parts, rows)
    assert found == pytest.approx(made_when_asked(rows), abs=1e-6)
    assert compared((Named.join(parts),), rows) == pytest.approx(found, abs=1e-6)


def test_rows_of_stored_names_are_those_of_names_as_written() -> None:
    packed = names_of([0, 1, 2, 3, 4]).as_written()
    owned, weights = packed.rows(SPACE)
    wanted = owned.sums(weights, 0, 5)
    found = PreparedSide((Named.of(names_of([0, 1, 2])), Named.of(names_of([3, 4]))), {}).rows(np.arange(5), SPACE)
    assert found[:, owned.buckets].toarray() == pytest.approx(wanted.toarray(), abs=1e-6)


def test_texts_of_users_come_with_their_owners() -> None:
    texts = pack(pl.Series(["cats", "code", "", "tea"]))
    stored = Strings.of(texts, np.array([0, 0, 2, 3]), 4)
    owners, found = stored.gather(np.array([0, 3]))
    assert owners.tolist() == [0, 0, 1]
    assert found.letters.tobytes() == b"catscodetea"
    assert found.starts.tolist() == [0, 4, 8, 11]
    later = Strings.of(pack(pl.Series(["more"])), np.array([0]), 1)
    for parts in ((stored, later), (Strings.join([stored, later]),)):
        owners, found = PreparedSide((), {"bio": parts}).texts("bio", np.array([1, 3, 4])) or ([], texts)
        assert (owners.tolist(), found.letters.tobytes()) == ([1, 2], b"teamore")


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

    def make(first: int, last: int) -> Named:
        made.append((first, last))
        return Named.of(names_of(list(range(first, last))))

    for _ in range(2):
        parts = _stored(Named, (users, ["name"]), "a key", make, home / "work")
    assert (made, [len(part) for part in parts]) == ([(0, 5)], [5])
    changed = USERS.with_columns(handle=pl.lit("x"), name=pl.lit("Somebody Else"))
    write_network(network_of(changed), home / "other" / "left")
    other = UserTable.open(home / "other" / "left", "here", home / "work")
    _stored(Named, (other, ["name"]), "a key", make, home / "work")
    assert made == [(0, 5), (0, 5)]
