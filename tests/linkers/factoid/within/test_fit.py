"""Which pairs of one network are looked at, by hand."""

import numpy as np
import polars as pl
import pytest

from factlink.evidence import ChannelWeight, EvidenceSource
from factlink.execution.workers import HERE
from factlink.linkers.factoid.channels.channel import Channel
from factlink.linkers.factoid.within import fit as fitting
from factlink.linkers.factoid.within.evidence import Sources
from factlink.linkers.factoid.within.fit import WithinFit, both_ways
from factlink.linkers.factoid.within.linker import WithinLinker
from factlink.types import Network

N = 6


def fit_of(predicate: str, rows: list[list[float]], least: float) -> WithinFit:
    """A fit that compares users by one attribute alone."""
    fit = WithinFit(WithinLinker(), Network("n", pl.Series([str(user) for user in range(N)]), {}, {}), HERE)
    vectors = np.array(rows, np.float32)
    weighting = ChannelWeight(EvidenceSource.ATTRIBUTE, predicate, predicate, 1.0, "")
    fit.sources = Sources(None, None, {predicate: Channel(weighting, vectors, vectors, least=least)})
    return fit


def listed(fit: WithinFit) -> set[tuple[int, int]]:
    pairs = fit.find_pairs()
    return set(zip(pairs.lefts.tolist(), pairs.rights.tolist(), strict=True))


PICTURES = [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0], [0.0, 0.0], [0.0, 0.0]]


def test_users_with_the_same_picture_are_looked_at_and_users_with_the_same_town_are_not() -> None:
    assert {(0, 1), (1, 0), (2, 3), (3, 2)} <= listed(fit_of("avatar", PICTURES, least=0.5))
    assert not listed(fit_of("town", PICTURES, least=-1.0))


def test_pictures_of_very_many_users_are_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fitting, "_PICTURE_PAIRS", N**2)
    assert listed(fit_of("avatar", PICTURES, least=0.5))
    monkeypatch.setattr(fitting, "_PICTURE_PAIRS", N**2 - 1)
    assert not listed(fit_of("avatar", PICTURES, least=0.5))


def test_all_pairs_are_compared_up_to_a_number_and_everybody_finds_itself_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fit = fit_of("avatar", PICTURES, least=0.5)
    monkeypatch.setattr(fitting, "EXACT_PAIRS", N**2)
    assert fit.searches == ((21, None), (11, None))
    monkeypatch.setattr(fitting, "EXACT_PAIRS", N**2 - 1)
    assert fit.searches == ((21, fitting.BUDGET), (11, fitting.BUDGET))


def test_pairs_go_both_ways_and_nobody_is_paired_with_itself() -> None:
    pairs = both_ways(4, [(np.array([0, 1, 3]), np.array([0, 2, 1])), (np.array([2]), np.array([1]))])
    assert list(zip(pairs.lefts.tolist(), pairs.rights.tolist(), strict=True)) == [(1, 2), (1, 3), (2, 1), (3, 1)]
