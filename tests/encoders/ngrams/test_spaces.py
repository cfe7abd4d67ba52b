"""Further strings in a space that others made."""

import numpy as np

from factlink.encoders.names import NameEncoder
from factlink.encoders.ngrams.rows import NAME_GRAMS
from factlink.encoders.ngrams.spaces import learn_space

NAMES = ["anna", "hanna", "bob", "bobby", "zoe"]


def test_a_string_that_was_there_is_encoded_as_before() -> None:
    space, vectors = learn_space(NAMES, NAME_GRAMS, 64, 3)
    assert np.array_equal(space.encode(NAMES), vectors)
    assert np.array_equal(NameEncoder(dim=64, seed=3).encode(NAMES), vectors)


def test_rows_of_further_strings_weigh_what_all_strings_weigh() -> None:
    space, _ = learn_space(NAMES, NAME_GRAMS, 64, 0)
    grown, whole = space.grown(["zoey"]), learn_space([*NAMES, "zoey"], NAME_GRAMS, 64, 0)[0]
    assert grown.counts.n_strings == 6
    cosines = grown.rows(["zoe", "zoey"]) @ grown.rows(["zoe", "zoey"]).T
    expected = whole.rows(["zoe", "zoey"]) @ whole.rows(["zoe", "zoey"]).T
    assert np.allclose(cosines.toarray(), expected.toarray(), atol=1e-6)


def test_an_n_gram_of_one_string_counts_once_another_has_it() -> None:
    space, _ = learn_space(NAMES, NAME_GRAMS, 64, 0)
    before = (space.rows(["zoe"]).multiply(space.rows(["zoe"]))).sum()
    assert np.isclose(before, 1)
    assert (space.counts.weights(NAME_GRAMS) > 0).sum() < (space.grown(["zoe"]).counts.weights(NAME_GRAMS) > 0).sum()
