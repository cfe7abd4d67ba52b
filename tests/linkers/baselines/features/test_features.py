"""Pair features: for listed pairs and for whole rows alike, missing where a user has nothing."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from PIL import Image

from factlink.errors import InputError
from factlink.linkers.baselines.features.comparisons import (
    best_names,
    best_pictures,
    check_comparable,
    check_known,
    jaro_winkler_names,
    names_by_predicate,
    profiles,
    rare_names,
    social_status,
)
from factlink.linkers.baselines.features.pair_features import Feature, features_of_pairs, scale_of
from factlink.linkers.baselines.latent.profile_vectors import picture_blocks
from factlink.types import NO_PAIRS, Attribute, Kind, Network, Pairs
from tests.linkers.pair_worlds import names_of, network

LEFT = network(
    "left",
    {"username": ["amytan", "desng", None], "screen_name": ["Amy Tan", "Des", "Nicole"]},
    np.array([[0, 1], [0, 2]]),
)
RIGHT = network(
    "right",
    {"username": ["amytan", None, "xx", "yy"], "handle": ["at", "nicole", "desng", None]},
    np.array([[0, 1], [2, 1], [3, 1]]),
)
ALL = Pairs(np.repeat(np.arange(3), 4), np.tile(np.arange(4), 3))


def test_only_name_predicates_that_both_have_are_compared_by_themselves() -> None:
    assert [feature.columns for feature in jaro_winkler_names(LEFT, RIGHT)] == [("username",)]
    assert [feature.columns for feature in names_by_predicate(LEFT, RIGHT)] == [("username",)]


def test_username_similarity_by_hand_and_missing_where_one_has_none() -> None:
    (username,) = jaro_winkler_names(LEFT, RIGHT)
    values = username.of_pairs(Pairs(np.array([0, 0, 2, 0]), np.array([0, 1, 0, 2])))[:, 0]
    assert values[[0, 3]].tolist() == [1.0, 0.0]
    assert np.isnan(values[[1, 2]]).all()


def test_the_best_name_may_stand_in_any_column() -> None:
    (names,) = best_names(LEFT, RIGHT)
    values = names.of_pairs(Pairs(np.array([0, 1, 2]), np.array([0, 2, 1])))[:, 0]
    assert values.tolist() == pytest.approx([1, 1, 1], abs=1e-5)


@pytest.mark.parametrize("make", [jaro_winkler_names, names_by_predicate, best_names, rare_names, social_status])
def test_listed_pairs_and_whole_rows_agree(make: object) -> None:
    for feature in make(LEFT, RIGHT):  # type: ignore[operator]
        dense = np.stack(list(feature.of_rows(np.arange(3))), axis=2).reshape(12, -1)
        np.testing.assert_allclose(feature.of_pairs(ALL), dense, atol=1e-6)


def test_pairs_in_any_order_and_none_at_all() -> None:
    features: list[Feature] = [*best_names(LEFT, RIGHT), *social_status(LEFT, RIGHT)]
    shuffled = np.random.default_rng(0).permutation(12)
    values = features_of_pairs(features, ALL)
    np.testing.assert_array_equal(
        features_of_pairs(features, Pairs(ALL.lefts[shuffled], ALL.rights[shuffled])), values[shuffled]
    )
    assert features_of_pairs(features, NO_PAIRS).shape == (0, 7)


def test_profiles_need_texts_on_both_sides() -> None:
    assert profiles(LEFT, RIGHT) == []
    sides = [_with_bio(side, ["loves chess and tea", "paints boats"]) for side in (LEFT, RIGHT)]
    (profile,) = profiles(*sides)
    near, far = profile.of_pairs(Pairs(np.array([0, 0]), np.array([0, 3])))[:, 0]
    assert near > 0.5 > far


def test_status_and_pictures_need_links_and_pictures() -> None:
    assert social_status(LEFT, network("n", {"name": ["a"]})) == []
    assert best_pictures(LEFT, RIGHT) == []


def test_scaled_columns_have_mean_nought_spread_one_and_flags() -> None:
    values = np.array([[1, 5], [3, 5], [np.nan, 5]], np.float32)
    scaled = scale_of(values).of(values)
    assert scaled[:, 0].tolist() == pytest.approx([-1.2247449, 1.2247449, 0])
    assert scaled[:, 1].tolist() == [0, 0, 0]
    assert scaled[:, 2].tolist() == pytest.approx([-0.7071068, -0.7071068, 1.4142135])


def test_refusals_name_the_linker() -> None:
    with pytest.raises(InputError, match="linker 'lr' needs known pairs and got none; give them with --known PAIRS"):
        check_known("lr", NO_PAIRS)
    with pytest.raises(InputError, match="linker 'lr' compares names or pictures, and 'left' and 'right' do not both"):
        check_comparable("lr", LEFT, RIGHT, [])


def _with_bio(side: Network, texts: list[str]) -> Network:
    bio = Attribute(Kind.TEXT, np.arange(len(texts)), names_of(np.arange(len(texts)), texts).objects)
    return Network(side.name, side.users, {**side.attributes, "bio": bio}, side.links)


def test_pictures_meet_after_saving_them_in_another_format(tmp_path: Path) -> None:
    """Three pictures of coarse random tiles as PNG on the left, as JPEG in another order on the right."""
    tiles = np.random.default_rng(0).integers(0, 255, (3, 8, 8, 3), np.uint8)
    files: dict[str, list[str]] = {"png": [], "jpg": []}
    for ending, order in (("png", (0, 1, 2)), ("jpg", (2, 0, 1))):
        for place in order:
            file = tmp_path / f"{place}.{ending}"
            Image.fromarray(tiles[place]).resize((96, 96), Image.Resampling.NEAREST).save(file)
            files[ending].append(str(file))
    left, right = (
        Network(ending, pl.Series([f"{ending}{i}" for i in range(3)]), {"photo": _pictures(files[ending])}, {})
        for ending in files
    )
    (pictures,) = best_pictures(left, right)
    (cosines,) = pictures.of_rows(np.arange(3))
    assert cosines.argmax(axis=1).tolist() == [1, 2, 0]
    ((by_left, by_right),) = picture_blocks(left, right)
    assert (by_left @ by_right.T).argmax(axis=1).tolist() == [1, 2, 0]


def _pictures(files: list[str]) -> Attribute:
    return Attribute(Kind.IMAGE, np.arange(len(files)), pl.Series(files))
