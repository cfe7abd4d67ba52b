import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from factlink.linkers.factoid.spreading.alignment import Alignment, Implied, align_relations
from factlink.linkers.factoid.spreading.matching import Matching, matching_of
from factlink.linkers.factoid.spreading.relation_votes import (
    _run_end,
    _share,
    _shares,
    _take_best,
    best_voted,
    meeting_relations,
    votes_for,
)
from factlink.linkers.factoid.spreading.relations import Relations
from factlink.types import Pairs
from tests.linkers.factoid.spreading.graphs import Links, relations

EVERYBODY = Pairs(np.arange(3), np.arange(3))


def world(left: Links, right: Links, matched: list[int]) -> tuple[Relations, Relations, Matching, Alignment]:
    lefts, rights = relations(3, left), relations(3, right)
    rows = np.array(matched)
    matching = matching_of((3, 3), Pairs(rows, rows), np.full(len(rows), 0.5, np.float32))
    return lefts, rights, matching, align_relations(lefts, rights, matching)


def test_a_matched_neighbour_votes_by_what_relations_imply() -> None:
    """Nothing was seen, so shares are .05; both links are the only ones of their relation: −2·ln(1 − .05·.5)."""
    found = world({"knows": [(0, 1)]}, {"knows": [(0, 1)]}, [1])
    lefts, rights, votes = best_voted(*found, 5, 100)
    assert_array_equal(lefts, [0])
    assert_array_equal(rights, [0])
    assert_allclose(votes, [-2 * np.log(0.975)], rtol=1e-5)
    assert_allclose(votes_for(*found, EVERYBODY.lefts, EVERYBODY.rights), [-2 * np.log(0.975), 0, 0], rtol=1e-5)


def test_a_pair_never_votes_for_itself() -> None:
    found = world({"knows": [(0, 1)]}, {"knows": [(0, 1)]}, [0])
    lefts, rights, _ = best_voted(*found, 5, 100)
    assert_array_equal(lefts, [1])
    assert_array_equal(rights, [1])


def test_of_several_relations_to_one_neighbour_the_best_counts_once() -> None:
    once = world({"knows": [(0, 1)]}, {"knows": [(0, 1)]}, [1])
    twice = world({"knows": [(0, 1)], "likes": [(0, 1)]}, {"knows": [(0, 1)]}, [1])
    assert_allclose(best_voted(*twice, 5, 100)[2], best_voted(*once, 5, 100)[2])


def test_busy_partners_propose_nobody_and_still_vote() -> None:
    found = world({"knows": [(0, 1), (2, 1)]}, {"knows": [(0, 1), (2, 1)]}, [1])
    assert not len(best_voted(*found, 5, 1)[0])
    assert (votes_for(*found, np.array([0, 2]), np.array([0, 2])) > 0).all()


def test_only_the_best_are_kept_and_votes_agree_with_those_for_listed_pairs() -> None:
    rng = np.random.default_rng(0)
    links = {p: [tuple(ends) for ends in rng.integers(0, 30, (60, 2)).tolist()] for p in ("knows", "likes")}
    left, right = relations(30, links), relations(30, links)
    rows = np.arange(0, 30, 2)
    matching = matching_of((30, 30), Pairs(rows, rows), rng.random(len(rows)).astype(np.float32))
    alignment = align_relations(left, right, matching)
    lefts, rights, votes = best_voted(left, right, matching, alignment, 3, 1000)
    assert np.bincount(lefts).max() == 3
    assert_allclose(votes, votes_for(left, right, matching, alignment, lefts, rights), rtol=1e-4)


def test_the_relations_that_two_friends_are_met_by_are_those_that_imply_each_other() -> None:
    left, right = relations(3, {"knows": [(0, 1)], "born in": [(0, 1)]}), relations(3, {"born at": [(0, 1)]})
    matching = matching_of((3, 3), EVERYBODY, np.ones(3, np.float32))
    pairs, friends = Pairs(np.array([0, 1]), np.array([0, 1])), Pairs(np.array([1, 2]), np.array([1, 2]))
    one, other = meeting_relations(left, right, align_relations(left, right, matching), pairs, friends)
    assert one[0] in (0, 2)
    assert other[0] == 0
    assert (one[1], other[1]) == (-1, -1)


