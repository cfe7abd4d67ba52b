"""What measures cost: the share of the release's information that is lost."""

from collections.abc import Sequence

import numpy as np
import polars as pl

from factlink.audits.measures.changes import take_measures
from factlink.audits.measures.proposals import Action, Measure
from factlink.audits.reasons import release_parts
from factlink.audits.release import Release
from factlink.types import Kind, Network

PSEUDONYM_LOSS = 0.5
"""A pseudonym can still be counted and joined by, but no longer be read."""


def utility_cost(release: Release, measures: Sequence[Measure], seed: int) -> float:
    """The mean loss over columns and link predicates, and the share of people left out, together from 0 to 1."""
    kept = dict.fromkeys(release_parts(release.left), 1.0)
    people = 1.0
    for measure in measures:
        if measure.action is Action.LEAVE_OUT:
            people *= 1 - measure.share
        else:
            after = take_measures(release, [measure], seed, attacker_knows=False).left
            kept[measure.predicate] *= 1 - lost_by(measure, release.left, after)
    return float(1 - people * (np.mean(list(kept.values())) if kept else 1.0))


def lost_by(measure: Measure, before: Network, after: Network) -> float:
    """The share of its column's or link predicate's information that a measure takes away."""
    match measure.action:
        case Action.DROP:
            return 1.0
        case Action.PSEUDONYMS:
            return PSEUDONYM_LOSS
        case Action.REMOVE_LINKS | Action.SWAP_LINKS:
            return measure.share
        case Action.SHORTEN | Action.COARSEN if measure.kind in (Kind.TEXT, Kind.NAME):
            return 1 - _ratio(*(_letters(network, measure.predicate) for network in (after, before)))
        case _:
            return 1 - _ratio(*(_information(network, measure.predicate) for network in (after, before)))


def _information(network: Network, column: str) -> float:
    """Bits: the number of values times their entropy."""
    objects = network.attributes[column].objects
    counts = objects.value_counts()["count"].to_numpy() if len(objects) else np.empty(0)
    shares = counts / max(1, counts.sum())
    return float(-(shares * np.log2(shares)).sum() * len(objects)) if len(objects) else 0.0


def _letters(network: Network, column: str) -> float:
    return float(network.attributes[column].objects.str.count_matches(r"\w").cast(pl.Float64).sum())


def _ratio(after: float, before: float) -> float:
    return min(1.0, after / before) if before > 0 else 1.0
