"""Who is in a known pair is nobody else's: one rule of ranking for every linker, wherever it ranks such accounts."""

import numpy as np
import pytest

from factlink.evaluation.folds import Fold, make_folds
from factlink.evaluation.metrics import evaluate
from factlink.experiments.jobs import rank_tested
from factlink.linkers.settings import LINKERS, make_linker
from factlink.synthetic.dials import Dials, LinkDials, NameDials, Population
from factlink.synthetic.worlds import World, twins

SETTINGS = {
    "ione": {"updates": "50000", "dim": "16", "exact_pairs": "no"},
    "fe": {"training.dim": "16", "persons.less_hubness": "no"},
    "line": {"passes": "5", "dim": "16"},
    "pale": {"passes": "5", "dim": "16"},
}


@pytest.fixture(scope="module")
def world() -> World:
    population = Population(people=60, presence=0.95, predicates=("username",))
    return twins(Dials(population, NameDials(same=0.6), links=LinkDials(mean=8, kept=0.9), seed=2))


@pytest.fixture(scope="module")
def fold(world: World) -> Fold:
    return make_folds(world.truth("left", "right"), 2)[0]


@pytest.mark.parametrize("name", sorted(LINKERS))
def test_only_accounts_that_are_free_are_ranked_above(name: str, world: World, fold: Fold) -> None:
    scorer = make_linker(name, SETTINGS.get(name, {})).fit(*world.networks, fold.known)
    free = np.setdiff1d(np.arange(len(scorer.right)), fold.known.rights)
    ranks = rank_tested(scorer, fold.tested, fold.known)
    by_left = dict(zip(np.unique(fold.tested.lefts).tolist(), ranks.tolist(), strict=True))
    for left, right in zip(fold.tested.lefts.tolist(), fold.tested.rights.tolist(), strict=True):
        scores = scorer.scores(np.array([left]))[0]
        others = scores[free[free != right]]
        above, tied = np.count_nonzero(others > scores[right]), np.count_nonzero(others == scores[right])
        assert by_left[left] == 1 + above + tied / 2
    metrics = evaluate(scorer, world.truth("left", "right"), fold.known)
    assert metrics.n == len(by_left)
    assert metrics.mrr == pytest.approx(np.mean(1 / ranks))


@pytest.mark.parametrize("name", ["ione", "fe"])
def test_shortlists_of_joint_vectors_are_not_filled_with_known_accounts(name: str, world: World, fold: Fold) -> None:
    scorer = make_linker(name, SETTINGS[name]).fit(*world.networks, fold.known)
    scores = scorer.scores(fold.tested.lefts)
    taken = np.isin(np.arange(scores.shape[1]), fold.known.rights)
    assert scores[:, taken].max() < scores[:, ~taken].min()
    own = scorer.scores(fold.known.lefts)[np.arange(len(fold.known)), fold.known.rights]
    assert own == pytest.approx(1, abs=1e-4)
