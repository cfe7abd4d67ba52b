"""What is known and what people decided overrules a linker, and moves nothing else."""

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from factlink.candidates.pairs import gather_pairs
from factlink.decision.likelihoods import Likelihoods
from factlink.decision.overrides import EarlierLinks, Overrides, without_rivals
from factlink.types import DECISIONS, Candidates, Pairs

LINK, UNKNOWN, NO_ACCOUNT = range(3)
FOUND = Candidates(
    np.array([[0, 1, 2], [1, 2, 0], [-1, -1, -1]], np.int32),
    np.array([[0.9, 0.5, 0.4], [0.8, 0.7, 0.2], [-np.inf] * 3], np.float32),
)


def pairs(*rows: tuple[int, int]) -> Pairs:
    return Pairs(np.array([left for left, _ in rows], int), np.array([right for _, right in rows], int))


def likely(table: Any) -> Likelihoods:
    table = np.array(table, np.float32)
    lefts, rights = np.nonzero(table)
    return Likelihoods(
        gather_pairs(*table.shape, [(lefts, rights)]), 10 * table[lefts, rights], table[lefts, rights], how="by hand"
    )


def earlier(*rows: tuple[int, int], probability: float = 0.7) -> EarlierLinks:
    return EarlierLinks(pairs(*rows), np.full(len(rows), probability, np.float32))


def as_dict(found: Likelihoods) -> dict[tuple[int, int], float]:
    rows = zip(found.pairs.lefts.tolist(), found.pairs.rights.tolist(), strict=True)
    return dict(zip(rows, found.probabilities.tolist(), strict=True))


def test_what_nobody_overrules_stays_itself() -> None:
    table = likely([[0.5, 0.2]])
    assert Overrides().candidates(FOUND) is FOUND
    assert Overrides().likelihoods(table) is table


def test_a_refused_pair_is_no_candidate_and_the_next_moves_up() -> None:
    found = Overrides(refused=pairs((1, 1), (0, 0), (1, 2), (2, 0))).candidates(FOUND)
    assert found.rights.tolist() == [[1, 2, -1], [0, -1, -1], [-1, -1, -1]]
    assert found.scores[:2].tolist() == [
        [np.float32(0.5), np.float32(0.4), -np.inf],
        [np.float32(0.2), -np.inf, -np.inf],
    ]


def test_a_match_is_the_only_candidate_with_its_own_score_or_the_best_the_user_had() -> None:
    found = Overrides(matches=pairs((0, 3), (2, 1))).candidates(FOUND)
    assert found.rights.tolist() == [[3, -1, -1], [2, 0, -1], [1, -1, -1]]
    assert found.scores[[0, 2], 0].tolist() == [np.float32(0.9), 1.0]
    assert Overrides(known=pairs((0, 2))).candidates(FOUND).scores[0, 0] == np.float32(0.4)


def test_several_matches_of_one_user_all_stay() -> None:
    found = Overrides(known=pairs((0, 3)), matches=pairs((0, 3), (0, 2))).candidates(FOUND)
    assert sorted(found.rights[0].tolist()) == [-1, 2, 3]
    assert found.rights[1].tolist() == [1, 0, -1]


def test_a_match_is_certain_and_its_accounts_have_no_other() -> None:
    table = likely([[0.6, 0.3], [0.25, 0.7], [0.1, 0]])
    assert as_dict(Overrides(matches=pairs((0, 1))).likelihoods(table)) == {
        (0, 1): 1.0,
        (1, 0): np.float32(0.25),
        (2, 0): np.float32(0.1),
    }


def test_a_refused_pair_that_the_linker_never_saw_removes_nothing() -> None:
    table = likely([[0.6, 0.3], [0.0, 0.7]])
    found = Overrides(refused=pairs((0, 0), (1, 0))).likelihoods(table)
    assert as_dict(found) == {(0, 1): np.float32(0.3), (1, 1): np.float32(0.7)}
    assert Overrides(refused=pairs((1, 0))).likelihoods(table) is table


