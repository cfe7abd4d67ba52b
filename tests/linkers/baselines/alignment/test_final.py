"""FINAL: its fixed point against full matrices, and worlds that names and links decide."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from factlink.errors import InputError, SettingError
from factlink.evaluation.metrics import evaluate
from factlink.linkers.baselines.alignment.final import FinalLinker
from factlink.linkers.baselines.alignment.user_vectors import friends_graph, name_vectors
from factlink.types import Pairs
from tests.linkers.baselines.alignment.worlds import half_named, nameless
from tests.linkers.pair_worlds import namesakes
from tests.linkers.worlds import communities


def test_with_all_pairs_listed_it_is_the_fixed_point_of_the_article() -> None:
    world = namesakes(40, unique=0.5)
    scores = FinalLinker(nearest=40, rounds=200).fit(world.left, world.right).scores(np.arange(40))
    names = name_vectors(world.left, world.right)
    assert names is not None
    left, right = friends_graph(world.left).toarray(), friends_graph(world.right).toarray()
    cosines = names.lefts.astype(np.float64) @ names.rights.T
    degrees = left @ cosines @ right
    factors = np.sqrt(np.divide(cosines, degrees, out=np.zeros_like(cosines), where=degrees > 0))
    alike = cosines
    for _ in range(200):
        alike = 0.5 * cosines + 0.5 * factors * (left @ (factors * alike) @ right)
    assert_allclose(scores, alike / alike.max(axis=1).mean(), rtol=1e-3)


def test_friends_tell_namesakes_apart() -> None:
    world, _, _ = half_named()
    assert evaluate(FinalLinker(alpha=0).fit(world.left, world.right), world.truth).hits[1] == pytest.approx(
        0.5, abs=0.05
    )
    assert evaluate(FinalLinker().fit(world.left, world.right), world.truth).hits[1] >= 0.9


def test_known_pairs_are_enough_without_names() -> None:
    world = communities()
    known, truth = world.split(60)
    scorer = FinalLinker(nearest=200).fit(world.left, world.right, known)
    assert evaluate(scorer, known).hits[1] == 1.0
    assert evaluate(scorer, truth).hits[1] >= 0.5


def test_users_of_known_pairs_have_no_prior_with_others() -> None:
    world = namesakes(30, unique=1.0)
    swapped = Pairs(np.array([0]), world.truth.rights[1:2])
    assert FinalLinker(alpha=0).fit(world.left, world.right, swapped).candidates(1).rights[0, 0] == swapped.rights[0]


def test_it_says_what_it_lacks() -> None:
    world = namesakes(10, unique=1.0)
    with pytest.raises(InputError, match="linker 'final' needs names in both networks"):
        FinalLinker().fit(nameless(world.left), world.right)
    with pytest.raises(SettingError, match="alpha is 1"):
        FinalLinker(alpha=1)
