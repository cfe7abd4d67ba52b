"""Every pair linker reaches what the information in a made-up world allows."""

import numpy as np
import pytest

from factlink.candidates.top_k import best_candidates
from factlink.errors import InputError
from factlink.evaluation.metrics import evaluate
from factlink.linkers.baselines.cnl import CnlLinker
from factlink.linkers.baselines.cosnet import CosnetLinker
from factlink.linkers.baselines.lr import LrLinker
from factlink.linkers.baselines.ulink import UlinkLinker
from factlink.linkers.settings import make_linker
from factlink.protocols import Linker
from factlink.types import NO_PAIRS, Floats, Network, Pairs
from tests.linkers.pair_worlds import World, congress, decoys, namesakes, network, random_names, shown_twice, split

LINKERS: list[Linker] = [LrLinker(), CosnetLinker(), CnlLinker(), UlinkLinker(walk_dim=0, dim=64, iterations=10)]
each = pytest.mark.parametrize("linker", LINKERS, ids=lambda linker: linker.name)


def hit_rate(linker: Linker, world: World, share: float) -> float:
    """HR@1 on the pairs that are not known."""
    known, test = split(world.truth, share)
    return evaluate(linker.fit(world.left, world.right, known if linker.supervised else NO_PAIRS), test).hits[1]


@each
def test_names_of_their_own_are_enough(linker: Linker) -> None:
    """Everyone has one name, the same in both networks, and nobody else has it: nothing can be missed."""
    assert hit_rate(linker, namesakes(100, unique=1.0, degree=0), 0.5) == 1.0


@each
def test_congress_is_found_by_names(linker: Linker) -> None:
    """Names alone reach .99; four fifths known and the weaker evidence beside names must not spoil that below .80."""
    assert hit_rate(linker, congress(), 0.8) >= 0.80


def test_cnl_tells_namesakes_by_their_friends() -> None:
    """Half share their name with one other: names alone tie on them, which is no hit. Nearly all have friends
    with names of their own, who tell namesakes apart; a few have none that both networks show."""
    world = namesakes(200, unique=0.5)
    by_names = CnlLinker(rounds=0).fit(world.left, world.right)
    assert evaluate(by_names, world.truth).hits[1] == pytest.approx(0.5, abs=0.02)
    assert evaluate(CnlLinker().fit(world.left, world.right), world.truth).hits[1] >= 0.97


def test_cosnet_tells_namesakes_by_known_friends_the_better_the_more_are_known() -> None:
    """Everyone has a namesake, so names alone never hit. With half of about ten friends known, nearly all have some;
    with one in twenty known, half have none."""
    world = namesakes(200, unique=0.0)
    few, many = (hit_rate(CosnetLinker(), world, share) for share in (0.05, 0.5))
    assert many >= 0.95
    assert few < many


def test_lr_learns_which_name_to_trust() -> None:
    """Equal usernames are decoys, equal screen names the truth in four of five: .8, and no method without known pairs
    could tell the two columns apart."""
    world = decoys(200)
    assert hit_rate(LrLinker(), world, 0.8) == pytest.approx(0.8, abs=0.08)


def test_lr_gains_from_more_known_pairs() -> None:
    """One known pair may be the one in five whose screen name is lost, and then teaches nonsense; eighty are not."""
    worlds = [decoys(100, seed) for seed in range(2)]
    one, many = (np.mean([hit_rate(LrLinker(), world, share) for world in worlds]) for share in (0.01, 0.8))
    assert many > one + 0.02


def turned_walks(monkeypatch: pytest.MonkeyPatch, world: World, dim: int) -> None:
    """Vectors by links that tell much about a user, in a space turned at random in each network."""
    rng = np.random.default_rng(5)
    hidden = rng.normal(size=(len(world.left), dim))
    turns = [np.linalg.qr(rng.normal(size=(dim, dim)))[0] for _ in range(2)]
    seen = [hidden + rng.normal(scale=0.5, size=hidden.shape) for _ in range(2)]
    seen[1][world.truth.rights] = seen[1].copy()

    def walk(_: UlinkLinker, side: Network) -> Floats:
        place = 0 if side.name == "left" else 1
        rows = (world.left, world.right)[place].rows_of(side.users)
        return np.asarray(seen[place][rows] @ turns[place], np.float32)

    monkeypatch.setattr(UlinkLinker, "_walk", walk)


@pytest.mark.parametrize("solver", ["apg", "cccp"])
def test_ulink_relates_two_spaces_of_links_given_enough_pairs(monkeypatch: pytest.MonkeyPatch, solver: str) -> None:
    """Everyone has a namesake, so names alone never hit. Links tell namesakes apart, but only through a map between two
    turned spaces of 16 dimensions: 100 noisy pairs determine it well, 2 do not."""
    world = namesakes(200, unique=0.0)
    turned_walks(monkeypatch, world, dim=16)
    linker = make_linker("ulink", {"solver": solver, "walk_dim": "16", "iterations": "40", "dim": "64"})
    few, many = (hit_rate(linker, world, share) for share in (0.01, 0.5))
    assert many >= 0.85
    assert few < many - 0.1


@each
def test_no_information_is_no_hit(linker: Linker) -> None:
    """Names drawn anew in each network: one in a hundred by chance."""
    rng = np.random.default_rng(1)
    world = shown_twice({"name": [*random_names(100, rng)]}, np.empty((0, 2), np.int64), 1.0, rng)
    world = World(world.left, network("right", {"name": [*random_names(100, rng)]}), world.truth)
    assert hit_rate(linker, world, 0.5) < 0.1


@each
def test_same_seed_same_scores_and_the_short_cut_agrees(linker: Linker) -> None:
    world = namesakes(60, unique=0.5)
    known, _ = split(world.truth, 0.5)
    scorers = [linker.fit(world.left, world.right, known) for _ in range(2)]
    rows = np.arange(60)
    scores = scorers[0].scores(rows)
    np.testing.assert_array_equal(scores, scorers[1].scores(rows))
    assert scores.shape == (60, 60)
    assert not np.isnan(scores).any()
    best = best_candidates(scorers[0], 1).scores[:, 0]
    np.testing.assert_allclose(best, scores.max(axis=1), atol=1e-3)


@each
def test_the_order_of_users_does_not_matter(linker: Linker) -> None:
    world = namesakes(60, unique=0.8)
    rng = np.random.default_rng(0)
    place = rng.permutation(60)
    names = world.right.attributes["username"].objects.to_list()
    ends = world.right.links["follows"]
    turned = network(
        "right",
        {"username": [names[i] for i in np.argsort(place)]},
        np.stack([place[ends.followers], place[ends.followees]], axis=1),
    )
    moved = World(world.left, turned, Pairs(world.truth.lefts, place[world.truth.rights]))
    assert hit_rate(linker, moved, 0.5) == pytest.approx(hit_rate(linker, world, 0.5), abs=0.07)


@pytest.mark.parametrize("name", ["lr", "cosnet", "ulink"])
def test_supervised_linkers_refuse_without_known_pairs(name: str) -> None:
    world = namesakes(4, unique=1.0)
    with pytest.raises(InputError, match=f"linker '{name}' needs known pairs and got none; give them with --known"):
        make_linker(name, {}).fit(world.left, world.right)


@each
def test_networks_without_names_and_pictures_are_refused(linker: Linker) -> None:
    world = namesakes(4, unique=1.0)
    bare = Network("bare", world.right.users, {}, world.right.links)
    with pytest.raises(InputError, match=f"linker '{linker.name}' compares names or pictures, and 'left' and 'bare'"):
        linker.fit(world.left, bare, world.truth)
