from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from factlink.candidates.pairs import left_best
from factlink.candidates.reordered import Reordered
from factlink.decision.decisions import link
from factlink.errors import InputError, SettingError
from factlink.evaluation.metrics import evaluate
from factlink.evaluation.open_world import OpenWorld, hide_partners
from factlink.evidence import EvidenceSource
from factlink.linkers.baselines.name import NameLinker
from factlink.linkers.factoid.linker import FactoidLinker, FactoidScorer
from factlink.linkers.factoid.scorer import FIXED_HOW, HOW, ONE_TO_ONE, SEVERAL
from factlink.linkers.factoid.settings import Steps
from factlink.synthetic.worlds import shuffle_links, twins
from factlink.types import DECISIONS, Attribute, Decision, Kind, Links, Network, Pairs

Known = tuple[Network, Network, Pairs]


@pytest.fixture(scope="module")
def world() -> Known:
    made = twins()
    left, right = made.networks
    return left, right, made.whole_truth(left.name, right.name)


@pytest.fixture(scope="module")
def scorer(world: Known) -> Reordered[FactoidScorer]:
    return FactoidLinker().fit(world[0], world[1])


def hits(scorer: Reordered[FactoidScorer], truth: Pairs) -> float:
    return evaluate(scorer, truth).hits[1]


def test_it_beats_names_alone(world: Known, scorer: Reordered[FactoidScorer]) -> None:
    left, right, truth = world
    assert hits(scorer, truth) > hits(NameLinker().fit(left, right), truth) + 0.02


def test_links_that_mean_nothing_do_not_hurt(world: Known) -> None:
    left, right, truth = world
    shuffled = FactoidLinker().fit(shuffle_links(left, 1), shuffle_links(right, 2))
    without = FactoidLinker(steps=Steps(links=False)).fit(left, right)
    assert hits(shuffled, truth) >= hits(without, truth) - 0.005
    weights = {worth.source: worth.weight for worth in shuffled.channel_weights}
    assert weights[EvidenceSource.NEIGHBOURS] < 0.05
    assert shuffled.channel_weights[0].weight > 0.95  # nothing knows better than names


def test_names_count_less_where_votes_show_that_many_mislead(scorer: Reordered[FactoidScorer]) -> None:
    names = scorer.channel_weights[0]
    assert 0.5 < names.weight < 0.95  # a quarter of the made-up people go by unlike names
    assert "on pairs that the other channels are confident of" in names.reason
    unweighed = FactoidLinker(steps=Steps(weights=False)).fit(scorer.left, scorer.right)
    assert unweighed.channel_weights[0].weight == 1


def test_votes_are_worth_what_they_are_on_sure_pairs_that_seem_right(world: Known) -> None:
    left, right, truth = world
    hidden = hide_partners(left, right, truth, 0.7)
    found = FactoidLinker().fit(hidden.left, hidden.right)
    votes = next(worth for worth in found.channel_weights if worth.source is EvidenceSource.VOTES)
    asked, share = float(votes.reason.split()[1]), int(votes.reason.split(";")[1].split("%")[0]) / 100
    assert 0.5 < share < 0.9
    assert votes.weight == pytest.approx(min(1, asked / share), rel=0.05)


def test_names_alone_are_not_sure_of_themselves_where_non_matches_resemble_each_other(world: Known) -> None:
    """Without links, most partners hidden: half of the false links that names alone would make."""
    left, right, truth = world
    hidden = hide_partners(left, right, truth, 0.7)
    false = {}
    for null_model in (True, False):
        linker = FactoidLinker(steps=Steps(links=False, null_model=null_model))
        links = link(linker.fit(hidden.left, hidden.right), precision=0.9)
        false[null_model] = false_rates(links, hidden)[0]
    assert false[True] < 0.6 * false[False]


def test_a_column_of_noise_does_not_hurt(world: Known, scorer: Reordered[FactoidScorer]) -> None:
    left, right, truth = world
    rng = np.random.default_rng(0)
    noisy = [with_noise(network, rng) for network in (left, right)]
    found = FactoidLinker().fit(*noisy)
    assert hits(found, truth) >= hits(scorer, truth) - 0.015  # other decoys alone move it by .01: 10 of 950 users
    assert {w.weight for w in found.channel_weights if w.left == w.right == "noise"} == {0}


def with_noise(network: Network, rng: np.random.Generator) -> Network:
    noise = pl.Series([f"group {i}" for i in rng.integers(0, 50, len(network))])
    attributes = {**network.attributes, "noise": Attribute(Kind.CATEGORY, np.arange(len(network)), noise)}
    return replace(network, attributes=attributes)


def test_most_people_are_not_on_both_networks(world: Known) -> None:
    left, right, truth = world
    open_world = hide_partners(left, right, truth, share=0.7, seed=0)
    false, expected = false_rates(link(FactoidLinker().fit(left, open_world.right)), open_world)
    assert false < 0.2
    assert abs(expected - false) < 0.1


def false_rates(links: Links, world: OpenWorld) -> tuple[float, float]:
    """The share of false links among users whose partner is there or hidden; and what the probabilities expect."""
    answered = np.isin(links.lefts, np.union1d(world.truth.lefts, world.hidden))
    called = answered & (links.decisions == DECISIONS.index(Decision.LINK))
    true = set(zip(world.truth.lefts.tolist(), world.truth.rights.tolist(), strict=True))
    made = list(zip(links.lefts[called].tolist(), links.rights[called].tolist(), strict=True))
    return 1 - sum(pair in true for pair in made) / len(made), float(np.mean(1 - links.probabilities[called]))


