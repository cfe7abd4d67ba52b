"""Several accounts of one person: found in worlds with a known answer, whatever the order of rows."""

from dataclasses import replace
from functools import cache

import numpy as np
import polars as pl
import pytest

from factlink.candidates.reordered import Reordered
from factlink.decision.decisions import link
from factlink.errors import InputError
from factlink.linkers.factoid.within.linker import WithinLinker
from factlink.linkers.factoid.within.scorer import WithinScorer
from factlink.synthetic.dials import Dials, Population
from factlink.synthetic.duplicates import OneNetwork, several_accounts
from factlink.types import DECISIONS, Decision, Ints, Links, Network


@cache
def _world() -> OneNetwork:
    return several_accounts(Dials(Population(people=700), seed=21))


@cache
def _scorer() -> Reordered[WithinScorer]:
    return WithinLinker().fit_within(_world().network)


def _linked(links: Links) -> set[tuple[int, int]]:
    is_link = links.decisions == DECISIONS.index(Decision.LINK)
    return set(zip(links.lefts[is_link].tolist(), links.rights[is_link].tolist(), strict=True))


def test_accounts_of_one_person_are_found_and_few_others() -> None:
    linked, truth = _linked(link(_scorer())), _world().truth()
    true = {frozenset(pair) for pair in zip(truth.lefts.tolist(), truth.rights.tolist(), strict=True)}
    found = {frozenset(pair) for pair in linked}
    assert len(found & true) > 0.6 * len(true)
    assert len(found & true) > 0.8 * len(found)


def test_nobody_is_paired_with_itself_and_no_pair_is_there_twice() -> None:
    links = link(_scorer())
    assert (links.lefts != links.rights).all()
    pairs = {frozenset(pair) for pair in zip(links.lefts.tolist(), links.rights.tolist(), strict=True)}
    assert len(pairs) == len(links)
    candidates = _scorer().candidates(10)
    assert not (candidates.rights == np.arange(len(candidates))[:, None]).any()


def test_a_user_may_have_several_links() -> None:
    links = _linked(link(_scorer()))
    ends = [user for pair in links for user in pair]
    assert len(ends) > len(set(ends))


def test_probabilities_are_the_same_in_both_directions() -> None:
    scorer = _scorer().scorer
    pairs, probabilities = scorer.pairs, scorer.found.probabilities
    assert np.allclose(probabilities, probabilities[pairs.places(pairs.rights, pairs.lefts)], atol=1e-6)


def test_explanations_add_up_to_the_score() -> None:
    scorer, links = _scorer(), link(_scorer())
    parts = scorer.explain(links.lefts[:40], links.rights[:40])
    sums = parts.group_by("pair").agg(total=pl.col("weight").sum()).sort("pair")["total"].to_numpy()
    assert np.allclose(sums, links.scores[:40], atol=1e-3)
    assert {"shared friend", "names", "prior: no match"} <= set(parts["predicate"])


def test_the_order_of_rows_changes_nothing() -> None:
    network = _world().network
    order = np.random.default_rng(3).permutation(len(network))
    moved = _moved(network, order)
    here, there = link(_scorer()), link(WithinLinker().fit_within(moved))
    ids = [{(n.users[a], n.users[b]) for a, b in _linked(links)} for n, links in ((network, here), (moved, there))]
    assert ids[0] == ids[1]


def test_a_handful_of_users_is_judged_by_fixed_odds() -> None:
    world = several_accounts(Dials(Population(people=20), seed=1))
    assert len(link(WithinLinker().fit_within(world.network))) < 20


def test_two_networks_are_refused() -> None:
    network = _world().network
    with pytest.raises(InputError, match="duplicates are looked for in one network"):
        WithinLinker().fit(network, replace(network, name="other"))


def _moved(network: Network, order: Ints) -> Network:
    places = np.argsort(order)
    attributes = {}
    for predicate, attribute in network.attributes.items():
        rows = places[attribute.rows]
        by_row = np.argsort(rows, kind="stable")
        attributes[predicate] = replace(attribute, rows=rows[by_row], objects=attribute.objects.gather(by_row))
    links = {
        p: replace(f, followers=places[f.followers], followees=places[f.followees]) for p, f in network.links.items()
    }
    return replace(network, users=network.users.gather(order), attributes=attributes, links=links)
