import numpy as np
import pytest

from factlink.candidates.pairs import CandidatePairs, gather_pairs
from factlink.linkers.factoid.probability.decoys import Decoys
from factlink.linkers.factoid.probability.partners import chance_bests, shares_there
from factlink.types import Floats


def one_each(n: int) -> CandidatePairs:
    """Every left user with the right user of the same row."""
    rows = np.arange(n, dtype=np.int32)
    return gather_pairs(n, n, [(rows, rows)])


def decoys(n: int, agreements: Floats, mates: list[int] | None = None) -> Decoys:
    """The decoy of each row has the donor of that row, and the donor's candidate."""
    donors = np.arange(n)
    return Decoys(0, donors, np.array(mates) if mates else donors, one_each(n), agreements, (agreements,))


def test_a_candidate_is_there_as_far_as_it_is_no_partner_of_the_donor() -> None:
    alike, likely = np.full(4, 0.5, np.float32), np.array([0.0, 0.25, 0.75, 1.0], np.float32)
    assert shares_there(decoys(4, alike), one_each(4), alike, likely).tolist() == pytest.approx([1.0, 0.75, 0.25, 0.0])


def test_who_agrees_with_the_decoy_as_much_as_with_the_donor_is_less_likely_the_donors_partner() -> None:
    n = 400
    likely = np.where(np.arange(n) < 200, 0.49, 0.01).astype(np.float32)
    kept = np.where(np.arange(n) < 200, 0.5, 1.0)  # partners lose half by crossing, others nothing
    likely[199], likely[399] = 0.3, 0.3
    there = shares_there(decoys(n, kept.astype(np.float32)), one_each(n), np.ones(n, np.float32), likely)
    assert there[199] < 0.3
    assert there[399] > 0.9


def test_what_crossing_says_of_unlikely_partners_says_nothing_of_likely_ones() -> None:
    n = 400
    likely = np.where(np.arange(n) < 200, 0.9, 0.01).astype(np.float32)
    kept = np.where(np.arange(n) < 100, 0.5, 1.0).astype(np.float32)  # of the unlikely ones nobody loses anything
    there = shares_there(decoys(n, kept), one_each(n), np.ones(n, np.float32), likely)
    assert there[:200].tolist() == pytest.approx([0.1] * 200, abs=1e-3)


def test_a_candidate_that_is_no_pair_of_the_donor_is_there() -> None:
    rows, others = np.arange(3, dtype=np.int32), np.array([1, 2, 0], np.int32)
    users = gather_pairs(3, 3, [(rows, others)])
    alike = np.full(3, 0.5, np.float32)
    assert shares_there(decoys(3, alike), users, alike, np.ones(3, np.float32)).tolist() == [1, 1, 1]


def test_partners_of_the_second_donor_are_left_out_too() -> None:
    rows, others = np.array([0, 0, 1], np.int32), np.array([0, 1, 1], np.int32)
    users = gather_pairs(2, 2, [(rows, others)])
    alike = np.full(3, 0.5, np.float32)
    mixed = Decoys(
        0, np.array([0]), np.array([1]), gather_pairs(1, 2, [(rows[:2], others[:2])]), alike[:2], (alike[:2],)
    )
    likely = np.array([0.0, 0.0, 1.0], np.float32)  # the second donor's partner is the second candidate
    assert shares_there(mixed, users, alike, likely).tolist() == [1, 0]


def test_the_second_best_is_the_best_where_the_best_is_not_there() -> None:
    rows, others = np.array([0, 0, 1], np.int32), np.array([0, 1, 1], np.int32)
    agreements = np.zeros(3, np.float32)
    two = Decoys(0, np.arange(2), np.arange(2), gather_pairs(2, 2, [(rows, others)]), agreements, (agreements,))
    log_odds, chances = chance_bests(two, np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.25, 1.0]))
    assert log_odds.tolist() == [2.0, 1.0, 3.0, -30.0]
    assert chances.tolist() == pytest.approx([0.25, 0.375, 1.0, 0.375])


def test_it_is_the_share_of_the_donors_agreement_that_a_decoy_keeps_which_tells() -> None:
    """All agree with the decoy by .4: partners agree with the donor by .8, and others by .4 as well."""
    n = 400
    likely = np.where(np.arange(n) < 200, 0.49, 0.01).astype(np.float32)
    likely[199], likely[399] = 0.3, 0.3
    with_donor = np.where(np.arange(n) < 200, 0.8, 0.4).astype(np.float32)
    there = shares_there(decoys(n, np.full(n, 0.4, np.float32)), one_each(n), with_donor, likely)
    assert there[199] < 0.3
    assert there[399] > 0.9
