"""PARROT: the known world, and the figure that another implementation reaches on real networks."""

import numpy as np
import pytest

from factlink.errors import InputError, SettingError
from factlink.evaluation.metrics import evaluate
from factlink.linkers.baselines.alignment.parrot import ParrotLinker, TransportWeights
from factlink.linkers.settings import make_linker
from factlink.types import Pairs
from tests.linkers.baselines.alignment.worlds import half_named, nameless
from tests.linkers.worlds import communities, shuffled


def test_a_fifth_known_finds_most_by_links_alone() -> None:
    """Of some 12 friends, 72 % are seen by both sides: nearly everybody has several friends that are matched."""
    world = communities()
    known, truth = world.split(40)
    scorer = ParrotLinker().fit(world.left, world.right, known)
    assert evaluate(scorer, truth).hits[1] >= 0.8
    assert evaluate(scorer, known).hits[1] == 1.0


def test_more_known_pairs_find_more() -> None:
    world = communities()
    few, many = (world.split(n) for n in (5, 60))
    hits = [evaluate(ParrotLinker().fit(world.left, world.right, k), t).hits[1] for k, t in (few, many)]
    assert hits[1] > hits[0]


def test_names_are_used_where_there_are_some() -> None:
    world, known, rest = half_named()
    by_names = evaluate(ParrotLinker().fit(world.left, world.right, known), rest).hits[1]
    assert by_names >= 0.9
    assert by_names > evaluate(ParrotLinker().fit(nameless(world.left), nameless(world.right), known), rest).hits[1]


def test_shuffled_links_tell_nothing() -> None:
    world = communities()
    known, truth = world.split(40)
    assert evaluate(ParrotLinker().fit(world.left, shuffled(world.right), known), truth).hits[1] <= 0.05


def test_a_short_list_comes_close_to_the_whole() -> None:
    world = communities()
    known, truth = world.split(40)
    hits = [
        evaluate(ParrotLinker(nearest=nearest).fit(world.left, world.right, known), truth).hits[1]
        for nearest in (40, 200)
    ]
    assert hits[0] == pytest.approx(hits[1], abs=0.1)


def test_it_says_what_it_lacks() -> None:
    world = communities(n=50)
    with pytest.raises(InputError, match="linker 'parrot' needs known pairs and got none"):
        ParrotLinker().fit(world.left, world.right)
    with pytest.raises(SettingError, match="restart is 0"):
        ParrotLinker(restart=0)
    with pytest.raises(SettingError, match="none may be below 0"):
        TransportWeights(edges=-1)


def test_its_settings_can_be_written_as_words() -> None:
    expected = ParrotLinker(TransportWeights(neighbours=0.01), rounds=3)
    assert make_linker("parrot", {"weights.neighbours": "0.01", "rounds": "3"}) == expected


def test_a_user_without_links_is_scored_by_chance() -> None:
    world = communities(n=50)
    follows = world.left.links["follows"]
    kept = (follows.followers != 7) & (follows.followees != 7)
    lonely = type(follows)(follows.followers[kept], follows.followees[kept], follows.weights[kept])
    left = type(world.left)("left", world.left.users, {}, {"follows": lonely})
    known = Pairs(*(ends[:10][world.truth.lefts[:10] != 7] for ends in (world.truth.lefts, world.truth.rights)))
    assert np.isfinite(ParrotLinker(rounds=2).fit(left, world.right, known).scores(np.array([7]))).all()
