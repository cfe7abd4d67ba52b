"""Candidates → links: the best candidate of every left user, and what to make of it."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from factlink.candidates.pairs import CandidatePairs, best_of_pairs, left_sums
from factlink.candidates.reordered import Reordered
from factlink.decision.likelihoods import Likelihoods, check_precision, estimate_likelihoods, find_threshold
from factlink.decision.pair_decisions import decide_pairs
from factlink.decision.sparse_assignment import best_assignment
from factlink.errors import SettingError
from factlink.protocols import Scorer
from factlink.types import DECISIONS, NO_PAIRS, SOURCES, Candidates, Decision, Floats, Ints, Links, LinkSource, Pairs

UNLIKELY = 0.01
"""Pairs below are never assigned."""

LEAST = 0.5
"""The lowest probability of a link, by default."""


@dataclass(frozen=True, slots=True)
class DecisionRule:
    """When a best candidate is called a link."""

    precision: float = 0.9  # share of the links found that should be right
    one_to_one: bool = True  # no right user is linked twice; off where people have several accounts
    calibrated: bool = True  # on known pairs, by a second fit that is given half of them
    min_probability: float = LEAST  # of a link

    def __post_init__(self) -> None:
        check_precision(self.precision)
        check_min_probability(self.min_probability)


Flags = npt.NDArray[np.bool_]

_LINK, _UNKNOWN, _NO_ACCOUNT = (DECISIONS.index(each) for each in Decision)


def link(
    scorer: Scorer,
    precision: float = 0.9,
    *,
    min_probability: float = LEAST,
    one_to_one: bool | None = None,
    found: Candidates | None = None,
) -> Links:
    """One outcome per left user, for any scorer; `found`, its best candidates, saves a second search.

    *link*: of probability min_probability or more, and so probable that at most 1 − precision of the links that were
    found, not known, are expected to be false. *no account*: all candidates together are less likely than
    1 − precision. *unknown*: all others, and ties. One-to-one is by default as the scorer was fitted.
    """
    if isinstance(scorer, Reordered):
        inner = None if found is None else scorer.orders.back.candidates(found)
        linked = link(scorer.scorer, precision, min_probability=min_probability, one_to_one=one_to_one, found=inner)
        return scorer.orders.links(linked)
    return decide(estimate_likelihoods(scorer, one_to_one=one_to_one, found=found), precision, min_probability)


def decide(
    likely: Likelihoods, precision: float, min_probability: float = LEAST, earlier: Pairs | None = None
) -> Links:
    """The chosen pair of each left user, its runner-up, and the outcome.

    Where there are earlier links, which are all among the pairs, they are links still and nobody competes with them;
    another pair becomes one only if it is as likely as the precision: pairs that judgements lift just above the
    threshold are false more often than the links there are, and confirmed links make no other doubtful.
    """
    if likely.within:
        return decide_pairs(likely, precision, min_probability)
    chosen = _choose(likely, earlier or NO_PAIRS)
    threshold = _threshold(likely, chosen, precision, min_probability)
    if earlier is None:
        return decide_chosen(likely, chosen, precision, threshold)
    return decide_chosen(likely, chosen, precision, max(threshold, precision), earlier)


def decide_chosen(
    likely: Likelihoods, chosen: Ints, precision: float, threshold: float, held: Pairs = NO_PAIRS
) -> Links:
    """The same for pairs chosen already: (n_left,) places, −1 for nobody; a link is as likely as the threshold.

    A pair that is known, was judged a match or is held is a link whatever its probability.
    """
    pairs = likely.pairs
    nobody = chosen < 0
    scores = np.where(nobody, -np.inf, _at(likely.scores, chosen)).astype(np.float32)
    probabilities = _chosen_probabilities(likely, chosen)
    rights = np.where(nobody, -1, _at(pairs.rights, chosen))
    runners_up, margins = _runners_up(likely, rights, scores)
    margins[_are_alike(likely, rights)] = 0
    sources = _sources(likely, chosen)
    given = (sources != SOURCES.index(LinkSource.FOUND)) | (np.isin(chosen, _places(likely, held)) & ~nobody)
    total = left_sums(pairs, likely.probabilities)
    linked = given | ((probabilities >= threshold) & (margins != 0) & ~nobody)
    no_account = ~linked & (nobody | (total < 1 - precision))
    decisions = np.select([linked, no_account], [_LINK, _NO_ACCOUNT], _UNKNOWN)
    rights = np.where(no_account, -1, rights)
    return Links(np.arange(pairs.n_left), rights, scores, probabilities, decisions, runners_up, margins, sources)


def check_min_probability(min_probability: float) -> None:
    """An error unless it is a probability."""
    if not 0 <= min_probability <= 1:
        raise SettingError(f"min_probability is {min_probability}; use a number from 0 to 1, such as {LEAST}")


def _threshold(likely: Likelihoods, chosen: Ints, precision: float, min_probability: float) -> float:
    """By the pairs that were found alone: those that are certain would pay for doubtful ones."""
    check_min_probability(min_probability)
    found = _sources(likely, chosen) == SOURCES.index(LinkSource.FOUND)
    return max(min_probability, find_threshold(_chosen_probabilities(likely, chosen)[found], precision))


def rivals_of(pairs: CandidatePairs, given: Pairs) -> Flags:
    """(n_pairs,): which are other pairs of a user of given pairs."""
    left, right = np.zeros(pairs.n_left, np.bool_), np.zeros(pairs.n_right, np.bool_)
    left[given.lefts], right[given.rights] = True, True
    rivals = left[pairs.lefts] | right[pairs.rights]
    places = pairs.places(given.lefts, given.rights)
    rivals[places[places >= 0]] = False
    return rivals


def _choose(likely: Likelihoods, held: Pairs) -> Ints:
    """Places of the pairs that together hold the most right links; else each user's most likely pair."""
    pairs = likely.pairs
    best = best_of_pairs(pairs, likely.probabilities, 1).rights[:, 0]
    chosen = pairs.places(np.arange(pairs.n_left), best)
    if likely.one_to_one:
        probabilities = np.where(rivals_of(pairs, held), np.float32(0), likely.probabilities)
        assigned = best_assignment(pairs, probabilities, no_match=UNLIKELY)
        taken = np.zeros(pairs.n_right, bool)
        taken[pairs.rights[assigned]] = True
        chosen[(best >= 0) & taken[best]] = -1
        chosen[pairs.lefts[assigned]] = assigned
    for given in (held, likely.known, likely.judged):  # the last word is a person's
        users, first = np.unique(given.lefts, return_index=True)
        places = _places(likely, Pairs(users, given.rights[first]))
        chosen[users[places >= 0]] = places[places >= 0]
    return chosen


