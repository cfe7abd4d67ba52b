"""One suite for the explanations of all linkers: parts add up, and what weighs most matters."""

from dataclasses import replace
from functools import cache

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from factlink.decision.decisions import link
from factlink.evidence import FRIENDS, PARTS, RIVALS
from factlink.explanations.explain import as_explanation, explain, explain_pairs
from factlink.explanations.friends import LinkedFriends, Yardstick
from factlink.linkers.settings import LINKERS, make_linker
from factlink.protocols import Linker, Scorer
from factlink.types import Floats, Follows, Ints, Kind, Network
from tests.every.test_linkers import fitted, linker, split, world

ROWS = st.lists(st.tuples(st.integers(0, 90), st.integers(0, 90)), min_size=1, max_size=12)

OF_NO_ONE_OBJECT = {"ulink", "walks"}
"""The parts of ulink are distances, all below 0, and those of walks are known pairs far away: none can be taken out."""


ONCE = {
    "fe": {"training.dim": "64", "persons.rounds": "0", "persons.less_hubness": "no"},
    "factoid": {"steps.null_model": "no"},
}
"""Settings in which one object less changes nothing but itself.

`fe` otherwise chooses other persons for everybody, and `factoid` learns anew what all evidence is worth.
"""


def linker_once(name: str) -> Linker:
    return make_linker(name, ONCE[name], seed=3) if name in ONCE else linker(name)


@cache
def fitted_once(name: str) -> Scorer:
    return linker_once(name).fit(*world().networks, split()[0]) if name in ONCE else fitted(name)


def parts_of(scorer: Scorer, lefts: list[int], rights: list[int]) -> pl.DataFrame:
    return scorer.explain(np.array(lefts), np.array(rights))


@pytest.mark.parametrize("name", LINKERS)
@settings(max_examples=6, deadline=None)
@given(rows=ROWS)
def test_parts_add_up_to_the_score_of_any_pair(name: str, rows: list[tuple[int, int]]) -> None:
    lefts, rights = [row[0] for row in rows], [row[1] for row in rows]
    parts = parts_of(fitted(name), lefts, rights)
    assert parts.schema == PARTS
    scores = fitted(name).scores(np.array(lefts))[np.arange(len(rows)), rights]
    for place, score in enumerate(scores):
        if np.isfinite(score):
            total = sum(parts.filter(pair=place)["weight"])
            assert total == pytest.approx(float(score), rel=1e-3, abs=1e-3)


@pytest.mark.parametrize("name", LINKERS)
def test_parts_say_who_or_what_met(name: str) -> None:
    truth = split()[1]
    parts = parts_of(fitted(name), truth.lefts[:20].tolist(), truth.rights[:20].tolist())
    met = parts.drop_nulls(["left", "right"])
    assert met.height >= 20
    assert set(parts["pair"]) == set(range(20))
    assert set(parts["kind"]) <= {*Kind, FRIENDS, "rivals", "rest"}


@pytest.mark.parametrize("name", LINKERS)
def test_evidence_of_all_links_adds_up_to_their_scores(name: str) -> None:
    links = link(fitted(name))
    evidence = explain(fitted(name), links)
    paired = links.rights >= 0
    assert evidence.select("left", "right").n_unique() == paired.sum()
    sums = dict(evidence.group_by("left").agg(pl.col("weight").sum()).rows())
    users = world().networks[0].users.gather(np.flatnonzero(paired))
    assert [sums[user] for user in users] == pytest.approx(links.scores[paired].tolist(), rel=1e-3, abs=1e-3)


def without_object(network: Network, row: int, objects: list[str]) -> Network:
    """The network after a user deleted some names."""
    attributes = {}
    for predicate, attribute in network.attributes.items():
        kept = ~((attribute.rows == row) & attribute.objects.is_in(objects).to_numpy())
        attributes[predicate] = replace(
            attribute, rows=attribute.rows[kept], objects=attribute.objects.filter(pl.Series(kept))
        )
    return replace(network, attributes=attributes)


