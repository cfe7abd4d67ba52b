"""What linkers over links learn from, by hand."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from PIL import Image

from factlink.errors import InputError
from factlink.linkers.baselines.exact_pairs import exact_pairs
from factlink.linkers.known_pairs import both_pairs, check_known, check_links
from factlink.types import NO_PAIRS, Attribute, Kind, Network, Pairs
from tests.linkers.worlds import communities


def people(name: str, **columns: list[str | None]) -> Network:
    """A network whose columns are names, but `picture`."""
    attributes = {}
    for predicate, values in columns.items():
        rows = np.array([row for row, value in enumerate(values) if value is not None], np.int32)
        kind = Kind.IMAGE if predicate == "picture" else Kind.NAME
        attributes[predicate] = Attribute(kind, rows, pl.Series([v for v in values if v is not None], dtype=pl.String))
    n = len(next(iter(columns.values())))
    return Network(name, pl.Series([f"{name}{row}" for row in range(n)]), attributes, {})


def pairs_of(pairs: Pairs) -> list[tuple[int, int]]:
    return list(zip(pairs.lefts.tolist(), pairs.rights.tolist(), strict=True))


def test_a_name_that_one_user_of_each_network_has_makes_a_pair() -> None:
    left = people("left", username=["anna", "bob", "Carl ", None])
    right = people("right", username=["dora", "ANNA", "carl", "eve"])
    assert pairs_of(exact_pairs(left, right, NO_PAIRS)) == [(0, 1), (2, 2)]


def test_a_name_that_two_users_have_makes_none() -> None:
    left = people("left", username=["anna", "anna", "bob"])
    right = people("right", username=["anna", "bob", "Bob"])
    assert pairs_of(exact_pairs(left, right, NO_PAIRS)) == []


def picture(folder: Path, name: str, seed: int) -> str:
    """A file of coloured squares."""
    squares = np.random.default_rng(seed).integers(0, 256, (9, 9, 3), np.uint8)
    Image.fromarray(squares).resize((90, 90), Image.Resampling.NEAREST).save(folder / name, quality=90)
    return str(folder / name)


def test_names_meet_whatever_their_column_and_pictures_by_what_they_show(tmp_path: Path) -> None:
    shown = [picture(tmp_path, name, seed) for name, seed in (("a.png", 1), ("b.png", 2), ("c.jpg", 2), ("d.jpg", 3))]
    left = people("left", username=["anna", "x"], picture=shown[:2])
    right = people("right", screen_name=["y", "anna"], picture=shown[2:])
    assert pairs_of(exact_pairs(left, right, NO_PAIRS)) == [(0, 1), (1, 0)]
    assert pairs_of(exact_pairs(left, people("right", screen_name=["y", "z"]), NO_PAIRS)) == []


def test_who_would_be_in_two_pairs_is_in_none() -> None:
    left = people("left", username=["anna", "bob"], screen_name=["dora", "bob"])
    right = people("right", username=["anna", "dora", "bob"])
    assert pairs_of(exact_pairs(left, right, NO_PAIRS)) == [(1, 2)]


def test_users_of_known_pairs_take_part_in_no_other() -> None:
    left, right = (people(side, username=["anna", "bob"]) for side in ("left", "right"))
    known = Pairs(np.array([0]), np.array([1]))
    found = exact_pairs(left, right, known)
    assert pairs_of(found) == []
    assert pairs_of(both_pairs(known, found)) == [(0, 1)]


def test_without_attributes_there_are_none() -> None:
    world = communities(n=50)
    assert len(exact_pairs(world.left, world.right, NO_PAIRS)) == 0


def test_what_is_missing_is_named() -> None:
    with pytest.raises(InputError, match="linker 'pale' needs known pairs and got none; give them with --known PAIRS"):
        check_known("pale", NO_PAIRS)
    with pytest.raises(InputError, match="linker 'pale' learns from links and network 'right' has none"):
        check_links("pale", communities(n=50).left, people("right", username=["anna"]))
