"""Algorithm 1 on a made-up world whose answer is known."""

from dataclasses import replace
from pathlib import Path

import numba
import numpy as np
import pytest

from factlink.embedding.objectives import Objective
from factlink.embedding.sampling import Noise
from factlink.embedding.settings import LinkSettings, NegativeSampling, Projection, Settings, Training
from factlink.embedding.training import sgd
from factlink.embedding.training.checkpoints import Checkpoints
from factlink.embedding.training.schedule import Schedule
from factlink.embedding.training.sgd import Options, Progress, embed_factoids
from factlink.errors import InputError, RunError
from factlink.types import FactoidTable
from tests.embedding.embedding_world import World

QUICK = Settings(Training(dim=32, passes=2, batch=256), negatives=NegativeSampling(pool=16))


@pytest.fixture(scope="module")
def world() -> World:
    return World()


def embed(world: World, settings: Settings = QUICK, options: Options | None = None) -> np.ndarray:
    return embed_factoids(world.table, {"name": world.vectors}, settings, options).vectors


def without_links(settings: Settings) -> Settings:
    return replace(settings, links=LinkSettings(weight=0.0))


def test_informative_links_lift_what_names_find() -> None:
    world = World(n=400, dim=64, noise=1.2, friends=12)
    wide = replace(QUICK, training=replace(QUICK.training, dim=512, batch=1024))
    assert world.mrr(embed(world, wide)) > world.mrr(embed(world, without_links(wide))) + 0.10


def test_shuffled_links_do_no_harm() -> None:
    world = World(n=400, dim=64, noise=1.2, friends=12, shuffled=True)
    wide = replace(QUICK, training=replace(QUICK.training, dim=256))
    assert world.mrr(embed(world, wide)) > world.mrr(embed(world, without_links(wide))) - 0.01


def test_links_say_how_much_they_know() -> None:
    true, shuffled = (
        embed_factoids(w.table, {"name": w.vectors}, QUICK).qualities["follows"]
        for w in (World(), World(shuffled=True))
    )
    assert true > 0.2
    assert shuffled < 0.05


@pytest.mark.parametrize("negatives", [NegativeSampling(pool=16), NegativeSampling(count=2, pool=0)])
def test_any_number_of_threads_gives_the_same_bytes(world: World, negatives: NegativeSampling) -> None:
    settings = replace(QUICK, negatives=negatives, projection=Projection(rate=1e-3, every=1))
    before = numba.get_num_threads()
    found = []
    for n_threads in (1, before):
        numba.set_num_threads(n_threads)
        found.append(embed(world, settings).tobytes())
    assert found[0] == found[1]


def test_the_loss_falls_and_is_kept(world: World) -> None:
    settings = replace(QUICK, training=replace(QUICK.training, passes=5, tolerance=0.0))
    losses = embed_factoids(world.table, {"name": world.vectors}, settings).losses
    assert losses["name"].shape == losses["follows"].shape == (6,)
    assert (np.diff(losses["name"]) < 0).all()
    assert losses["follows"][0] == 0
    assert losses["follows"][-1] < losses["follows"][1]


def test_training_stops_where_the_loss_no_longer_falls(world: World) -> None:
    settings = replace(QUICK, training=replace(QUICK.training, passes=50, tolerance=0.5))
    assert len(embed_factoids(world.table, {"name": world.vectors}, settings).losses["name"]) == 3


