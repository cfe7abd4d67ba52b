"""What is learned from users and decoys of one network, by hand on a few pairs."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from factlink.candidates.pairs import CandidatePairs, gather_pairs
from factlink.linkers.factoid.within import learning
from factlink.linkers.factoid.within.curves import CurveModel, fit_curves
from factlink.linkers.factoid.within.decoys import Decoys
from factlink.linkers.factoid.within.evidence import FRIENDS, GAP, LINKED, NAMES, Columns
from factlink.linkers.factoid.within.learning import (
    Seen,
    _belong_to_donors,
    _level,
    _made_equal,
    _surprise,
    keep,
    learn,
)
from factlink.types import Floats


def column(*values: float) -> Floats:
    return np.array(values, np.float32)


def decoys_of(first: list[int], rights: list[list[int]], n_users: int) -> Decoys:
    """Decoys that have everything of their first donor, and the users that each is paired with."""
    users = np.array(first)
    lefts = np.repeat(np.arange(len(rights)), list(map(len, rights)))
    pairs = gather_pairs(len(first), n_users, [(lefts, np.concatenate(rights))])
    return Decoys(users, users, users[:, None], users, None, None, pairs)


def both_ways(*pairs: tuple[int, int], n: int) -> CandidatePairs:
    ends = np.array(pairs)
    return gather_pairs(n, n, [(ends[:, 0], ends[:, 1]), (ends[:, 1], ends[:, 0])])


def test_surprise_is_the_sum_of_logs_of_the_shares_of_decoys_that_agree_as_much() -> None:
    null = Columns({NAMES: column(0.1, 0.2, 0.3), FRIENDS: column(0.5, 0.0, 0.0), GAP + NAMES: column(9, 9, 9)})
    users = Columns({NAMES: column(0.2, 0.9), FRIENDS: column(0.1, 0.0), GAP + NAMES: column(0, 0)})
    # of three decoys' pairs two are at .2 or more, none at .9; one friend share is at .1 or more, all at 0
    assert_allclose(_surprise(users, null), -np.log([3 / 4 * 2 / 4, 1 / 4 * 4 / 4]), rtol=1e-5)


def test_links_between_the_two_surprise_nobody() -> None:
    null = Columns({NAMES: column(0.1, 0.2), LINKED: column(0, 0)})
    assert_allclose(_surprise(Columns({NAMES: column(0.5), LINKED: column(1)}), null), -np.log([1 / 3]), rtol=1e-5)


@pytest.mark.parametrize(("n", "level"), [(1, 5.0), (2, 4.0), (3, 1.0), (9, 1.0)])
def test_the_level_is_the_nth_largest_or_the_least(n: int, level: float) -> None:
    assert _level(column(4, 1, 5), n) == level


def test_pairs_of_a_decoy_with_a_likely_account_of_a_donor_belong_to_the_donor() -> None:
    pairs = both_ways((0, 1), (0, 2), (3, 4), n=5)
    decoys = decoys_of([0, 3], [[1, 2, 4], [1, 4]], 5)
    likely = pairs.places(np.array([0, 3]), np.array([1, 4]))
    flags = np.zeros(len(pairs), np.bool_)
    flags[likely] = True
    nothing = Columns()
    # the first decoy is of user 0, whose likely account is 1, and not 2; the second of 3, whose account is 4
    found = _belong_to_donors(Seen(pairs, nothing, decoys, nothing), flags)
    assert found.tolist() == [True, False, False, False, True]


def equal(likely: list[int]) -> tuple[list[float], list[float]]:
    """Friends of decoys after they are made as near as those of users: two users at .4 and .8, two decoys at .2."""
    pairs = both_ways((0, 1), (2, 3), n=4)
    users = Columns({FRIENDS: column(0.4, 0.4, 0.8, 0.8), GAP + FRIENDS: column(-0.1, -0.1, -0.3, -0.3)})
    decoys = decoys_of([0, 2], [[1, 3], [1]], 4)
    theirs = Columns({FRIENDS: column(0.2, 0.0, 0.2), GAP + FRIENDS: column(-0.2, 0.1, -0.2)})
    flags = np.zeros(len(pairs), np.bool_)
    flags[likely] = True
    best = {FRIENDS: column(0.4, 0.4, 0.8, 0.8), GAP + FRIENDS: column(-0.1, -0.1, -0.3, -0.3)}
    seen = Seen(pairs, users, decoys, theirs)
    found = _made_equal(seen, np.arange(4), best, flags, np.ones(3, np.bool_))
    return found.values[FRIENDS].tolist(), found.values[GAP + FRIENDS].tolist()


def test_the_middle_decoys_best_friends_are_stretched_to_the_middle_users() -> None:
    friends, gaps = equal([])
    assert_allclose(friends, [0.6, 0.0, 0.6], rtol=1e-5)  # .2 becomes the middle of .4 and .8
    assert_allclose(gaps, [-0.2, 0.1, -0.2], rtol=1e-5)  # the users' are below 0: nothing is shrunk


def test_a_gap_below_nothing_is_not_stretched() -> None:
    pairs, decoys, gap = both_ways((0, 1), n=3), decoys_of([2], [[0, 1]], 3), GAP + FRIENDS
    seen = Seen(pairs, Columns({gap: column(0.4, 0.4)}), decoys, Columns({gap: column(0.2, -0.1)}))
    found = _made_equal(seen, np.arange(2), {gap: column(0.4, 0.4)}, np.zeros(2, np.bool_), np.ones(2, np.bool_))
    assert_allclose(found.values[gap], [0.4, -0.1], rtol=1e-5)


def test_who_likely_has_a_second_account_and_its_decoys_are_left_out_of_the_middle() -> None:
    assert_allclose(equal([0, 1])[0], [0.8, 0.0, 0.8], rtol=1e-5)  # only 2 and 3, and the decoy of 2
    assert_allclose(equal([2, 3])[0], [0.4, 0.0, 0.4], rtol=1e-5)
    assert_allclose(equal([0, 1, 2, 3])[0], [0.2, 0.0, 0.2], rtol=1e-5)  # nobody is left to go by


def test_pairs_that_are_left_out_do_not_count_as_the_best_of_a_decoy() -> None:
    pairs, decoys = both_ways((0, 1), n=3), decoys_of([2], [[0, 1]], 3)
    theirs = Columns({FRIENDS: column(0.9, 0.1)})
    seen = Seen(pairs, Columns({FRIENDS: column(0.3, 0.3)}), decoys, theirs)
    nobody = np.zeros(2, np.bool_)
    found = _made_equal(seen, np.arange(2), {FRIENDS: column(0.3, 0.3)}, nobody, np.array([False, True]))
    assert_allclose(found.values[FRIENDS], [2.7, 0.3], rtol=1e-5)  # three times, by the second pair alone


def test_a_decoy_whose_pairs_are_all_left_out_counts_as_the_farthest_of_all() -> None:
    pairs, decoys = both_ways((0, 1), n=3), decoys_of([2, 2, 2], [[0], [1], [0]], 3)
    theirs = Columns({FRIENDS: column(0.1, -0.5, -0.5)})
    seen = Seen(pairs, Columns({FRIENDS: column(0.3, 0.3)}), decoys, theirs)
    some = np.array([True, False, False])
    found = _made_equal(seen, np.arange(2), {FRIENDS: column(0.3, 0.3)}, np.zeros(2, np.bool_), some)
    assert_allclose(found.values[FRIENDS][0], 0.1 * 300, rtol=1e-4)  # the middle is below 0: stretched to the most


def test_fixed_odds_are_even_where_names_and_friends_together_reach_eleven_twelfths() -> None:
    found = keep(Columns({NAMES: column(11 / 12, 0.5, 0.0), FRIENDS: column(0.0, 0.5, 0.0), "bio": column(1, 1, 1)}))
    assert_allclose(found.log_odds, [0.0, 1.0, -11.0], atol=1e-5)
    assert_allclose(found.probabilities, [0.5, 1 / (1 + np.exp(-1)), 1 / (1 + np.exp(11))], rtol=1e-4)


@pytest.mark.parametrize(("n_decoys", "fixed"), [(49, True), (50, False)])
def test_fewer_than_fifty_decoys_teach_nothing(n_decoys: int, fixed: bool) -> None:
    n = 60
    users = np.arange(n)
    pairs = both_ways(*((int(user), int(user + 1)) for user in users[:-1:2]), n=n)
    decoys = decoys_of(list(range(n_decoys)), [[(user + 3) % n] for user in range(n_decoys)], n)
    rng = np.random.default_rng(0)
    mine = Columns({NAMES: rng.uniform(0.5, 1, len(pairs)).astype(np.float32)})
    theirs = Columns({NAMES: rng.uniform(0, 0.4, n_decoys).astype(np.float32)})
    found = learn(Seen(pairs, mine, decoys, theirs), rng)
    assert (found.model.base == -11.0) == fixed


def test_curves_are_fitted_to_all_pairs_of_decoys_where_these_have_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """And of users: a pair that agrees less than all decoys' pairs surprises nobody, just as the least of these."""
    n = 60
    pairs = both_ways(*((user, user + 1) for user in range(0, n, 2)), n=n)
    decoys = decoys_of(list(range(n)), [[(user + 3) % n] for user in range(n)], n)
    names = np.where(pairs.lefts < 20, 0.1, np.where(pairs.lefts < 40, 0.2, 0.9)).astype(np.float32)
    theirs = np.where(np.arange(n) < 30, 0.2, 0.4).astype(np.float32)
    given: list[tuple[list[float], list[float], float]] = []

    def fit(mine: Columns, others: Columns, best: object, weight: float) -> CurveModel:
        given.append((sorted(mine.values[NAMES].tolist()), sorted(others.values[NAMES].tolist()), weight))
        return fit_curves(mine, others, best, weight)  # type: ignore[arg-type]

    monkeypatch.setattr(learning, "fit_curves", fit)
    learn(Seen(pairs, Columns({NAMES: names}), decoys, Columns({NAMES: theirs})), np.random.default_rng(0))
    mine, others, weight = given[0]
    assert_allclose(mine, [0.1] * 20 + [0.2] * 20 + [0.9] * 20)
    assert_allclose(others, [0.2] * 30 + [0.4] * 30)
    assert weight == 1.0
