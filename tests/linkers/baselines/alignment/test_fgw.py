"""The fused Gromov-Wasserstein aligner: anchors by hand, and worlds that names and links decide."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from factlink.candidates.pairs import gather_pairs
from factlink.errors import InputError, SettingError
from factlink.evaluation.metrics import evaluate
from factlink.linkers.baselines.alignment.fgw import FgwLinker, find_anchors, shared_anchors
from factlink.linkers.baselines.alignment.pair_plan import PairPlan
from factlink.types import NO_PAIRS, Pairs
from tests.linkers.baselines.alignment.worlds import half_named, nameless
from tests.linkers.pair_worlds import namesakes
from tests.linkers.worlds import communities, shuffled

PAIRS = gather_pairs(3, 3, [(np.array([0, 0, 1, 2, 2]), np.array([0, 1, 1, 1, 2]))])


def plan(shares: list[float]) -> PairPlan:
    return PairPlan(PAIRS, np.array(shares) / 3, np.zeros(3), np.zeros(3), np.zeros(3))


def test_anchors_are_each_others_best_and_nearly_as_sure_as_the_surest() -> None:
    # (0, 0) is surest; (1, 1) lacks .3; (2, 2) lacks .6; (2, 1) is not the best of right user 1.
    assert find_anchors(plan([0.9, 0.0, 0.6, 0.5, 0.3]), NO_PAIRS).tolist() == [0, 2]


def test_known_pairs_are_anchors_and_their_users_are_in_no_others() -> None:
    known = Pairs(np.array([0]), np.array([1]))
    assert find_anchors(plan([0.9, 0.0, 0.6, 0.5, 0.8]), known).tolist() == [4, 1]


def test_shared_anchors_are_counted_beside_the_most() -> None:
    friends = csr_matrix(np.array([[0, 1, 1], [1, 0, 0], [1, 0, 0]], np.float64))
    # The anchors (1, 1) and (2, 2) are friends of both 0 and 0; the anchor (0, 0) is not listed as one.
    assert shared_anchors(PAIRS, np.array([2, 4]), (friends, friends)).tolist() == [1, 0, 0, 0, 0]


def test_friends_tell_namesakes_apart() -> None:
    world, _, _ = half_named()
    by_names = FgwLinker(anchor_rounds=0, gromov_rounds=0).fit(world.left, world.right)
    assert evaluate(by_names, world.truth).hits[1] == pytest.approx(0.5, abs=0.05)
    assert evaluate(FgwLinker().fit(world.left, world.right), world.truth).hits[1] >= 0.95


def test_known_pairs_are_enough_without_names() -> None:
    world = communities()
    known, truth = world.split(40)
    scorer = FgwLinker(nearest=200).fit(world.left, world.right, known)
    assert evaluate(scorer, known).hits[1] == 1.0
    assert evaluate(scorer, truth).hits[1] >= 0.8


def test_shuffled_links_tell_nothing() -> None:
    world = communities()
    known, truth = world.split(40)
    assert evaluate(FgwLinker().fit(world.left, shuffled(world.right), known), truth).hits[1] <= 0.05


def test_it_says_what_it_lacks() -> None:
    world = namesakes(10, unique=1.0)
    with pytest.raises(InputError, match="linker 'fgw' needs names in both networks"):
        FgwLinker().fit(nameless(world.left), nameless(world.right))
    with pytest.raises(SettingError, match="gromov_step is -1"):
        FgwLinker(gromov_step=-1)
