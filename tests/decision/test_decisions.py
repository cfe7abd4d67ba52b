from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from factlink.candidates.pairs import gather_pairs
from factlink.candidates.reordered import Reordered
from factlink.canonical.orders import Orders, RowOrder
from factlink.decision.decisions import DecisionRule, decide, link
from factlink.decision.likelihoods import Likelihoods
from factlink.errors import SettingError
from factlink.protocols import Scorer
from factlink.types import DECISIONS, SOURCES, Floats, Ints, Network, Pairs

LINK, UNKNOWN, NO_ACCOUNT = range(3)


def likely(table: Any, scores: Any = None) -> Likelihoods:
    table = np.array(table, np.float32)
    pairs = gather_pairs(*table.shape, [np.indices(table.shape).reshape(2, table.size)])
    scores = table if scores is None else np.array(scores, np.float32)
    return Likelihoods(pairs, scores.ravel(), table.ravel())


def several(table: Any, scores: Any = None) -> Likelihoods:
    """Likelihoods without competition for right users."""
    return replace(likely(table, scores), one_to_one=False)


def pairs(*rows: tuple[int, int]) -> Pairs:
    return Pairs(np.array([left for left, _ in rows], int), np.array([right for _, right in rows], int))


def test_the_three_outcomes() -> None:
    assert [str(decision) for decision in DECISIONS] == ["link", "unknown", "no account"]
    links = decide(likely([[0.98, 0.01], [0.02, 0.4], [0.0, 0.03]]), 0.9)
    assert_array_equal(links.decisions, [LINK, UNKNOWN, NO_ACCOUNT])
    assert_array_equal(links.rights, [0, 1, -1])
    assert_allclose(links.probabilities, [0.98, 0.4, 0], atol=1e-6)


def test_who_has_a_candidate_and_hardly_an_account_has_none() -> None:
    links = decide(likely([[0.98, 0, 0], [0, 0.05, 0], [0, 0, 0.15]]), 0.9)
    assert_array_equal(links.decisions, [LINK, NO_ACCOUNT, UNKNOWN])
    assert_array_equal(links.rights, [0, -1, 2])


def test_links_and_unknowns_begin_at_their_thresholds() -> None:
    assert_array_equal(decide(likely([[0.25]]), 0.75).decisions, [UNKNOWN])
    assert_array_equal(decide(likely([[0.75]]), 0.75).decisions, [LINK])


def test_the_runner_up_and_by_how_much_it_loses() -> None:
    links = decide(likely([[0.7, 0.2, 0.05]]), 0.6)
    assert_array_equal(links.runners_up, [1])
    assert_allclose(links.margins, [0.5], atol=1e-6)


def test_the_runner_up_of_who_is_not_linked_to_the_best_is_the_best() -> None:
    links = decide(likely([[0.6, 0.35], [0.55, 0.02]]), 0.5)
    assert_array_equal(links.rights, [1, 0])
    assert_array_equal(links.runners_up, [0, 1])
    assert_allclose(links.margins, [-0.25, 0.53], atol=1e-6)


def test_an_only_candidate_leads_without_end() -> None:
    links = decide(likely([[0.9]]), 0.8)
    assert (links.runners_up.tolist(), links.margins.tolist()) == ([-1], [np.inf])


def test_networks_without_any_pair_have_no_links() -> None:
    pairs_ = gather_pairs(2, 3, [(np.empty(0, np.int64), np.empty(0, np.int64))])
    links = decide(Likelihoods(pairs_, np.empty(0, np.float32), np.empty(0, np.float32)), 0.9)
    assert_array_equal(links.decisions, [NO_ACCOUNT, NO_ACCOUNT])
    assert_array_equal(links.rights, [-1, -1])
    assert_array_equal(links.probabilities, [0, 0])
    assert_array_equal(links.scores, [-np.inf, -np.inf])
    assert [SOURCES[place].value for place in links.all_sources()] == ["found", "found"]


def test_earlier_links_stay_where_new_ones_would_be_too_doubtful() -> None:
    """All are as likely; the first two were links before."""
    table, earlier = likely(np.diag([0.6, 0.6, 0.6, 0.6])), pairs((0, 0), (1, 1))
    assert_array_equal(decide(table, 0.55, earlier=earlier).decisions, [LINK] * 4)
    assert_array_equal(decide(table, 0.9, earlier=earlier).decisions, [LINK, LINK, UNKNOWN, UNKNOWN])
    assert_array_equal(decide(table, 0.9, 0.7, earlier=earlier).decisions, [LINK, LINK, UNKNOWN, UNKNOWN])
    assert_array_equal(decide(table, 0.6, earlier=pairs()).decisions, [LINK] * 4)
    assert_array_equal(decide(table, 0.61, earlier=pairs()).decisions, [UNKNOWN] * 4)