def born() -> tuple[Relations, Relations]:
    left = relations(3, {"born in": [(1, 2), (2, 0)], "knows": [(0, 1), (1, 2)]})
    return left, relations(3, {"born at": [(1, 2), (2, 0)]})


def test_of_several_relations_that_meet_the_two_that_vote_most_are_named() -> None:
    """All of `born in` is `born at` there, half of `knows` is; from the other end both run backwards."""
    left, right = born()
    alignment = align_relations(left, right, matching_of((3, 3), EVERYBODY, np.ones(3, np.float32)))
    pairs, friends = np.array([1, 2, 0, 0, 1]), np.array([2, 1, 2, 1, 0])
    one, other = meeting_relations(left, right, alignment, Pairs(pairs, pairs), Pairs(friends, friends))
    assert one.tolist() == [0, 1, 1, -1, -1]
    assert other.tolist() == [0, 1, 1, -1, -1]
    crossed = meeting_relations(
        left, right, alignment, Pairs(np.array([1]), np.array([2])), Pairs(np.array([2]), np.array([0]))
    )
    assert [found.tolist() for found in crossed] == [[0], [0]]


def test_the_vote_of_a_certain_pair_decides_which_relations_are_named() -> None:
    """`knows` and `likes` imply each other by .3 both ways, `knows` implies `hates` by .5 and is not implied by it."""
    left, right = relations(2, {"knows": [(0, 1)]}), relations(2, {"likes": [(0, 1)], "hates": [(0, 1)]})
    nothing = np.zeros(4, np.float32)
    forth = Implied(np.array([0, 2, 2]), np.array([0, 2]), np.array([0.3, 0.5], np.float32), nothing[:2])
    back = Implied(np.array([0, 1, 1, 2, 2]), np.array([0, 0]), np.array([0.3, 0.0], np.float32), nothing)
    one = Pairs(np.array([0]), np.array([0]))
    found = meeting_relations(left, right, Alignment(forth, back), one, Pairs(np.array([1]), np.array([1])))
    assert [ends.tolist() for ends in found] == [[0], [0]]  # −2·ln .7 is more than −ln .5


def test_relations_that_imply_each_other_not_at_all_are_named_where_friends_meet_by_no_others() -> None:
    left, right = relations(2, {"knows": [(0, 1)]}), relations(2, {"likes": [(0, 1)]})
    nothing = Implied(np.array([0, 0, 0]), np.empty(0, np.int64), np.empty(0, np.float32), np.zeros(2, np.float32))
    one, two = (Pairs(np.array([user]), np.array([user])) for user in (0, 1))
    found = meeting_relations(left, right, Alignment(nothing, nothing), one, two)
    assert [ends.tolist() for ends in found] == [[0], [0]]


def test_strong_pairs_teach_more_of_what_relations_imply() -> None:
    left, right = born()
    strengths = np.array([0.5, 1, 0.5], np.float32)
    found = align_relations(left, right, matching_of((3, 3), EVERYBODY, strengths))
    assert_allclose(found.left.share(0, 0), 0.9 / 3.75, rtol=1e-5)
    assert_allclose(found.left.share(2, 0), 0.65 / 4, rtol=1e-5)
    assert_allclose(found.left.share(2, 1), 0.15 / 4, rtol=1e-5)
    assert_allclose(found.right.share(0, 0), 0.9 / 3.75, rtol=1e-5)
    assert_allclose(found.right.share(0, 2), 0.65 / 3.75, rtol=1e-5)


