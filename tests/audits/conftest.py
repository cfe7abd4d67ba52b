"""A release that a person can audit by hand, and an attacker whose probabilities are plain.

Sixty people are released. Twenty have the same name and the same handle in the attacker's data, twenty the same name
only, and twenty are not there. The attacker's linker counts equal values: one is a probability of .6, two are .95.
"""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import polars as pl
import pytest

from factlink.audits.attacks import Attack, Attacker
from factlink.audits.release import Release
from factlink.candidates.pairs import gather_pairs
from factlink.data.pairs import Truth
from factlink.decision.likelihoods import Likelihoods
from factlink.errors import InputError
from factlink.protocols import Linker, Scorer
from factlink.types import NO_PAIRS, Attribute, Floats, Follows, Ints, Kind, Network, Pairs

PROBABILITIES = np.array([0.0, 0.6, 0.95, 0.99], np.float32)


class EqualValues(Scorer):
    """Pairs that have equal values in columns of the same name."""

    def __init__(self, left: Network, right: Network) -> None:
        self.left, self.right = left, right
        met = [
            _frame(left.attributes[name]).join(_frame(right.attributes[name]), on="value")
            for name in left.attributes
            if name in right.attributes
        ]
        schema = {"row": pl.Int64, "value": pl.String, "row_right": pl.Int64}
        both = pl.concat([pl.DataFrame(schema=schema), *met]).group_by("row", "row_right").len()
        self.met = both.sort("row", "row_right")

    def likelihoods(self, one_to_one: bool | None = None) -> Likelihoods:
        lefts, rights = self.met["row"].to_numpy(), self.met["row_right"].to_numpy()
        pairs = gather_pairs(len(self.left), len(self.right), [(lefts, rights)])
        counts = self.met["len"].to_numpy()
        return Likelihoods(pairs, counts.astype(np.float32), PROBABILITIES[np.minimum(counts, 3)])

    def scores(self, rows: Ints) -> Floats:
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class EqualValuesLinker:
    name: ClassVar[str] = "equal values"
    supervised: ClassVar[bool] = False

    def fit(self, left: Network, right: Network, known: Pairs = NO_PAIRS) -> Scorer:
        if not left.attributes:
            raise InputError("no columns to link by")
        return EqualValues(left, right)


def _frame(attribute: Attribute) -> pl.DataFrame:
    return pl.DataFrame({"row": attribute.rows, "value": attribute.objects}).cast({"row": pl.Int64})


def column(values: list[str], kind: Kind = Kind.NAME) -> Attribute:
    there = [value != "" for value in values]
    return Attribute(kind, np.flatnonzero(there), pl.Series([value for value in values if value], dtype=pl.String))


def word(number: int, kind: int) -> str:
    """Words that no two of these people share."""
    return "".join(
        chr(97 + (number * 7 + kind * 11 + place * place * 5 + number // 13 * place) % 26) for place in range(9)
    )


def name(number: int) -> str:
    return f"{word(number, 1)} {word(number, 2)}"


@pytest.fixture
def release() -> Release:
    people = range(60)
    left = Network(
        "release",
        pl.Series([f"a{n:02}" for n in people]),
        {"name": column([name(n) for n in people]), "handle": column([word(n, 3) for n in people])},
        {"follows": Follows(np.arange(50), np.arange(1, 51), np.ones(50, np.float32))},
    )
    theirs = [*range(40), *range(100, 120)]
    right = Network(
        "theirs",
        pl.Series([f"b{n:02}" for n in people]),
        {
            "name": column([name(n) for n in theirs]),
            "handle": column([word(n if n < 20 else n + 200, 3) for n in theirs]),
        },
        {},
    )
    return Release(left, right)


@pytest.fixture
def true_release(release: Release) -> Release:
    return replace(release, truth=Truth(Pairs(np.arange(40), np.arange(40)), np.arange(40, 60)))


@pytest.fixture
def linker() -> Linker:
    return EqualValuesLinker()


@pytest.fixture
def attacker(linker: Linker) -> Attacker:
    return Attacker(linker)


@pytest.fixture
def attack(attacker: Attacker, release: Release) -> Attack:
    return attacker.attack(release)
