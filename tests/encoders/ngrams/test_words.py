"""The cosine of texts, split by words."""

import numpy as np
import polars as pl
import pytest

from factlink.encoders.ngrams.rows import ngram_matrix, weigh
from factlink.encoders.ngrams.words import MOST_WORDS, WordCosine
from factlink.encoders.texts import TEXT_GRAMS

TEXTS = pl.Series(
    [
        "Photographer in Vienna, love cats",
        "photography and cats. Wien!",
        "runner, father of two",
        "mother of two cats from Vienna",
        "写真家 in Vienna",
        "#PhotoOfTheDay photographer",
    ]
)


@pytest.fixture(scope="module")
def cosine() -> WordCosine:
    return WordCosine(TEXT_GRAMS, weigh(TEXTS, TEXT_GRAMS).weights)


def test_words_add_up_to_the_cosine_of_the_texts(cosine: WordCosine) -> None:
    rows = ngram_matrix(TEXTS, TEXT_GRAMS)
    lefts, rights = np.array([0, 0, 2, 4, 5, 1]), np.array([1, 3, 3, 0, 0, 2])
    met = cosine.split(TEXTS.gather(lefts), TEXTS.gather(rights))
    sums = np.bincount(met.pairs, met.weights, minlength=len(lefts))
    exact = np.asarray(rows[lefts].multiply(rows[rights]).sum(axis=1)).ravel()
    assert sums == pytest.approx(exact, abs=1e-5)


def test_it_names_the_words_that_met(cosine: WordCosine) -> None:
    met = cosine.split(pl.Series([TEXTS[0]]), pl.Series([TEXTS[1]]))
    weights = {(left, right): weight for left, right, weight in zip(met.lefts, met.rights, met.weights, strict=True)}
    assert weights["Photographer", "photography"] > weights["cats", "cats"] > 0
    assert ("love", "Wien") not in weights


def test_texts_of_different_pairs_never_meet(cosine: WordCosine) -> None:
    met = cosine.split(pl.Series(["cats", "runner"]), pl.Series(["runner", "cats"]))
    assert len(met.pairs) == 0


def test_nothing_and_very_long_texts_are_fine(cosine: WordCosine) -> None:
    long = " ".join(["cats"] + [f"word{i}" for i in range(50_000)])
    met = cosine.split(pl.Series([None, "", long], dtype=pl.String), pl.Series(["cats", "cats", "cats"]))
    assert set(met.pairs.tolist()) == {2}
    assert met.lefts.n_unique() <= MOST_WORDS
