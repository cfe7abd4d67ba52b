"""Which predicates are compared, by what, and the rows of the channels by hand."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from numpy.testing import assert_allclose

from factlink.encoders.categories import CategoryEncoder, DateEncoder, LocationEncoder, NumberEncoder
from factlink.encoders.ngrams.spaces import GramSpace
from factlink.encoders.sentences import SentenceEncoder
from factlink.encoders.texts import TextEncoder
from factlink.evidence import EvidenceSource
from factlink.linkers.factoid.channels.attributes import attribute_channels, encoder_of, learn
from factlink.types import Attribute, Kind, Network, Pairs

TEXT, PLACE, CATEGORY, DATE, NUMBER = Kind.TEXT, Kind.LOCATION, Kind.CATEGORY, Kind.DATE, Kind.NUMBER


def attribute(kind: Kind, owned: list[tuple[int, str]]) -> Attribute:
    rows = np.array([row for row, _ in owned], np.int64)
    return Attribute(kind, rows, pl.Series([said for _, said in owned], dtype=pl.String))


def network(**attributes: Attribute) -> Network:
    return Network("", pl.Series([f"u{row}" for row in range(4)]), attributes, {})


@pytest.mark.parametrize(
    ("left", "right", "wanted"),
    [
        (TEXT, TEXT, TextEncoder(dim=256, seed=3)),
        (TEXT, PLACE, TextEncoder(dim=256, seed=3)),
        (CATEGORY, TEXT, TextEncoder(dim=256, seed=3)),
        (PLACE, PLACE, LocationEncoder(dim=256, seed=3)),
        (CATEGORY, CATEGORY, CategoryEncoder(seed=3)),
        (DATE, DATE, DateEncoder(dim=384, seed=3)),
        (NUMBER, NUMBER, NumberEncoder(seed=3)),
        (CATEGORY, PLACE, None),
        (TEXT, DATE, None),
        (DATE, TEXT, None),
        (Kind.NAME, Kind.NAME, None),
        (Kind.IMAGE, Kind.IMAGE, None),
    ],
)
def test_what_compares_two_kinds(left: Kind, right: Kind, wanted: object) -> None:
    assert encoder_of(left, right, 3) == wanted


def test_a_model_compares_texts_with_texts_alone(tmp_path: Path) -> None:
    model = encoder_of(TEXT, TEXT, 3, str(tmp_path))
    assert isinstance(model, SentenceEncoder)
    assert (model.model, model.centred) == (str(tmp_path), False)
    assert isinstance(encoder_of(TEXT, CATEGORY, 3, str(tmp_path)), TextEncoder)
    assert isinstance(encoder_of(PLACE, PLACE, 3, str(tmp_path)), LocationEncoder)


def test_texts_are_learned_as_a_space_and_categories_need_none() -> None:
    texts = pl.Series(["green tea", "black tea", "chess"])
    space, vectors = learn(TextEncoder(dim=256), texts)
    assert isinstance(space, GramSpace)
    assert space.counts.n_strings == 3
    assert_allclose(space.encode(texts), vectors, atol=1e-5)
    encoder, rows = learn(CategoryEncoder(), texts)
    assert encoder == CategoryEncoder()
    assert_allclose(rows, CategoryEncoder().encode(texts))


def test_every_comparable_pair_of_predicates_is_a_channel() -> None:
    job, bio, born = (
        attribute(CATEGORY, [(0, "baker")]),
        attribute(TEXT, [(1, "bakes")]),
        attribute(DATE, [(2, "1990")]),
    )
    left, right = network(job=job, bio=bio, born=born, empty=attribute(TEXT, [])), network(bio=bio, job=job, gone=born)
    nobody = Pairs(np.empty(0, np.int64), np.empty(0, np.int64))
    found = list(attribute_channels(left, right, nobody, seed=0))
    assert [(c.weighting.left, c.weighting.right) for c in found] == [
        *[("job", "bio"), ("job", "job"), ("bio", "bio"), ("bio", "job"), ("born", "gone")],
    ]
    assert {c.weighting.source for c in found} == {EvidenceSource.ATTRIBUTE}
    assert list(attribute_channels(right, network(empty=attribute(TEXT, [])), nobody, seed=0)) == []


def test_rows_are_the_sums_of_what_users_own_less_the_mean_of_all_and_weighed_by_confident_pairs() -> None:
    """Left 0 is baker and smith, 1 smith, 2 nothing; right 0 is baker, 1 smith: five users, of whom four have a job."""
    mine = attribute(CATEGORY, [(0, "baker"), (0, "smith"), (1, "smith"), (3, "tailor")])
    theirs = attribute(CATEGORY, [(0, "baker"), (1, "smith"), (3, "tailor")])
    confident = Pairs(np.array([1, 3]), np.array([1, 3]))
    [channel] = attribute_channels(network(job=mine), network(job=theirs), confident, seed=0)
    baker, smith, tailor = CategoryEncoder().encode(["baker", "smith", "tailor"])
    both = (baker + smith) / np.linalg.norm(baker + smith)
    mean = (both + smith + tailor + baker + smith + tailor) / 6
    assert channel.mean is not None
    assert_allclose(channel.mean, mean, atol=1e-6)
    for rows, wanted in ((channel.left, [both, smith, None, tailor]), (channel.right, [baker, smith, None, tailor])):
        for row, vector in zip(rows, wanted, strict=True):
            unit = np.zeros(256) if vector is None else (vector - mean) / np.linalg.norm(vector - mean)
            assert_allclose(row, unit, atol=1e-6)
    assert channel.encoder == CategoryEncoder()


@pytest.mark.parametrize(("shift", "weight"), [(0, 1.0), (1, 0.0)])
def test_a_channel_weighs_as_it_ranks_the_confident_pairs(shift: int, weight: float) -> None:
    """Sixty users with a job that nobody else has: confident pairs of equal jobs are all ranked first."""
    users, rows = pl.Series([f"u{row}" for row in range(60)]), np.arange(60)
    jobs = Attribute(CATEGORY, rows, pl.Series([f"job {row}" for row in range(60)]))
    side = Network("", users, {"job": jobs}, {})
    [channel] = attribute_channels(side, side, Pairs(rows, (rows + shift) % 60), seed=0)
    assert channel.weight == pytest.approx(weight, abs=0.2)
