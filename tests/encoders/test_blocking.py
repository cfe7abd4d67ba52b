"""Blocking against brute force."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from factlink.encoders.blocking import (
    BlockedPairs,
    nearest_pairs,
    pairs_meeting,
    pairs_sharing_buckets,
    pairs_sharing_trigrams,
)
from factlink.errors import SettingError


def as_list(blocked: BlockedPairs) -> list[tuple[int, int]]:
    return list(zip(blocked.lefts.tolist(), blocked.rights.tolist(), strict=True))


def test_names_that_share_a_trigram() -> None:
    blocked = pairs_sharing_trigrams(["anna", "hanna", "bob", "Bobby", "xy"], cap=10)
    assert as_list(blocked) == [(0, 1), (2, 3)]
    assert blocked.lost == 0


def test_the_cap_and_its_loss() -> None:
    members = csr_matrix(np.array([[1, 0], [1, 0], [1, 1], [0, 1]], np.float32))
    assert as_list(pairs_meeting(members, cap=3)) == [(0, 1), (0, 2), (1, 2), (2, 3)]
    capped = pairs_meeting(members, cap=2)
    assert as_list(capped) == [(2, 3)]
    assert capped.lost == pytest.approx(0.75)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 1000), st.integers(1, 40), st.integers(1, 12))
def test_meeting_pairs_are_those_of_brute_force(seed: int, n: int, cap: int) -> None:
    dense = np.random.default_rng(seed).random((n, 15)) < 0.15
    counted = dense[:, dense.sum(0) <= cap].astype(int)
    expected = np.argwhere(np.triu(counted @ counted.T, 1) > 0)
    blocked = pairs_meeting(csr_matrix(dense.astype(np.float32)), cap)
    assert as_list(blocked) == [tuple(pair) for pair in expected.tolist()]


def test_no_objects() -> None:
    assert len(pairs_sharing_trigrams([], cap=5)) == 0


def test_near_vectors_share_a_bucket() -> None:
    rng = np.random.default_rng(0)
    vectors = rng.standard_normal((200, 64)).astype(np.float32)
    copies = vectors + 0.05 * rng.standard_normal((200, 64)).astype(np.float32)
    blocked = pairs_sharing_buckets(np.vstack([vectors, copies]))
    found = set(as_list(blocked))
    assert sum((i, i + 200) in found for i in range(200)) >= 195
    assert len(found) < 0.08 * 400 * 399 / 2


def test_zero_vectors_are_in_no_bucket() -> None:
    vectors = np.zeros((4, 8), np.float32)
    vectors[:2, 0] = 1
    assert 2 not in pairs_sharing_buckets(vectors).rights
    assert 3 not in pairs_sharing_buckets(vectors).rights


def test_bits_are_checked() -> None:
    with pytest.raises(SettingError, match="bits is 40; use 1 to 20"):
        pairs_sharing_buckets(np.zeros((1, 4), np.float32), bits=40)


def test_nearest_pairs_by_hand() -> None:
    rows = csr_matrix(np.array([[1, 0, 0], [0.9, 0.1, 0], [0, 1, 0.2], [0, 0.2, 1]], np.float32))
    assert as_list(nearest_pairs(rows, 1)) == [(0, 1), (2, 3)]
