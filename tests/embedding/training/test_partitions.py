"""Algorithm 1 over parts of the users, beside the same over all of them at once."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from factlink.embedding.objectives import Objective
from factlink.embedding.settings import LinkSettings, NegativeSampling, Projection, Settings, Training
from factlink.embedding.space import Space
from factlink.embedding.training.checkpoints import Checkpoints
from factlink.embedding.training.partitions import deal_factoids, parts_for, train_in_parts
from factlink.embedding.training.sgd import Options, Progress, embed_factoids
from factlink.errors import SettingError
from factlink.execution.workers import HERE, Workers
from factlink.types import Floats
from tests.embedding.embedding_world import World

QUICK = Settings(Training(dim=64, passes=2, batch=128), negatives=NegativeSampling(pool=16))
WIDE = replace(QUICK, training=Training(dim=256, batch=256))


@pytest.fixture(scope="module")
def world() -> World:
    return World()


def embed(world: World, settings: Settings, workers: Workers = HERE, options: Options | None = None) -> Space:
    train = partial(train_in_parts, workers)
    return embed_factoids(world.table, {"name": world.vectors}, settings, options, train=train)


class Backwards:
    """Workers that take the last part first, and whose parts are nobody's to write to."""

    parts = 1

    def map(self, step: Callable[..., Any], parts: Sequence[Any], *shared: Any) -> list[Any]:
        return [step(lock(part), *map(lock, shared)) for part in reversed(parts)][::-1]


def lock(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(lock, value))
    if isinstance(value, np.ndarray):
        value = value.copy()
        value.flags.writeable = False
    return value


def test_factoids_go_to_the_part_of_their_user() -> None:
    def objective(users: list[int], objects: list[int], degrees: Floats | None) -> Objective:
        weights = np.array(objects, np.float32) / 10
        return Objective("p", np.array(users, np.int32), np.array(objects, np.int32), weights, None, degrees)

    has = objective([0, 1, 2, 3, 4, 1], [5, 6, 7, 8, 9, 3], None)
    follows = objective([4, 2], [1, 0], np.array([0, 0, 1, 0, 1], np.float32))
    first, second = deal_factoids([has, follows], 2)
    told = [[None if array is None else array.tolist() for array in own] for own in (*first, *second)]
    assert told[0] == [[0, 1, 2], [5, 7, 9], pytest.approx([0.5, 0.7, 0.9]), None]
    assert told[1] == [[2, 1], [1, 0], pytest.approx([0.1, 0.0]), [0, 1, 1]]
    assert told[2] == [[0, 1, 0], [6, 8, 3], pytest.approx([0.6, 0.8, 0.3]), None]
    assert told[3] == [[], [], [], [0, 0]]


def test_one_part_is_training_as_usual(world: World) -> None:
    settings = replace(QUICK, projection=Projection(rate=0), links=LinkSettings(weight=0.5))
    whole = embed_factoids(world.table, {"name": world.vectors}, settings)
    part = embed(world, settings)
    assert part.vectors.tobytes() == whole.vectors.tobytes()
    assert part.losses["follows"].tolist() == whole.losses["follows"].tolist()


def test_parts_find_as_much_as_the_whole() -> None:
    world = World(n=400, dim=64, noise=1.2, friends=12)
    whole = world.mrr(embed_factoids(world.table, {"name": world.vectors}, WIDE).vectors)
    assert whole > 0.5
    for parts in (2, 5):
        assert world.mrr(embed(world, replace(WIDE, parts=parts)).vectors) == pytest.approx(whole, abs=0.02)


def test_who_trains_a_part_and_when_changes_no_byte(world: World) -> None:
    settings = replace(QUICK, parts=3, projection=Projection(rate=1e-3, every=1))
    here, there = (embed(world, settings, workers) for workers in (HERE, Backwards()))
    assert here.vectors.tobytes() == there.vectors.tobytes()
    assert here.phis[-1].matrix.tobytes() == there.phis[-1].matrix.tobytes()
    assert np.linalg.norm(here.phis[-1].matrix, 2) <= 1 + 1e-5


def test_another_seed_or_number_of_parts_is_another_training(world: World) -> None:
    found = [
        embed(world, replace(QUICK, parts=parts, seed=seed)).vectors.tobytes()
        for parts, seed in ((2, 0), (3, 0), (2, 1))
    ]
    assert len(set(found)) == 3


def test_parts_may_be_as_small_as_a_user() -> None:
    world = World(n=6, friends=1)
    vectors = embed(world, replace(QUICK, parts=50)).vectors
    assert vectors.shape == (12, 64)
    assert np.isfinite(vectors).all()


class Dying:
    """Workers that die in a pass."""

    parts = 1

    def __init__(self, pass_: int) -> None:
        self.left = pass_

    def map(self, step: Callable[..., Any], parts: Sequence[Any], *shared: Any) -> list[Any]:
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt
        return HERE.map(step, parts, *shared)


def test_killed_between_passes_it_ends_with_the_same_bytes(world: World, tmp_path: Path) -> None:
    settings = replace(QUICK, parts=3)
    told: list[Progress] = []
    for pass_ in (1, 1):
        with pytest.raises(KeyboardInterrupt):
            embed(world, settings, Dying(pass_), Options(checkpoints=Checkpoints(tmp_path / "state.npz")))
    options = Options(checkpoints=Checkpoints(tmp_path / "state.npz"), progress=told.append)
    resumed = embed(world, settings, options=options)
    assert resumed.vectors.tobytes() == embed(world, settings).vectors.tobytes()
    assert [(progress.pass_, progress.share) for progress in told] == [(3, 1.0)]


def test_parts_are_as_many_as_users_need() -> None:
    assert [parts_for(n) for n in (10, 9_999, 10_000, 200_000, 10**9)] == [1, 1, 2, 40, 256]


def test_users_in_parts_cannot_be_watched(world: World) -> None:
    with pytest.raises(SettingError, match="users can be watched only while they train in 1 part, not in 2"):
        embed(world, replace(QUICK, parts=2), options=Options(np.array([1])))


@pytest.mark.parametrize(
    "changes",
    [
        {"links": LinkSettings(move_followees=True)},
        {"links": LinkSettings(lagged=False)},
        {"projection": Projection("free")},
    ],
)
def test_links_that_move_others_keep_users_together(changes: dict[str, Any]) -> None:
    with pytest.raises(SettingError, match="users cannot train in 2 parts where links move those they point to; keep"):
        replace(QUICK, parts=2, **changes)
    assert replace(QUICK, **changes).parts == 1


def test_there_is_at_least_one_part() -> None:
    with pytest.raises(SettingError, match="parts is 0; users are at least 1 part"):
        replace(QUICK, parts=0)
