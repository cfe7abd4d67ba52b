"""Vectors fitted to the cosines of pictures in one bucket."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
import pytest

from factlink.encoders.pictures.fitted import FittedPictureEncoder
from factlink.errors import SettingError
from factlink.types import Floats


@dataclass(frozen=True)
class Features:
    """Sixty pictures in thirty pairs of nearly equal ones; `none` cannot be read."""

    def encode(self, objects: Sequence[str] | pl.Series) -> Floats:
        rng = np.random.default_rng(0)
        sources = rng.standard_normal((30, 64))
        rows = np.zeros((len(objects), 64), np.float32)
        for place, name in enumerate(objects):
            if name != "none":
                number = int(name)
                noise = np.random.default_rng(number).standard_normal(64)
                rows[place] = sources[number % 30] + 0.1 * noise
                rows[place] /= np.linalg.norm(rows[place])
        return rows


PATHS = [str(number) for number in range(60)]


def test_nearly_equal_pictures_stay_nearly_equal() -> None:
    vectors = FittedPictureEncoder(Features(), dim=64, passes=50).encode(PATHS)
    cosines = vectors @ vectors.T
    np.fill_diagonal(cosines, -2)
    assert (cosines.argmax(axis=1) == (np.arange(60) + 30) % 60).mean() > 0.9


def test_the_order_of_pictures_changes_nothing_and_equal_ones_are_equal() -> None:
    encoder = FittedPictureEncoder(Features(), dim=16)
    forth, back = encoder.encode([*PATHS, "7"]), encoder.encode(["7", *PATHS[::-1]])
    assert np.array_equal(forth[7], forth[-1])
    assert np.array_equal(forth[:60], back[1:][::-1])


def test_what_cannot_be_read_has_no_vector() -> None:
    vectors = FittedPictureEncoder(Features(), dim=16).encode(["none", "1", "31"])
    assert not vectors[0].any()
    assert np.linalg.norm(vectors[1]) == pytest.approx(1, abs=1e-5)
    assert not FittedPictureEncoder(Features(), dim=16).encode(["none"]).any()


def test_settings_are_checked_at_birth() -> None:
    with pytest.raises(SettingError, match="dim must be at least 2"):
        FittedPictureEncoder(Features(), dim=1)
