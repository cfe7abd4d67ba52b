"""Which rows count in which version of a user: three users, by hand."""

import numpy as np
import polars as pl
from numpy.testing import assert_allclose
from scipy.sparse import csr_matrix

from factlink.encoders.readings.sounds import NEAR, PLAIN
from factlink.encoders.readings.written import ALWAYS, Written
from factlink.linkers.factoid.written.memberships import Held
from factlink.linkers.factoid.written.versions import Versions, find_versions

HALF, THIRD = np.sqrt(1 / 2), np.sqrt(1 / 3)

OBJECTS = [  # whose, how much it counts, in another script
    (0, 1.0, True),
    (1, 1.0, False),
    (1, 0.2, True),  # so little that user 1 is known by the Latin name
    (2, 1.0, True),
    (2, 1.0, False),
]
MORE = [  # of which object, family, alternative, a sound
    (0, PLAIN, 0, False),
    (0, PLAIN, 1, False),
    (0, NEAR, 0, True),
    (1, NEAR, ALWAYS, True),
    (2, PLAIN, 0, False),
    (3, PLAIN, 0, False),
    (3, NEAR, 0, True),
    (4, NEAR, ALWAYS, True),
]


def found() -> Versions:
    owners, weights, foreign = (np.array(column) for column in zip(*OBJECTS, strict=True))
    sources, families, alternatives, sounds = (np.array(column) for column in zip(*MORE, strict=True))
    texts, more = (pl.Series([str(place) for place in range(len(rows))]) for rows in (OBJECTS, MORE))
    written = Written(texts, foreign, more, sources, families, alternatives, sounds)
    rows = csr_matrix(np.eye(len(OBJECTS) + len(MORE), dtype=np.float32))
    return find_versions(written, Held(owners, weights.astype(np.float32)), rows, rows[[0, 1, 3]])


def test_versions_stand_by_user_the_own_row_first() -> None:
    side = found()
    assert side.foreign.tolist() == [True, False, True]
    assert side.starts.tolist() == [0, 4, 6, 9]
    assert side.places.tolist() == [0, 3, 4, 5, 1, 6, 2, 7, 8]
    assert side.families.tolist() == [PLAIN, PLAIN, PLAIN, NEAR, PLAIN, NEAR, PLAIN, PLAIN, NEAR]


def test_a_version_holds_its_reading_and_what_counts_always() -> None:
    rows, own = found().rows.toarray(), len(OBJECTS)
    expected = np.zeros((9, own + len(MORE)))
    expected[0, 0] = expected[1, 1] = expected[2, 3] = 1  # as written
    expected[3, own + 0] = expected[4, own + 1] = expected[5, own + 2] = 1  # two readings, and a sound
    expected[6, [1, own + 3]] = HALF  # a Latin name and its sound
    expected[7, [4, own + 5]] = HALF  # a reading beside the Latin name of the same user
    expected[8, [4, own + 6, own + 7]] = THIRD  # a sound beside it, and the Latin name's own
    assert_allclose(rows, expected, atol=1e-6)


def test_a_version_names_the_reading_that_it_spells() -> None:
    assert found().spelled.tolist() == [0, 1, -1, -1, 5, -1]
