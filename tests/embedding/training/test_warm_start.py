"""The first passes in closed form: the same as by hand, as good as the passes they stand for, and a start for SGD."""

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest

from factlink.embedding.settings import LinkSettings, NegativeSampling, Settings, Training
from factlink.embedding.space import Space
from factlink.embedding.training.sgd import embed_factoids
from factlink.errors import InputError, SettingError
from factlink.types import FactoidTable, Follows, Has, Kind, Objects
from tests.embedding.embedding_world import World

QUICK = Settings(Training(dim=64, batch=256, start="propagate"), negatives=NegativeSampling(pool=16))
AXES = np.eye(3, dtype=np.float32)


def line_of_three(hops: int) -> Space:
    """User 0 follows 1, who follows 2; each has a name along an axis of its own. Only the closed-form passes."""
    table = FactoidTable(
        n_rows=3,
        rows={"left": np.arange(3)},
        objects={"name": Objects(Kind.NAME, pl.Series(["a", "b", "c"]))},
        has={"name": Has(np.arange(3), np.arange(3))},
        links={"follows": Follows(np.array([0, 1]), np.array([1, 2]), np.ones(2, np.float32))},
    )
    links = LinkSettings(both_directions=False, degree_normalised=False, weight=0.8, hops=hops)
    training = Training(dim=3, rate=0.5, passes=0, start="propagate")
    return embed_factoids(table, {"name": AXES}, Settings(training, links=links, centre_objects=False))


def test_one_hop_by_hand() -> None:
    """A pass adds ½·.5 of the name, and of a link there are two; a link adds ½·.5·.8 of what its followee was."""
    space = line_of_three(hops=1)
    sent = space.phis[-1].matrix  # column i is where the name of user i goes by a link
    assert space.vectors[2] == pytest.approx(0.5 * AXES[2])
    assert space.vectors[1] == pytest.approx(0.5 * AXES[1] + 0.2 * 0.25 * sent[:, 2])
    assert space.vectors[0] == pytest.approx(0.5 * AXES[0] + 0.2 * 0.25 * sent[:, 1])


def test_two_hops_by_hand() -> None:
    space = line_of_three(hops=2)
    sent = space.phis[-1].matrix
    assert space.vectors[2] == pytest.approx(0.75 * AXES[2])
    assert space.vectors[1] == pytest.approx(0.75 * AXES[1] + 0.2 * 0.75 * sent[:, 2])
    two_links = 0.2 * 0.2 * 0.25 * (sent @ sent)[:, 2]
    assert space.vectors[0] == pytest.approx(0.75 * AXES[0] + 0.2 * 0.75 * sent[:, 1] + two_links)


def mrr(world: World, **training: Any) -> float:
    settings = replace(QUICK, training=replace(QUICK.training, **training))
    return world.mrr(embed_factoids(world.table, {"name": world.vectors}, settings).vectors)


def test_alone_and_as_a_start_it_is_as_good_as_the_passes_it_stands_for() -> None:
    world = World(n=400, dim=64, noise=1.2, friends=12)
    cold = mrr(world, start=0.0)
    assert mrr(world, passes=0) > cold - 0.02
    assert mrr(world, passes=1) > cold - 0.02


def test_shuffled_links_do_no_harm() -> None:
    world = World(n=400, dim=64, noise=1.2, friends=12, shuffled=True)
    names = replace(QUICK, links=LinkSettings(weight=0.0))
    alone = world.mrr(embed_factoids(world.table, {"name": world.vectors}, names).vectors)
    assert mrr(world) > alone - 0.01


def test_the_first_passes_are_not_trained() -> None:
    world = World(n=50)
    space = embed_factoids(world.table, {"name": world.vectors}, QUICK)
    assert len(space.losses["name"]) == 2
    assert space.qualities["follows"] > 0


def test_users_without_attributes_start_at_random() -> None:
    world = World(n=50)
    table = replace(world.table, has={}, objects={})
    vectors = embed_factoids(table, {}, QUICK).vectors
    assert np.abs(vectors).max() > 0.1
    untrained = replace(QUICK, training=replace(QUICK.training, passes=0))
    with pytest.raises(InputError, match="no attribute to propagate, and links alone need training: passes is 0"):
        embed_factoids(table, {}, untrained)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Training(passes=0), "passes is 0; training needs at least 1"),
        (lambda: Training(start="anywhere"), "start is 'anywhere'; use a number or propagate"),  # type: ignore[arg-type]
        (lambda: Training(start=-1.0), "start is -1.0; a standard deviation cannot be negative"),
        (lambda: LinkSettings(hops=3), "hops is 3; use 1 or 2"),
    ],
)
def test_impossible_settings_are_refused(make: Any, message: str) -> None:
    with pytest.raises(SettingError, match=message):
        make()
