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


def test_among_many_an_n_gram_of_one_string_counts_once_another_has_it() -> None:
    space, _ = learn_space([*NAMES, *["anna"] * 200], NAME_GRAMS, 64, 0)
    assert np.isclose(space.rows(["zoe"]).multiply(space.rows(["zoe"])).sum(), 1)
    before, after = (each.counts.weights(NAME_GRAMS) for each in (space, space.grown(["zoe"])))
    assert (before > 0).sum() < (after > 0).sum()


def test_among_few_strings_what_one_alone_has_counts_against_likeness() -> None:
    few, many = (learn_space([*NAMES, *more], NAME_GRAMS, 64, 0)[0] for more in ([], ["anna"] * 200))
    alike = [float((space.rows(["bobby"]) @ space.rows(["bob"]).T).toarray()[0, 0]) for space in (few, many)]
    assert 0.2 < alike[0] < alike[1] < 1