def test_who_is_given_to_somebody_has_no_other_pair() -> None:
    found = likely([[0.6, 0.3, 0.2], [0.25, 0.7, 0.1], [0.1, 0, 0.4]]).pairs
    kept = without_rivals(found, pairs((0, 1)))
    rows = zip(kept.lefts.tolist(), kept.rights.tolist(), strict=True)
    assert list(rows) == [(0, 1), (1, 0), (1, 2), (2, 0), (2, 2)]
    kept = without_rivals(found, pairs((2, 1)))  # that pair is not among them
    rows = zip(kept.lefts.tolist(), kept.rights.tolist(), strict=True)
    assert list(rows) == [(0, 0), (0, 2), (1, 0), (1, 2)]
    assert without_rivals(found, pairs()) is found


def test_a_match_that_the_linker_never_saw_is_a_link() -> None:
    links = Overrides(matches=pairs((2, 1))).decide(likely([[0.95, 0], [0, 0.95], [0.1, 0]]), 0.9)
    assert_array_equal(links.rights, [0, -1, 1])
    assert_array_equal(links.decisions, [LINK, NO_ACCOUNT, LINK])
    assert_array_equal(links.probabilities, np.float32([0.95, 0, 1]))
    assert links.scores[2] == 1.0  # 10 × 0.1, the best that the user had
    assert links.count_links() == {"known": 0, "judged": 1, "found": 1}


def test_two_accounts_that_were_both_judged_to_match_one_are_both_linked() -> None:
    links = Overrides(matches=pairs((0, 0), (1, 0))).decide(likely([[0.9], [0.1]]), 0.9)
    assert_array_equal(links.rights, [0, 0])
    assert [DECISIONS[place].value for place in links.decisions] == ["link", "link"]


def test_a_refused_link_makes_room_for_none_that_is_more_doubtful() -> None:
    table = likely(np.diag([0.99, 0.99, 0.99, 0.6, 0.55]))  # all five: 17.6 %; the first four: 10.75 %
    assert_array_equal(Overrides().decide(table, 0.85).decisions, [LINK] * 4 + [UNKNOWN])
    four = earlier((0, 0), (1, 1), (2, 2), (3, 3))
    links = Overrides(refused=pairs((3, 3)), earlier=four).decide(table, 0.85)
    assert_array_equal(links.decisions, [LINK] * 3 + [NO_ACCOUNT, UNKNOWN])
    assert_array_equal(links.rights, [0, 1, 2, -1, 4])


def test_links_stay_whichever_others_are_confirmed() -> None:
    table = likely(np.diag([0.99, 0.99, 0.99, 0.6]))  # 10.75 % of four, 40 % of the last
    three, four = pairs((0, 0), (1, 1), (2, 2)), earlier((0, 0), (1, 1), (2, 2), (3, 3))
    assert_array_equal(Overrides(matches=three).decide(table, 0.89).decisions, [LINK] * 3 + [UNKNOWN])
    links = Overrides(matches=three, earlier=four).decide(table, 0.89)
    assert_array_equal(links.decisions, [LINK] * 4)
    assert links.count_links() == {"known": 0, "judged": 3, "found": 1}
    assert_array_equal(links.probabilities, np.float32([1, 1, 1, 0.7]))


def test_a_link_that_has_become_unlikely_stays_as_likely_as_it_was() -> None:
    table = likely([[0.1, 0.6, 0.0], [0.0, 0.0, 0.0], [0.99, 0.0, 0.2]])
    links = Overrides(earlier=earlier((0, 0), (1, 2))).decide(table, 0.8)
    assert_array_equal(links.rights, [0, 2, -1])  # the second is no candidate any more
    assert_array_equal(links.decisions, [LINK, LINK, NO_ACCOUNT])
    assert_array_equal(links.probabilities, np.float32([0.7, 0.7, 0]))
    assert_array_equal(links.scores, np.float32([1, 1, -np.inf]))
    assert_array_equal(links.runners_up, [1, -1, 0])