def _sources(likely: Likelihoods, chosen: Ints) -> Ints:
    """(n_left,) places in SOURCES of the chosen pairs."""
    sources = np.full(len(chosen), SOURCES.index(LinkSource.FOUND), np.int8)
    for given, source in ((likely.known, LinkSource.KNOWN), (likely.judged, LinkSource.JUDGED)):
        if len(given):
            sources[np.isin(chosen, _places(likely, given)) & (chosen >= 0)] = SOURCES.index(source)
    return sources


def _places(likely: Likelihoods, given: Pairs) -> Ints:
    return likely.pairs.places(given.lefts, given.rights)


def _chosen_probabilities(likely: Likelihoods, chosen: Ints) -> Floats:
    return np.where(chosen < 0, 0, _at(likely.probabilities, chosen)).astype(np.float32)


def _runners_up(likely: Likelihoods, rights: Ints, scores: Floats) -> tuple[Ints, Floats]:
    """The best other candidate of each left user, and by how much the chosen one leads it."""
    best = best_of_pairs(likely.pairs, likely.scores, 2)
    other = np.where(best.rights[:, 0] == rights, 1, 0)[:, None]
    runners_up = np.take_along_axis(best.rights, other, axis=1)[:, 0]
    second = np.take_along_axis(best.scores, other, axis=1)[:, 0]
    leads = (runners_up >= 0) & np.isfinite(scores)
    margins = np.full(len(scores), np.inf, np.float32)
    margins[leads] = scores[leads] - second[leads]
    return runners_up, margins


def _are_alike(likely: Likelihoods, rights: Ints) -> Flags:
    """(n_left,): whether the user, or its chosen right user, is interchangeable with another."""
    if likely.alike is None or not likely.pairs.n_right:
        return np.zeros(len(rights), np.bool_)
    left, right = likely.alike
    return (rights >= 0) & (right[rights] | (left & likely.one_to_one))


def _at(values: npt.NDArray[Any], places: Ints) -> npt.NDArray[Any]:
    """Values at places; whatever at −1."""
    return values[places] if len(values) else np.zeros(len(places), values.dtype)