@pytest.mark.parametrize("name", ["cnl", "cosnet", "factoid", "fe", "name"])
def test_without_the_name_that_weighs_most_the_score_is_lower(name: str) -> None:
    left, right = world().networks
    known, truth = split()
    asked = truth.lefts[:30].tolist(), truth.rights[:30].tolist()
    names = parts_of(fitted_once(name), *asked).filter(pl.col("kind") == "name").drop_nulls("left")
    best = names.sort("weight", descending=True).row(0, named=True)
    row, partner = asked[0][best["pair"]], asked[1][best["pair"]]
    again = linker_once(name).fit(without_object(left, row, [best["left"].split(" read as ")[0]]), right, known)
    before, after = (scorer.scores(np.array([row]))[0, partner] for scorer in (fitted_once(name), again))
    assert after < before


def without_link(network: Network, row: int, friend: int) -> Network:
    """The network after two users parted."""
    links = {}
    for predicate, follows in network.links.items():
        ends = np.sort([follows.followers, follows.followees], axis=0)
        kept = (ends != np.sort([row, friend])[:, None]).any(axis=0)
        links[predicate] = Follows(follows.followers[kept], follows.followees[kept], follows.weights[kept])
    return replace(network, links=links)


@pytest.mark.parametrize("name", sorted(set(LINKERS) - OF_NO_ONE_OBJECT))
def test_without_what_weighs_most_in_each_of_many_pairs_scores_are_mostly_lower(name: str) -> None:
    left, right = world().networks
    known, truth = split()
    asked = truth.lefts[:30], truth.rights[:30]
    parts = parts_of(fitted_once(name), *(rows.tolist() for rows in asked)).drop_nulls(["left", "right"])
    best = parts.filter(pl.col("weight") > 0).sort("weight", descending=True).group_by("pair").first()
    for part in best.sort("pair").iter_rows(named=True):
        row = int(asked[0][part["pair"]])
        if part["kind"] == FRIENDS:
            left = without_link(left, row, left.row_of(part["left"].rpartition("(")[2].rstrip(")")))
        else:
            left = without_object(left, row, [part["left"]])
    lefts, rights = (rows[best.sort("pair")["pair"]] for rows in asked)
    again = linker_once(name).fit(left, right, known)
    before, after = (own_weight(scorer, lefts, rights) for scorer in (fitted_once(name), again))
    assert len(lefts) > 15
    assert np.mean(after < before) > 0.5


def own_weight(scorer: Scorer, lefts: Ints, rights: Ints) -> Floats:
    """The scores of pairs before rivals took their share."""
    parts = parts_of(scorer, lefts.tolist(), rights.tolist()).filter(pl.col("kind") != RIVALS)
    return np.bincount(parts["pair"], parts["weight"], minlength=len(lefts))


def test_without_the_friends_that_met_the_neighbourhoods_say_less() -> None:
    left, right = world().networks
    known, truth = split()
    row, partner = int(truth.lefts[3]), int(truth.rights[3])
    follows = left.links["follows"]
    kept = (follows.followers != row) & (follows.followees != row)
    fewer = replace(follows, **{n: getattr(follows, n)[kept] for n in ("followers", "followees", "weights")})
    lonely = linker("factoid").fit(replace(left, links={"follows": fewer}), right, known)
    before, after = (
        parts_of(scorer, [row], [partner]).filter(pl.col("kind") == FRIENDS)["weight"].sum()
        for scorer in (fitted("factoid"), lonely)
    )
    assert before > 1
    assert after == 0


def test_one_pair_is_explained_in_full() -> None:
    truth = split()[1]
    scorer, left, right = fitted("factoid"), truth.lefts[3:4], truth.rights[3:4]
    evidence = explain_pairs(scorer, left, right, most_parts=1_000)
    users, score = (
        (scorer.left.users[int(left[0])], scorer.right.users[int(right[0])]),
        scorer.scores(left)[0, right[0]],
    )
    score = float(scorer.scores(left)[0, right[0]])
    explanation = as_explanation(users, score, evidence, Yardstick(), LinkedFriends(0, 0, 0))
    assert explanation.gap == pytest.approx(0, abs=1e-3)
    assert [abs(p.weight) for p in explanation.parts] == sorted(
        (abs(p.weight) for p in explanation.parts), reverse=True
    )
    assert not explanation.has_separate_friends
    friends = [part for part in explanation.parts if part.kind == FRIENDS and part.left]
    assert all("neighbours" in part.note for part in friends)
