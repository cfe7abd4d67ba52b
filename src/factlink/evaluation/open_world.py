"""The open world: most people are not on both networks. Hides partners, and counts what gets linked all the same."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from factlink.errors import InputError, SettingError
from factlink.types import DECISIONS, SOURCES, Attribute, Decision, Follows, Ints, Links, LinkSource, Network, Pairs

BINS = 10


@dataclass(frozen=True, slots=True, eq=False)
class OpenWorld:
    """Two networks with some right partners hidden: left users with a partner, and without."""

    left: Network
    right: Network
    truth: Pairs  # pairs still there
    hidden: Ints  # left rows whose every partner is hidden


@dataclass(frozen=True, slots=True)
class LinkMetrics:
    """How right the links are, over left users whose answer is known."""

    n: int  # left users whose answer is known
    links: int  # of them called link
    precision: float  # right among those
    coverage: float  # right links per left user whose partner is there
    estimated_false_rate: float  # without labels, of the same links
    false_rate: float
    calibration_error: float  # mean |probability − share right| over ten bins, all best links


def hide_partners(left: Network, right: Network, truth: Pairs, share: float = 0.7, seed: int = 0) -> OpenWorld:
    """The world without that share of the right users that truth names."""
    if not 0 <= share < 1:
        raise SettingError(f"share is {share}; use a number from 0 to below 1, such as 0.7")
    partners = np.unique(truth.rights)
    gone = np.random.default_rng(seed).permutation(partners)[: round(share * len(partners))]
    kept = np.ones(len(right), bool)
    kept[gone] = False
    new_rows = np.cumsum(kept) - 1
    there = kept[truth.rights]
    remaining = Pairs(truth.lefts[there], new_rows[truth.rights[there]])
    return OpenWorld(left, keep_users(right, kept), remaining, np.setdiff1d(truth.lefts, remaining.lefts))


def keep_users(network: Network, kept: npt.NDArray[np.bool_]) -> Network:
    """The network of some of its users, with the links among them."""
    new_rows = np.cumsum(kept) - 1
    attributes = {p: _keep_objects(a, kept, new_rows) for p, a in network.attributes.items()}
    links = {p: _keep_links(follows, kept, new_rows) for p, follows in network.links.items()}
    return replace(network, users=network.users.filter(kept), attributes=attributes, links=links)


def judge_links(links: Links, truth: Pairs, hidden: Ints) -> LinkMetrics:
    """Links against what is known: partners still there, and left users whose partner is hidden.

    Users whose link was given, by a known pair or a judgement, are left out.
    """
    given = links.lefts[links.all_sources() != SOURCES.index(LinkSource.FOUND)]
    there = np.setdiff1d(truth.lefts, given)
    known = np.union1d(there, np.setdiff1d(hidden, given))
    if not len(known):
        raise InputError("the truth names no left user; there is nothing to compare the links with")
    keys = truth.lefts.astype(np.int64) << 32 | truth.rights.astype(np.int64)
    right = np.isin(links.lefts.astype(np.int64) << 32 | np.maximum(links.rights, 0), keys) & (links.rights >= 0)
    mine = np.isin(links.lefts, known)
    called = mine & (links.decisions == DECISIONS.index(Decision.LINK))
    n_links, n_right = int(called.sum()), int((called & right).sum())
    estimated = float(np.mean(1 - links.probabilities[called])) if n_links else 0.0
    precision = n_right / n_links if n_links else 1.0
    return LinkMetrics(
        n=len(known),
        links=n_links,
        precision=precision,
        coverage=n_right / max(1, len(there)),
        estimated_false_rate=estimated,
        false_rate=1 - precision,
        calibration_error=calibration_error(links.probabilities[mine], right[mine]),
    )


def calibration_error(probabilities: npt.NDArray[np.floating], right: npt.NDArray[np.bool_]) -> float:
    """Mean |mean probability − share right| over ten equal bins, by their size."""
    bins = np.minimum((probabilities * BINS).astype(int), BINS - 1)
    sums = np.bincount(bins, probabilities, BINS) - np.bincount(bins, right, BINS)
    return float(np.abs(sums).sum() / max(1, len(right)))


def _keep_objects(attribute: Attribute, kept: npt.NDArray[np.bool_], new_rows: Ints) -> Attribute:
    mine = kept[attribute.rows]
    return Attribute(attribute.kind, new_rows[attribute.rows[mine]], attribute.objects.filter(mine))


def _keep_links(follows: Follows, kept: npt.NDArray[np.bool_], new_rows: Ints) -> Follows:
    mine = kept[follows.followers] & kept[follows.followees]
    followers, followees = new_rows[follows.followers[mine]], new_rows[follows.followees[mine]]
    return Follows(followers, followees, follows.weights[mine])
