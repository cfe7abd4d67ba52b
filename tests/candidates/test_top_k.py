"""Top-k against brute force, for every way to it."""

from dataclasses import dataclass

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.sparse import csr_matrix, random_array

from factlink.candidates import top_k
from factlink.candidates.top_k import (
    best_candidates,
    best_of_block,
    blocks,
    nearest_sparse,
    nearest_stored,
    nearest_vectors,
)
from factlink.protocols import Scorer
from factlink.types import Floats, Ints, Network


@dataclass(frozen=True)
class TableScorer(Scorer):
    """A scorer over a score table written out by the test."""

    table: Floats

    @property
    def left(self) -> Network:
        return people("left", self.table.shape[0])

    @property
    def right(self) -> Network:
        return people("right", self.table.shape[1])

    def scores(self, rows: Ints) -> Floats:
        return self.table[rows]


def people(name: str, n: int) -> Network:
    return Network(name, pl.Series([f"{name}{i}" for i in range(n)], dtype=pl.String), {}, {})


def test_blocks_cover_every_row_once_within_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(top_k, "BLOCK_ENTRIES", 10)
    assert [block.tolist() for block in blocks(5, 4)] == [[0, 1], [2, 3], [4]]
    assert [block.tolist() for block in blocks(2, 100)] == [[0], [1]]
    assert list(blocks(0, 3)) == []


def test_candidates_stream_over_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(top_k, "BLOCK_ENTRIES", 4)
    table = np.array([[1, 3, 2], [9, 7, 8], [5, 4, 6]], np.float32)
    found = best_candidates(TableScorer(table), 2)
    assert found.rights.tolist() == [[1, 2], [0, 2], [2, 0]]
    assert found.scores.tolist() == [[3, 2], [9, 8], [6, 5]]


def test_more_candidates_than_right_users_gives_all_of_them() -> None:
    found = best_candidates(TableScorer(np.array([[1, 2]], np.float32)), 50)
    assert found.rights.tolist() == [[1, 0]]


def test_an_empty_left_network_has_no_candidates() -> None:
    assert best_candidates(TableScorer(np.empty((0, 3), np.float32)), 2).rights.shape == (0, 2)


def test_unscored_and_nan_are_no_candidates() -> None:
    found = best_of_block(np.array([[np.nan, -np.inf, 0.5, 0.7]], np.float32), 3)
    assert found.rights.tolist() == [[3, 2, -1]]
    assert found.scores[0, 2] == -np.inf


@given(hnp.arrays(np.float32, (6, 9), elements=st.floats(-1, 1, width=32)), st.integers(1, 9))
def test_best_of_block_agrees_with_sorting(scores: Floats, k: int) -> None:
    found = best_of_block(scores, k)
    assert np.array_equal(found.scores, -np.sort(-scores, axis=1)[:, :k])
    assert np.array_equal(np.take_along_axis(scores, found.rights, axis=1), found.scores)


def test_nearest_vectors_agree_with_sorting() -> None:
    rng = np.random.default_rng(3)
    left, right = (rng.standard_normal((n, 16), np.float32) for n in (40, 70))
    found = nearest_vectors(left, right, 5)
    assert np.array_equal(found.rights, np.argsort(-(left @ right.T), axis=1)[:, :5])
    assert nearest_vectors(left, right[:3], 5).rights.shape == (40, 3)
    assert nearest_vectors(left[:0], right, 5).rights.shape == (0, 5)


def test_columns_are_rare_up_to_the_work_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    every = csr_matrix(np.ones((2, 2), np.float32))  # four products of either column
    for work, rare in ((4, [True, True]), (3, [True, False]), (1, [False, False])):
        monkeypatch.setattr(top_k, "WORK", work)
        assert top_k._rare_columns(every, every).tolist() == rare


def test_nearest_sparse_agrees_with_sorting_and_leaves_out_what_shares_nothing() -> None:
    rng = np.random.default_rng(4)
    left, right = (csr_matrix(random_array((n, 30), density=0.1, rng=rng, dtype=np.float32)) for n in (25, 45))
    found = nearest_sparse(left, right, 6)
    table = (left @ right.T).toarray()
    best = -np.sort(-table, axis=1)[:, :6]
    assert np.allclose(np.where(found.rights < 0, 0, found.scores), best, atol=1e-6)
    assert np.array_equal(found.rights < 0, best == 0)


def test_there_may_be_fewer_columns_than_rows_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(top_k, "WORK", 4)
    left, right = np.ones((1, 2), np.float32), np.full((8, 2), 0.1, np.float32)
    right[:, 1] = [1, 2, 3, 4, 0, 0, 0, 0]
    found = nearest_sparse(csr_matrix(left), csr_matrix(right), 3)
    assert found.rights.tolist() == [[3, 2, 1]]
    assert np.allclose(found.scores, [[4.1, 3.1, 2.1]])


def test_twice_as_many_as_are_asked_for_are_chosen_by_rare_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(top_k, "WORK", 4)
    right = np.array([[1, 4], [2, 3], [9, 2], [9, 1], [1, 0]], np.float32)  # all have the first column
    found = nearest_sparse(csr_matrix(np.ones((1, 2), np.float32)), csr_matrix(right), 1)
    assert (found.rights.tolist(), found.scores.tolist()) == ([[0]], [[5]])  # 5 as well as the second; 11 is not seen


def test_columns_that_nearly_all_rows_share_choose_nobody_but_count_in_the_score(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(5)
    tables = [random_array((n, 300), density=0.02, rng=rng, dtype=np.float32).toarray() for n in (200, 300)]
    for table in tables:
        table[:, 0] = 0.1
    left, right = map(csr_matrix, tables)
    monkeypatch.setattr(top_k, "WORK", 200)
    found = nearest_sparse(left, right, 4)
    best = -np.sort(-(left @ right.T).toarray(), axis=1)[:, 0]
    reached = np.isclose(found.scores[:, 0], best, atol=1e-6)
    shared_more_than_the_first_column = best > 0.0101
    assert found.rights.shape == (200, 4)
    assert reached[shared_more_than_the_first_column].mean() > 0.99


def test_the_best_of_several_that_tie_is_the_first_however_many_are_asked_for() -> None:
    scores = np.array([[0, 1, 0, 1, 1, 0.5]], np.float32)
    assert best_of_block(scores, 1).rights.tolist() == [[1]]
    assert best_of_block(scores, 6).rights[:, :1].tolist() == [[1]]


def test_vectors_on_disk_are_searched_strip_by_strip(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    left, right = rng.standard_normal((5, 8)).astype(np.float32), rng.standard_normal((23, 8)).astype(np.float16)
    monkeypatch.setattr(top_k, "STRIP", 7)
    found = nearest_stored(left, [right[:9], right[9:9], right[9:]], 4)
    expected = nearest_vectors(left, right.astype(np.float32), 4)
    assert found.rights.tolist() == expected.rights.tolist()
    assert np.allclose(found.scores, expected.scores)
