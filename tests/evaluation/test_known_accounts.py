"""Who is in a known pair is nobody else's: how each linker that says so ranks."""

import numpy as np
import pytest

from factlink.data.crowd.dials import Crowd, Dials, LinkDials, NameDials
from factlink.data.synthetic import twins
from factlink.evaluation.folds import make_folds
from factlink.evaluation.jobs import rank_tested
from factlink.linkers.settings import make_linker


@pytest.mark.parametrize(
    ("name", "settings"),
    [("ione", {"updates": "50000", "dim": "16", "exact_pairs": "no"}), ("fe", {"training.dim": "16"})],
)
def test_accounts_of_known_pairs_rank_below_all_others(name: str, settings: dict[str, str]) -> None:
    crowd = Crowd(people=60, presence=0.95, predicates=("username",))
    world = twins(Dials(crowd, NameDials(same=0.6), links=LinkDials(mean=8, kept=0.9), seed=2))
    fold = make_folds(world.truth("left", "right"), 2)[0]
    scorer = make_linker(name, settings).fit(*world.networks, fold.known)
    ranks, without_known = rank_tested(scorer, fold, fold.known)
    assert np.array_equal(ranks, without_known)
    own = scorer.scores(fold.known.lefts)[np.arange(len(fold.known)), fold.known.rights]
    assert own == pytest.approx(1, abs=1e-4)