def test_the_parts_add_up_to_the_score(scorer: Reordered[FactoidScorer]) -> None:
    inner = scorer.scorer
    some = np.arange(0, len(inner.pairs), 997)
    parts = inner.explain(inner.pairs.lefts[some], inner.pairs.rights[some])
    sums = np.bincount(parts["pair"].to_numpy(), parts["weight"].to_numpy(), minlength=len(some))
    assert_allclose(sums, inner.pair_scores[some], atol=1e-3)


def test_the_score_of_a_best_pair_is_the_log_odds_of_its_probability(scorer: Reordered[FactoidScorer]) -> None:
    inner = scorer.scorer
    likeliest = left_best(inner.pairs, inner.found.values, 1)[0]
    best = inner.candidates(1).scores[:, 0]
    assert_allclose(1 / (1 + np.exp(-best)), likeliest, atol=1e-4)
    shared = left_best(inner.pairs, inner.probabilities, 1)[0]
    assert (shared <= likeliest).all()
    assert_allclose(shared, likeliest, atol=0.1)  # shared out where a user's probabilities were more than 1 together


def test_scores_agree_with_candidates_and_are_never_a_number_for_non_matches(scorer: Reordered[FactoidScorer]) -> None:
    rows = np.array([5, 0, 17])
    block, best = scorer.scores(rows), scorer.candidates(3)
    assert block.shape == (3, len(scorer.right))
    assert_array_equal(block.argmax(axis=1), best.rights[rows, 0])
    assert_array_equal(block.max(axis=1), best.scores[rows, 0])
    assert np.isneginf(block).any()
    assert not np.isnan(block).any()


def test_likelihoods_say_how_they_came_about(scorer: Reordered[FactoidScorer]) -> None:
    inner = scorer.scorer
    asked = [inner.likelihoods(one_to_one) for one_to_one in (None, True, False)]
    assert [likely.how for likely in asked] == [f"{rule}; {HOW}" for rule in (ONE_TO_ONE, ONE_TO_ONE, SEVERAL)]
    assert [likely.one_to_one for likely in asked] == [True, True, False]
    assert_array_equal(asked[1].probabilities, inner.probabilities)
    assert asked[2].probabilities.sum() > asked[0].probabilities.sum()  # rivals for a right user take nothing off


def test_a_handful_of_users_is_judged_by_fixed_odds() -> None:
    names = ["Amy Tan", "Bo Lindqvist", "Carla Espinoza", "Dmitri Volkov"]
    left, right = (
        Network(side, pl.Series(list("abcd")), {"name": Attribute(Kind.NAME, np.arange(4), pl.Series(given))}, {})
        for side, given in (("left", names), ("right", names[::-1]))
    )
    likely = FactoidLinker().fit(left, right).scorer.likelihoods()
    assert likely.how == f"{ONE_TO_ONE}; {FIXED_HOW}"
    assert (link(FactoidLinker().fit(left, right)).rights == [3, 2, 1, 0]).all()


def test_the_same_seed_gives_the_same_bytes(world: Known, scorer: Reordered[FactoidScorer]) -> None:
    again = FactoidLinker().fit(world[0], world[1])
    assert again.scorer.pair_scores.tobytes() == scorer.scorer.pair_scores.tobytes()
    assert again.channel_weights == scorer.channel_weights


def test_known_pairs_are_linked_and_help(world: Known) -> None:
    left, right, truth = world
    nameless = [Network(n.name, n.users, {}, n.links) for n in (left, right)]
    known, rest = Pairs(truth.lefts[::2], truth.rights[::2]), Pairs(truth.lefts[1::2], truth.rights[1::2])
    found = FactoidLinker().fit(*nameless, known)
    assert hits(found, known) == 1
    assert evaluate(found, rest).mrr > 10 / len(right)


def test_known_pairs_make_names_worth_no_more_than_they_are(world: Known, scorer: Reordered[FactoidScorer]) -> None:
    left, right, truth = world
    third = FactoidLinker().fit(left, right, Pairs(truth.lefts[::3], truth.rights[::3]))
    assert third.channel_weights[0].weight == pytest.approx(scorer.channel_weights[0].weight, abs=0.05)
    assert "on pairs that the other channels are confident of" in third.channel_weights[0].reason


def test_nothing_to_start_from(world: Known) -> None:
    left, right, _ = world
    with pytest.raises(InputError, match="no names and no known pairs"):
        FactoidLinker().fit(replace(left, attributes={}), right)


@pytest.mark.parametrize(("setting", "value"), [("k", 0), ("rounds", -1)])
def test_settings_that_make_no_sense(setting: str, value: float) -> None:
    with pytest.raises(SettingError, match=f"{setting} is {value}"):
        FactoidLinker(**{setting: value})


def test_everything_is_used_by_default() -> None:
    assert FactoidLinker().steps == Steps(attributes=True, links=True, weights=True, null_model=True, spreading=True)


def test_the_least_settings_are_taken() -> None:
    least = FactoidLinker(k=1, rounds=0)
    assert (least.k, least.rounds) == (1, 0)
