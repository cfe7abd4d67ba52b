"""Pairs within one network → links, by hand."""

import numpy as np

from factlink.candidates.pairs import gather_pairs
from factlink.decision.decisions import decide
from factlink.decision.likelihoods import Likelihoods
from factlink.types import DECISIONS

PAIRS = {(0, 1): 0.99, (0, 2): 0.97, (1, 2): 0.95, (3, 4): 0.3, (0, 4): 0.05}


def _likely(listed: dict[tuple[int, int], float] = PAIRS) -> Likelihoods:
    ends = np.array([*listed, *((b, a) for a, b in listed)])
    pairs = gather_pairs(5, 5, [(ends[:, 0], ends[:, 1])])
    values = [listed.get((a, b), listed.get((b, a))) for a, b in zip(pairs.lefts, pairs.rights, strict=True)]
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


def test_margins_are_leads_over_the_best_other_user() -> None:
    margins = decide(_likely(), precision=0.9).margins
    log_odds = {p: np.log(p / (1 - p)) for p in (0.99, 0.97, 0.95)}
    leads = [log_odds[0.99] - log_odds[0.97], log_odds[0.97] - log_odds[0.99], log_odds[0.95] - log_odds[0.99]]
    assert np.allclose(margins[:3], leads, atol=1e-4)
    assert margins[3] == np.inf  # user 3 has no other candidate


def test_a_pair_is_listed_and_linked_from_its_threshold_on() -> None:
    links = decide(_likely({(0, 1): 0.25, (2, 3): 0.75, (2, 4): 0.125}), precision=0.75)
    assert links.probabilities.tolist() == [0.25, 0.75]
    assert [DECISIONS[place].value for place in links.decisions] == ["unknown", "link"]
    least = decide(_likely({(0, 1): 0.875, (2, 3): 0.75}), precision=0.5, min_probability=0.875)
    assert [DECISIONS[place].value for place in least.decisions] == ["link", "unknown"]