def test_neighbours_with_many_links_of_a_relation_vote_less() -> None:
    """User 1 is known by two: each link counts 1 / (1 + ln 2); equal votes go to the first users."""
    found = world({"knows": [(0, 1), (2, 1)]}, {"knows": [(0, 1), (2, 1)]}, [1])
    vote = -2 * np.log(1 - 0.05 * 0.5 / (1 + np.log(2)))
    lefts, rights, votes = best_voted(*found, 5, 2)
    assert_array_equal(lefts, [0, 0, 2, 2])
    assert_array_equal(rights, [0, 2, 0, 2])
    assert_allclose(votes, np.full(4, vote), rtol=1e-5)
    lefts, rights, votes = best_voted(*found, 1, 2)
    assert_array_equal(lefts, [0, 2])
    assert_array_equal(rights, [0, 0])
    assert_allclose(votes_for(*found, np.array([2, 1, 0]), np.array([0, 1, 2])), [vote, 0, vote], rtol=1e-5)


def test_votes_of_several_neighbours_add_up_and_the_most_come_first() -> None:
    links = {"knows": [(0, 1), (0, 2)], "likes": [(1, 2)]}
    found = world(links, links, [1, 2])
    lefts, rights, votes = best_voted(*found, 2, 100)
    assert lefts.tolist() == [0, 0, 1, 1, 2, 2]
    assert rights.tolist() == [0, 1, 1, 0, 2, 0]
    assert_allclose(votes, votes_for(*found, lefts, rights), rtol=1e-5)
    assert (votes[::2] > votes[1::2]).all()


def test_nobody_is_quite_certain_of_a_vote() -> None:
    """Shares near 1 and certain pairs: one vote is −ln(1 − .99) a side at most."""
    n = 400
    links = {"knows": [(row, row + 1) for row in range(0, n, 2)]}
    left, right, everybody = relations(n, links), relations(n, links), np.arange(n)
    matching = matching_of((n, n), Pairs(everybody, everybody), np.full(n, 2, np.float32))
    votes = votes_for(left, right, matching, align_relations(left, right, matching), everybody[:1], everybody[:1])
    assert_allclose(votes, [-2 * np.log(0.01)], rtol=1e-3)


def test_the_best_are_taken_in_falling_order_the_first_of_equals_and_nothing_is_written_past_them() -> None:
    sums = np.array([1, 3, 0, 3, 2, 5], np.float32)
    rights, votes = np.full(4, -7, np.int32), np.full(4, -7, np.float32)
    assert _take_best(sums, np.array([0, 1, 3, 4, 5], np.int32), rights[:3], votes[:3]) == 3
    assert (rights.tolist(), votes.tolist()) == ([5, 1, 3, -7], [5, 3, 3, -7])
    assert not sums.any()
    assert _take_best(np.array([4, 2], np.float32), np.array([1], np.int32), rights[:3], votes[:3]) == 1
    assert rights[0] == 1


def test_a_run_of_one_neighbour_ends_with_the_entries_of_its_user() -> None:
    neighbours = np.array([4, 4, 7, 7, 7])
    assert _run_end(neighbours, 0, 5) == 2
    assert _run_end(neighbours, 2, 5) == 5
    assert _run_end(neighbours, 2, 4) == 4  # the last entry is of the next user, who has the same neighbour
    assert _run_end(neighbours, 1, 2) == 2


def test_a_share_is_looked_up_among_those_of_its_relation_alone() -> None:
    """Relation 0 implies 1 and 3, relation 1 implies 4, relation 2 nothing that was seen."""
    shares = np.array([0.25, 0.5, 0.75], np.float32)
    unseen = np.array([0.01, 0.02, 0.03], np.float32)
    implied = _shares(Implied(np.array([0, 2, 3, 3]), np.array([1, 3, 4]), shares, unseen))
    found = [[round(float(_share(implied, relation, other)), 2) for other in range(6)] for relation in range(3)]
    assert found == [
        [0.01, 0.25, 0.01, 0.5, 0.01, 0.01],
        [0.02, 0.02, 0.02, 0.02, 0.75, 0.02],
        [0.03, 0.03, 0.03, 0.03, 0.03, 0.03],
    ]