@pytest.mark.parametrize("one_to_one", [True, False])
def test_nobody_competes_with_an_earlier_link(one_to_one: bool) -> None:
    table = replace(likely([[0.6, 0.95, 0.0], [0.99, 0.0, 0.3], [0.0, 0.92, 0.0]]), one_to_one=one_to_one)
    links = decide(table, 0.9, earlier=pairs((0, 0)))
    assert_array_equal(links.rights, [0, 2, 1] if one_to_one else [0, 0, 1])
    assert_array_equal(links.decisions, [LINK, UNKNOWN if one_to_one else LINK, LINK])
    assert_array_equal(links.runners_up, [1, 0, 0] if one_to_one else [1, 2, 0])


def test_an_earlier_link_stays_beside_an_account_of_the_same_score() -> None:
    table = likely([[0.5, 0.5]])
    assert_array_equal(decide(table, 0.5).decisions, [UNKNOWN])
    links = decide(table, 0.5, earlier=pairs((0, 1)))
    assert (links.rights.tolist(), links.decisions.tolist(), links.margins.tolist()) == ([1], [LINK], [0])


def test_a_known_pair_that_is_nobodys_candidate_changes_nobody() -> None:
    table = likely([[0.9, 0.0], [0.0, 0.0]])
    pairs_ = gather_pairs(2, 2, [(np.array([0]), np.array([0]))])
    one = Likelihoods(pairs_, np.array([0.9], np.float32), np.array([0.9], np.float32), known=pairs((1, 1)))
    links = decide(one, 0.8)
    assert_array_equal(links.decisions, [LINK, NO_ACCOUNT])
    assert links.count_links() == {"known": 0, "judged": 0, "found": 1}
    both = decide(replace(one, known=pairs((0, 0), (1, 1))), 0.8)
    assert (both.rights.tolist(), both.count_links()["known"]) == ([0, -1], 1)
    first = decide(replace(several([[0.2, 0.6]]), known=pairs((0, 0))), 0.8)
    assert (first.rights.tolist(), first.count_links()["known"]) == ([0], 1)
    assert decide(table, 0.8).count_links()["found"] == 1


@pytest.mark.parametrize("least", [0.0, 1.0])
def test_no_chance_and_certainty_are_probabilities(least: float) -> None:
    assert DecisionRule(min_probability=least).min_probability == least


def test_a_tie_is_unknown_however_likely() -> None:
    links = decide(several([[0.95, 0.95]], scores=[[3, 3]]), 0.9)
    assert_array_equal(links.decisions, [UNKNOWN])
    assert_array_equal(links.margins, [0])


def test_a_link_to_one_of_two_users_who_are_the_same_is_a_tie() -> None:
    table = likely([[0.97, 0.02, 0.0], [0.0, 0.0, 0.98]])
    assert_array_equal(decide(table, 0.9).decisions, [LINK, LINK])
    twins = replace(table, alike=(np.array([False, False]), np.array([True, True, False])))
    links = decide(twins, 0.9)
    assert_array_equal(links.decisions, [UNKNOWN, LINK])
    assert_array_equal(links.rights, [0, 2])
    assert links.margins[0] == 0
    assert_array_equal(decide(replace(twins, known=pairs((0, 0))), 0.9).decisions, [LINK, LINK])


def test_one_of_two_left_users_who_are_the_same_is_linked_only_where_both_may_be() -> None:
    table = replace(likely([[0.97], [0.02]]), alike=(np.array([True, True]), np.array([False])))
    assert_array_equal(decide(table, 0.9).decisions, [UNKNOWN, NO_ACCOUNT])
    assert_array_equal(decide(replace(table, one_to_one=False), 0.9).decisions, [LINK, NO_ACCOUNT])


def test_several_accounts_of_one_person() -> None:
    table = [[0.97], [0.96]]
    assert_array_equal(decide(several(table), 0.9).decisions, [LINK, LINK])
    assert_array_equal(np.sort(decide(likely(table), 0.9).rights), [-1, 0])


def test_a_user_whose_choice_is_taken_gets_the_next() -> None:
    links = decide(likely([[0.6, 0.35], [0.55, 0.02]]), 0.5)
    assert_array_equal(links.rights, [1, 0])


