"""Names with all that they may be read as, by hand."""

from itertools import pairwise

import numpy as np
import polars as pl
from numpy.testing import assert_allclose

from factlink.encoders.ngrams.rows import NAME_GRAMS
from factlink.encoders.readings.sounds import FAR, NEAR, PLAIN
from factlink.encoders.readings.written import ALWAYS, Marks, ReadingRules
from factlink.encoders.transliteration import PackedStrings
from factlink.linkers.factoid.written.owned_names import OwnedNames, own_names
from factlink.linkers.factoid.written.packed_names import PackedNames
from factlink.types import Attribute, Ints, Kind, Network


def strings(*texts: str) -> PackedStrings:
    letters = np.frombuffer("".join(texts).encode(), np.uint8)
    return PackedStrings(letters, np.cumsum([0, *map(len, texts)]))


def texts(packed: PackedStrings) -> list[str]:
    return [packed.letters[start:end].tobytes().decode() for start, end in pairwise(packed.starts.tolist())]


def ints(*values: int) -> Ints:
    return np.array(values, np.int64)


def packed() -> PackedNames:
    """Users 0 and 2 of three have a name; the second is in another script, has a reading, and is heard as NEAR."""
    marks = Marks(
        np.array([False, True]),
        ints(1, 1, 0, 0),
        ints(PLAIN, NEAR, NEAR, FAR),
        ints(0, 0, ALWAYS, ALWAYS),
        np.array([False, True, True, True]),
    )
    whole = strings("Tim", "Wei", "Way", "w", "tm", "tim")
    return PackedNames(whole, marks, ints(0, 2), np.array([1, 0.5], np.float32), 3)


def test_names_as_written_have_no_further_strings() -> None:
    found = packed().as_written()
    assert texts(found.strings) == ["Tim", "Wei"]
    assert found.marks.foreign.tolist() == [False, True]
    further = (found.marks.sources, found.marks.families, found.marks.alternatives, found.marks.sounds)
    assert [len(each) for each in further] == [0, 0, 0, 0]
    assert (found.owners.tolist(), found.weights.tolist(), found.n_users) == ([0, 2], [1.0, 0.5], 3)


def test_sounds_that_only_others_need_are_not_counted() -> None:
    assert packed().families.tolist() == [NEAR]
    assert texts(packed().counted()) == ["Tim", "Wei", "Way", "w", "tm"]  # nobody here is heard as FAR
    assert texts(packed().as_written().counted()) == ["Tim", "Wei"]


def test_other_users_come_after_these_with_their_names_before_all_further_strings() -> None:
    found = packed().beside(packed())
    assert texts(found.strings) == ["Tim", "Wei", "Tim", "Wei", *["Way", "w", "tm", "tim"] * 2]
    assert found.owners.tolist() == [0, 2, 3, 5]
    assert found.weights.tolist() == [1.0, 0.5, 1.0, 0.5]
    assert found.n_users == 6
    assert found.marks.foreign.tolist() == [False, True, False, True]
    assert found.marks.sources.tolist() == [1, 1, 0, 0, 3, 3, 2, 2]
    assert found.marks.families.tolist() == [PLAIN, NEAR, NEAR, FAR] * 2
    assert found.marks.alternatives.tolist() == [0, 0, ALWAYS, ALWAYS] * 2
    assert found.marks.sounds.tolist() == [False, True, True, True] * 2


def test_names_are_packed_with_their_readings_and_the_sounds_that_are_asked_for() -> None:
    names = OwnedNames(pl.Series(["Anna", "魏雅凯"]), ints(1, 0), np.array([1, 2], np.float32), 2)
    plain = PackedNames.of(names, ReadingRules(none=True), NAME_GRAMS, ints())
    assert (len(plain.strings), plain.marks.foreign.tolist()) == (2, [False, False])
    found = PackedNames.of(names, ReadingRules(), NAME_GRAMS, ints(NEAR))
    assert texts(found.strings)[0] == "Anna"
    assert found.marks.foreign.tolist() == [False, True]
    assert "Wei Yakai" in texts(found.strings)[2:]
    assert NEAR in found.marks.families[found.marks.sources == 0]
    assert (found.owners.tolist(), found.weights.tolist(), found.n_users) == ([1, 0], [1.0, 2.0], 2)


def test_names_are_owned_as_much_as_their_predicate_counts() -> None:
    attributes = {
        "name": Attribute(Kind.NAME, ints(0, 2), pl.Series(["Ann", "Cid"])),
        "handle": Attribute(Kind.NAME, ints(1), pl.Series(["bob"])),
        "bio": Attribute(Kind.TEXT, ints(1), pl.Series(["says nothing"])),
    }
    network = Network("here", pl.Series(["a", "b", "c"]), attributes, {})
    found = own_names(network, {"name": 0.75, "handle": 0.25, "absent": 1.0})
    assert found.objects.to_list() == ["Ann", "Cid", "bob"]
    assert found.owners.tolist() == [0, 2, 1]
    assert_allclose(found.weights, [0.75, 0.75, 0.25])
    assert found.n_users == 3
    assert len(own_names(network, {}).objects) == 0