def test_a_link_goes_if_it_is_refused_or_one_of_its_accounts_is_given_to_another() -> None:
    table = likely(np.diag([0.9, 0.9, 0.9, 0.9, 0.9]) + 0.05)
    five = earlier((0, 0), (1, 1), (2, 2), (3, 3), (4, 4))
    links = Overrides(matches=pairs((0, 1)), refused=pairs((2, 2), (3, 0)), earlier=five).decide(table, 0.9)
    assert_array_equal(links.rights[[0, 3, 4]], [1, 3, 4])
    assert_array_equal(links.decisions, [LINK, UNKNOWN, UNKNOWN, LINK, LINK])
    assert_array_equal(links.probabilities[[0, 3, 4]], np.float32([1, 0.7, 0.7]))
    known = Overrides(known=pairs((4, 3)), earlier=five).decide(table, 0.9)
    assert_array_equal(known.decisions, [LINK] * 3 + [UNKNOWN, LINK])
    assert_array_equal(known.rights, [0, 1, 2, 4, 3])


def test_a_new_link_is_as_likely_as_the_precision() -> None:
    table = likely(np.diag([0.99, 0.99, 0.85, 0.75]))
    assert_array_equal(Overrides().decide(table, 0.8).decisions, [LINK] * 4)
    assert_array_equal(Overrides(earlier=earlier((0, 0))).decide(table, 0.8).decisions, [LINK] * 3 + [UNKNOWN])
    other = Overrides(refused=pairs((0, 0)), earlier=earlier((0, 0)))  # who was linked is linked to another
    assert_array_equal(other.decide(likely([[0.1, 0.75], [0.0, 0.0]]), 0.8).decisions, [UNKNOWN, NO_ACCOUNT])
    assert_array_equal(other.decide(likely([[0.1, 0.85], [0.0, 0.0]]), 0.8).decisions, [LINK, NO_ACCOUNT])


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 7), st.integers(1, 7), st.integers(0, 10_000))
def test_a_refusal_moves_no_other_probability(n_left: int, n_right: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = likely(rng.random((n_left, n_right)) * (rng.random((n_left, n_right)) < 0.7))
    before = as_dict(table)
    refused = (int(rng.integers(n_left)), int(rng.integers(n_right)))
    left = Overrides(refused=pairs(refused)).likelihoods(table)
    assert as_dict(left) == {pair: value for pair, value in before.items() if pair != refused}
    assert left.how == "by hand"


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 7), st.integers(1, 7), st.integers(0, 10_000))
def test_a_match_moves_no_probability_but_those_of_its_two_accounts(n_left: int, n_right: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = likely(rng.random((n_left, n_right)) * (rng.random((n_left, n_right)) < 0.7))
    left, right = int(rng.integers(n_left)), int(rng.integers(n_right))
    others = {(a, b): value for (a, b), value in as_dict(table).items() if a != left and b != right}
    assert as_dict(Overrides(matches=pairs((left, right))).likelihoods(table)) == others | {(left, right): 1.0}


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 7), st.integers(0, 10_000))
def test_no_judgement_takes_away_a_link_that_it_does_not_contradict(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = likely(rng.random((n, n)) * (rng.random((n, n)) < 0.7))
    linked = Overrides().decide(table, 0.6)
    places = np.flatnonzero(linked.decisions == LINK)
    before = EarlierLinks(Pairs(places, linked.rights[places]), linked.probabilities[places])
    other = likely(rng.random((n, n)) * (rng.random((n, n)) < 0.7))  # whatever the second fit says
    match, refused = ((int(rng.integers(n)), int(rng.integers(n))) for _ in range(2))
    after = Overrides(matches=pairs(match), refused=pairs(refused), earlier=before).decide(other, 0.6)
    for left, right, probability in zip(places, before.pairs.rights, before.probabilities, strict=True):
        if (left, right) != refused and left != match[0] and right != match[1]:
            assert (after.rights[left], after.decisions[left], after.probabilities[left]) == (right, LINK, probability)
    rights = after.rights[after.decisions == LINK]
    assert len(np.unique(rights)) == len(rights)
