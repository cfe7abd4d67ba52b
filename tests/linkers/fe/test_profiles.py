"""All names and pictures of a user as one object."""

import numpy as np
import polars as pl

from factlink.linkers.fe.profiles import join_profiles, split_profiles
from factlink.types import FactoidTable, Has, Kind, Objects


def test_names_are_joined_and_stand_beside_the_picture() -> None:
    objects = {
        "username": Objects(Kind.NAME, pl.Series(["amy.t", "\u674e"])),
        "screen_name": Objects(Kind.NAME, pl.Series(["Amy Tan"])),
        "face": Objects(Kind.IMAGE, pl.Series(["a.png", "b.png"])),
        "bio": Objects(Kind.TEXT, pl.Series(["cats"])),
    }
    has = {
        "username": Has(np.array([0, 1]), np.array([0, 1])),
        "screen_name": Has(np.array([0]), np.array([0])),
        "face": Has(np.array([0, 2]), np.array([0, 1])),
        "bio": Has(np.array([0]), np.array([0])),
    }
    joined = join_profiles(FactoidTable(4, {"left": np.arange(4)}, objects, has, {}))
    assert list(joined.objects) == ["profile"]
    assert joined.objects["profile"].values.to_list() == [" \u00b7 b.png", "amytamytan \u00b7 a.png"]
    assert joined.has["profile"].users.tolist() == [0, 2]  # user 1 has no ASCII name and no picture
    assert joined.has["profile"].objects.tolist() == [1, 0]
    names, pictures = split_profiles(joined.objects["profile"].values)
    assert (names.to_list(), pictures.to_list()) == (["", "amytamytan"], ["b.png", "a.png"])