def test_known_pairs_pay_for_no_doubtful_link() -> None:
    table = np.diag([0.999] * 8 + [0.7, 0.55])
    assert_array_equal(decide(likely(table), 0.9).decisions, [LINK] * 10)  # 7.6 % of all ten are expected to be false
    eight = pairs(*((row, row) for row in range(8)))
    links = decide(replace(likely(table), known=eight), 0.9)
    assert_array_equal(links.decisions, [LINK] * 8 + [UNKNOWN] * 2)  # of the two that were found, 30 % or more
    assert [SOURCES[place].value for place in links.all_sources()] == ["known"] * 8 + ["found"] * 2
    assert links.count_links() == {"known": 8, "judged": 0, "found": 0}
    assert_array_equal(decide(replace(likely(table), known=eight), 0.6).decisions, [LINK] * 10)  # 37.5 % of the two


def test_a_known_pair_and_a_judged_one_are_links_however_unlikely_and_a_person_has_the_last_word() -> None:
    given = replace(several([[0.6, 0.2], [0.9, 0.05]]), known=pairs((0, 1), (1, 0)), judged=pairs((1, 1)))
    links = decide(given, 0.95)
    assert_array_equal(links.rights, [1, 1])
    assert_array_equal(links.decisions, [LINK, LINK])
    assert links.count_links() == {"known": 1, "judged": 1, "found": 0}
    assert not links.found_links().any()


def test_a_link_is_more_likely_than_not_unless_said_otherwise() -> None:
    table = np.diag([0.99, 0.99, 0.99, 0.45])
    assert_array_equal(decide(likely(table), 0.8).decisions, [LINK, LINK, LINK, UNKNOWN])
    assert_array_equal(decide(likely(table), 0.8, min_probability=0.45).decisions, [LINK] * 4)
    assert_array_equal(decide(likely(table), 0.8, min_probability=1.0).decisions, [UNKNOWN] * 4)


@pytest.mark.parametrize(
    ("setting", "value", "said"),
    [
        ("precision", 1.0, "precision is 1.0; use a number between 0 and 1"),
        ("min_probability", 1.5, "min_probability is 1.5; use a number from 0 to 1"),
        ("min_probability", -0.1, "min_probability is -0.1; use a number from 0 to 1"),
    ],
)
def test_a_rule_is_checked_at_birth(setting: str, value: float, said: str) -> None:
    with pytest.raises(SettingError, match=said):
        DecisionRule(**{setting: value})
    with pytest.raises(SettingError, match=said):
        link(Table(np.eye(3, dtype=np.float32)), **{setting: value})


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 1000))
def test_nobody_is_linked_twice(n_left: int, n_right: int, seed: int) -> None:
    table = np.random.default_rng(seed).random((n_left, n_right))
    links = decide(likely(table / table.sum()), 0.5)
    rights = links.rights[links.rights >= 0]
    assert len(np.unique(rights)) == len(rights)


@dataclass
class Table(Scorer):
    matrix: Floats

    @property
    def left(self) -> Network:
        return Network("left", pl.Series([f"l{i}" for i in range(len(self.matrix))]), {}, {})

    @property
    def right(self) -> Network:
        return Network("right", pl.Series([f"r{i}" for i in range(self.matrix.shape[1])]), {}, {})

    def scores(self, rows: Ints) -> Floats:
        return self.matrix[rows]


def test_any_scorer_can_be_linked_whatever_its_range() -> None:
    n = 40
    matrix = np.random.default_rng(0).random((n, n)).astype(np.float32) + 5 * np.eye(n, dtype=np.float32)
    matrix[7] = matrix[7, 7] = 0.1
    for scale in (1, 100):
        links = link(Table(matrix * scale))
        linked = links.decisions == LINK
        assert linked.sum() == n - 1
        assert_array_equal(links.rights[linked], links.lefts[linked])
        assert not linked[7]


def test_links_come_back_in_rows_as_given_whether_candidates_are_there_or_not() -> None:
    """The first left row of the linker is the third as given, and the partner of its first right row."""
    inner = Table(np.eye(3, dtype=np.float32))
    orders = Orders(RowOrder.of(np.array([2, 0, 1])), RowOrder.of(np.array([1, 2, 0])))
    scorer = Reordered(inner, inner.left, inner.right, orders)
    links = link(scorer, 0.5)
    assert_array_equal(links.rights, [2, 0, 1])
    assert (links.runners_up >= 0).all()
    assert_array_equal(link(scorer, 0.5, found=scorer.candidates(3)).probabilities, links.probabilities)
    only = link(scorer, 0.5, found=scorer.candidates(1))
    assert_array_equal(only.decisions, [NO_ACCOUNT] * 3)  # all scores are alike, so none stands out
