"""Pairs within one network → links, by hand."""

import numpy as np

from factlink.candidates.pairs import gather_pairs
from factlink.decision.decisions import decide
from factlink.decision.likelihoods import Likelihoods
from factlink.types import DECISIONS

PAIRS = {(0, 1): 0.99, (0, 2): 0.97, (1, 2): 0.95, (3, 4): 0.3, (0, 4): 0.05}


def _likely() -> Likelihoods:
    ends = np.array([*PAIRS, *((b, a) for a, b in PAIRS)])
    pairs = gather_pairs(5, 5, [(ends[:, 0], ends[:, 1])])
    values = [PAIRS.get((a, b), PAIRS.get((b, a))) for a, b in zip(pairs.lefts, pairs.rights, strict=True)]
    probabilities = np.array(values, np.float32)
    return Likelihoods(pairs, np.log(probabilities / (1 - probabilities)), probabilities, one_to_one=False, within=True)


def test_every_likely_pair_is_there_once_and_a_user_may_have_several() -> None:
    links = decide(_likely(), precision=0.9)
    decisions = [DECISIONS[place].value for place in links.decisions]
    listed = list(zip(links.lefts.tolist(), links.rights.tolist(), decisions, strict=True))
    assert listed == [(0, 1, "link"), (0, 2, "link"), (1, 2, "link"), (3, 4, "unknown")]


def test_a_runner_up_is_the_best_other_user() -> None:
    assert decide(_likely(), precision=0.9).runners_up.tolist() == [2, 1, 0, -1]


def test_a_higher_precision_leaves_more_undecided() -> None:
    links = decide(_likely(), precision=0.975)
    assert [DECISIONS[place].value for place in links.decisions] == ["link", "link", *["unknown"] * 3]
