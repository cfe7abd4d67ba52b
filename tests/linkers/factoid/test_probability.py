from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from numpy.testing import assert_allclose

from factlink.candidates.pairs import gather_pairs, left_sums
from factlink.decision.decisions import link
from factlink.decision.decoy_calibration import DecoyCalibration
from factlink.evaluation.open_world import calibration_error, hide_partners, keep_users
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.linkers.factoid.probability.crossing import cross
from factlink.linkers.factoid.probability.rivals import best_rivals
from factlink.linkers.factoid.settings import Steps
from factlink.synthetic.dials import Dials
from factlink.synthetic.worlds import twins
from factlink.types import DECISIONS, Attribute, Decision, Kind, Network, Pairs

Known = tuple[Network, Network, Pairs]


def test_words_of_two_names_are_crossed() -> None:
    rng = np.random.default_rng(0)
    assert cross("Amy Tan", "Bo Lindqvist", rng) == "Amy Lindqvist"
    assert {cross("Ana Maria Lopez", "Eva Ruiz Gil", rng) for _ in range(50)} == {
        "Ana Ruiz Gil",
        "Ana Gil",
        "Ana Maria Ruiz Gil",
        "Ana Maria Gil",
    }
    assert {cross("Ana Maria Eva Lopez", "Bo Tan Ruiz Gil", rng) for _ in range(50)} == {"Ana Maria Ruiz Gil"}


def test_single_words_are_crossed_where_they_have_two_letters_in_common() -> None:
    rng = np.random.default_rng(0)
    assert cross("martin99", "starlight", rng) == "marlight"
    assert cross("amy", "bo", rng) == "amo"  # nothing in common: halves


def test_levels_are_means_of_the_best_other_pairs_by_hand() -> None:
    lefts = np.arange(12)
    pairs = gather_pairs(12, 1, [(lefts, np.zeros(12, int))])
    rivals = best_rivals(pairs, np.arange(12, dtype=np.float32), 1)  # evidence 0 … 11 with the one right user
    assert rivals.users[0, :3].tolist() == [11, 10, 9]
    levels = rivals.levels(np.zeros(3, int), [np.array([11, 0, 11]), np.array([10, 1, 11])])
    assert_allclose(levels, [np.mean(range(1, 10)), np.mean(range(3, 12)), np.mean(range(2, 11))])


def test_few_pairs_make_a_low_level() -> None:
    pairs = gather_pairs(2, 1, [(np.array([0, 1]), np.zeros(2, int))])
    rivals = best_rivals(pairs, np.array([0.9, 0.45], np.float32), 1)
    assert_allclose(rivals.levels(np.zeros(2, int), [np.array([0, 1])]), [0.45 / 9, 0.9 / 9])
    assert_allclose(rivals.mean, [1.35 / 9])


@pytest.fixture(scope="module")
def world() -> Known:
    made = twins(Dials(seed=3))
    left, right = made.networks
    return left, right, made.truth(left.name, right.name)


@pytest.mark.parametrize("share", [0.0, 0.5, 0.8])
def test_expected_false_links_come_true_whoever_is_hidden(world: Known, share: float) -> None:
    hidden = hide_partners(*world, share, seed=1) if share else hide_partners(*world, 0.0)
    links = link(FactoidLinker(steps=Steps(links=False)).fit(hidden.left, hidden.right), precision=0.9)
    true = np.full(len(hidden.left), -1)
    true[hidden.truth.lefts] = hidden.truth.rights
    right = (links.rights >= 0) & (links.rights == true)
    called = links.decisions == DECISIONS.index(Decision.LINK)
    assert abs((1 - links.probabilities[called]).mean() - (~right[called]).mean()) < 0.08
    assert calibration_error(links.probabilities, right) < 0.08


def test_where_nobody_has_a_partner_nobody_is_linked(world: Known) -> None:
    left, right, truth = world
    half = len(left) // 2
    mine = np.arange(len(left)) < half
    others = np.ones(len(right), bool)
    others[truth.rights[mine[truth.lefts]]] = False
    links = link(FactoidLinker(steps=Steps(links=False)).fit(keep_users(left, mine), keep_users(right, others)))
    assert np.count_nonzero(links.decisions == DECISIONS.index(Decision.LINK)) <= 0.02 * half


def test_probabilities_of_a_user_add_up_to_one_at_most(world: Known) -> None:
    scorer = FactoidLinker(steps=Steps(links=False)).fit(world[0], world[1]).scorer
    bold = replace(scorer.found, calibration=DecoyCalibration(intercept=4.0))
    before, after = left_sums(bold.pairs, bold.values), left_sums(bold.pairs, bold.shared)
    assert before.max() > 1.5
    assert after.max() < 1 + 1e-5
    modest = (before < 1)[bold.pairs.lefts]
    assert_allclose(bold.shared[modest], bold.values[modest])
    assert left_sums(scorer.pairs, scorer.likelihoods().probabilities).max() < 1 + 1e-5


def test_probabilities_are_the_same_for_the_same_seed_alone(world: Known) -> None:
    left, right, _ = world
    first, again = (FactoidLinker(seed=5).fit(left, right).scorer.probabilities for _ in range(2))
    assert first.tobytes() == again.tobytes()
    assert len(pl.Series(first).unique()) > 100


def test_non_matches_are_not_linked_where_there_are_a_handful_of_users() -> None:
    def called(name: str, names: list[str]) -> Network:
        attribute = Attribute(Kind.NAME, np.arange(len(names)), pl.Series(names))
        return Network(name, pl.Series([f"{name}{row}" for row in range(len(names))]), {"name": attribute}, {})

    left = called("left", ["Amy Tan", "Cay Ode", "Bob Lee", "Desmond Ng"])
    right = called("right", ["amy.tan", "Dee Roy", "Lee, Bob", "Wei Zhang"])
    links = link(FactoidLinker().fit(left, right))
    assert [links.decisions[row] == DECISIONS.index(Decision.LINK) for row in range(4)] == [True, False, True, False]
    assert links.rights[[0, 2]].tolist() == [0, 2]
