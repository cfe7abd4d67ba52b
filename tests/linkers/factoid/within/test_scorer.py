"""Scores and explanations within one network, by hand: three users, two of whom share a name and a friend."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from numpy.testing import assert_allclose

from factlink.decision.decoy_calibration import DecoyCalibration
from factlink.decision.pair_model import Curve
from factlink.evidence import EvidenceSource
from factlink.linkers.factoid.within.curves import CurveModel
from factlink.linkers.factoid.within.evidence import FRIENDS, GAP, LINKED, NAMES, NOT_LINKED, Columns, Sources
from factlink.linkers.factoid.within.fit import both_ways
from factlink.linkers.factoid.within.friends import read_friends
from factlink.linkers.factoid.within.learning import Learned, keep
from factlink.linkers.factoid.within.scorer import WithinScorer
from factlink.types import Attribute, Follows, Kind, Network

N = 12
SHARED = list(range(2, N))
"""Friends of both 0 and 1."""


def rising(slope: float) -> Curve:
    return Curve((0.0,), (slope,))


@pytest.fixture(scope="module")
def scorer() -> WithinScorer:
    links = [(user, friend) for user in (0, 1) for friend in SHARED] + [(0, 1), (3, 2), (4, 2)]
    ends = np.array(links)
    names = Attribute(Kind.NAME, np.arange(N), pl.Series([f"name {user}" for user in range(N)]))
    network = Network(
        "n",
        pl.Series([f"u{user}" for user in range(N)]),
        {"name": names},
        {"follows": Follows(ends[:, 0], ends[:, 1], np.ones(len(ends), np.float32))},
    )
    pairs = both_ways(N, [(np.array([0, 0]), np.array([1, 2]))])  # 0-1, 0-2, 1-0, 2-0
    columns = Columns(
        {
            NAMES: np.array([1.0, 0.5, 1.0, 0.5], np.float32),
            FRIENDS: np.array([0.8, 0.0, 0.8, 0.0], np.float32),
            LINKED: np.array([0.5, 0.5, 0.5, 0.5], np.float32),
            NOT_LINKED: np.array([0.5, 0.5, 0.5, 0.5], np.float32),
            GAP + NAMES: np.array([0.4, -0.1, 0.4, -0.1], np.float32),
        }
    )
    curves = {NAMES: 2.0, FRIENDS: 5.0, LINKED: 1.0, NOT_LINKED: 3.0, GAP + NAMES: 10.0}
    model = CurveModel(-4.0, {title: rising(slope) for title, slope in curves.items()})
    found = Learned(model, DecoyCalibration(-1.0, 2.0), model.log_odds(columns))
    return WithinScorer(network, network, pairs, columns, found, Sources(None, read_friends(network), {}))


SCORES = [2 * (-4 + 2 + 4 + 0.5 + 1.5 + 4) - 1, 2 * (-4 + 1 + 0 + 0.5 + 1.5 - 1) - 1]
"""Of the pairs 0-1 and 0-2."""


def test_scores_are_calibrated_sums_of_the_curves(scorer: WithinScorer) -> None:
    assert_allclose(scorer.pair_scores, SCORES * 2, rtol=1e-5)
    assert_allclose(scorer.likelihoods().probabilities, 1 / (1 + np.exp(-np.array(SCORES * 2))), rtol=1e-4)


def test_a_block_has_a_row_for_every_user_asked_for(scorer: WithinScorer) -> None:
    block = scorer.scores(np.array([2, 5, 0]))
    assert block.shape == (3, N)
    assert_allclose(block[0, 0], SCORES[1])
    assert_allclose(block[2, 1:3], SCORES, rtol=1e-5)
    assert np.isfinite(block).sum() == 3


def test_candidates_are_the_best_others(scorer: WithinScorer) -> None:
    best = scorer.candidates(3)
    assert best.rights[:3].tolist() == [[1, 2, -1], [0, -1, -1], [0, -1, -1]]


def test_a_channel_weighs_the_most_that_it_and_its_gap_add(scorer: WithinScorer) -> None:
    weights = {(each.source, each.left): each.weight for each in scorer.channel_weights}
    assert_allclose(weights.pop((EvidenceSource.NAMES, "")), 2 * (2 - 0 + 4 + 1), rtol=1e-5)
    assert_allclose(weights.pop((EvidenceSource.VOTES, "")), 2 * 4, rtol=1e-5)
    assert_allclose(weights.pop((EvidenceSource.LINK_PREDICATE, "link between the two")), 2 * (0.5 - 1.5), rtol=1e-5)
    assert not weights


def test_the_parts_of_a_score_say_where_it_comes_from(scorer: WithinScorer) -> None:
    parts = scorer.explain(np.array([0, 0, 5]), np.array([2, 1, 6]))
    assert set(parts["pair"]) == {0, 1}  # nothing proposed the third
    one = parts.filter(pl.col("pair") == 1)
    by_predicate = dict(one.group_by("predicate").agg(pl.col("weight").sum()).iter_rows())
    assert by_predicate == {
        "prior: no match": pytest.approx(-9.0),
        "names": pytest.approx(4.0),
        "other users with such names": pytest.approx(8.0),
        "shared friend": pytest.approx(8.0 * share_of_the_rarest_eight(), rel=1e-4),
        "shared friends, the rest": pytest.approx(8.0 * (1 - share_of_the_rarest_eight()), rel=1e-4),
        "link between the two": pytest.approx(4.0),
    }
    assert one.filter(pl.col("predicate") == "link between the two")["note"].to_list() == ["one follows the other"]
    friends = one.filter(pl.col("predicate") == "shared friend")
    assert friends.height == 8
    assert "name 2" not in friends["left"]  # whom most follow
    assert set(friends["note"]) == {"2 links", "3 links"}


def share_of_the_rarest_eight() -> float:
    """Of ten shared friends, nine are followed by 2 of 12 users and one by 4; each counts by its squared rarity."""
    rare, common = np.log(13 / 2) ** 2, np.log(13 / 4) ** 2
    return float(8 * rare / (9 * rare + common))


def test_a_pair_without_shared_friends_has_no_part_of_them(scorer: WithinScorer) -> None:
    parts = scorer.explain(np.array([0]), np.array([2]))
    assert not parts["predicate"].str.starts_with("shared").any()
    assert_allclose(parts["weight"].sum(), SCORES[1], rtol=1e-5)


def test_fixed_odds_of_a_handful_of_users_are_explained_too(scorer: WithinScorer) -> None:
    few = replace(scorer, found=keep(scorer.columns))
    parts = few.explain(np.array([0]), np.array([1]))
    assert_allclose(few.pair_scores[0], -11 + 12 * 1.0 + 12 * 0.8, rtol=1e-5)
    assert_allclose(parts["weight"].sum(), few.pair_scores[0], rtol=1e-5)
    assert "link between the two" not in parts["predicate"]
    assert [each.weight for each in few.channel_weights] == [pytest.approx(12.0), pytest.approx(9.6)]
