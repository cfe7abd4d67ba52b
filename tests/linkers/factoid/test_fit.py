"""What votes and names count after the last round; when every pair is compared."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from factlink.candidates.pairs import gather_pairs
from factlink.decision.soft_assignment import Assignment
from factlink.evidence import ChannelWeight, EvidenceSource
from factlink.execution.workers import HERE
from factlink.linkers.factoid import name_steps
from factlink.linkers.factoid.channels.channel import Channel
from factlink.linkers.factoid.fit import FactoidFit
from factlink.linkers.factoid.settings import FactoidSettings
from factlink.linkers.factoid.written.names import Names
from factlink.types import NO_PAIRS, Attribute, Floats, Kind, Network, Pairs

NOTHING = np.empty(0, np.float32)


def fit_with_votes(weight: float, probabilities: list[float]) -> FactoidFit:
    """Four confident pairs, of which three are still candidates; names and hops beside the votes."""
    left, right = (Network(name, pl.Series([f"{name}{i}" for i in range(4)]), {}, {}) for name in "lr")

    class Assigned(FactoidFit):
        def assign(self, evidence: Floats) -> Assignment:
            return Assignment(np.array(probabilities, np.float32), NOTHING, NOTHING, 1.0, 1.0)

    fit = Assigned(FactoidSettings(), left, right, NO_PAIRS, HERE)
    fit.pairs = gather_pairs(4, 4, [(np.array([0, 0, 1, 2]), np.array([0, 1, 1, 2]))])
    fit.confident = Pairs(np.arange(4), np.arange(4))
    rows = np.eye(4, dtype=np.float32)
    weights = (EvidenceSource.NAMES, 1.0), (EvidenceSource.NEIGHBOURS, 0.25), (EvidenceSource.VOTES, weight)
    fit.channels = [Channel(ChannelWeight(source, "", "", each, "MRR"), rows, rows) for source, each in weights]
    fit.products = [channel.products(fit.pairs) for channel in fit.channels]
    return fit


@pytest.mark.parametrize(
    ("weight", "probabilities", "wanted", "share"),
    [
        (0.25, [1.0, 0.5, 0.75, 0.25], 0.5, "50%"),  # 1 + ¾ + ¼ of four, one of them no candidate any more
        (0.25, [0.5, 0.5, 0.25, 0.25], 1.0, "25%"),
        (0.5, [0.5, 0.5, 0.25, 0.25], 1.0, "25%"),  # never more than 1
    ],
)
def test_votes_count_as_on_the_confident_pairs_that_seem_right(
    weight: float, probabilities: list[float], wanted: float, share: str
) -> None:
    fit = fit_with_votes(weight, probabilities)
    fit.weigh_votes()
    assert [channel.weight for channel in fit.channels] == [1.0, 0.25, wanted]
    assert [channel.weighting.source for channel in fit.channels][-1] is EvidenceSource.VOTES
    assert fit.channels[-1].weighting.reason == f"MRR; {share} of the confident pairs seem right"


@pytest.mark.parametrize(("limit", "exact"), [(16, True), (15, False)])
def test_every_pair_is_compared_up_to_a_number_of_pairs(
    limit: int, exact: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(name_steps, "EXACT_PAIRS", limit)
    assert fit_with_votes(0.25, [1.0] * 4).exact == exact


def words(n: int, seed: int) -> list[str]:
    """Names of ten random letters."""
    letters = np.random.default_rng(seed).integers(97, 123, (n, 10)).astype(np.uint8)
    return [row.tobytes().decode() for row in letters]


def named(side: str, names: list[str]) -> Network:
    attribute = Attribute(Kind.NAME, np.arange(len(names)), pl.Series(names))
    return Network(side, pl.Series([f"{side}{i}" for i in range(len(names))]), {"name": attribute}, {})


@pytest.mark.parametrize(("nothing", "searches"), [("", 1), ("x", 2)])
def test_names_are_looked_for_again_if_a_column_misled_the_search(
    nothing: str, searches: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second left column repeats the first, or tells nobody apart."""
    asked: list[list[float]] = []

    class Counted(FactoidFit):
        def search(self, names: Names, weights: Floats) -> None:
            asked.append(weights.round(2).tolist())
            super().search(names, weights)

    people = words(60, 1)
    left, right = named("l", people), named("r", people)
    other = Attribute(Kind.NAME, np.arange(60), pl.Series([nothing or name for name in people]))
    left = replace(left, attributes={**left.attributes, "other": other})
    fit = Counted(FactoidSettings(), left, right, NO_PAIRS, HERE)
    fit.read_names()
    assert asked == [[1, 1, 1], [1, 0, 1]][:searches]
    assert fit.origins.name_weights.round(2).tolist() == [1, float(searches == 1), 1]


class Branch:
    """A fit that has at least so many right links."""

    def __init__(self, right: float) -> None:
        self.right = right

    def settle(self) -> "Branch":
        return self

    def fewest_right(self) -> float:
        return self.right


@pytest.mark.parametrize(("right", "chosen"), [((5, 9), 1), ((4, 3), 0), ((4, 4), 0)])
def test_the_branch_that_surely_has_more_right_links_is_taken(
    right: tuple[int, int], chosen: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    branches = [Branch(links) for links in right]
    monkeypatch.setattr(FactoidFit, "branches", lambda _: iter(branches))
    fit = FactoidFit(FactoidSettings(), named("l", words(12, 1)), named("r", words(10, 2)), NO_PAIRS, HERE)
    assert fit.best_branch()[0] is branches[chosen]
