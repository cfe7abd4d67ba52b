"""Measures by hand: what they do to a release, what they cost, and which the search takes."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from factlink.audits.attacks import Attack, Attacker
from factlink.audits.measures.changes import coarser, take_measures
from factlink.audits.measures.proposals import Action, Measure, propose_measures
from factlink.audits.measures.search import Search, try_measures
from factlink.audits.measures.utility import utility_cost
from factlink.audits.release import Release
from factlink.types import Kind, Network
from tests.audits.conftest import column

DROP_NAME = Measure(Action.DROP, "name", Kind.NAME)
PSEUDONYMS = Measure(Action.PSEUDONYMS, "handle", Kind.NAME)


@pytest.mark.parametrize(
    ("kind", "value", "less"),
    [
        (Kind.NAME, "Amy Mei Tan", "Amy M. T."),
        (Kind.DATE, "1990-04-01", "1990"),
        (Kind.NUMBER, "1234", "1000.0"),
        (Kind.LOCATION, "Jurong, Singapore", "Singapore"),
        (Kind.TEXT, "  a runner from Oslo, mostly", "a runner from"),
    ],
)
def test_coarser_values(kind: Kind, value: str, less: str) -> None:
    assert coarser(column([value], kind)).to_list() == [less]


def test_values_that_become_empty_are_gone() -> None:
    left = Network("n", pl.Series(["a", "b"]), {"born": column(["1990-04-01", "unknown"], Kind.DATE)}, {})
    taken = take_measures(Release(left, left), [Measure(Action.COARSEN, "born", Kind.DATE)], 0, attacker_knows=True)
    assert taken.left.attributes["born"].objects.to_list() == ["1990"]
    assert taken.right.attributes["born"].objects.to_list() == ["1990"]


def test_rare_values_are_merged_on_both_sides_by_those_of_the_release() -> None:
    users = pl.Series([f"u{n}" for n in range(12)])
    left = Network("l", users, {"town": column(["Oslo"] * 10 + ["Bergen", "Moss"], Kind.CATEGORY)}, {})
    right = replace(left, attributes={"town": column(["Oslo"] + ["Bergen"] * 11, Kind.CATEGORY)})
    taken = take_measures(Release(left, right), [Measure(Action.MERGE, "town", Kind.CATEGORY)], 0, attacker_knows=True)
    assert taken.left.attributes["town"].objects.to_list() == ["Oslo"] * 10 + ["other"] * 2
    assert taken.right.attributes["town"].objects.to_list() == ["Oslo"] + ["other"] * 11


def test_pseudonyms_are_equal_for_equal_values_and_unknown_to_the_attacker(release: Release) -> None:
    left = replace(release.left, attributes={"handle": column(["amy", "joe", "amy"])})
    taken = take_measures(release.publish(left), [PSEUDONYMS], 0, attacker_knows=True)
    first, second, third = taken.left.attributes["handle"].objects
    assert first == third != second
    assert taken.right is release.right


def test_links_are_removed_or_swapped(release: Release) -> None:
    removed = take_measures(release, [Measure(Action.REMOVE_LINKS, "follows", share=0.5)], 0, attacker_knows=False)
    assert len(removed.left.links["follows"]) == 25
    swapped = take_measures(release, [Measure(Action.SWAP_LINKS, "follows", share=0.5)], 0, attacker_knows=False)
    before, after = release.left.links["follows"], swapped.left.links["follows"]
    assert set(after.followees) <= set(before.followees)
    assert (after.followers != after.followees).all()
    kept = set(zip(before.followers.tolist(), before.followees.tolist(), strict=True))
    assert 25 <= len(kept & set(zip(after.followers.tolist(), after.followees.tolist(), strict=True))) < 50


def test_people_are_left_out_with_their_truth(true_release: Release) -> None:
    measure = Measure(Action.LEAVE_OUT, share=0.05, users=("a00", "a50"))
    taken = take_measures(true_release, [measure], 0, attacker_knows=True)
    assert len(taken.left) == 58
    assert taken.truth is not None
    assert taken.truth.pairs.lefts.tolist() == list(range(39))
    assert taken.truth.pairs.rights.tolist() == list(range(1, 40))
    assert len(taken.truth.absent) == 19


def test_the_most_exposed_people_are_proposed_first(attack: Attack) -> None:
    five, twenty = (measure for measure in propose_measures(attack) if measure.action is Action.LEAVE_OUT)
    assert five.users == ("a00", "a01", "a02")
    assert len(twenty.users) == 12
    assert five.words == "leave out the 3 most exposed people (5%)"


def test_measures_suit_their_columns(attack: Attack) -> None:
    words = [measure.words for measure in propose_measures(attack)]
    assert words[:4] == [
        "drop the column 'handle'",
        "replace 'handle' by pseudonyms made with a secret key",
        "drop the column 'name'",
        "shorten the names in 'name' to the first word and initials",
    ]
    assert words[4] == "drop the links 'follows'"


def test_an_attacker_who_knows_of_a_measure_undoes_it(attacker: Attacker, release: Release) -> None:
    coarse = [Measure(Action.COARSEN, "name", Kind.NAME)]
    assert attacker.attack(take_measures(release, coarse, 0, attacker_knows=False)).risk(0.5) == pytest.approx(0.2)
    assert try_measures(attacker, release, coarse, 0).risk.value == pytest.approx(31 / 60)


def test_costs_by_hand(release: Release) -> None:
    assert utility_cost(release, [], 0) == 0.0
    assert utility_cost(release, [DROP_NAME], 0) == pytest.approx(1 / 3)
    assert utility_cost(release, [DROP_NAME, PSEUDONYMS], 0) == pytest.approx(0.5)
    left_out = Measure(Action.LEAVE_OUT, share=0.2, users=())
    assert utility_cost(release, [PSEUDONYMS, left_out], 0) == pytest.approx(1 - 0.8 * 5 / 6)
    shorter = Measure(Action.COARSEN, "name", Kind.NAME)  # 10 of 18 letters stay
    assert utility_cost(release, [shorter], 0) == pytest.approx(8 / 18 / 3)


def test_the_search_finds_the_two_measures_that_are_needed(attacker: Attacker, attack: Attack) -> None:
    advice = Search(attacker, attack, 0.05, 0).run()
    assert set(advice.chosen.measures) == {DROP_NAME, PSEUDONYMS}
    assert (advice.chosen.risk.value, advice.reached) == (0.0, True)
    risks = {tried.measures[0].words: tried.risk.value for tried in advice.single}
    assert risks["drop the column 'name'"] == pytest.approx(0.2)
    assert risks["drop the column 'handle'"] == pytest.approx(0.4)
    assert risks["leave out the 12 most exposed people (20%)"] == pytest.approx((8 * 0.95 + 20 * 0.6) / 48)


def test_a_high_target_needs_one_measure_and_a_higher_one_none(attacker: Attacker, attack: Attack) -> None:
    assert Search(attacker, attack, 0.45, 0).run().chosen.measures[0].action is Action.PSEUDONYMS
    nothing = Search(attacker, attack, 0.6, 0).run()
    assert (nothing.chosen.measures, nothing.reached) == ((), True)


def test_measures_do_not_depend_on_the_seed_of_numpy(release: Release) -> None:
    np.random.seed(1)  # noqa: NPY002
    measure = Measure(Action.SWAP_LINKS, "follows", share=0.5)
    one, other = (take_measures(release, [measure], 7, attacker_knows=False).left.links["follows"] for _ in range(2))
    assert one.followees.tolist() == other.followees.tolist()
