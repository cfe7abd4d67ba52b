"""Candidate pairs are the largest thing in memory: what each of them costs."""

import numpy as np

from factlink.candidates.pairs import gather_pairs


def test_a_pair_takes_four_bytes_for_each_of_its_two_users_and_four_to_be_found_by_its_right_one() -> None:
    lefts, rights = (side.ravel() for side in np.indices((20, 20)))
    pairs = gather_pairs(20, 20, [(lefts, rights)])
    assert len(pairs.rights) == 400
    assert {column.dtype for column in (pairs.lefts, pairs.rights, pairs.by_right)} == {np.dtype(np.int32)}