def test_fakes_are_drawn_afresh_for_every_batch(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []
    draw = Noise.draw

    def keep(self: Noise, n_factoids: int, random: np.random.Generator) -> object:
        drawn.append(draw(self, n_factoids, random))
        return drawn[-1]

    monkeypatch.setattr(Noise, "draw", keep)
    embed(world)
    assert len({negatives.tobytes() for negatives in drawn}) == len(drawn) > 10


def test_fixed_fakes_of_links_stay_for_the_whole_training(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []
    draw = Noise.draw

    def keep(self: Noise, n_factoids: int, random: np.random.Generator) -> object:
        drawn.append((self.cumulated is None, draw(self, n_factoids, random)))
        return drawn[-1][1]

    monkeypatch.setattr(Noise, "draw", keep)
    embed(world, replace(QUICK, negatives=NegativeSampling(count=2, pool=16, fixed=True)))
    of_links = [negatives.tobytes() for of_objects, negatives in drawn if not of_objects]
    assert len(of_links) > 5
    assert len(set(of_links)) == 1


def test_in_turn_vectors_rest_while_projections_learn(world: World) -> None:
    def vectors(learns: str, weight: float) -> np.ndarray:
        projection = Projection(rate=0.1, every=1, learns=learns)  # type: ignore[arg-type]
        return embed(world, replace(QUICK, projection=projection, links=LinkSettings(weight=weight)))

    assert np.array_equal(vectors("in-turn", 1.0), vectors("in-turn", 3.0))  # links moved W alone
    assert not np.array_equal(vectors("links", 1.0), vectors("links", 3.0))


def test_a_cycled_predicate_begins_again_within_a_pass() -> None:
    names, links = (
        Objective(p, np.zeros(n, np.int32), np.zeros(n, np.int32), np.ones(n, np.float32), vectors, None)
        for p, n, vectors in (("name", 5, np.ones((1, 2), np.float32)), ("follows", 12, None))
    )
    settings = Settings(Training(batch=3, passes=1, warm_passes=0, cycled=True))
    schedule = Schedule([names, links], [], [], settings)
    taken = [[schedule.batch(place, schedule.moment(i)) for i in range(schedule.iterations)] for place in (0, 1)]
    assert [len(part) for part in taken[1]] == [3, 3, 3, 3]
    assert sorted(np.concatenate(taken[1]).tolist()) == list(range(12))
    assert sorted(np.concatenate(taken[0][:2]).tolist()) == [0, 1, 2, 3, 4]
    assert sorted(np.concatenate(taken[0][2:]).tolist()) == [0, 1, 2, 3, 4]


def test_no_projection_ever_exceeds_its_bound(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    norms = []
    iterate = sgd.iterate

    def measure(schedule: sgd.Schedule, state: sgd.State, moment: sgd.Moment) -> int:
        done = iterate(schedule, state, moment)
        norms.extend(np.linalg.norm(phi.matrix, 2) for phi in state.phis)
        return done

    monkeypatch.setattr(sgd, "iterate", measure)
    embed(world, replace(QUICK, projection=Projection(bound=0.7, rate=0.1, every=1)))
    assert max(norms) <= 0.7 * (1 + 1e-5)


@pytest.mark.parametrize("kind", ["linear", "identity", "free"])
def test_every_projection_gives_finite_vectors(world: World, kind: str) -> None:
    vectors = embed(world, replace(QUICK, projection=Projection(kind=kind)))  # type: ignore[arg-type]
    assert np.isfinite(vectors).all()
    assert (np.linalg.norm(vectors, axis=1) > 0).all()


def test_links_alone_start_from_small_random_vectors(world: World) -> None:
    table = replace(world.table, has={}, objects={})
    vectors = embed_factoids(table, {}, QUICK).vectors
    assert np.isfinite(vectors).all()
    assert (np.linalg.norm(vectors, axis=1) > 0).all()


def test_nothing_to_embed_is_said() -> None:
    table = FactoidTable(2, {"left": np.array([0]), "right": np.array([1])}, {}, {}, {})
    with pytest.raises(InputError, match="no factoids to embed: no links and no attribute with vectors"):
        embed_factoids(table, {})


def test_progress_is_told_after_every_iteration(world: World) -> None:
    told: list[Progress] = []
    embed(world, QUICK, Options(progress=told.append))
    assert told[0].pass_ == 1
    assert set(told[0].losses) == {"name"}
    assert set(told[-1].losses) == {"name", "follows"}
    assert (told[-1].pass_, told[-1].passes, told[-1].share) == (3, 3, 1.0)
    assert told[-1].factoids_per_second > 0


def test_watched_users_leave_a_trail(world: World) -> None:
    space = embed_factoids(world.table, {"name": world.vectors}, QUICK, Options(watch=np.array([3, 303])))
    trail = space.trail
    assert trail.iterations[0] == 0
    assert not trail.snapshots[0].any()
    assert np.array_equal(trail.snapshots[-1], space.vectors[[3, 303]])
    assert trail.users_moved[0][3] > 0


def test_a_checkpoint_of_other_settings_is_refused(world: World, tmp_path: Path) -> None:
    embed(world, QUICK, Options(checkpoints=Checkpoints(tmp_path / "state.npz")))
    with pytest.raises(RunError, match=r"state\.npz belongs to other networks or settings; remove it"):
        embed(world, replace(QUICK, seed=1), Options(checkpoints=Checkpoints(tmp_path / "state.npz")))


def test_a_finished_checkpoint_gives_its_vectors_again(world: World, tmp_path: Path) -> None:
    first = embed(world, QUICK, Options(checkpoints=Checkpoints(tmp_path / "state.npz")))
    told: list[Progress] = []
    again = embed(world, QUICK, Options(checkpoints=Checkpoints(tmp_path / "state.npz"), progress=told.append))
    assert first.tobytes() == again.tobytes()
    assert not told
